package service_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// in is a service in a world that is described, and a request there.
func in(t *testing.T, text string, opt service.Options) (*service.Service, risk.Request) {
	t.Helper()
	w, dir, env := fakeworld.Must(t, text)
	opt.World = w
	return service.New(opt), risk.Request{Command: "ls", Dir: dir, Env: env}
}

func TestWithin(t *testing.T) {
	t.Parallel()
	no := errors.New("no")
	ended := make(chan struct{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx   context.Context
		limit time.Duration
		work  func(context.Context) (int, error)
		want  int
		is    func(error) bool
	}{
		"in time":  {t.Context(), time.Minute, func(context.Context) (int, error) { return 7, nil }, 7, func(err error) bool { return err == nil }},
		"an error": {t.Context(), time.Minute, func(context.Context) (int, error) { return 7, no }, 7, func(err error) bool { return errors.Is(err, no) }},
		"a fault": {t.Context(), time.Minute, func(context.Context) (int, error) { panic("oh") }, 0, func(err error) bool {
			var f *service.Failure
			return errors.As(err, &f) && f.Reason == "a fault inside heed: oh"
		}},
		"never": {t.Context(), time.Millisecond, func(ctx context.Context) (int, error) { <-ctx.Done(); close(ended); select {} }, 0, late},
		"late, and says so": {t.Context(), time.Millisecond, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 7, ctx.Err()
		}, 0, late},
		"nobody waits": {gone, time.Minute, func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 7, ctx.Err()
		}, 0, func(err error) bool { return errors.Is(err, context.Canceled) && !late(err) }},
	} {
		if got, err := service.Within(c.ctx, c.limit, c.work); got != c.want || !c.is(err) {
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
	<-ended // its context was cancelled
}

func late(err error) bool {
	var l *service.TooLate
	return errors.As(err, &l)
}

// TestBatchEndsWhenCancelled: who waits for more lines is not waited for.
func TestBatchEndsWhenCancelled(t *testing.T) {
	t.Parallel()
	s, base := in(t, "", service.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	lines, w := io.Pipe()
	defer w.Close()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		b := service.Batch{Service: s, Base: base}
		_, err := b.Run(ctx, lines, out)
		done <- err
	}()
	if _, err := io.WriteString(w, `{"id":"1","cmd":"ls"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 10)
	if _, err := io.ReadFull(answers, first); err != nil || string(first) != `{"id":"1",` {
		t.Fatalf("%q, %v", first, err)
	}
	go io.Copy(io.Discard, answers)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestBatchAnswersEveryLine, one that no program could run in included.
func TestBatchAnswersEveryLine(t *testing.T) {
	t.Parallel()
	s, base := in(t, "a tracked\ngit\n", service.Options{})
	long := `{"id":"long","cmd":"ls","env":{"A":"` + strings.Repeat("a", 1<<18) + `"}}`
	text := strings.Join([]string{`{"id":"one","cmd":"ls"}`, `{"id":"two"}`, `{"id":"three","cmd":"rm a","cmd":"ls"}`, `{"id":"four","CMD":"ls"}`, long, `[]`, `{"id":"last","cmd":"rm a"}`}, "\n")
	b := service.Batch{Service: s, Base: base}
	var out bytes.Buffer
	worst, err := b.Run(t.Context(), strings.NewReader(text), &out)
	if err != nil || worst != risk.Review {
		t.Fatalf("%s, %v", worst, err)
	}
	for i, want := range []string{
		`{"id":"one","tier":"SAFE"`, `{"id":"two","tier":"REVIEW"`, `{"id":"three","tier":"REVIEW"`, `{"id":"four","tier":"REVIEW"`,
		`{"id":"long","tier":"REVIEW"`, `{"tier":"REVIEW"`, `{"id":"last","tier":"CAUTION"`,
	} {
		if line, err := out.ReadString('\n'); err != nil || !strings.HasPrefix(line, want) {
			t.Errorf("line %d: %.80s, %v; want %s", i, line, err, want)
		}
	}
}

// TestRecordings: what was answered in a recording is answered from its record, by
// a service with the same rules that stands elsewhere.
func TestRecordings(t *testing.T) {
	t.Parallel()
	rules, problems := sigma.Parse([]byte("title: t\nid: mine\nlogsource: {category: process_creation, product: linux}\ndetection: {s: {Image|endswith: /ls}, condition: s}\nlevel: high\n"), "x.yml")
	set, more := sigma.Compile(rules, sigma.Options{})
	if len(problems)+len(more) > 0 {
		t.Fatal(problems, more)
	}
	with := service.Detectors{Sets: func() ([]*service.RuleSet, error) {
		return []*service.RuleSet{service.NewRuleSet("test", "sigma:test", set, nil)}, nil
	}}
	s, req := in(t, "a tracked\ngit\n", service.Options{Detectors: with, Specs: []string{"/home/u/specs"}})
	look := s.Recording(&req)
	a, err := look.Assess(t.Context(), req)
	if err != nil || a.Level != risk.B {
		t.Fatalf("%s, %v", a.Level, err)
	}
	r, kept, err := look.Record(t.Context(), req, &a.Assessment)
	if err != nil || len(kept) > 0 || len(r.Specs) != 1 {
		t.Fatalf("%v, kept %v, specs %v", err, kept, r.Specs)
	}
	elsewhere, _ := in(t, "user other\n", service.Options{Detectors: with})
	if got, err := elsewhere.Replay(t.Context(), r); err != nil || !got.Identical {
		t.Errorf("%v: %v", err, got.Differences())
	}
	if got, err := service.New(service.Options{}).Replay(t.Context(), r); err != nil || got.Same || got.Level != risk.A {
		t.Errorf("without the rules: %v, %s, same %v", err, got.Level, got.Same)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := elsewhere.Replay(gone, r); !errors.Is(err, context.Canceled) {
		t.Errorf("nobody waits: %v", err)
	}
}

func TestDecide(t *testing.T) {
	t.Parallel()
	s, req := in(t, "a tracked\ngit\n", service.Options{})
	for command, want := range map[string]policy.Action{"ls": policy.Allow, "rm a": policy.Leave, "cat ~/.ssh/id_rsa": policy.Ask, "rm -rf ~": policy.Deny} {
		req.Command = command
		if _, d, err := s.Decide(t.Context(), req, policy.Agent); err != nil || d.Action != want {
			t.Errorf("%s: %s, %v; want %s", command, d.Action, err, want)
		}
	}
	req.Dir = strings.Repeat("/d", 4096)
	if a, d, err := s.Decide(t.Context(), req, policy.Agent); err == nil || d.Action != policy.Leave || d.Rule != "" || a.Tier != risk.Review {
		t.Errorf("without an assessment: %+v, %v, %s", d, err, a.Tier)
	}
}

// TestNoDir notes only what is surely no directory.
func TestNoDir(t *testing.T) {
	t.Parallel()
	s, req := in(t, "a tracked\ngit\n", service.Options{})
	for dir, want := range map[string]bool{req.Dir: false, req.Dir + "/a": true, req.Dir + "/none": true, "/root/x": false} {
		if got := s.NoDir(&risk.Request{Dir: dir, Env: req.Env}); got != want {
			t.Errorf("%s: %v", dir, got)
		}
	}
}
