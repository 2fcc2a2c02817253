package catalog

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/value"
)

// described asks what a program does with the words of a line behind its name.
func described(p *Program, line string) *Result {
	var args []value.Value
	for _, w := range strings.Fields(line) {
		args = append(args, value.Lit(w))
	}
	none := func(string) (value.Value, bool, bool) { return value.Value{}, false, true }
	return FromPrograms([]*Program{p}, nil).Describe(p, args, &Site{Name: p.Names[0], Env: none})
}

func TestShortWords(t *testing.T) {
	t.Parallel()
	group := NewSubcommand(Command{Name: "subvolume", Sub: []*Subcommand{NewSubcommand(Command{Name: "list"}), NewSubcommand(Command{Name: "delete del"})}})
	p := &Program{Names: []string{"frob"}, Command: Command{Syntax: ShortWords, Sub: []*Subcommand{group, NewSubcommand(Command{Name: "scan"}), NewSubcommand(Command{Name: "s*"})}}}
	for line, want := range map[string]string{
		"subvolume list": "subvolume list", "su l": "subvolume list", "sub li": "subvolume list", "scan": "scan",
		"su del": "subvolume del", "su d": "subvolume", // the beginning of two
		"s": "s", // of two as well, but a pattern has it
		"x": "",
	} {
		if got := strings.Join(described(p, line).Match.Called(), " "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	p.Syntax = 0
	if m := described(p, "su l").Match; m.Written() != "su" {
		t.Errorf("without short words: %q, want the pattern's", m.Written())
	}
}

func TestShortEquals(t *testing.T) {
	t.Parallel()
	value := &Arg{Name: "space"}
	p := &Program{Names: []string{"frob"}, Command: Command{Syntax: ShortEquals, Options: []Option{{Names: []string{"-n"}, Value: value}, {Names: []string{"-i"}, Sets: []string{"inplace"}}}}}
	for line, want := range map[string]string{"-n=web": "web", "-nweb": "web", "-in=web": "web", "-n==": "=", "-i=true": "", "-i=x": "unknown -i"} {
		m := described(p, line).Match
		got := strings.Join(m.Unknown, " ")
		if got != "" {
			got = "unknown " + got
		}
		for _, v := range m.Values("space") {
			got += v.String()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	p.Syntax = 0
	if v := described(p, "-n=web").Match.Values("space"); len(v) != 1 || v[0].String() != "=web" {
		t.Errorf("of getopt: %v, want =web", v)
	}
}

func TestHelpCommand(t *testing.T) {
	t.Parallel()
	check := NewSubcommand(Command{Name: "check help", Summary: "Checks a chart", Operands: []Operand{{Arg: Arg{Name: "word"}, Many: true}}})
	acts := NewSubcommand(Command{Name: "act", Sub: []*Subcommand{NewSubcommand(Command{Name: "help", Effects: []Rule{{Verb: "exec.project"}}})}})
	p := &Program{Names: []string{"frob"}, Command: Command{Sub: []*Subcommand{check, acts}}}
	for line, want := range map[string]string{
		"help": "Shows help for frob", "help check": "Shows help for frob check", "check a": "Checks a chart", "act help": "",
	} {
		if got := described(p, line); got.Summary != want || got.Help != strings.HasPrefix(want, "Shows help") {
			t.Errorf("%s: %q, help %v, want %q", line, got.Summary, got.Help, want)
		}
	}
}
