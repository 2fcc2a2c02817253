package arch

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// TestNounsAreDeclared: what Go code names in words of its own is declared in
// risk/nouns.txt, as specs must; and what is declared, something names.
func TestNounsAreDeclared(t *testing.T) {
	t.Parallel()
	all := load(t)
	said := nounsOfSpecs()
	for dir, files := range all {
		if !names(dir) {
			continue
		}
		for _, f := range files {
			for _, noun := range nounsOf(f.tree, named(all["risk"], "Verb")) {
				said[noun] = true
				if !risk.IsNoun(noun) {
					t.Errorf("%s: %q is no declared noun: add it to risk/nouns.txt, or take one of docs/words.md", f.name, noun)
				}
			}
		}
	}
	if len(said) < 200 {
		t.Errorf("only %d nouns are found in specs and Go code", len(said))
	}
	for _, noun := range risk.Nouns() {
		if !said[noun] && !strings.HasSuffix(noun, " code") {
			t.Errorf("risk/nouns.txt: nothing names %q", noun)
		}
	}
}

// names reports whether a package names what effects are about.
func names(dir string) bool {
	return slices.ContainsFunc([]string{"internal/catalog/hooks", "internal/engine", "internal/inline", "internal/shell/posix"}, func(top string) bool {
		return dir == top || strings.HasPrefix(dir, top+"/")
	})
}

// TestLanguagesAreDeclared: code in every language that specs name has a noun,
// but for shells, whose code is evaluated.
func TestLanguagesAreDeclared(t *testing.T) {
	t.Parallel()
	shells := []string{"", "sh", "bash", "zsh", "shell"}
	var languages []string
	arg := func(a *catalog.Arg) { languages = append(languages, a.Lang) }
	eachCommand(func(c *catalog.Command) {
		for i := range c.Options {
			if c.Options[i].Value != nil {
				arg(c.Options[i].Value)
			}
		}
		for i := range c.Operands {
			arg(&c.Operands[i].Arg)
		}
		for i := range c.Effects {
			languages = append(languages, c.Effects[i].Lang)
		}
	})
	if len(languages) < 100 {
		t.Errorf("only %d languages are found", len(languages))
	}
	for _, l := range languages {
		if !slices.Contains(shells, l) && !risk.IsNoun(l+" code") {
			t.Errorf("a spec names the language %q: add it to risk/nouns.txt", l)
		}
	}
}

// nounsOfSpecs are the literal targets of specs.
func nounsOfSpecs() map[string]bool {
	found := map[string]bool{}
	eachCommand(func(c *catalog.Command) {
		for i := range c.Effects {
			if literal, ok := strings.CutPrefix(c.Effects[i].Target, "="); ok {
				found[literal] = true
			}
		}
	})
	return found
}

// nounsOf finds the texts of several plain words that are made a value, or
// passed on beside a verb. Pieces of a longer text begin or end with a blank.
func nounsOf(tree *ast.File, verbs []string) []string {
	plain := regexp.MustCompile(`^[A-Za-z'.-]+( [A-Za-z'.-]+)+$`)
	var nouns []string
	ast.Inspect(tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !makesValue(call) && !slices.ContainsFunc(call.Args, func(a ast.Expr) bool { return isOne(a, verbs) }) {
			return true
		}
		for _, a := range call.Args {
			if l, ok := a.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, err := strconv.Unquote(l.Value); err == nil && plain.MatchString(text) {
					nouns = append(nouns, text)
				}
			}
		}
		return true
	})
	return nouns
}

// makesValue reports whether a call is value.Lit, or a short name for it.
func makesValue(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name == "Lit"
	case *ast.Ident:
		return f.Name == "lit"
	}
	return false
}

// isOne reports whether an expression is one of some names of package risk.
func isOne(e ast.Expr, names []string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	p, ok := s.X.(*ast.Ident)
	return ok && p.Name == "risk" && slices.Contains(names, s.Sel.Name)
}
