package compile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog/compile"
)

// full is a spec with all of the keys that say what the manual says beside the
// grammar.
const full = `program: frob
source: frob(1)
flags: -v -x
options: {-f: force, -o: {name: out, role: writes}}
operands: [{file...: deletes}]
settings: [{env: FROB_OPTIONS, as: options}, {env: LANG, inert: true}, {file: ~/.frobrc}]
inert: all
unsaid: -x
hides: [{by: count, of: file, when: force}]
needs: [{there: file, when: not force}]
says: [{when: file, text: "Frobs {file}[ into {out}]"}]
cases: {frob a: [fs.delete a recursive], frob -x a: [fs.delete a recursive]}
examples: {frob -v a b: Frobs a and b, frob -f -o c a: Frobs a into c}
`

// TestNotesAreHeld changes one thing of a good spec at a time and wants to be
// told which.
func TestNotesAreHeld(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, old, with, want string }{
		{"good", "", "", ""},
		{"inert: no option", "inert: all", "inert: -v -q", `f.yaml:7: "-q" is no option or operand of frob`},
		{"unsaid: no option", "unsaid: -x", "unsaid: -q", `f.yaml:8: "-q" is no option or operand of frob`},
		{"hides: a word", "by: count", "by: magic", `f.yaml:9: hides: unknown word "magic": want carried,`},
		{"hides: by nothing", "{by: count, ", "{", "f.yaml:9: hides: say by what: carried,"},
		{"hides: no argument", "of: file, when", "of: files, when", `f.yaml:9: "files" is no argument of frob: want file, out`},
		{"hides: a condition", "when: force}", "when: forced}", `f.yaml:9: condition "forced": "forced" is no flag, option or argument of frob`},
		{"needs: a word", "{there: file, when: not force}", "luck", `f.yaml:10: needs: unknown word "luck": want absent,`},
		{"needs: two things", "{there: file,", "{there: file, absent: file,", "f.yaml:10: needs: say one thing that is needed"},
		{"needs: no names", "{there: file, when: not force}", "there", "f.yaml:10: needs: say of which arguments or files"},
		{"needs: an entry of nothing", "{there: file,", "{entry: file,", "f.yaml:10: needs: what is an entry, or free, is `of` a file"},
		{"needs: no argument", "{there: file,", "{there: files,", `f.yaml:10: "files" is no argument of frob`},
		{"needs: an outcome", "{there: file,", "{there: file, or: sulks,", `f.yaml:10: or: unknown word "sulks": want asks,`},
		{"needs: of no line", "when: not force}]", "when: force and -v}]", `f.yaml:10: no case or example has this need ("{file} is not there"): give one`},
		{"says: no capital", "Frobs {file}[", "frobs {file}[", "f.yaml:11: says: begin with a verb and a capital letter"},
		{"says: no such part", "Frobs {file}[", "Frobs {=whole} {file}[", "f.yaml:11: says: {=whole}: no part of that name stands above, among the parts"},
		{"says: a full stop", "into {out}]", "into {out}].", "leave the full stop away"},
		{"says: a slot that can be empty", "[ into {out}]", " into {out}", "f.yaml:11: {out} can be empty: say it in a part ([ of {out}]), or `when: out`"},
		{"says: no argument", "{file}[", "{files}[", `f.yaml:11: "files" is no argument of frob`},
		{"settings: neither", "{env: LANG, inert: true}", "{inert: true}", "f.yaml:6: a setting is either env: a variable, or file: a file"},
		{"settings: both", "inert: true}", "inert: true, role: shell}", "f.yaml:6: a setting has a role, or is taken as options or code, or is inert"},
		{"settings: code in a variable", "inert: true}", "as: code}", "f.yaml:6: `as: code`, `holding` and `help: too` are for a file together"},
		{"settings: no pattern", "inert: true}", "as: options, holding: '('}", "f.yaml:6: holding: error parsing regexp"},
		{"settings: as", "as: options", "as: words", `f.yaml:6: as: unknown word "words": want options`},
		{"an example says another thing", "Frobs a and b", "Frobs a", "says \"Frobs a and b\"\n\twant \"Frobs a\""},
		{"a part in no example", ", frob -f -o c a: Frobs a into c", "", `f.yaml:11: no example has part 3 of "Frobs {file}[ into {out}]"`},
		{"no example", "examples: {frob -v a b: Frobs a and b, frob -f -o c a: Frobs a into c}", "", "f.yaml:11: no example says"},
		{"an example with a rest", "frob -v a b: ", "frob -x a b: ", "f.yaml:13: frob -x a b: nothing explains \"-x\": give it a meaning"},
		{"what was not read", "inert: all\nunsaid: -x\n", "", "f.yaml:11: frob -v a b: nothing explains \"-v\""},
	} {
		text := full
		if tt.old != "" {
			if !strings.Contains(full, tt.old) {
				t.Fatalf("%s: %q is not in the spec", tt.name, tt.old)
			}
			text = strings.Replace(full, tt.old, tt.with, 1)
		}
		specs, err := compile.File("f.yaml", []byte(text))
		if err == nil {
			err = compile.CheckAll(specs, nil)
		}
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestParts: a program stands in several files; no subcommand in two of them.
func TestParts(t *testing.T) {
	t.Parallel()
	const base = "program: frob\nsource: frob(1)\noptions: {-f: force}\nsubcommands:\n  list: safe\ncases: {frob list: []}\n"
	const drop = "part: frob\nsource: frob-drop(1)\nsubcommands:\n  drop: {operands: [{file...: deletes}], needs: [{there: file, when: not force}], says: [{when: file, text: \"Drops {file}\"}]}\ncases: {frob drop a: [fs.delete a recursive]}\nexamples: {frob drop a: Drops a}\n"
	for _, tt := range []struct{ name, base, part, want string }{
		{"good", base, drop, ""},
		{"of nothing", strings.ReplaceAll(base, "frob", "blob"), drop, `part: nothing here describes "frob": begin with`},
		{"twice", base, strings.ReplaceAll(drop, "drop", "list"), `the subcommand "list" of frob is described twice`},
		{"a name of neither", base, strings.Replace(drop, "not force", "not forced", 1), `b.yaml:4: condition "not forced": "forced" is no flag`},
		{"a case that fails", base, strings.Replace(drop, "[fs.delete a recursive]", "[]", 1), "b.yaml:5: frob drop a"},
		{"an option of its own", base, drop + "flags: -q\n", "b.yaml:"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"a.yaml": tt.base, "b.yaml": tt.part} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		specs, err := compile.Dir(dir, "*.yaml")
		if err == nil {
			err = compile.CheckAll(specs, nil)
		}
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
