package compile

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
)

// TestLint holds the lint to specs that promise and do not say, and to their
// twins that say it or give a reason.
func TestLint(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, body, want string }{
		{"a subcommand that destroys", "subcommands: {delete: remote.change}", `"delete" says that it destroys`},
		{"one that says so", "subcommands: {delete: remote.destroy}", ""},
		{"one with a reason", "reasons: {takes a label away: delete}\nsubcommands: {delete: remote.change}", ""},
		{"one whose name has the word inside", "subcommands: {force-purge-all: remote.change}", `"force-purge-all" says`},
		{"an output that nobody writes", "values: --output", "something is written"},
		{"an output that is written", "options: {--output: {name: out, role: writes}}", ""},
		{"an output that an effect writes", "options: {--output: {name: out}}\neffects: [{verb: fs.write, target: out}]", ""},
		{"an output that is a format", "reasons: {names a format: --output}\nvalues: --output", ""},
		{"how an answer looks", "flags: --raw-output", ""},
		{"a program to run", "values: --exec", "run or obeyed"},
		{"a program that is run", "options: {--exec: {name: x, role: shell}}", ""},
		{"settings that nobody says", "values: --config\nunsaid: --config", ""},
		{"a dry run", "values: --dry-run", ""},
		{"what takes something away", "flags: --purge", "takes something away"},
		{"what takes something away, as said", "options: {--purge: purge}\neffects: [{verb: remote.destroy, when: purge}]", ""},
		{"nobody is asked", "subcommands: {destroy: {flags: [--yes], effects: [{verb: remote.destroy, when: not --yes}]}}", "nobody is asked"},
		{"somebody is asked", "subcommands: {destroy: {options: {--yes: yes}, effects: [{verb: remote.destroy, when: yes}, {verb: remote.change, when: not yes}]}}", ""},
		{"a reason for nothing", "reasons: {is not needed at all: --quiet}\nflags: --quiet", "needs none"},
	} {
		specs, err := File("a.yaml", []byte("program: frob\nsource: frob(1)\nsummary: Frobs\n"+test.body+"\ncases: {frob: []}\n"))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		err = LintAll(specs, func(string) catalog.Hook { return nil })
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", test.name, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "a.yaml:")):
			t.Errorf("%s: got %v, want %q with its line", test.name, err, test.want)
		}
	}
}

// TestReasons refuses reasons that say nothing, or are for what is not there.
func TestReasons(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"reasons: {fine: --quiet}\nflags: --quiet":        "is no reason",
		"reasons: {is not there: --loud}\nflags: --quiet": "no option or subcommand",
	} {
		_, err := File("a.yaml", []byte("program: frob\nsource: frob(1)\nsummary: Frobs\n"+body+"\ncases: {frob: []}\n"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", body, err, want)
		}
	}
}

// TestDeletesWhole holds the default: a directory goes with all that is in it.
func TestDeletesWhole(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"operands: [{file...: deletes}]":                                                       "fs.delete x recursive",
		"operands: [{file...: {role: deletes, only: files}}]":                                  "fs.delete x",
		"operands: [{file...: data}]\neffects: [fs.delete file]":                               "fs.delete x recursive",
		"operands: [{file...: data}]\neffects: [{verb: fs.delete, target: file, only: empty}]": "fs.delete x",
		"options: {-r: recursive}\noperands: [{file...: deletes}]":                             "fs.delete x",
	} {
		specs, err := File("a.yaml", []byte("program: frob\nsource: frob(1)\nsummary: Frobs\n"+body+"\ncases: {frob x: ["+want+"]}\n"))
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckAll(specs, func(string) catalog.Hook { return nil }); err != nil {
			t.Error(err)
		}
	}
}
