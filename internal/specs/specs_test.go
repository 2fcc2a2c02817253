package specs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/specs"
	"github.com/heedsh/heed/internal/world/fakeworld"
)

const (
	own   = "/home/u/.config/heed/specs"
	root  = "/home/u/project"
	plain = "program: %s\nsource: x(1)\ncases: {x: []}\n"
)

// load returns what holds in a world with these files.
func load(t *testing.T, l *specs.Loader, files map[string]string) *specs.Set {
	t.Helper()
	b := fakeworld.New().Add("git\na tracked")
	for name, text := range files {
		b.File(name, text)
	}
	w, _, _, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return l.Load(w, []string{root})
}

func spec(name string) string { return fmt.Sprintf(plain, name) }

func TestLoad(t *testing.T) {
	t.Parallel()
	l := specs.New(own, "not/absolute")
	none := load(t, l, nil)
	if none.Tight != nil || none.Digest != none.Catalog.Digest() || len(none.Problems) > 0 {
		t.Fatalf("without specs: %+v", none)
	}
	mine := load(t, l, map[string]string{own + "/a.yaml": spec("frob"), own + "/.hidden.yaml": "[", own + "/b.txt": "["})
	if _, ok := mine.Catalog.Lookup("frob"); !ok || mine.Tight != nil || mine.Digest == none.Digest || mine.Digest != mine.Catalog.Digest() || len(mine.Problems) > 0 {
		t.Errorf("a spec of one's own: %+v", mine)
	}
	if again := load(t, l, map[string]string{own + "/renamed.yaml": spec("frob")}); again.Digest != mine.Digest {
		t.Error("the name of a file changes the digest")
	}
	theirs := load(t, l, map[string]string{".heed/specs/a.yaml": spec("frob")})
	if _, ok := theirs.Catalog.Lookup("frob"); ok || theirs.Tight == nil || theirs.Digest == none.Digest || theirs.Digest == mine.Digest || theirs.Catalog.Digest() != none.Digest {
		t.Errorf("a spec of the workspace: %+v", theirs)
	}
	both := load(t, l, map[string]string{own + "/a.yaml": spec("frob"), ".heed/specs/a.yaml": spec("frob"), ".heed/specs/b.yaml": spec("blob")})
	if _, ok := both.Tight.Lookup("blob"); !ok || both.Catalog.Digest() != mine.Digest || both.Digest == mine.Digest {
		t.Errorf("both: %+v", both)
	}
	if all := both.Tight.Names(); len(all) != len(none.Catalog.Names())+2 {
		t.Errorf("%d names, want two more than %d", len(all), len(none.Catalog.Names()))
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	many := map[string]string{}
	for i := range 40 {
		many[fmt.Sprintf(".heed/specs/%02d.yaml", i)] = spec(fmt.Sprint("p", i))
	}
	deep := "cases: {x: []}\nsource: s\nprogram: x\n"
	for i := range 9 {
		deep += strings.Repeat("  ", i) + "subcommands:\n" + strings.Repeat("  ", i) + " a:\n"
	}
	deep += strings.Repeat("  ", 10) + "summary: x\n"
	list := func(n int, item string) string { return strings.TrimSuffix(strings.Repeat(item+", ", n), ", ") }
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
		own   bool
	}{
		{"one's own, broken", map[string]string{own + "/a.yaml": "program: [\n"}, own + "/a.yaml:2: this is no YAML", true},
		{"an unknown hook", map[string]string{own + "/a.yaml": spec("x") + "hook: nothing\n"}, `no hook is called "nothing"`, true},
		{"two of one program", map[string]string{own + "/a.yaml": spec("x"), own + "/b.yaml": spec("y x")}, own + `/b.yaml:1: "x" is described by another file too`, true},
		{"many errors", map[string]string{own + "/a.yaml": "program: x\n"}, "say which manual this was written from (+1 more)", true},
		{"no directory", map[string]string{".heed/specs": "x"}, "/.heed/specs: it is a link or no ordinary file", false},
		{"a directory named so", map[string]string{".heed/specs/a.yaml/b": "x"}, "/a.yaml: it is a link or no ordinary file", false},
		{"many files", many, "more than 32 files", false},
		{"a large file", map[string]string{".heed/specs/a.yaml": strings.Repeat("# x\n", 20_000)}, "larger than the limit", false},
		{"many names", map[string]string{".heed/specs/a.yaml": spec(strings.Join(strings.Split(strings.Repeat("x", 65), ""), "y "))}, "more than 64 names", false},
		{"a badge as a name", map[string]string{".heed/specs/a.yaml": spec(`"[SAFE]"`)}, "without brackets", false},
		{"many options", map[string]string{".heed/specs/a.yaml": spec("x") + "flags: '" + strings.Repeat("-a ", 300) + "'\n"}, "more than 256 options", false},
		{"many effects", map[string]string{".heed/specs/a.yaml": spec("x") + "effects: [" + list(40, "net.send") + "]\n"}, "more than 32 effects", false},
		{"a long condition", map[string]string{".heed/specs/a.yaml": spec("x") + "effects: [{verb: net.send, when: a" + strings.Repeat(" or a", 20) + "}]\n"}, "more than 16 parts", false},
		{"deep", map[string]string{".heed/specs/a.yaml": deep}, "nested deeper", false},
	} {
		set := load(t, specs.New(own), tt.files)
		if len(set.Problems) != 1 || !strings.Contains(set.Problems[0].Text, tt.want) || set.Problems[0].Own != tt.own {
			t.Errorf("%s: %+v, want %q", tt.name, set.Problems, tt.want)
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	r, err := specs.Check("f.yaml", []byte("program: ls frob\nsource: s\noperands: [{f...: deletes}]\ncases: {frob a: [fs.delete a recursive], ls: []}\n"), true)
	if err != nil || len(r.Programs) != 1 || r.Cases != 2 || len(r.Replaced) != 1 || r.Replaced[0] != "ls" {
		t.Errorf("%+v, %v", r, err)
	}
	for text, want := range map[string]string{
		"program: x\nsource: s\ncases: {x: [fs.read a]}\n":                                                                     "f.yaml:3: x\n\tgot  []\n\twant",
		"program: x\nsource: s\ncases: {x: []}\n---\nprogram: x\nsource: s\ncases: {x: []}\n":                                  `"x" is described twice`,
		"program: x\nsource: s\ncases: {x: []}\nhook: git\neffects: [" + strings.Repeat("net.send, ", 2) + "net.send]\n":       "",
		"program: x\nsource: s\ncases: {x: [net.send (whatever)]}\neffects: [{verb: net.send, detail: whatever}]\nhook: git\n": "",
	} {
		if _, err := specs.Check("f.yaml", []byte(text), false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
