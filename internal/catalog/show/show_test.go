package show_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/catalog/show"
)

const frob = `
program: frob frobn
source: frob(1)
summary: Frobs files
syntax: posix-order short-help
flags: -v --verbose --color=?
values: -w
options:
  -f --force: force
  -o --output: {name: out, role: writes, when: not (dry or list)}
  -i: {name: suffix, optional: true, sets: [inplace]}
  -e: {role: code, lang: perl}
operands: [{pattern: pattern}, {file...: {role: shows, default: "-"}}, {more?: {role: url, list: ","}}]
effects:
  - {verb: fs.delete, target: file, when: force and out, detail: find, carries: [file, stdin]}
  - {role: shell, target: stdin, lang: sh}
  - net.listen
settings:
  - {env: PAGER, role: shell, when: not dry}
  - {env: FROB_OPTIONS, as: options}
  - {env: FROB_*}
  - {env: FROB_COLOR, inert: true}
  - {file: ~/.frobrc, as: options, when: not -f}
traits: [filters, {trait: ends, when: -f, names: frobn}]
inert: -v pattern
unsaid: --color
hides: [{by: count, of: file stdin, when: force}, names]
needs: [repository, {there: file, or: nothing, all: true}, {entry: pattern, of: frob.toml, when: out, else: no frob}, {upwards: frob.toml}]
says: [{when: -o, text: "Frobs {file} into {out}[force? at any price]"}, "Frobs {file}"]
wrap: {privileged: true, host: file}
prints: word
subcommands:
  list ls: {summary: Lists things}
  drop-*: remote.destroy
  all: safe
cases: {frob: []}
`

const shown = `frob: Frobs files
  names    frob frobn
  source   frob(1)
  syntax   posix-order short-help
  prints   word
  runs     what it is given with other rights, on FILE
  options
    -f --force: sets force
    -o --output OUT: writes, when not (dry or list)
    -i[=SUFFIX]: data: sets inplace
    -e VALUE: code in perl
  options without a meaning for heed
    --color -v --verbose
  options with a value, without a meaning for heed
    -w
  operands
    pattern: pattern
    file...: shows, by default -
    more?: url, a list with "," between
  effects
    fs.delete file (find) <- file, stdin, when force and out
    shell stdin in sh
    net.listen
  settings
    $PAGER: shell, when not dry, for a session too
    $FROB_OPTIONS: options, for a session too
    $FROB_*: obeyed in a way that is not said, for a session too
    $FROB_COLOR: inert
    ~/.frobrc: options, when not -f
  traits
    filters
    ends, of frobn, when -f
  inert
    -v pattern
  options that matter in a way that is not said
    --color
  hides what it reads
    count, of file stdin, when force
    names
  needs
    repository; else fails: this is no git repository
    there file, each of them; else nothing: {file} is not there
    entry pattern of frob.toml, when out; else fails: no frob
    upwards frob.toml; else fails: there is no frob.toml here or above
  says
    Frobs {file} into {out}[force? at any price]  (when -o)
    Frobs {file}
  subcommands
    list ls: Lists things
    drop-*: remote.destroy
    all: harmless, but for its operands
`

func TestProgram(t *testing.T) {
	t.Parallel()
	specs, err := compile.File("frob.yaml", []byte(frob))
	if err != nil {
		t.Fatal(err)
	}
	text, found := show.Program(specs[0].Program, nil)
	if d := cmp.Diff(shown, text); d != "" || found != 0 {
		t.Errorf("(-want +got)\n%s", d)
	}
	for path, want := range map[string]int{"list": 1, "ls": 1, "drop-x": 1, "frob": 0, "list x": 1} {
		if _, found := show.Program(specs[0].Program, strings.Fields(path)); found != want {
			t.Errorf("%s: %d words found, want %d", path, found, want)
		}
	}
	if text, _ := show.Program(specs[0].Program, []string{"ls"}); text != "frob ls: Lists things\n  names    list ls\n" {
		t.Errorf("a subcommand is shown as %q", text)
	}
}

// TestEverything: whatever is in the catalog can be shown.
func TestEverything(t *testing.T) {
	t.Parallel()
	c := catalog.New(hooks.Find)
	for _, name := range c.Names() {
		p, ok := c.Lookup(name)
		if text, _ := show.Program(p, nil); !ok || len(text) < 20 || !strings.Contains(text, p.Source) {
			t.Errorf("%s is not shown with its source", name)
		}
	}
}
