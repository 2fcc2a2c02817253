package assess_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// A place is a fake machine with a session in it.
type place struct {
	world *world.World
	dir   string
	env   map[string]string
}

func newPlace(tb testing.TB, text string) *place {
	tb.Helper()
	w, dir, env := fakeworld.Must(tb, text)
	return &place{w, dir, env}
}

func (p *place) request(cmd string) risk.Request {
	return risk.Request{Command: cmd, Shell: "bash", Dir: p.dir, Env: p.env, Provenance: risk.LocalUser}
}

func (p *place) assess(a *assess.Assessor, cmd string) (risk.Assessment, assess.Detail) {
	return a.Assess(p.world, p.request(cmd))
}

// fataler is what both testing.TB and rapid.T can do.
type fataler interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkWhole holds an assessment to what every assessment must be, whatever
// went in: no fault inside heed, one band behind all four verdicts, a sentence
// that is there and can be shown, and a record that can be written.
func checkWhole(t fataler, a *risk.Assessment) {
	t.Helper()
	cmd := short(a.Command)
	if strings.Contains(a.Error, "fault inside heed") {
		t.Errorf("%s: %s", cmd, a.Error)
	}
	checkBand(t, a)
	checkText(t, cmd, "summary", a.Summary)
	if strings.TrimSpace(a.Summary) == "" {
		t.Errorf("%s: no summary", cmd)
	}
	for _, s := range append(append([]string{}, a.Consequences.Direct...), a.Consequences.Indirect...) {
		checkText(t, cmd, "consequence", s)
	}
	for _, s := range a.Safer {
		checkText(t, cmd, "reason for the safer command", s.Why)
	}
	if _, err := json.Marshal(a); err != nil {
		t.Errorf("%s: no record: %v", cmd, err)
	}
}

// checkBand holds tier, level, verdict and score to one band.
func checkBand(t fataler, a *risk.Assessment) {
	t.Helper()
	for band := risk.BandSafe; band <= risk.BandReview; band++ {
		low, high := band.Scores()
		if a.Tier == band.Tier() && a.Level == band.Level() && a.Verdict == band.Verdict() && low <= a.Score && a.Score <= high {
			return
		}
	}
	t.Errorf("%s: %s/%s %s %d contradict each other", short(a.Command), a.Tier, a.Level, a.Verdict, a.Score)
}

// checkText holds text to what may be shown on a terminal.
func checkText(t fataler, cmd, what, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%s: %s is not UTF-8: %q", cmd, what, s)
	}
	for _, r := range s {
		if !unicode.IsGraphic(r) || unicode.In(r, unicode.Cf, unicode.Bidi_Control, unicode.Variation_Selector) {
			t.Errorf("%s: %s shows %U: %q", cmd, what, r, s)
			return
		}
	}
	for _, badge := range []string{"[SAFE", "SAFE]", "[CAUTION", "CAUTION]", "[REVIEW", "REVIEW]"} {
		if strings.Contains(strings.ToUpper(s), badge) {
			t.Errorf("%s: %s has a badge in it: %q", cmd, what, s)
		}
	}
	if n := utf8.RuneCountInString(s); n > 500 {
		t.Errorf("%s: %s has %d characters", cmd, what, n)
	}
}

func short(s string) string {
	if len(s) > 200 {
		return fmt.Sprintf("%q… (%d bytes)", s[:200], len(s))
	}
	return fmt.Sprintf("%q", s)
}
