package arch

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/risk"
)

// TestKindsAreUsed: every declared kind is said by a spec or by Go code, and
// changes an answer: something asks for it, or a sentence is another one.
func TestKindsAreUsed(t *testing.T) {
	t.Parallel()
	all := load(t)
	used, names, specs := usesOf(all), kindNames(t, all), kindsOfSpecs()
	unused := 0
	for _, k := range risk.Kinds() {
		// The settings of git are looked up by their names.
		if !specs[k] && !used.produced[names[k]] && !strings.Contains(k.String(), ".") {
			unused++
			t.Errorf("%q (%s): nothing says it", k, names[k])
		}
		if !used.consumed[names[k]] && !told(k) {
			unused++
			t.Errorf("%q (%s): nothing asks for it, and no sentence tells it: give it a phrase in risk/kinds.txt, or take it out", k, names[k])
		}
	}
	t.Logf("%d kinds are declared; %d lack a producer or a consumer", len(names), unused)
}

// TestOtherWordsAreUsed holds causes, roles, conditions, sources and remedies
// to the same.
func TestOtherWordsAreUsed(t *testing.T) {
	t.Parallel()
	all := load(t)
	used, declared := usesOf(all), wordsOf(all["risk"])
	if len(declared) < 40 {
		t.Fatalf("only %d words are found in package risk: %v", len(declared), declared)
	}
	tells, unused := tellers(t, all), 0
	for _, w := range declared {
		if !used.produced[w] {
			unused++
			t.Errorf("risk.%s: nothing says it", w)
		}
		if !used.consumed[w] && !tells[w] {
			unused++
			t.Errorf("risk.%s: nothing asks for it, and nothing tells it", w)
		}
	}
	t.Logf("%d causes, roles, conditions, sources and remedies are declared; %d lack a producer or a consumer", len(declared), unused)
}

// tellers are the words that a sentence tells, or `heed explain` shows.
func tellers(t *testing.T, all tree) map[string]bool {
	t.Helper()
	tells := map[string]bool{}
	e := risk.Effect{Verb: risk.SecretRead, Target: "x", Certainty: risk.Possible, Reversible: risk.Regenerable}
	differs := func(change func(*risk.Effect)) bool {
		with := e
		change(&with)
		return sentence(e) != sentence(with)
	}
	for i, name := range named(all["risk"], "ConditionKind") {
		tells[name] = differs(func(e *risk.Effect) { e.Reached = risk.Condition{Kind: risk.ConditionKind(i), Of: "y"} })
	}
	for i, name := range named(all["risk"], "Role") {
		tells[name] = mentions(all["internal/cli"], "Role") && risk.Role(i+1).String() != ""
	}
	tells["From"] = differs(func(e *risk.Effect) { e.Source = risk.From("y") })
	tells["FromEnvironment"] = differs(func(e *risk.Effect) { e.Source = risk.FromEnvironment() })
	e.Verb = risk.FSDelete
	tells["RemedyMakers"] = differs(func(e *risk.Effect) { e.Remedy = risk.RemedyMakers("y") })
	return tells
}

// mentions reports whether a package reads a field.
func mentions(files []file, field string) bool {
	found := false
	for _, f := range files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			found = found || ok && s.Sel.Name == field
			return !found
		})
	}
	return found
}

// uses are the names of package risk that are said and that are asked for
// outside it.
type uses struct{ produced, consumed map[string]bool }

func usesOf(all tree) uses {
	u := uses{map[string]bool{}, map[string]bool{}}
	for dir, files := range all {
		for _, f := range files {
			if dir != "risk" && !strings.HasPrefix(dir, "risk/") {
				u.file(f.tree, onlyReads(dir))
			}
		}
	}
	return u
}

// onlyReads reports whether a package makes no effects: what it mentions it
// asks for.
func onlyReads(dir string) bool {
	return dir == "internal/judge" || dir == "internal/explain" || dir == "internal/policy" || strings.HasPrefix(dir, "internal/detect")
}

// file sorts the mentions of a file: what is compared is asked for, anything
// else said.
func (u uses) file(tree *ast.File, reads bool) {
	asked := questions(tree)
	ast.Inspect(tree, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if p, ok := s.X.(*ast.Ident); ok && p.Name == "risk" {
			if reads || asked[s] {
				u.consumed[s.Sel.Name] = true
			} else {
				u.produced[s.Sel.Name] = true
			}
		}
		return true
	})
}

// questions finds what stands in comparisons: operands of == and !=, cases,
// and arguments of functions that search.
func questions(tree *ast.File) map[*ast.SelectorExpr]bool {
	asked := map[*ast.SelectorExpr]bool{}
	ask := func(e ast.Node) {
		ast.Inspect(e, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				asked[s] = true
			}
			return true
		})
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				ask(n)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				ask(e)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Contains" || f.Sel.Name == "HasCause") {
				ask(n)
			}
		}
		return true
	})
	return asked
}

// kindNames are the names of the kinds' constants.
func kindNames(t *testing.T, all tree) map[risk.Kind]string {
	t.Helper()
	names := named(all["risk"], "Kind")
	names = slices.DeleteFunc(names, func(n string) bool { return n == "NoKind" })
	if len(names) != len(risk.Kinds()) {
		t.Fatalf("%d constants for %d kinds", len(names), len(risk.Kinds()))
	}
	out := map[risk.Kind]string{}
	for i, k := range risk.Kinds() {
		out[k] = names[i]
	}
	return out
}

// kindsOfSpecs are the kinds that specs state.
func kindsOfSpecs() map[risk.Kind]bool {
	found := map[risk.Kind]bool{}
	eachCommand(func(c *catalog.Command) {
		for i := range c.Effects {
			found[c.Effects[i].Kind] = true
		}
	})
	return found
}

// eachCommand shows every command and subcommand of the catalog.
func eachCommand(show func(*catalog.Command)) {
	var visit func(c *catalog.Command)
	visit = func(c *catalog.Command) {
		show(c)
		for i := range c.Sub {
			visit(c.Sub[i].Command())
		}
	}
	c := catalog.New(nil)
	for _, n := range c.Names() {
		p, _ := c.Lookup(n)
		visit(&p.Command)
	}
}

// told reports whether a sentence about an effect of a kind differs from the
// one about the same effect without it.
func told(k risk.Kind) bool {
	for _, v := range k.Verbs() {
		for _, e := range []risk.Effect{
			{Verb: v, Reversible: risk.Lost},
			{Verb: v, Target: "x", Program: "prog"},
			{Verb: v, Target: "/home/u/p/x", Program: "prog", Scope: risk.InWorkspace, Reversible: risk.Lost},
			{Verb: v, Target: "/x", Program: "prog", Scope: risk.InSystem, Reversible: risk.Lost},
		} {
			with := e
			with.Kind = k
			if sentence(e) != sentence(with) {
				return true
			}
		}
	}
	return false
}

func sentence(e risk.Effect) string {
	return explain.Summarize(explain.Input{Effects: []risk.Effect{e}, Bands: []risk.Band{risk.BandReview}, Dir: "/home/u/p", Home: "/home/u"})
}

// wordsOf lists what package risk declares as causes, roles, conditions,
// sources and remedies, but for those that say nothing.
func wordsOf(files []file) []string {
	words := slices.Concat(named(files, "Cause"), named(files, "Role"), named(files, "ConditionKind"))
	for _, f := range files {
		words = append(words, makers(f.tree, "Source", "Remedy")...)
	}
	return slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "No") })
}

// named lists the exported constants of a type in a package.
func named(files []file, of string) []string {
	var names []string
	for _, f := range files {
		names = append(names, constants(f.tree, of)...)
	}
	return names
}

// constants lists the exported constants of a type, in their order: a constant
// without a type has that of the one before it.
func constants(tree *ast.File, of string) []string {
	var names []string
	for _, d := range tree.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		current := ""
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			if v.Type != nil || len(v.Values) > 0 {
				current = typeName(v.Type)
			}
			if current == of && v.Names[0].IsExported() {
				names = append(names, v.Names[0].Name)
			}
		}
	}
	return names
}

// makers lists the exported variables and functions that are, or return, a
// value of one of the types.
func makers(tree *ast.File, of ...string) []string {
	var names []string
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.IsExported() && d.Type.Results != nil && slices.Contains(of, typeName(d.Type.Results.List[0].Type)) {
				names = append(names, d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				v, ok := s.(*ast.ValueSpec)
				if !ok || d.Tok != token.VAR || len(v.Values) != 1 || !v.Names[0].IsExported() {
					continue
				}
				if c, ok := v.Values[0].(*ast.CompositeLit); ok && slices.Contains(of, typeName(c.Type)) {
					names = append(names, v.Names[0].Name)
				}
			}
		}
	}
	return names
}

func typeName(e ast.Expr) string {
	if i, ok := e.(*ast.Ident); ok {
		return i.Name
	}
	return ""
}
