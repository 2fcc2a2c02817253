package catalog_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

// pieces are words and parts of words that mean something to some program.
var pieces = []string{
	"", "-", "--", "---", "-r", "-rf", "-f", "-e", "-c", "-n", "-o", "-i", "-x", "-X", "--force", "--output", "--output=", "--help", "-h", "-abcdefghijklmnopqrstuvwxyz", "--a", "--no", "=", "a=b", "of=x", "if=", ":", "::", "/", "//", "..", "~",
	"a", "b.txt", "src/a.go", "*.o", "{}", ";", "+", "\\;", "-exec", "-delete", "xf", "cvzf", "user@host", "host:path", "host:", "user@", "@", "@file", "-@", "http://", "https://x.test/a?b#c", "s3://b/k", "git@h:x.git", "file:///x", "://", "[::1]:80", "[", "localhost",
	"install", "run", "exec", "push", "apply", "delete", "config", "remote", "stash", "clean", "s/a/b/e", "s", "s/", "y/", "w x", "1,$d", "{", "}", "BEGIN{system(\"x\")}", "{print > \"x\"}", "\"", "'", "`", "$(", "%", "%s", "%n", "777", "u+s", "u+", "+t", "-1", "-9", "0", "99999999999999999999", "DELETE", "POST",
	"SELECT 1", "DROP TABLE x;", "{\"query\":\"mutation{a}\"}", "[", "{\"a\":", "import os;os.system('x')", "\x00", "\xff", "\n", "\t", "é", "\u202e", ".[", ".a|=1", "a b c", strings.Repeat("x", 5000), strings.Repeat("-a ", 100), "<", ">", "|", "&", "k8s/x", "-D", "-Dx=y", "/dev/sda", "/etc/passwd", "-t", "-T", "-p", "--", "--x=--y", "+x", "/X", "/?", "-classpath", "-jar",
}

// words generates an argument vector with and without holes.
func words() *rapid.Generator[[]value.Value] {
	word := rapid.Custom(func(t *rapid.T) value.Value {
		s := rapid.OneOf(rapid.SampledFrom(pieces), rapid.StringN(0, 5, 8)).Draw(t, "word")
		switch rapid.IntRange(0, 9).Draw(t, "kind") {
		case 0:
			return value.Unknown(risk.CauseOutput, "x")
		case 1:
			return value.Concat(value.Lit(s), value.Unknown(risk.CauseUnset, "X"))
		case 2:
			return value.Concat(value.Unknown(risk.CauseUnset, "X"), value.Lit(s))
		case 3:
			return value.OneOf(risk.CauseUnknown, "X", s, s+"x", "-"+s)
		}
		return value.Lit(s)
	})
	return rapid.SliceOfN(word, 0, 7)
}

const scene = `
git
remote origin git@github.com:acme/demo.git
src/a.go      tracked "package a\n"
package.json  tracked "{\"scripts\":{\"x\":\"rm -rf /\"}}"
Makefile      tracked "x:\n\trm -rf /\n"
`

// describe asks what a program does, with input and an environment as any
// invocation may have them.
func describe(tb testing.TB) func(c *catalog.Catalog, name string, args []value.Value, stdin value.Value, hasStdin bool) *catalog.Result {
	w, dir, _ := fakeworld.Must(tb, scene)
	env := func(string) (value.Value, bool, bool) { return value.Lit("x"), true, true }
	return func(c *catalog.Catalog, name string, args []value.Value, stdin value.Value, hasStdin bool) *catalog.Result {
		p, ok := c.Lookup(name)
		if !ok {
			tb.Errorf("%s is listed and not found", name)
			return nil
		}
		return c.Describe(p, args, &catalog.Site{World: w, Dir: dir, Env: env, Name: name, Stdin: stdin, HasStdin: hasStdin})
	}
}

// TestEveryProgram: no program of the catalog falls over any arguments.
func TestEveryProgram(t *testing.T) {
	t.Parallel()
	c, do := catalog.New(hooks.Find), describe(t)
	names := c.Names()
	if len(names) < 100 {
		t.Fatalf("only %d programs", len(names))
	}
	vectors := words()
	for i, name := range names {
		for j := range 12 {
			args := vectors.Example(i*12 + j)
			do(c, name, args, value.Lit("rm -rf /\n"), j%2 == 0)
		}
	}
}

// FuzzDescribe is TestEveryProgram for a fuzzer: words are separated by NUL.
func FuzzDescribe(f *testing.F) {
	c, do := catalog.New(hooks.Find), describe(f)
	names := c.Names()
	for i := range names {
		if i%25 == 0 {
			f.Add(uint16(i), strings.Join([]string{pieces[i%len(pieces)], pieces[i*7%len(pieces)], pieces[i*13%len(pieces)]}, "\x00"), "a\n")
		}
	}
	f.Fuzz(func(t *testing.T, program uint16, args, stdin string) {
		if len(args) > 1<<12 || len(stdin) > 1<<12 {
			return
		}
		var vector []value.Value
		for _, w := range strings.Split(args, "\x00") {
			v := value.Lit(w)
			if before, after, hole := strings.Cut(w, "\x01"); hole {
				v = value.Concat(value.Lit(before), value.Unknown(risk.CauseOutput, "x"), value.Lit(after))
			}
			vector = append(vector, v)
		}
		do(c, names[int(program)%len(names)], vector, value.Lit(stdin), stdin != "")
	})
}
