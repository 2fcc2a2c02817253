package assess_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// leaving is a file system whose user goes away when a file is looked at.
type leaving struct {
	world.FS
	file   string
	cancel func()
	gone   atomic.Bool
	after  atomic.Int32 // looks after that
}

func (l *leaving) Lstat(name string) (world.Info, error) {
	switch {
	case l.gone.Load():
		l.after.Add(1)
	case name == l.file:
		l.gone.Store(true)
		l.cancel()
	}
	return l.FS.Lstat(name)
}

// TestFailures: without an assessment there is an error, the same in both
// places, and the answer is REVIEW.
func TestFailures(t *testing.T) {
	t.Parallel()
	w, dir, env := fakeworld.Must(t, "")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	long := map[string]string{"HOME": "/home/u", "BIG": strings.Repeat("x", 200<<10)}
	for name, c := range map[string]struct {
		ctx   context.Context
		req   risk.Request
		cause error
		text  string
	}{
		"an oversized environment": {t.Context(), risk.Request{Command: "ls", Dir: dir, Env: long}, nil, `"BIG" is longer than a program can be given`},
		"an endless directory":     {t.Context(), risk.Request{Command: "ls", Dir: strings.Repeat("/d", 4096), Env: env}, nil, "longer than a path can be"},
		"nobody waits":             {over, risk.Request{Command: "ls", Dir: dir, Env: env}, context.Canceled, "assessing: context canceled"},
		"a fault":                  {t.Context(), risk.Request{Command: "cat x", Dir: dir, Env: env}, nil, "a fault inside heed: the disk"},
	} {
		in := *w
		if name == "a fault" {
			in.FS = broken{}
		}
		for how, ask := range map[string]func() (risk.Assessment, error){
			"Assess": func() (risk.Assessment, error) { a, _, err := assess.New().Assess(c.ctx, &in, c.req); return a, err },
			"Script": func() (risk.Assessment, error) {
				all, err := assess.New().Script(c.ctx, &in, c.req, assess.Around{})
				if len(all) != 1 {
					return risk.Assessment{}, fmt.Errorf("%d statements", len(all))
				}
				return all[0].Assessment, err
			},
		} {
			a, err := ask()
			var f *assess.Failure
			if !errors.As(err, &f) || !strings.Contains(f.Reason, c.text) || a.Error != err.Error() || a.Tier != risk.Review || a.Verdict != risk.Block {
				t.Errorf("%s of %s: %s, %q, error %v", how, name, a.Tier, a.Error, err)
			}
			if c.cause != nil && !errors.Is(err, c.cause) {
				t.Errorf("%s of %s: the error %v is not %v", how, name, err, c.cause)
			}
		}
	}
	if a, _, err := assess.New().Assess(t.Context(), w, risk.Request{Command: "ls", Dir: dir, Env: env}); err != nil || a.Error != "" {
		t.Errorf("ls: %v, %q", err, a.Error)
	}
}

// broken is a file system that is a fault.
type broken struct{ world.FS }

func (broken) Lstat(string) (world.Info, error) { panic("the disk") }

// TestCancelledInTheMiddle: who goes away while a long command is evaluated is
// not worked for much longer.
func TestCancelledInTheMiddle(t *testing.T) {
	t.Parallel()
	w, dir, env := fakeworld.Must(t, "src/ 5 files")
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, "touch src/f%d\n", i)
	}
	req := risk.Request{Command: b.String(), Dir: dir, Env: env}
	for how, ask := range map[string]func(context.Context, *world.World) error{
		"Assess": func(ctx context.Context, w *world.World) error {
			_, _, err := assess.New().Assess(ctx, w, req)
			return err
		},
		"Script": func(ctx context.Context, w *world.World) error {
			_, err := assess.New().Script(ctx, w, req, assess.Around{})
			return err
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		fs := &leaving{FS: w.FS, file: dir + "/src/f50", cancel: cancel}
		in := *w
		in.FS = fs
		if err := ask(ctx, &in); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the error is %v", how, err)
		}
		if !fs.gone.Load() || fs.after.Load() > 2000 {
			t.Errorf("%s: %d looks at files after nobody waited", how, fs.after.Load())
		}
	}
}

// TestBrokenOwnFiles: a file of one's own that is broken raises every answer
// and is named; one of a workspace, which could have been left out, is only named.
func TestBrokenOwnFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, layer string
		want        risk.Level
	}{
		"a spec of mine":            {own + "/frob.yaml", "effects", risk.B},
		"a file of rules of mine":   {"/home/u/.config/heed/patterns/acme.yaml", "pattern", risk.B},
		"a spec of the workspace":   {".heed/specs/frob.yaml", "", risk.A},
		"a rule of the workspace":   {".heed/patterns/acme.yaml", "", risk.A},
		"a file that is no spec":    {own + "/notes.txt", "", risk.A},
		"another's directory there": {"/home/u/.config/other/specs/frob.yaml", "", risk.A},
	} {
		w, req := with(t, map[string]string{c.file: "program: [frob\n"})
		a := ask(assess.New(own), w, req, "ls")
		if a.Level != c.want || a.Error != "" {
			t.Errorf("%s: level %s, want %s; error %q", name, a.Level, c.want, a.Error)
		}
		for _, l := range a.Layers {
			if (l.Error != "") != (l.Name == c.layer) || l.Error != "" && !strings.Contains(l.Error, ".yaml:") {
				t.Errorf("%s: the layer %s says %q", name, l.Name, l.Error)
			}
			if l.Verdict > a.Verdict || l.Name == c.layer && l.Verdict != a.Verdict {
				t.Errorf("%s: the layer %s says %s, and all together %s", name, l.Name, l.Verdict, a.Verdict)
			}
		}
		if a = ask(assess.New(own), w, req, "rm -rf work"); a.Tier != risk.Review {
			t.Errorf("%s: what is worse becomes %s", name, a.Tier)
		}
	}
}
