package text

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/system"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func partly(parts ...string) value.Value {
	var b value.Builder
	for _, p := range parts {
		if name, ok := strings.CutPrefix(p, "$"); ok {
			b.Add(value.Unknown(risk.CauseUnknown, name))
		} else {
			b.WriteString(p)
		}
	}
	return b.Value()
}

// emptyMatch is what a hook gets when no option is given.
func emptyMatch(t testing.TB, args []value.Value) *catalog.Match {
	t.Helper()
	p := &catalog.Program{Names: []string{"x"}, Command: catalog.Command{Name: "x"}}
	return p.Match(args)
}

func TestPartlyKnownPrograms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		hook catalog.Hook
		args []value.Value
		want []string
	}{
		{"sed hole in replacement", sedCommand, []value.Value{partly("s/a/", "$b", "/g"), value.Lit("f")}, []string{"fs.read f shown"}},
		{"sed hole in address", sedCommand, []value.Value{partly("$n", "p"), value.Lit("f")}, []string{"fs.read f shown"}},
		{"sed hole is the script", sedCommand, []value.Value{partly("$s"), value.Lit("f")}, []string{"fs.read f shown", "run code/sed: $s"}},
		{"sed hole in flags", sedCommand, []value.Value{partly("s/a/b/", "$f"), value.Lit("f")}, []string{"fs.read f shown", "run code/sed: $f"}},
		{"sed hole in a command", sedCommand, []value.Value{partly("1e rm ", "$x"), value.Lit("f")}, []string{"fs.read f shown", "run shell: rm $x"}},
		{"sed hole after a hole", sedCommand, []value.Value{partly("s/", "$a", "/", "$b", "/;w ", "$c"), value.Lit("f")}, []string{"fs.read f shown", "fs.write $c"}},
		{"awk hole as operand", awkCommand, []value.Value{partly("{print ", "$n", "}"), value.Lit("f")}, []string{"fs.read f shown"}},
		{"awk hole is the program", awkCommand, []value.Value{partly("$p"), value.Lit("f")}, []string{"fs.read f shown", "run code/awk: $p"}},
		{"awk hole in a string", awkCommand, []value.Value{partly(`BEGIN{system("rm `, "$x", `")}`)}, []string{"run shell: rm $x"}},
		{"vim hole command", vim, []value.Value{partly("+", "$c")}, []string{"run code/vim: $c"}},
		{"less hole command", pager, []value.Value{partly("+!", "$c")}, []string{"run shell: $c", "shows stdin"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := &catalog.Result{}
			c.hook(emptyMatch(t, c.args), &catalog.Site{Args: c.args}, r)
			if diff := cmp.Diff(c.want, sorted(compile.Lines(r))); diff != "" {
				t.Errorf("lines differ (-want +got):\n%s", diff)
			}
		})
	}
}

func sorted(lines []string) []string {
	out := append([]string(nil), lines...)
	for i := range out {
		for j := i + 1; j < len(out); j++ {
			if out[j] < out[i] {
				out[i], out[j] = out[j], out[i]
			}
		}
	}
	return out
}

// A script in standard input is ed's or ex's program.
func TestEditorScripts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, program, stdin string
		hook                 catalog.Hook
		want                 []string
	}{
		{"ed substitutes", "ed", "1,$s/a/b/\nw\nq\n", ed, []string{"fs.write f (in place)"}},
		{"ed runs", "ed", "!id\nq\n", ed, []string{"fs.read f shown", "run shell: id"}},
		{"ed inserts", "ed", "a\n!id\nw x\n.\nw out\nq\n", ed, []string{"fs.read f shown", "fs.write out <- f"}},
		{"ed reads a command", "ed", "r !id\n,p\n", ed, []string{"fs.read f shown", "run shell: id"}},
		{"ex writes", "ex", "%s/a/b/\nwq\n", vim, []string{"fs.write f (in place)"}},
		{"ex runs", "ex", "g/x/!id\n", vim, []string{"fs.read f shown", "run shell: id"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := &catalog.Result{}
			args := []value.Value{value.Lit("f")}
			c.hook(emptyMatch(t, args), &catalog.Site{Args: args, Name: c.program, Stdin: value.Lit(c.stdin), HasStdin: true}, r)
			if diff := cmp.Diff(c.want, sorted(compile.Lines(r))); diff != "" {
				t.Errorf("lines differ (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzTextPrograms holds the readers of small languages to their bounds on any
// bytes: no panic, and no more effects than the limit allows.
func FuzzTextPrograms(f *testing.F) {
	for _, s := range []string{
		"s/[/]/x/gw o\ne id", "/a/,/b/{r x\n}", `{print > $1".x" | "sh"}`, `BEGIN{"id"|getline x; @load "y"; system((a)(b[1]))}`,
		":%!sort|w! x|q", "g/x/norm dd|exe \"!id\"", "py3 import os", ":silent! terminal ++close x", "r!id", "y/a/b/;\\,x,d;a\\\nfoo", `/[/]/{x="\x41\101"}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		half := len(text) / 2
		for _, v := range []value.Value{value.Lit(text), partly(strings.ReplaceAll(text[:half], "$", ""), "$x", strings.ReplaceAll(text[half:], "$", ""))} {
			args := []value.Value{v, value.Lit("f")}
			for _, hook := range []catalog.Hook{sedCommand, awkCommand, vim, ed, pager, jq, yq, structured, ffmpeg, imagemagick, exiftool, system.Tar} {
				r := &catalog.Result{}
				hook(emptyMatch(t, args), &catalog.Site{Args: args, Name: "x", Stdin: v, HasStdin: true}, r)
				if n := len(r.Effects) + len(r.Runs); n > site.MaxScriptEffects+10 {
					t.Fatalf("%d effects and runs from %q", n, text)
				}
			}
		}
	})
}
