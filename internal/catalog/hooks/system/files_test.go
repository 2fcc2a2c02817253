package system_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

func filesCatalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	var programs []*catalog.Program
	for _, f := range []string{"copy.yaml", "find.yaml", "ls.yaml", "xargs.yaml", "parallel.yaml", "rsync.yaml", "wrappers.yaml", "sudo.yaml", "privilege.yaml", "modes.yaml", "make-files.yaml", "rename.yaml", "archive-copy.yaml", "trace.yaml", "builtins.yaml"} {
		specs, err := compile.Dir("../../specs", f)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range specs {
			programs = append(programs, s.Program)
		}
	}
	return catalog.FromPrograms(programs, hooks.Find)
}

const filesScene = `
git . on work
out/ dir
src/ dir
src/a.go untracked
a.txt tracked
`

// filesDo describes words in a small world, with text on standard input.
func filesDo(t testing.TB, c *catalog.Catalog, words []value.Value, stdin *value.Value) []string {
	t.Helper()
	w, dir, _ := fakeworld.Must(t, filesScene)
	name, _ := words[0].Known()
	p, ok := c.Lookup(name)
	if !ok {
		t.Fatalf("no spec for %s", name)
	}
	site := &catalog.Site{World: w, Dir: dir, Name: name}
	if stdin != nil {
		site.Stdin, site.HasStdin = *stdin, true
	}
	r := c.Describe(p, words[1:], site)
	lines := compile.Lines(r)
	if r.Stdout != nil {
		lines = append(lines, "prints "+strings.TrimSuffix(r.Stdout.String(), "\n"))
	}
	slices.Sort(lines)
	return lines
}

func literals(line string) []value.Value {
	var out []value.Value
	for _, w := range strings.Fields(line) {
		out = append(out, value.Lit(w))
	}
	return out
}

func TestFilesInWorld(t *testing.T) {
	t.Parallel()
	c := filesCatalog(t)
	known := func(s string) *value.Value { v := value.Lit(s); return &v }
	found := value.Concat(value.Of(value.Hole{Cause: risk.CauseMatch, Name: "find a", Shape: value.Below, Base: "a"}), value.Lit("\n"))
	for _, test := range []struct {
		line  string
		stdin *value.Value
		want  []string
	}{
		{"cp a.txt out", nil, []string{"fs.read a.txt", "fs.write out/a.txt <- a.txt"}},
		{"cp -r src out", nil, []string{"fs.read src recursive", "fs.write out/src recursive <- src"}},
		{"cp -rT src out", nil, []string{"fs.read src recursive", "fs.write out recursive <- src"}},
		{"mv a.txt out", nil, []string{"fs.move a.txt", "fs.write out/a.txt (move) <- a.txt"}},
		{"ln -s a.txt out", nil, []string{"fs.create out/a.txt (symlink)"}},
		{"rsync -a --delete src out", nil, []string{"fs.delete out/src recursive many (what the source lacks)", "fs.read src recursive", "fs.write out/src recursive <- src"}},
		{"xargs rm -f", known("a 'b c'\nd\\ e"), []string{"run argv: rm -f a b c d e"}},
		{"xargs -n1 rm", known("a b"), []string{"run argv: rm a", "run argv: rm b"}},
		{"xargs -0 rm", known("a b\x00c\x00"), []string{"run argv: rm a b c"}},
		{"xargs -r rm", known("\n"), []string{}},
		{"xargs rm", known(""), []string{"run argv: rm"}},
		{"xargs -I% sh -c %", known(" rm 'a b'\nid\n"), []string{"run argv: sh -c id", "run argv: sh -c rm a b"}},
		{"xargs -I% % x", known("id"), []string{"run argv: % x"}},
		{"xargs -d, rm", known("a,b"), []string{"run argv: rm a b"}},
		{"xargs rm", &found, []string{"run argv: rm <find a> …"}},
		{"parallel rm", known("a\nb c\n"), []string{"run shell: rm 'a'", "run shell: rm 'b c'"}},
		{"parallel rm {}", &found, []string{"run argv: rm <find a> (many)"}},
		{"find src out -type f", nil, []string{"fs.read out", "fs.read src", "prints src/a.go"}},
		{"find -printf %p -delete", nil, []string{"fs.delete . recursive", "fs.read ."}},
		{"cpio -o", known("a\nb\n"), []string{"fs.read a shown", "fs.read b shown"}},
	} {
		got := filesDo(t, c, literals(test.line), test.stdin)
		want := slices.Clone(test.want)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.line, diff)
		}
	}
}

// FuzzFiles feeds the hooks words and input of any form, some of it not known.
func FuzzFiles(f *testing.F) {
	for _, s := range []string{
		"find\n.\n-exec\nrm\n{}\n;", "xargs\n-d\n\n-I\n\nrm", "parallel\n:::\na\n:::\nb", "rsync\n-e\nssh\na\n$:b",
		"env\n-S\nenv -S x", "chmod\n+\nx", "chmod\n$\nx", "cp\n$\n/dev/stdin\nb", "rename\ns///\nx", "strace\n-o\n|\nls", "bwrap\n--bind",
		"ionice\n-c", "flock\n9\n-c", "su\n-", "sg\nx", "bind\n-x\n$", "capsh\n--", "dd\nif=$\nof=", "install\n-m\n$\na\nb",
	} {
		f.Add(s, "a b\n'c")
	}
	c := filesCatalog(f)
	f.Fuzz(func(t *testing.T, line, input string) {
		var words []value.Value
		for w := range strings.SplitSeq(line, "\n") {
			words = append(words, holed(w))
		}
		name, known := words[0].Known()
		if _, ok := c.Lookup(name); !ok || !known {
			return
		}
		stdin := holed(input)
		if got := filesDo(t, c, words, &stdin); len(got) > 40*maxRuns(words) {
			t.Errorf("%q has %d results", line, len(got))
		}
	})
}

func maxRuns(words []value.Value) int { return 64 + len(words) }

// holed reads $ as a word that is not known.
func holed(s string) value.Value {
	parts := strings.Split(s, "$")
	vs := []value.Value{value.Lit(parts[0])}
	for _, p := range parts[1:] {
		vs = append(vs, value.Unknown(risk.CauseUnknown, "x"), value.Lit(p))
	}
	return value.Concat(vs...)
}
