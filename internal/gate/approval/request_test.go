package approval

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// keep keeps a request for a command in a store whose clock is given.
func keep(t *testing.T, s *Store, command string) *Request {
	t.Helper()
	r, err := s.Keep(Request{Front: FrontHook, Facts: Facts{Command: command, Job: Job{Dir: "/"}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func state(t *testing.T, s *Store, digest string) State {
	t.Helper()
	r, err := s.Get(digest)
	if err != nil {
		t.Fatal(err)
	}
	return r.State
}

// TestStates walks a request through its states.
func TestStates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(s *Store, digest string, clock *time.Time) error
		want State
		err  bool // of what is done last
	}{
		"kept": {func(*Store, string, *time.Time) error { return nil }, Pending, false},
		"approved": {func(s *Store, d string, _ *time.Time) error {
			return s.Answer(d, Answer{State: Approved, By: "person"})
		}, Approved, false},
		"denied":             {func(s *Store, d string, _ *time.Time) error { return s.Answer(d, Answer{State: Denied, Reason: "no"}) }, Denied, false},
		"denied, then used":  {then(deny, use), Denied, true},
		"approved, then no":  {then(approve, deny), Approved, true},
		"denied, then yes":   {then(deny, approve), Denied, true},
		"used":               {then(approve, use), Used, false},
		"used twice":         {then(approve, use, use), Used, true},
		"used, then denied":  {then(approve, use, deny), Used, true},
		"too old":            {wait(PendingFor + time.Second), Expired, false},
		"too old to approve": {then(wait(PendingFor+time.Second), approve), Expired, true},
		"a yes too old":      {then(approve, wait(ApprovedFor+time.Second)), Expired, false},
		"a yes too old, use": {then(approve, wait(ApprovedFor+time.Second), use), Expired, true},
		"a clock set back":   {then(approve, wait(-48*time.Hour)), Expired, false},
		"asked himself":      {func(s *Store, d string, _ *time.Time) error { return s.Use(d, Pending) }, Used, false},
		"not approved":       {use, Pending, true},
	} {
		s := store(t)
		clock := time.Unix(1800000000, 0)
		s.now = func() time.Time { return clock }
		r := keep(t, s, "rm x")
		if err := c.do(s, r.Digest, &clock); (err != nil) != c.err {
			t.Errorf("%s: %v", name, err)
		}
		if got := state(t, s, r.Digest); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

type step = func(s *Store, digest string, clock *time.Time) error

func approve(s *Store, d string, _ *time.Time) error {
	return s.Answer(d, Answer{State: Approved, By: "person"})
}

func deny(s *Store, d string, _ *time.Time) error {
	return s.Answer(d, Answer{State: Denied, By: "person"})
}
func use(s *Store, d string, _ *time.Time) error { return s.Use(d, Approved) }
func wait(d time.Duration) step {
	return func(_ *Store, _ string, clock *time.Time) error { *clock = clock.Add(d); return nil }
}

func then(steps ...step) step {
	return func(s *Store, d string, clock *time.Time) (err error) {
		for _, do := range steps {
			err = do(s, d, clock)
		}
		return err
	}
}

// TestAgain: what is asked again keeps its answer until it was used or is too old.
func TestAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   step
		want State
	}{
		"pending": {wait(time.Minute), Pending}, "approved": {approve, Approved}, "denied": {deny, Denied},
		"used": {then(approve, use), Pending}, "too old": {wait(PendingFor * 2), Pending}, "no longer denied": {then(deny, wait(ApprovedFor*2)), Pending},
	} {
		s := store(t)
		clock := time.Unix(1800000000, 0)
		s.now = func() time.Time { return clock }
		r := keep(t, s, "rm x")
		if err := c.do(s, r.Digest, &clock); err != nil {
			t.Fatal(err)
		}
		if again := keep(t, s, "rm x"); again.State != c.want || again.Digest != r.Digest || state(t, s, r.Digest) != c.want {
			t.Errorf("%s: %s, want %s", name, again.State, c.want)
		}
	}
}

// TestAnsweredTwice: of many answers at the same time one counts.
func TestAnsweredTwice(t *testing.T) {
	t.Parallel()
	s := store(t)
	r := keep(t, s, "rm x")
	var wg sync.WaitGroup
	won := make(chan State, 40)
	for i := range 40 {
		wg.Go(func() {
			want := []State{Approved, Denied}[i%2]
			err := s.Answer(r.Digest, Answer{State: want, By: "person"})
			var twice *AnsweredError
			switch {
			case err == nil:
				won <- want
			case !errors.As(err, &twice):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	close(won)
	if first := <-won; len(won) != 0 || state(t, s, r.Digest) != first {
		t.Errorf("%d more answers; %s won, and it is %s", len(won), first, state(t, s, r.Digest))
	}
}

// TestWithheld: a command with a secret is told from others, and not kept.
func TestWithheld(t *testing.T) {
	t.Parallel()
	s := store(t)
	withheld := func(secret string) *Request {
		f := Facts{Command: "curl -u me:" + secret, Job: Job{Dir: "/", Program: "/bin/sh", Argv: []string{"sh", "-c", "curl -u me:" + secret}, Script: secret}}
		if err := s.Withhold(&f, "curl -u me:***"); err != nil {
			t.Fatal(err)
		}
		r, err := s.Keep(Request{Front: FrontRun, Facts: f})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	a, again, b := withheld("hunter2"), withheld("hunter2"), withheld("hunter3")
	if a.Digest != again.Digest || a.Digest == b.Digest {
		t.Errorf("%s, %s, %s", a.Digest, again.Digest, b.Digest)
	}
	if got, err := s.Find(a.Digest); err != nil || got.Facts.Command != "curl -u me:***" {
		t.Errorf("%+v, %v", got, err)
	}
	all, _ := filepath.Glob(s.Dir() + "/*")
	for _, name := range all {
		if text, err := os.ReadFile(name); err != nil || strings.Contains(string(text), "hunter") {
			t.Errorf("%s: %v holds the secret", name, err)
		}
	}
}

// TestDamagedAnswer: what cannot be read is no yes.
func TestDamagedAnswer(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(file string) error{
		"empty":       func(f string) error { return os.WriteFile(f, nil, 0o600) },
		"others'":     func(f string) error { return os.Chmod(f, 0o666) },
		"a word":      func(f string) error { return os.WriteFile(f, []byte(`{"state":"yes"}`), 0o600) },
		"a directory": func(f string) error { return errors.Join(os.Remove(f), os.Mkdir(f, 0o700)) },
	} {
		s := store(t)
		r := keep(t, s, "rm x")
		if err := s.Answer(r.Digest, Answer{State: Approved, By: "person"}); err != nil {
			t.Fatal(err)
		}
		if err := spoil(filepath.Join(s.Dir(), r.Digest+answerFile)); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Get(r.Digest); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
		if err := s.Use(r.Digest, Approved); err == nil {
			t.Errorf("%s: used", name)
		}
	}
}
