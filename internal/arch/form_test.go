package arch

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	t.Parallel()
	for dir, files := range load(t) {
		var comments []string
		for _, f := range files {
			if f.tree.Doc != nil {
				comments = append(comments, f.tree.Doc.Text())
			}
		}
		if len(comments) != 1 {
			t.Errorf("%s has %d package comments, want one", dir, len(comments))
			continue
		}
		want := "Package " + files[0].tree.Name.Name + " "
		if files[0].tree.Name.Name == "main" {
			want = "Command "
		}
		if !strings.HasPrefix(comments[0], want) {
			t.Errorf("%s: the package comment begins %.30q, want %q", dir, comments[0], want)
		}
	}
}

// TestNoWorkAtInit forbids what runs before main: init functions, and package
// variables that compile a regular expression or a template.
func TestNoWorkAtInit(t *testing.T) {
	t.Parallel()
	for _, files := range load(t) {
		for _, f := range files {
			for _, d := range f.tree.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Recv == nil && d.Name.Name == "init" {
						t.Errorf("%s has an init function", f.name)
					}
				case *ast.GenDecl:
					if d.Tok == token.VAR {
						forbidWork(t, f.name, d)
					}
				}
			}
		}
	}
}

// forbidWork looks through what a package variable is set to, but not into
// functions, which run later.
func forbidWork(t *testing.T, name string, d *ast.GenDecl) {
	t.Helper()
	ast.Inspect(d, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if p, ok := f.X.(*ast.Ident); ok && (p.Name == "regexp" || p.Name == "template") {
			t.Errorf("%s: a package variable calls %s.%s, which works before main: use sync.OnceValue", name, p.Name, f.Sel.Name)
		}
		return true
	})
}

// TestGoMod keeps the module buildable from a plain `go install`: a replace
// directive would be ignored there.
func TestGoMod(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"go.mod", "tools/lint/go.mod"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if word == "replace" || word == "exclude" || word == "toolchain" {
				t.Errorf("%s: %s", name, strings.TrimSpace(line))
			}
		}
	}
}

// TestLicence keeps the licence that the README names.
func TestLicence(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "LICENSE"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "Apache License") || !strings.Contains(string(text), "Version 2.0") {
		t.Error("LICENSE is not the Apache License 2.0")
	}
}
