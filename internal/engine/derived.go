package engine

import (
	"bytes"
	"strings"

	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/pure"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// probe stands for what whoever runs a file gives: a path, with an extension.
const probe = "/heed/given.x"

// derived is what a pure program makes of nothing but what whoever runs the file gives:
// that is given as well, as what make's functions make of it is. What is printed whatever
// is given is not, and neither is what comes from a file.
func derived(st *shell.State, inv *shell.Invocation, p program) (value.Value, bool) {
	if !inv.Piped || p.local || !pure.Known(p.name) || len(inv.Argv) > maxAsked {
		return value.Value{}, false
	}
	in := pure.Input{Argv: []string{p.name}, HasStdin: inv.HasStdin, Limit: maxForeseen, Shell: st.Shell, Interp: true}
	some := false
	stand := func(v value.Value) (string, bool) {
		var b strings.Builder
		for _, part := range v.Parts() {
			switch {
			case part.Hole == nil:
				b.WriteString(part.Lit)
			case part.Hole.Cause != risk.CauseGiven:
				return "", false
			default:
				some = true
				b.WriteString(probe)
			}
		}
		return b.String(), b.Len() <= maxForeseen
	}
	for _, w := range inv.Argv[1:] {
		text, ok := stand(w.Value)
		if !ok {
			return value.Value{}, false
		}
		in.Argv = append(in.Argv, text)
	}
	text, ok := stand(inv.Stdin)
	if in.Stdin = []byte(text); !ok || !some {
		return value.Value{}, false
	}
	out, ok := pure.Run(in) // with no variable set: whoever runs it sets them
	if !ok || out.Decoded || len(out.Files) > 0 || !bytes.Contains(out.Stdout, []byte("heed")) && !bytes.Contains(out.Stdout, []byte("given")) {
		return value.Value{}, false
	}
	name := flow.CommandText(inv)
	return value.Of(value.Hole{Cause: risk.CauseGiven, Name: name, Written: "<" + name + ">"}), true
}
