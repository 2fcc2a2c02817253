package arch

import (
	"go/ast"
	"go/token"
	"strconv"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
)

// maxMethods is how many methods the machine may have: it is a worklist, and
// what follows from a deed lives in internal/flow.
const maxMethods = 50

func TestMachineIsSmall(t *testing.T) {
	t.Parallel()
	n := 0
	for _, f := range load(t)["internal/engine"] {
		for _, d := range f.tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			if star, ok := fn.Recv.List[0].Type.(*ast.StarExpr); ok && star.X.(*ast.Ident).Name == "machine" {
				n++
			}
		}
	}
	t.Logf("the machine has %d methods", n)
	if n == 0 || n >= maxMethods {
		t.Errorf("the machine has %d methods, want fewer than %d", n, maxMethods)
	}
}

// TestEngineKnowsNoProgram: nothing in the engine or in what follows from
// deeds is compared with a program's name; what is unusual about a program its
// spec says.
func TestEngineKnowsNoProgram(t *testing.T) {
	t.Parallel()
	c := catalog.New(nil)
	compared, programs := 0, 0
	for _, dir := range []string{"internal/engine", "internal/flow"} {
		for _, f := range load(t)[dir] {
			for _, text := range comparedTexts(f.tree) {
				compared++
				if _, known := c.Lookup(text); known && text != "" {
					programs++
					t.Errorf("%s compares with %q, which is a program", f.name, text)
				}
			}
		}
	}
	t.Logf("of %d texts that the engine and flow compare with, %d are names of programs", compared, programs)
	if compared == 0 {
		t.Fatal("no comparisons found")
	}
}

// comparedTexts lists the strings that a file's code compares with something:
// in ==, !=, in the cases of a switch, and in lists of names.
func comparedTexts(tree *ast.File) []string {
	var found []string
	collect := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if _, ok := n.(*ast.BlockStmt); ok {
				return false
			}
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if text, err := strconv.Unquote(l.Value); err == nil {
					found = append(found, text)
				}
			}
			return true
		})
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				collect(n)
			}
		case *ast.CaseClause:
			for _, e := range n.List {
				collect(e)
			}
		case *ast.CompositeLit:
			if a, ok := n.Type.(*ast.ArrayType); ok {
				if e, ok := a.Elt.(*ast.Ident); ok && e.Name == "string" {
					collect(n)
				}
			}
		}
		return true
	})
	return found
}
