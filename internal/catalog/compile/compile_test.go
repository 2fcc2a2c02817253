package compile_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
)

const good = "program: frob\nsource: frob(1)\noperands: [{file...: deletes}]\ncases:\n  frob a: [fs.delete a recursive]\n"

func TestErrorsNameTheLine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "f.yaml:1: nothing is described here"},
		{"comments", "# only\n", "f.yaml:1: nothing is described here"},
		{"no YAML", "program: [a\nb: c", "f.yaml:2: this is no YAML: did not find"},
		{"a NUL", "'\x00'", "f.yaml:1: this is no YAML: control characters"},
		{"a list", "- a\n", "f.yaml:1: expected a mapping"},
		{"an empty document", good + "---\n", "f.yaml:7: expected a mapping"},
		{"no source", "program: x\ncases: {x: []}", "f.yaml:1: source: say which manual"},
		{"no cases", "program: x\nsource: y", "f.yaml:1: cases: a spec needs at least one"},
		{"twice", good + "source: z\n", `f.yaml:6: "source" is given twice`},
		{"a bad name", strings.Replace(good, "program: frob", "program: a/b", 1), `"a/b" is no name of a program`},
		{"a key", good + "option: x\n", `f.yaml:6: unknown key "option": want summary,`},
		{"a role", strings.Replace(good, "deletes", "eats", 1), `f.yaml:3: unknown role "eats": want appends,`},
		{"a verb", good + "effects: [fs.eat]\n", `f.yaml:6: unknown verb "fs.eat": want one of fs.read,`},
		{"a syntax word", good + "syntax: gnu\n", `f.yaml:6: syntax: unknown word "gnu": want any-option,`},
		{"a kind", good + "effects: [{verb: fs.write, target: file, detail: scribbled}]\n", `f.yaml:6: detail: "scribbled" is no declared word: take one of docs/words.md`},
		{"a kind of another verb", good + "effects: [{verb: fs.write, target: file, detail: cron table}]\n", `f.yaml:6: detail: "cron table" is not said of fs.write`},
		{"a kind of a subcommand", good + "subcommands:\n  a: vcs.push sideways\n", `f.yaml:7: detail: "sideways" is no declared word`},
		{"a literal", good + "effects: [exec.project =the frobs]\n", `f.yaml:6: target: "the frobs" is no declared noun: take one of docs/words.md`},
		{"a literal in a mapping", good + "effects:\n  - {verb: exec.project, target: \"=the frobs\"}\n", `f.yaml:7: target: "the frobs" is no declared noun`},
		{"a subcommand", good + "subcommands:\n  a: harmless\n", `f.yaml:7: "harmless" is neither a verb nor "safe"`},
		{"a condition", good + "effects:\n  - {verb: fs.read, when: not}\n", `f.yaml:7: condition "not"`},
		{"an argument", good + "effects: [fs.read files]\n", `an effect names "files", which is no argument of frob`},
		{"a flag and a value", good + "flags: -a -b\nvalues: -b\n", "f.yaml:1: option -b is listed with a value and without one: which is it?"},
		{"an option", good + "options: {force: force}\n", `f.yaml:6: option "force" does not begin with a dash`},
		{"an alias", good + "wrap: &x {A: *x}\n", "f.yaml:6: "},
	} {
		if _, err := compile.File("f.yaml", []byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestLiterals: a literal target is a declared noun, a single word or a path.
func TestLiterals(t *testing.T) {
	t.Parallel()
	for _, literal := range []string{"the tests", "frobs", "~/Library/Some App"} {
		if _, err := compile.File("f.yaml", []byte(good+"effects: [exec.project ="+literal+"]\n")); err != nil {
			t.Errorf("%s: %v", literal, err)
		}
	}
}

func TestCasesAreHeld(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		good: "",
		strings.Replace(good, "[fs.delete a recursive]", "[]", 1): "f.yaml:5: frob a",
		strings.Replace(good, "frob a:", "blob a:", 1):            `no spec for "blob"`,
		strings.Replace(good, "frob a:", "'frob \"':", 1):         "splitting the line",
	} {
		specs, err := compile.File("f.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		err = compile.CheckAll(specs, nil)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// FuzzFile compiles anything: it never panics, errors name the file, and what
// is compiled can be asked.
func FuzzFile(f *testing.F) {
	f.Add(good)
	f.Add(good + "---\n" + good)
	f.Add("program: a b\nsource: s\nsyntax: single-dash\noptions: {-x: {name: y, role: shell, optional: true}, of=: {role: writes}}\nsubcommands: {a*: {subcommands: {b: safe}}, c: db.destroy x}\neffects: [{role: code, target: stdin, lang: sh, when: 'not (x or y~a*)'}]\nwrap: {host: y}\ncases: {a: []}\n")
	f.Add("a: {b: &x [*x]}")
	f.Fuzz(func(t *testing.T, text string) {
		specs, err := compile.File("f.yaml", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f.yaml:") {
				t.Errorf("%v names no file", err)
			}
			return
		}
		var programs []*catalog.Program
		for _, s := range specs {
			programs = append(programs, s.Program)
		}
		c := catalog.FromPrograms(programs, nil)
		for _, s := range specs {
			for _, args := range []string{"", " a -x b --y=c", " c d", " -- z", " --help"} {
				_, _ = compile.Run(c, "'"+strings.ReplaceAll(s.Program.Names[0], "'", "")+"'"+args) // its answer does not matter
			}
		}
	})
}
