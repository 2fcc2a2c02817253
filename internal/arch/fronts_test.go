package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/shell/shellname"
)

// registry is the one package that may import a front.
const registry = "internal/shell/fronts"

// TestOnlyTheRegistryImportsAFront: everybody else asks shell.Fronts, so that a new
// front needs no edit but there.
func TestOnlyTheRegistryImportsAFront(t *testing.T) {
	t.Parallel()
	importers, registered := map[string][]string{}, 0
	for dir, files := range load(t) {
		for _, f := range files {
			for _, i := range f.imports {
				if isFront(own(i)) && dir == registry {
					registered++
				} else if isFront(own(i)) {
					importers[own(i)] = append(importers[own(i)], f.name)
				}
			}
		}
	}
	if registered == 0 {
		t.Fatalf("%s imports no front: has it moved?", registry)
	}
	t.Logf("importers of fronts beside %s: %d", registry, len(importers))
	for front, names := range importers {
		t.Errorf("%s is imported by %v: ask shell.Fronts", front, names)
	}
}

// isFront reports whether a package is a front: those below shell that are neither
// the table of names nor the registry.
func isFront(dir string) bool {
	return path.Dir(dir) == "internal/shell" && dir != registry && path.Base(dir) != "shellname"
}

// otherLists are the packages in which a list of shells means something else than
// which shells there are, or which are evaluated.
func otherLists() map[string]string {
	return map[string]string{
		"internal/agent":                "what agents call the tools that run commands",
		"internal/catalog/hooks/recipe": "which variables name what a shell reads when it starts: a part of its spec",
		"internal/prompt":               "which shells heed has a set-up for, and which of them it reads",
		"internal/inline/lexical":       "how commands are written in the shells that are read as text, without a front",
		"internal/pure":                 "what the echo, printf and test of each shell print: others are not computed",
		"internal/wrap/shellargs":       "whose command line heed-sh reads, and under whose names it stands in: options differ where the language does not",
		"internal/wrap":                 "sh may be bash, and takes functions from its environment",
		"internal/scan":                 "which options GitHub's runner gives its shells (workflow syntax, jobs.<id>.steps[*].shell)",
	}
}

// TestShellsAreListedOnce: no code but that of the shells lists their names. A list
// is two names in one case, one literal, one call or one condition.
func TestShellsAreListedOnce(t *testing.T) {
	t.Parallel()
	found := map[string][]string{}
	for dir, files := range load(t) {
		if dir == "internal/shell" || strings.HasPrefix(dir, "internal/shell/") {
			continue
		}
		for _, f := range files {
			ast.Inspect(f.tree, func(n ast.Node) bool {
				if names := listed(n); len(names) > 1 {
					found[dir] = append(found[dir], fmt.Sprintf("%s lists %q", f.name, names))
				}
				return true
			})
		}
	}
	for dir, lists := range found {
		why, ok := otherLists()[dir]
		if !ok {
			t.Errorf("%s: ask shell.Fronts or package shellname, or say in otherLists what else it means", strings.Join(lists, "; "))
			continue
		}
		t.Logf("%s: %s", strings.Join(lists, "; "), why)
	}
	for dir := range otherLists() {
		if len(found[dir]) == 0 {
			t.Errorf("%s lists no shells any more: take it out of otherLists", dir)
		}
	}
}

// listed are the names of shells that one node lists.
func listed(n ast.Node) []string {
	var in []ast.Expr
	switch n := n.(type) {
	case *ast.CaseClause:
		in = n.List
	case *ast.CompositeLit:
		in = n.Elts
	case *ast.CallExpr:
		in = n.Args
	case *ast.BinaryExpr:
		if n.Op == token.LOR || n.Op == token.LAND {
			in = []ast.Expr{n}
		}
	}
	var names []string
	for _, x := range in {
		ast.Inspect(x, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit, *ast.CallExpr, *ast.CompositeLit: // lists of their own
				return n == x
			case *ast.BasicLit:
				name, err := strconv.Unquote(n.Value)
				if err == nil && n.Kind == token.STRING && shellname.Is(name) && !plainWord(name) && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			return true
		})
	}
	return names
}

// plainWord reports whether a shell's name is also a word for something else.
func plainWord(name string) bool {
	return slices.Contains([]string{"cmd", "rc", "es", "ion", "oil"}, name)
}
