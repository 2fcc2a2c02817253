package engine

import (
	"bytes"
	"slices"

	"github.com/heedsh/heed/internal/pure"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// keeps looks whether a pure program writes into a file what it holds already, as
// `sort -o FILE FILE` does where the lines are in that order, and says so of the effect.
// Of what is compared nothing is kept but that it is the same.
func (o outlook) keeps(p program) {
	inv, r := o.inv, o.r
	if !pure.WritesInto(p.name) || p.local || r.Match == nil || r.Help || inv.Turns || inv.Background || !o.Settled() || !o.st.Here() {
		return
	}
	out, given := r.Match.Value("out")
	if name, known := out.Known(); !given || !known || name == "" {
		return
	}
	in, _, ok := pureInput(o.machine, o.st, inv, p)
	if !ok {
		return
	}
	in.Into, in.Limit = true, maxCompared
	in.ReadFile = func(name string) ([]byte, error) { return o.sc.Held(o.st, name) }
	in.RealPath = func(name string) (string, bool) { return world.Resolve(o.st.FS, name, true) }
	done, ok := runPure(in, o.st, inv)
	if !ok || done.Into == "" || done.Status != 0 || !slices.Equal(done.Files, []string{done.Into}) {
		return
	}
	if resolved, known := world.Resolve(o.st.FS, done.Into, true); !known || o.st.FS.Touched(resolved) { // what the line wrote before
		return
	}
	held, err := o.sc.Held(o.st, done.Into)
	if err != nil || len(held) == 0 || !bytes.Equal(held, done.Stdout) {
		return
	}
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Verb == risk.FSWrite && e.Arg == "out" {
			e.Same = true
		}
	}
}

// maxCompared is how much of a text is computed to be compared, in bytes.
const maxCompared = 64 << 10
