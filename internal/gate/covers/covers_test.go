package covers

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/child"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// A place is a world with a log.
type place struct {
	t    *testing.T
	look Look
	dir  string
	now  time.Time
	log  *audit.Log
}

func newPlace(t *testing.T) *place {
	t.Helper()
	w, dir, env := fakeworld.Must(t, "package.json \"{}\"\nsub/package.json \"{}\"\n.env \"PASSWORD=x\"\n")
	p := &place{t: t, dir: dir, now: time.Now()}
	var err error
	if p.log, err = audit.Open(t.TempDir(), audit.Options{Now: func() time.Time { return p.now }}); err != nil {
		t.Fatal(err)
	}
	p.look = Look{
		Service: service.New(service.Options{World: w}), Records: &guard.Records{Log: p.log}, Env: []string{"HOME=" + env["HOME"], "PATH=" + env["PATH"]},
		Within: time.Minute, // a slow machine is no reason to count less here
	}
	return p
}

// request is a command of an agent in this world.
func (p *place) request(command string) *risk.Request {
	return &risk.Request{Command: command, Shell: "bash", Dir: p.dir, Agent: "claude-code", Env: child.Pairs(p.look.Env)}
}

// ran has commands in the log, so long ago.
func (p *place) ran(ago time.Duration, commands ...string) {
	p.t.Helper()
	p.now = time.Now().Add(-ago)
	for _, c := range commands {
		req := p.request(c)
		a, err := p.look.Service.Assess(p.t.Context(), *req)
		if err != nil {
			p.t.Fatal(err)
		}
		row, err := audit.AssessedRow(req, &a.Assessment, false)
		if err == nil {
			_, err = p.log.Append(p.t.Context(), row)
		}
		if err != nil {
			p.t.Fatal(err)
		}
	}
}

// rules are the narrowest rules for a command, as a consent shows them.
func (p *place) rules(command string) []policy.Rule {
	p.t.Helper()
	req := p.request(command)
	a, d, err := p.look.Service.Decide(p.t.Context(), *req, policy.Run)
	if err != nil {
		p.t.Fatal(err)
	}
	return Parse(consent.New(req, &a.Assessment, &d, "", false).Narrow)
}

// TestOf: what a rule would have let run besides, of the last days, each once.
func TestOf(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ran(8*24*time.Hour, "npm install left-pad --tag old")
	p.ran(24*time.Hour,
		"npm install left-pad", "npm install left-pad --save-dev", "npm install left-pad --save-dev", "npm install left-pad && ls",
		"npm install other", "npm ls", "npm install left-pad && cat .env", "ls -l")
	rules := p.rules("npm install left-pad")
	if len(rules) != 1 {
		t.Fatalf("%d rules", len(rules))
	}
	got := p.look.Of(rules, "npm install left-pad")
	want := []string{"npm install left-pad && ls", "npm install left-pad --save-dev"}
	slices.Sort(got.Some)
	slices.Sort(want)
	if got.Days != 7 || got.All != 2 || got.Left || !slices.Equal(got.Some, want) {
		t.Errorf("%+v, want %q", got, want)
	}
	if got := p.look.Of(rules, "another"); got.All != 3 {
		t.Errorf("with the command itself: %+v", got)
	}
	if got := p.look.Of(Parse([]string{"- action: ["}), "x"); got != nil {
		t.Errorf("by a rule that cannot be read: %+v", got)
	}
	if rules := p.rules("cat .env"); len(rules) != 0 {
		t.Errorf("a rule for what is REVIEW: %+v", rules)
	}
	p.look.Records = &guard.Records{Err: context.Canceled}
	if got := p.look.Of(rules, "x"); got != nil {
		t.Errorf("without a log: %+v", got)
	}
}

// TestWorstFirst: three are shown, the worst of all.
func TestWorstFirst(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.ran(time.Hour, "npm install left-pad --tag a", "npm install left-pad --tag b", "npm install left-pad --tag c", "npm install left-pad --tag d")
	got := p.look.Of(p.rules("npm install left-pad"), "")
	if got.All != 4 || len(got.Some) != 3 {
		t.Errorf("%+v", got)
	}
}

// TestLimit: nobody waits longer for a question, whatever the log holds and however long a
// command takes to be judged; what was found until then is told as at least that.
func TestLimit(t *testing.T) {
	t.Parallel()
	for name, stuck := range map[string]func(ctx context.Context){
		"slow":            func(ctx context.Context) { <-ctx.Done() },
		"without an end":  func(context.Context) { time.Sleep(5 * time.Second) },
		"a fault, inside": func(context.Context) { panic("broken") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.ran(time.Hour, "npm install left-pad --tag a", "npm install left-pad --tag b", "npm install left-pad --tag c")
			rules := p.rules("npm install left-pad")
			calls := 0
			p.look.Within = 0
			p.look.assess = func(ctx context.Context, req risk.Request) (risk.Assessment, error) {
				if calls++; calls == 2 {
					stuck(ctx)
				}
				a, err := p.look.Service.Assess(context.Background(), req)
				return a.Assessment, err
			}
			began := time.Now()
			got := p.look.Of(rules, "")
			// A tenth of a second, and what a busy machine needs to see that it is over.
			if took := time.Since(began); took > 10*Within {
				t.Errorf("it took %v", took)
			}
			if !got.Left || got.All > 1 {
				t.Errorf("%+v", got)
			}
			if lead := (&gate.Covers{Days: got.Days, All: 5, Some: got.Some, Left: got.Left}).Lead(); lead != "Of the log's last 7 days it would also have covered at least 5 commands, the worst:" {
				t.Errorf("%q", lead)
			}
		})
	}
}
