package screen

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/risk"
)

// A table is a desk over a store, as heed watch has one.
type table struct {
	store *approval.Store
	fail  error // of every answer
}

// List implements [Desk]. What waits does so for times that stay the same on a screen.
func (d *table) List() ([]*approval.Request, error) {
	all, _, err := d.store.List()
	for _, r := range all {
		waits := 20*time.Minute + 30*time.Second
		if r.Shown != nil {
			waits += time.Duration(len(r.Shown.Command)) * time.Minute
		}
		r.Made = time.Now().Add(-waits).UnixMilli()
	}
	return all, err
}

// Question implements [Desk].
func (d *table) Question(r *approval.Request) (*gate.Question, error) {
	if r.Shown == nil {
		return nil, errors.New("it is damaged")
	}
	c := *r.Shown
	c.ID = r.Digest
	return &gate.Question{Shown: &c}, nil
}

// Answer implements [Desk].
func (d *table) Answer(r *approval.Request, a gate.Answer) error {
	if d.fail != nil {
		return d.fail
	}
	state := approval.Denied
	if a.Choice == gate.Once {
		state = approval.Approved
	}
	return d.store.Answer(r.Digest, approval.Answer{State: state, By: a.By, Reason: a.Reason})
}

// Attend implements [Desk].
func (d *table) Attend() error { return d.store.Attend() }

func storeIn(dir string) (*approval.Store, error) {
	return approval.Open(func(name string) string { return map[string]string{"XDG_STATE_HOME": dir}[name] })
}

// watches is heed watch over a store.
func watches(dir string) int {
	store, err := storeIn(dir)
	if err == nil {
		var tty *os.File
		if tty, err = os.OpenFile("/dev/tty", os.O_RDWR, 0); err == nil {
			err = Watch(context.Background(), tty, &table{store: store})
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// asksFor keeps requests for these commands, and returns their digests.
func asksFor(t testing.TB, store *approval.Store, commands ...string) (digests []string) {
	t.Helper()
	for _, c := range commands {
		f := approval.Facts{Command: c, Job: approval.Job{Dir: "/home/u/project"}}
		r, err := store.Keep(approval.Request{Front: approval.FrontHook, Facts: f, Shown: shown(t, c, false)})
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, r.Digest)
	}
	return digests
}

// TestWatch drives a desk in tmux.
func TestWatch(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, err := storeIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	win := tmux(t, 80, 24, "SCREEN_TEST_WATCH="+dir)
	win.wait("nothing waits for you")
	is := asksFor(t, store, "rm -rf src", "git push --force origin trunk", "git push origin trunk")
	win.wait("3 wait for you")
	win.keys("Home") // the first that was seen is chosen, and not the worst
	win.held("watch")
	if !store.Attended() {
		t.Error("nobody is said to be there")
	}
	win.keys("Enter")
	win.settled()
	win.held("watch-review")
	win.keys("Right")
	win.wait("2 of 3 wait")
	win.settled()
	win.key("run it once")
	win.wait("You agreed to")
	state(t, store, is[2], approval.Approved)
	// Answered elsewhere, while it is being read.
	win.keys("Enter")
	win.settled()
	if err := store.Answer(is[1], approval.Answer{State: approval.Denied, By: "person"}); err != nil {
		t.Fatal(err)
	}
	win.wait("was answered elsewhere: denied")
	win.wait("one waits for you")
	win.held("watch-answered")
	win.keys("Enter")
	win.key("say no, why")
	win.keys("-l", "not in this project")
	win.keys("Enter")
	win.wait("You said no to")
	if r := state(t, store, is[0], approval.Denied); r.Answer.Reason != "not in this project" {
		t.Errorf("the reason is %q", r.Answer.Reason)
	}
	win.keys("Escape")
	win.ended()
}

func state(t testing.TB, store *approval.Store, digest string, want approval.State) *approval.Request {
	t.Helper()
	r, err := store.Get(digest)
	if err != nil || r.State != want {
		t.Fatalf("%+v, %v, want %s", r, err, want)
	}
	return r
}

// told is a desk that was told what the store holds, and stands on the screen.
func told(t *testing.T, m *watching, all ...*approval.Request) {
	t.Helper()
	m.w, m.h = 80, 24
	m.Update(listed{all: all})
	m.lines()
}

// request is one for a command of a tier.
func request(tier risk.Tier, digest string, made int64) *approval.Request {
	by := consent.ByClick
	if tier == risk.Review {
		by = consent.ByWord
	}
	return &approval.Request{
		Digest: strings.Repeat(digest, 64), Made: made, State: approval.Pending,
		Shown: &consent.Consent{Tier: tier, Command: "run " + digest, Confirm: consent.Confirm{By: by, What: "word", Word: "x"}},
	}
}

// deskKey presses a key at a desk.
func deskKey(m *watching, k tea.Key) tea.Cmd {
	_, cmd := m.Update(tea.KeyPressMsg(k))
	return cmd
}

// TestWorstFirst: the order of the list is that of the tiers, then that of time.
func TestWorstFirst(t *testing.T) {
	t.Parallel()
	m := newWatching(&table{}, time.Now)
	told(t, m, request(risk.Caution, "a", 1), request(risk.Review, "b", 5), request(risk.Caution, "c", 0), request(risk.Review, "d", 4))
	got := ""
	for _, r := range m.waiting {
		got += r.Digest[:1]
	}
	if got != "dbca" || m.chosen[:1] != "d" {
		t.Errorf("%s, chosen %s", got, m.chosen[:1])
	}
}

// TestNextQuestionIsNotAnswered: a key for one question does nothing to the next, which
// has not stood on the screen; and no key answers more than one.
func TestNextQuestionIsNotAnswered(t *testing.T) {
	t.Parallel()
	c := &clock{time.Unix(1_800_000_000, 0)}
	m := newWatching(&table{fail: errors.New("full")}, c.now)
	all := []*approval.Request{request(risk.Caution, "a", 1), request(risk.Caution, "b", 2), request(risk.Review, "c", 3)}
	told(t, m, all...)
	deskKey(m, named("enter"))
	m.ask.standing()
	c.Time = c.Add(time.Hour)
	for range 6 {
		deskKey(m, named("right"))
		for _, k := range m.ask.keys {
			r := k.letter
			if deskKey(m, tea.Key{Code: r, Text: string(r)}); m.ask == nil || m.ask.done != nil {
				t.Fatalf("%c answered what was not on the screen yet", r)
			}
		}
	}
	for m.ask.q.Shown.Tier != risk.Caution {
		deskKey(m, named("right"))
	}
	m.ask.standing()
	c.Time = c.Add(time.Hour)
	r := []rune(m.ask.keyFor(t, runOnce))[0]
	cmd := deskKey(m, tea.Key{Code: r, Text: string(r)})
	if cmd == nil || m.ask != nil || len(m.said) != 1 {
		t.Fatalf("%d answered; open: %v", len(m.said), m.ask)
	}
	// What could not be kept waits on.
	m.Update(cmd())
	told(t, m, all...)
	if len(m.waiting) != 3 || !strings.Contains(fmt.Sprint(m.news), "full") {
		t.Errorf("%d wait: %q", len(m.waiting), m.news)
	}
}

// TestGone: a request that does not wait any more is told of, and a question about it
// goes away.
func TestGone(t *testing.T) {
	t.Parallel()
	for want, now := range map[string]approval.State{"elsewhere: approved": approval.Approved, "elsewhere: denied": approval.Denied, "too old": approval.Expired, "is gone": ""} {
		m := newWatching(&table{}, time.Now)
		r, other := request(risk.Review, "a", 1), request(risk.Caution, "b", 1)
		told(t, m, r, other)
		deskKey(m, named("enter"))
		if m.ask == nil {
			t.Fatal("nothing was asked")
		}
		later := []*approval.Request{other}
		if now != "" {
			changed := *r
			changed.State = now
			later = append(later, &changed)
		}
		told(t, m, later...)
		if m.ask != nil || !strings.Contains(fmt.Sprint(m.news), want) || m.chosen != other.Digest {
			t.Errorf("%s: %q, open: %v", want, m.news, m.ask != nil)
		}
	}
}

// TestListIsDrawn at every size, with many requests and hostile ones.
func TestListIsDrawn(t *testing.T) {
	t.Parallel()
	m := newWatching(&table{}, time.Now)
	var all []*approval.Request
	for i := range 40 {
		r := request(risk.Tier(i%3), string("0123456789abcdef"[i%16]), int64(i))
		r.Digest = fmt.Sprintf("%064d", i)
		r.Shown.Command, r.Shown.Asks, r.Shown.Explanation = "\x1b[2J漢"+strings.Repeat("é", 200), "\r\x1b]0;x\a", "\x9b"
		all = append(all, r)
	}
	all[3].Shown = nil
	all[5].State = approval.Denied
	told(t, m, all...)
	m.Update(listed{err: errors.New("\x1b[H")})
	for _, size := range [][2]int{{80, 24}, {200, 60}, {20, 5}, {1, 1}} {
		for range 45 {
			m.w, m.h = size[0], size[1]
			lines := m.lines()
			if len(lines) != m.h {
				t.Fatalf("%d lines of %d", len(lines), m.h)
			}
			for _, l := range lines {
				if width(l.text()) > m.w || strings.ContainsAny(l.text(), "\x1b\r\a\u009b") {
					t.Fatalf("%q", l.text())
				}
			}
			if m.h >= 24 && !strings.Contains(fmt.Sprint(lines), "> ") {
				t.Fatal("the chosen one is not shown")
			}
			deskKey(m, named("right"))
		}
	}
}
