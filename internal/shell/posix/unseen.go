package posix

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// Each command substitution of a statement that is reached is evaluated, or it
// is passed over where the shell surely does: what this front forgets, at
// whatever place of a word it stands, is found here and evaluated as something
// that may happen.

// visited are the substitutions of the texts that are evaluated which were
// evaluated or passed over, and the statements that were looked through.
type visited struct {
	nodes map[syntax.Node]bool
	text  string // that has says of
	has   bool   // the text has substitutions at all
}

func (e *evaluator) visit(n syntax.Node) {
	if e.visited.nodes == nil {
		e.visited.nodes = map[syntax.Node]bool{}
	}
	e.visited.nodes[n] = true
}

// substitutes reports whether there can be a substitution in the text.
func (e *evaluator) substitutes() bool {
	if v := &e.visited; v.text != e.text {
		v.text = e.text
		v.has = strings.Contains(e.text, "$(") || strings.ContainsAny(e.text, "`") || strings.Contains(e.text, "<(") ||
			strings.Contains(e.text, ">(") || strings.Contains(e.text, "=(") || strings.Contains(e.text, "${|") || strings.Contains(e.text, "${ ") ||
			strings.Contains(e.text, "${\t") || strings.Contains(e.text, "${\n")
	}
	return e.visited.has
}

// passOver notes that the shell surely does not evaluate a part of a word.
func (e *evaluator) passOver(n syntax.Node) {
	if w, isWord := n.(*syntax.Word); n == nil || isWord && w == nil || !e.substitutes() {
		return
	}
	e.own(n, e.visit)
}

// own calls f for each substitution that is evaluated with n itself, not with a
// statement inside it.
func (e *evaluator) own(n syntax.Node, f func(syntax.Node)) {
	syntax.Walk(n, func(x syntax.Node) bool {
		switch x := x.(type) {
		case *syntax.Stmt:
			return x == n
		case *syntax.CmdSubst, *syntax.ProcSubst:
			f(x)
			return false
		case *syntax.ExtGlob: // its text is expanded where it is evaluated
			return false
		case *syntax.Redirect:
			if x.Hdoc != nil && hasQuotes(x.Word) {
				return false
			}
		case *syntax.Lit:
			if rawSubstitution(x.Value) {
				f(x)
			}
		}
		return x != nil
	})
}

// unseen evaluates what is left of a statement that was evaluated.
func (e *evaluator) unseen(st *shell.State, s *syntax.Stmt) {
	if !e.substitutes() || e.visited.nodes[s] {
		return
	}
	e.visit(s)
	var left []syntax.Node
	e.own(s, func(n syntax.Node) {
		if !e.visited.nodes[n] {
			left = append(left, n)
		}
	})
	for _, n := range left {
		if e.spent() {
			return
		}
		sub := st.Clone()
		sub.Alts, sub.Gone = nil, false
		sub.Under(risk.Condition{})
		switch n := n.(type) {
		case *syntax.CmdSubst:
			e.substitute(sub, n)
		case *syntax.ProcSubst:
			e.process(sub, n)
		case *syntax.Lit:
			e.again(sub, value.Lit(n.Value), e.span(n))
		}
		st.FS.Join(sub.FS)
	}
}

// rawSubstitution reports whether text that the parser took for a literal holds
// a substitution: it does not read all places as the shells do, qualifiers of
// zsh's patterns for one.
func rawSubstitution(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '`':
			return true
		case '$':
			if i+1 < len(text) && text[i+1] == '(' {
				return true
			}
		}
	}
	return false
}
