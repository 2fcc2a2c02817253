package catalog

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Unexplained is a word of an invocation that the spec does not explain.
type Unexplained struct {
	What string
	Role risk.Role // RoleOption, RoleSubcommand or RoleOperand
}

// Unexplained returns what remains when everything that the specs explain is
// taken away: options that the grammar does not list, or lists without a
// meaning and without anybody having read that they are inert; subcommands that
// only a pattern matches, or none; operands without a place, or in a place
// that means nothing by itself. It is worked out anew each time.
func (m *Match) Unexplained() []Unexplained {
	u := remainder{m: m}
	for i, word := range m.called {
		if i+1 < len(m.Chain) && !slices.Contains(strings.Fields(m.Chain[i+1].Name), word) {
			u.add(word, risk.RoleSubcommand)
		}
	}
	extra := m.Extra
	if !m.Missing.Empty() {
		u.add(m.Missing.String(), risk.RoleSubcommand)
		extra = extra[min(1, len(extra)):] // it is the first operand of a command that takes none
	}
	for _, name := range slices.Concat(m.Unknown, m.accepted) {
		u.add(name, risk.RoleOption)
	}
	for _, c := range m.Chain {
		u.command(c)
	}
	for i := range extra {
		u.add(extra[i].String(), risk.RoleOperand)
	}
	return u.found
}

type remainder struct {
	m     *Match
	found []Unexplained
}

func (u *remainder) add(what string, role risk.Role) {
	if x := (Unexplained{what, role}); !slices.Contains(u.found, x) && len(u.found) < maxUnexplained {
		u.found = append(u.found, x)
	}
}

// maxUnexplained bounds what is told of one invocation.
const maxUnexplained = 64

// command adds what one of the matched commands lists and does not explain.
func (u *remainder) command(c *Command) {
	inert := c.Notes().Inert
	for _, o := range slices.Concat(u.m.given, u.m.negated) {
		if o.of(c) && !inert.explains(o) && !o.answers() {
			u.add(o.Names[0], risk.RoleOption)
		}
	}
	if c != u.m.Node() || inert.All {
		return
	}
	for i := range u.m.Args {
		b := &u.m.Args[i]
		if !b.Default && b.Arg.Role == Data && c.holdsPlace(b.Arg) && !slices.Contains(inert.Names, b.Arg.Name) && !u.m.touched(b.Arg.Name) {
			u.add(b.Value.String(), risk.RoleOperand)
		}
	}
}

// of reports whether the option is one of c's own.
func (o *Option) of(c *Command) bool {
	for i := range c.Options {
		if &c.Options[i] == o {
			return true
		}
	}
	return false
}

// Plain reports whether the grammar gives the option no meaning.
func (o *Option) Plain() bool {
	return len(o.Sets) == 0 && (o.Value == nil || o.Value.Name == "" && o.Value.Role == Data)
}

// Explained reports whether an option was listed as one that does nothing that
// matters, by its name.
func (in *Inert) Explained(o *Option) bool {
	return slices.ContainsFunc(o.Names, func(n string) bool { return slices.Contains(in.Names, n) })
}

func (in *Inert) explains(o *Option) bool {
	among := func(names []string) bool {
		return slices.ContainsFunc(o.Names, func(n string) bool { return slices.Contains(names, n) })
	}
	if among(in.Unsaid) {
		return false
	}
	return in.All || !o.Plain() || among(in.Names)
}

// holdsPlace reports whether a is the place of one of c's operands.
func (c *Command) holdsPlace(a *Arg) bool {
	for i := range c.Operands {
		if &c.Operands[i].Arg == a {
			return true
		}
	}
	return false
}

// touched reports whether an effect of the matched commands names an argument.
func (m *Match) touched(name string) bool {
	for _, c := range m.Chain {
		for i := range c.Effects {
			if e := &c.Effects[i]; e.Target == name || slices.Contains(e.Carries, name) {
				return true
			}
		}
	}
	return false
}

// IsOperand reports whether a bound word is an operand of the matched command.
func (m *Match) IsOperand(b *Bound) bool { return m.Node().holdsPlace(b.Arg) }
