package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// module is the module's path, and root the way to its top from here.
const (
	module = "github.com/heedsh/heed"
	root   = "../.."
)

// A file is one Go file that is no test.
type file struct {
	name    string // relative to the module
	tree    *ast.File
	imports []string
}

// A tree maps the packages of the module, named by their directory ("." for
// the root), to their files.
type tree map[string][]file

// packages parses the Go files of heed itself: test files and the programs
// that measure and train it (tools) are no part of it.
var packages = sync.OnceValues(func() (tree, error) {
	found := tree{}
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(rel, d.Name())
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parsing: %w", err)
		}
		f := file{name: filepath.ToSlash(rel), tree: parsed}
		for _, i := range parsed.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return fmt.Errorf("%s: %w", rel, err)
			}
			f.imports = append(f.imports, p)
		}
		dir := path.Dir(f.name)
		found[dir] = append(found[dir], f)
		return nil
	})
	return found, err
})

// enter leaves out directories that hold no code of this module.
func enter(rel, base string) error {
	if rel == "." {
		return nil
	}
	if rel == "tools" {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(root, rel, "go.mod")); err == nil {
		return fs.SkipDir
	}
	if strings.HasPrefix(base, ".") || base == "testdata" || base == "bin" || base == "node_modules" {
		return fs.SkipDir
	}
	return nil
}

func load(t *testing.T) tree {
	t.Helper()
	all, err := packages()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages found: is %s still the top of the module?", len(all), root)
	}
	return all
}

// own returns the directory of a package of this module, or "".
func own(importPath string) string {
	if importPath == module {
		return "."
	}
	rest, ok := strings.CutPrefix(importPath, module+"/")
	if !ok {
		return ""
	}
	return rest
}
