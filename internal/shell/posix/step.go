package posix

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// maxSteps is how many steps are told apart: who is shown more reads none.
const maxSteps = 32

// Steps lists the steps of a text, where it has several.
func Steps(text, dialect string) []shell.Step {
	src, err := Parse(text, dialect)
	if err != nil || !strings.HasPrefix(src.Text, text) {
		return nil // where something stands is not known
	}
	var all []step
	for i, s := range src.File.Stmts {
		if !flat(s, i, &all) || len(all) > maxSteps {
			return nil
		}
	}
	if len(all) < 2 {
		return nil
	}
	d := divider{text, src.Grammar, all}
	out := make([]shell.Step, len(all))
	for i, s := range all {
		out[i] = shell.Step{Span: s.span, After: s.after}
		if i < len(all)-1 {
			out[i].First, out[i].Rest, out[i].Together = d.behind(i)
		}
	}
	return out
}

// A step is one with its tree, and the list of the top level that it is in.
type step struct {
	stmt  *syntax.Stmt
	list  int
	after string
	span  risk.Span
}

// flat takes the && of a statement apart. It fails where steps cannot be told apart: a
// function is called elsewhere than it stands, and the text of a here-document stands
// behind the line.
func flat(s *syntax.Stmt, list int, out *[]step) bool {
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && b.Op == syntax.AndStmt && !s.Negated && !s.Background && len(s.Redirs) == 0 {
		if !flat(b.X, list, out) || !flat(b.Y, list, out) {
			return false
		}
		(*out)[len(*out)-1].after = "&&"
		return true
	}
	if _, ok := s.Cmd.(*syntax.FuncDecl); ok || s.Cmd == nil {
		return false
	}
	here := false
	syntax.Walk(s, func(n syntax.Node) bool {
		r, ok := n.(*syntax.Redirect)
		here = here || ok && r.Hdoc != nil
		return !here
	})
	if here {
		return false
	}
	end := s.End()
	if s.Semicolon.IsValid() && !s.Background && !s.Coprocess && !s.Disown {
		end = s.Semicolon
	}
	after := ";"
	if len(*out) == 0 {
		after = ""
	}
	*out = append(*out, step{s, list, after, risk.Span{Start: int(s.Pos().Offset()), End: int(end.Offset())}})
	return true
}

// A divider divides a text between two of its steps.
type divider struct {
	text, dialect string
	all           []step
}

// of is the text of a step.
func (d *divider) of(i int) string {
	return strings.TrimSpace(d.text[d.all[i].span.Start:d.all[i].span.End])
}

// behind divides the text behind a step, or says why it cannot be.
func (d *divider) behind(i int) (first, rest, together string) {
	within := d.all[i+1].after == "&&"
	var again strings.Builder
	for k := range d.all[:i+1] {
		s := &d.all[k]
		l := leftBy(s.stmt, d.dialect)
		switch {
		case l.what != "":
			return "", "", "what follows may need what " + l.what + " leaves in the shell"
		case !l.setup:
		case within && s.list == d.all[i].list:
			again.WriteString(d.of(k) + " && ")
		case s.after == "&&":
			return "", "", "whether `" + d.of(k) + "` was reached is not known to what follows"
		default:
			again.WriteString(d.of(k) + "; ")
		}
		for _, name := range l.names {
			if d.named(i+1, name) {
				return "", "", "what follows may need the " + name + " that is set before"
			}
		}
	}
	if asks := d.asks(i + 1); asks != "" {
		return "", "", "what follows asks with `" + asks + "` what became of what is before"
	}
	first = strings.TrimSpace(d.text[:d.all[i].span.End])
	rest = again.String() + strings.TrimSpace(d.text[d.all[i+1].span.Start:])
	if !d.same(first, d.all[:i+1]) {
		return "", "", "it is written so that its halves would be read in another way"
	}
	if src, err := Parse(rest, d.dialect); err != nil || !strings.HasPrefix(src.Text, rest) {
		return "", "", "it is written so that its halves would be read in another way"
	}
	return first, rest, ""
}

// same reports whether a text has these steps and no others.
func (d *divider) same(text string, want []step) bool {
	src, err := Parse(text, d.dialect)
	if err != nil || !strings.HasPrefix(src.Text, text) {
		return false
	}
	var got []step
	for i, s := range src.File.Stmts {
		if !flat(s, i, &got) {
			return false
		}
	}
	return slices.EqualFunc(got, want, func(a, b step) bool { return a.span == b.span && a.after == b.after && a.list == b.list })
}

// named reports whether steps from this one on name a variable.
func (d *divider) named(from int, name string) (found bool) {
	for _, s := range d.all[from:] {
		syntax.Walk(s.stmt, func(n syntax.Node) bool {
			lit, ok := n.(*syntax.Lit)
			found = found || ok && lit.Value == name
			return !found
		})
	}
	return found
}

// asks is what steps from this one on ask of what ran before; "" if nothing.
func (d *divider) asks(from int) (what string) {
	for _, s := range d.all[from:] {
		syntax.Walk(s.stmt, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.ParamExp:
				if n.Param != nil && slices.Contains([]string{"?", "!", "_", "PIPESTATUS", "pipestatus", "status"}, n.Param.Value) {
					what = "$" + n.Param.Value
				}
			case *syntax.CallExpr:
				if len(n.Args) > 0 && slices.Contains([]string{"wait", "jobs", "fg", "bg", "disown"}, n.Args[0].Lit()) {
					what = n.Args[0].Lit()
				}
			}
			return what == ""
		})
	}
	return what
}

// A leaving is what a step leaves in its shell.
type leaving struct {
	// setup says that it does nothing but set the shell up, in a way that can be done
	// twice.
	setup bool
	// what leaves something that cannot be told; "" if nothing does.
	what string
	// names are the variables that it sets besides.
	names []string
}

// settingUp are the builtins that can be done again in another shell, and come to the same
// there: bash(1), zshbuiltins(1), mksh(1).
const settingUp = "cd set umask unset"

// own are the builtins of the shells that leave something in it, or may: bash(1), SHELL
// BUILTIN COMMANDS; zshbuiltins(1); mksh(1), Command execution.
const own = `. alias autoload builtin chdir command complete compopt coproc disable disown emulate enable eval exec exit fc float
functions getln getopts global hash integer let limit local logout mapfile noglob popd print printf pushd read readarray rehash repeat return
sched setopt shift shopt source suspend trap typeset ulimit unalias unfunction unhash unlimit unsetopt vared wait zmodload zparseopts
zstyle -`

// harmless reports whether one of own leaves nothing, with these words: it prints, and is
// given no variable to print into; or it looks a name up.
func harmless(args []*syntax.Word) bool {
	second := ""
	if len(args) > 1 {
		second = args[1].Lit()
	}
	switch args[0].Lit() {
	case "printf", "print":
		return len(args) > 1 && len(args[1].Parts) > 0 && !strings.HasPrefix(second, "-")
	case "command":
		return second == "-v" || second == "-V"
	}
	return false
}

// leftBy says what a step leaves in its shell.
func leftBy(s *syntax.Stmt, dialect string) leaving {
	if setsUp(s) {
		return leaving{setup: true}
	}
	var l leaving
	is := func(what string) {
		if l.what == "" {
			l.what = what
		}
	}
	code := func(what string) { is("`" + what + "`") }
	syntax.Walk(s, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Subshell, *syntax.CmdSubst, *syntax.ProcSubst:
			return false // a shell of its own
		case *syntax.BinaryCmd:
			// The last of a pipeline is in this shell in zsh and mksh, and no other is.
			if (n.Op == syntax.Pipe || n.Op == syntax.PipeAll) && (dialect == "bash" || dialect == "sh") {
				return false
			}
		case *syntax.Stmt:
			if n.Background || n.Coprocess || n.Disown {
				code("&")
			}
		case *syntax.Redirect:
			if n.N != nil && strings.HasPrefix(n.N.Value, "{") {
				code(n.N.Value + ">")
			}
		case *syntax.ParamExp:
			if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				code("${…=…}")
			}
		case *syntax.BinaryArithm:
			if op := n.Op.String(); strings.HasSuffix(op, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, op) {
				code(op)
			}
		case *syntax.UnaryArithm:
			if op := n.Op.String(); op == "++" || op == "--" {
				code(op)
			}
		case *syntax.WordIter:
			if n.Name != nil {
				l.names = append(l.names, n.Name.Value)
			}
		case *syntax.BinaryTest:
			if n.Op == syntax.TsReMatch {
				l.names = append(l.names, "BASH_REMATCH")
			}
		case *syntax.DeclClause:
			code(n.Variant.Value)
		case *syntax.LetClause:
			code("let")
		case *syntax.CoprocClause:
			code("coproc")
		case *syntax.FuncDecl:
			is("a function")
		case *syntax.CallExpr:
			switch {
			case len(n.Args) == 0:
				is("an assignment")
			case n.Args[0].Lit() == "":
				is("a command whose name is worked out")
			case hasWord(own+" "+settingUp, n.Args[0].Lit()) && !harmless(n.Args):
				code(n.Args[0].Lit())
			}
		}
		return true
	})
	return l
}

// setsUp reports whether a step does nothing but set its shell up, with words that are the
// same each time.
func setsUp(s *syntax.Stmt) bool {
	if s.Negated || s.Background || s.Coprocess || s.Disown || len(s.Redirs) > 0 {
		return false
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		if len(c.Args) > 0 && (len(c.Assigns) > 0 || !hasWord(settingUp, c.Args[0].Lit())) {
			return false
		}
	case *syntax.DeclClause:
		if c.Variant.Value != "export" && c.Variant.Value != "readonly" {
			return false
		}
	default:
		return false
	}
	same := true
	syntax.Walk(s.Cmd, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst, *syntax.ArithmExp, *syntax.ExtGlob:
			same = false
		case *syntax.Assign:
			same = same && !n.Append
		case *syntax.Lit:
			same = same && !strings.ContainsAny(n.Value, "*?[") // other files may be there by then
		case *syntax.ParamExp:
			same = same && n.Exp == nil && n.Index == nil && n.NestedParam == nil && n.Param != nil && syntax.ValidName(n.Param.Value)
			return false
		}
		return same
	})
	return same
}
