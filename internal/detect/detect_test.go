package detect_test

import (
	"testing"

	"github.com/heedsh/heed/internal/attack"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

func TestTextMasksData(t *testing.T) {
	t.Parallel()
	const command = `grep "rm -rf /" log; rm -rf /`
	ctx := detect.Context{Command: command, Processes: []detect.Process{
		{Argv: []string{"grep", detect.Mask, "log"}, Data: []string{"rm -rf /"}, Span: risk.Span{Start: 0, End: 19}},
		{Argv: []string{"rm", "-rf", "/"}, Span: risk.Span{Start: 21, End: 29}},
	}}
	if got, want := ctx.Text(), "grep \"\x00\" log; rm -rf /"; got != want {
		t.Errorf("Text() = %q, want %q", got, want)
	}
	ctx.Processes[0].Span.End = 9999
	if got := ctx.Text(); got != command {
		t.Errorf("a span outside the text: %q", got)
	}
}

func TestTextAlways(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		ctx := detect.Context{Command: text}
		for range rapid.IntRange(0, 4).Draw(t, "processes") {
			ctx.Processes = append(ctx.Processes, detect.Process{
				Data: rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "data"),
				Span: risk.Span{Start: rapid.IntRange(-2, 40).Draw(t, "start"), End: rapid.IntRange(-2, 40).Draw(t, "end")},
			})
		}
		if got := ctx.Text(); len(got) > len(text) {
			t.Fatalf("%q became longer: %q", text, got)
		}
	})
}

func TestDepth(t *testing.T) {
	t.Parallel()
	ctx := detect.Context{Processes: []detect.Process{{Parent: -1}, {Parent: 0}, {Parent: 1}, {Parent: -1}, {Parent: 99}}}
	for i, want := range []int{0, 1, 2, 0, 0} {
		if got := ctx.Depth(i); got != want {
			t.Errorf("Depth(%d) = %d, want %d", i, got, want)
		}
	}
}

// TestTechniques: every effect, whatever its fields, has current ids of both
// kinds.
func TestTechniques(t *testing.T) {
	t.Parallel()
	for _, v := range risk.Verbs() {
		for _, s := range append(risk.Scopes(), "") {
			for _, d := range append(risk.Kinds(), risk.NoKind) {
				e := risk.Effect{Verb: v, Scope: s, Kind: d, Target: "/home/u/.ssh/id_rsa"}
				ids, asi := detect.Techniques(&e)
				if len(ids) == 0 || len(asi) == 0 {
					t.Fatalf("%s %s %q has no ids: %v %v", v, s, d, ids, asi)
				}
				for _, id := range ids {
					if now, ok := attack.Current(id); !ok || now != id {
						t.Fatalf("%s %s %q: %s is not current", v, s, d, id)
					}
				}
				for _, id := range asi {
					if _, ok := attack.ASI(id); !ok {
						t.Fatalf("%s %s %q: %s is none", v, s, d, id)
					}
				}
			}
		}
	}
}
