package policy

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// A Deed is what one program of a command would do, in the words of rules.
type Deed struct {
	Process    int    // the index of its invocation; -1 for the shell itself
	Program    string // "" for the shell itself
	Subcommand string
	Effects    []Fact
}

// A Fact is an effect in the words of rules.
type Fact struct {
	*risk.Effect
	Band                  risk.Band
	Host, Branch, Cluster string
}

// Deeds takes an assessment apart as rules do: into what each program would do.
func Deeds(a *risk.Assessment) []Deed {
	var out []Deed
	for _, d := range deeds(a) {
		one := Deed{Process: d.process}
		if d.inv != nil && len(d.inv.Argv) > 0 {
			name := d.inv.Argv[0]
			one.Program, one.Subcommand = name[strings.LastIndexByte(name, '/')+1:], strings.Join(d.inv.Subcommand, " ")
		}
		for _, e := range d.effects {
			one.Effects = append(one.Effects, Fact{e, bandOfEffect(e), Host(e), Branch(e), Cluster(e)})
		}
		out = append(out, one)
	}
	return out
}
