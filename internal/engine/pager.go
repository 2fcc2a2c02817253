package engine

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
)

// noPager tells of a variable for a pager that names a program which is none, where
// nothing else is told of that: it is handed all that would be shown.
func noPager(m *machine, st *shell.State, inv *shell.Invocation, run *catalog.Run) {
	if !strings.HasSuffix(run.Arg, "PAGER") || run.Kind != catalog.RunShell {
		return
	}
	text, known := run.Text.Known()
	if words := strings.Fields(text); known && len(words) > 0 {
		name := path.Base(words[0])
		spec, _ := m.catalog.Lookup(name)
		if spec != nil && spec.Always(name).Has(catalog.Filters|catalog.Verbatim|catalog.Editor|catalog.Ends|catalog.Succeeds) {
			return
		}
	}
	m.sc.Note(inv.Span, risk.RoleVariable, run.Arg)
	m.sc.Effect(st, inv.Span, risk.Effect{Verb: risk.ExecKnown, Target: "$" + run.Arg, Kind: risk.KindNotUnderstood, Program: path.Base(inv.Argv[0].Value.String())})
}
