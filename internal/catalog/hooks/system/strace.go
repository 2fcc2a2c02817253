package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// strace pipes its output to a command where -o begins with | or !, and sets
// variables with -E (strace(1)).
func strace(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if out, ok := m.Value("out"); ok {
		if p := out.Prefix(); p != "" && (p[0] == '|' || p[0] == '!') {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: out.Cut(1)})
		} else {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: out, Arg: "out"})
		}
	}
	for _, v := range m.Values("pid") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ProcSignal, Target: v, Arg: "pid", Kind: risk.KindTraced})
	}
	for _, v := range m.Values("variable") {
		name, _, ok := strings.Cut(v.Prefix(), "=")
		for i := range r.Runs {
			if ok && r.Runs[i].Kind == catalog.RunArgv {
				r.Runs[i].Setup = append(r.Runs[i].Setup, catalog.Assignment{Name: name, Value: v.Cut(len(name) + 1)})
			}
		}
	}
}
