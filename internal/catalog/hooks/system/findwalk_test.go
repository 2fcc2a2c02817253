package system_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/world/fakeworld"
)

const listScene = `
dir /w
/w/a.py <<
    print()
/w/b.tmp 0B
/w/sub/a.py <<
    x
/w/sub/deep/c.py 0B
/w/sub/deep/.hidden <<
    y
/w/empty/
/w/link -> sub
/w/broken -> nowhere
/w/skip/d.py <<
    z
`

// TestFindLists: what find finds is worked out, test by test (find(1)).
func TestFindLists(t *testing.T) {
	t.Parallel()
	c := filesCatalog(t)
	for line, want := range map[string]string{
		"find . -name *.py":                                    "./a.py ./skip/d.py ./sub/a.py ./sub/deep/c.py",
		"find . -name *.py -not -path ./sub/*":                 "./a.py ./skip/d.py",
		"find . -path ./sub -prune -o -name *.py -print":       "./a.py ./skip/d.py",
		"find . ( -name skip -o -name sub ) -prune -o -type f": "./a.py ./b.tmp ./skip ./sub",
		"find . -maxdepth 1 -type f":                           "./a.py ./b.tmp",
		"find . -mindepth 2 -type f ! -name *.py":              "./sub/deep/.hidden",
		"find sub/ -type d":                                    "sub/ sub/deep",
		"find . -type l":                                       "./broken ./link",
		"find . -xtype l":                                      "./broken",
		"find -L link -name *.py":                              "link/a.py link/deep/c.py",
		"find link -name *.py":                                 "<find link>",
		"find link/ -name a.py":                                "link/a.py",
		"find . -empty":                                        "./b.tmp ./empty ./sub/deep/c.py",
		"find . -empty -type d":                                "./empty",
		"find . -iname A.PY":                                   "./a.py ./sub/a.py",
		"find . -size +0 -type f -name *.py":                   "./a.py ./skip/d.py ./sub/a.py",
		"find . -name *.py -name d*":                           "./skip/d.py",
		"find . -name a.py -quit":                              "",
		"find sub skip -name *.py":                             "sub/a.py sub/deep/c.py skip/d.py",
		"find nowhere":                                         "<find nowhere>",
		"find . -name nothing":                                 "<find .>",
		"find . -name *.py -mtime +3":                          "./a.py ./skip/d.py ./sub/a.py ./sub/deep/c.py",
		"find /w/sub -type f -name .*":                         "/w/sub/deep/.hidden",
		"find . -type f,l -name *a*":                           "./a.py ./sub/a.py",
		"find . -lname sub":                                    "./link",
		"find . -false -o -name b.tmp":                         "./b.tmp",
		"find . -name x , -name b.tmp":                         "./b.tmp",
		"ls":                                                   "a.py b.tmp broken empty link skip sub",
		"ls sub":                                               "a.py deep",
		"ls -A sub/deep":                                       ".hidden c.py",
		"ls -a sub/deep":                                       ". .. .hidden c.py",
		"ls -d sub skip":                                       "skip sub",
		"ls -p":                                                "a.py b.tmp broken empty/ link skip/ sub/",
		"ls -r sub skip a.py":                                  "a.py  sub: deep a.py  skip: d.py",
		"ls -1 --color=never sub":                              "a.py deep",
	} {
		w, _, _ := fakeworld.Must(t, listScene)
		words := literals(line)
		name, _ := words[0].Known()
		p, ok := c.Lookup(name)
		if !ok {
			t.Fatalf("no spec for %s", name)
		}
		r := c.Describe(p, words[1:], &catalog.Site{World: w, Dir: "/w", Name: name})
		got := ""
		if r.Stdout != nil {
			got = strings.ReplaceAll(strings.TrimSuffix(r.Stdout.String(), "\n"), "\n", " ")
		}
		if got != want && (name == "ls" || !sameWords(got, want)) {
			t.Errorf("%s: %s\nwant %s", line, got, want)
		}
	}
}

func sameWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// TestFindActs: actions are for exactly what is found.
func TestFindActs(t *testing.T) {
	t.Parallel()
	c := filesCatalog(t)
	for line, want := range map[string][]string{
		"find . -name *.py -delete":                   {"fs.delete ./a.py", "fs.delete ./skip/d.py", "fs.delete ./sub/a.py", "fs.delete ./sub/deep/c.py", "fs.read ."},
		"find sub -delete":                            {"fs.delete sub recursive", "fs.read sub"},
		"find sub -type f -delete":                    {"fs.delete sub/a.py", "fs.delete sub/deep/.hidden", "fs.delete sub/deep/c.py", "fs.read sub"},
		"find sub -type d -delete":                    {"fs.delete <find sub> many (find)", "fs.read sub"},
		"find . -name *.o -delete":                    {"fs.delete <find .> many (find)", "fs.read ."},
		"find . -maxdepth 1 -name *.py -exec rm {} ;": {"fs.read .", "run argv: rm ./a.py"},
		"find sub -name *.py -exec rm -f {} +":        {"fs.read sub", "run argv: rm -f sub/a.py sub/deep/c.py"},
		"find sub -name c.py -execdir rm {} ;":        {"fs.read sub", "run argv: rm ./c.py"},
		"find . -name skip -prune -exec rm -r {} +":   {"fs.read .", "run argv: rm -r ./skip"},
	} {
		w, _, _ := fakeworld.Must(t, listScene)
		words := literals(line)
		p, _ := c.Lookup("find")
		got := compile.Lines(c.Describe(p, words[1:], &catalog.Site{World: w, Dir: "/w", Name: "find"}))
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (- want, + got)\n%s", line, d)
		}
	}
}
