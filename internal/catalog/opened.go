package catalog

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// opened adds the files that options name for what is written or shown, and the
// programs and modules that are to do the work: many programs open or start them
// as they read their options, before they come to the one that asks for help.
func (r *Result) opened(m *Match) {
	for i := range m.Args {
		b := &m.Args[i]
		if m.IsOperand(b) || !b.Arg.When.Holds(m) {
			continue
		}
		switch b.Arg.Role {
		case Writes, Appends, Creates, Exec, Shell, Code, Script, Plugin, Config, Shows:
			r.role(m, b.Arg.Role, b.Arg, b.Value)
		case Data: // a hook says when it is written
			named := b.Arg.Name == "out" || b.Arg.Name == "output" || b.Arg.Name == "log"
			if named && strings.ContainsAny(b.Value.Prefix(), "/|") { // and no format
				r.role(m, Writes, b.Arg, b.Value)
			}
		}
	}
}

// besides returns where what is made beside its document comes to be: in the
// directories of the operands, which are here if they say nothing else.
func (m *Match) besides(kind risk.Kind, literal string) []string {
	var dirs []string
	for _, w := range m.operands {
		name, known := w.Known()
		if kind != risk.KindBesideTheDocument || literal != "." || !known {
			continue
		}
		if dir := path.Dir(name); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return []string{literal}
	}
	return dirs
}
