package screen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// TestMain makes this test binary also the program that tests start on a terminal.
func TestMain(m *testing.M) {
	if file := os.Getenv("SCREEN_TEST_ASK"); file != "" {
		os.Exit(asks(file))
	}
	if dir := os.Getenv("SCREEN_TEST_WATCH"); dir != "" {
		os.Exit(watches(dir))
	}
	code := m.Run()
	if *update {
		text, err := os.ReadFile(page)
		if err == nil {
			var fresh string
			if fresh, err = withScreens(string(text)); err == nil {
				err = os.WriteFile(page, []byte(fresh), 0o644)
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// A put is a question as a test hands it to the program.
type put struct {
	Shown    *consent.Consent
	Offers   []gate.Choice
	Rule     string
	Covers   *gate.Covers
	Text     string
	Input    string
	Exposure int
	PIN      string
}

func (p *put) question() *gate.Question {
	q := &gate.Question{Shown: p.Shown, Offers: p.Offers, Rule: p.Rule, Covers: p.Covers, Text: p.Text, Input: p.Input, Exposure: p.Exposure}
	if p.PIN != "" {
		q.CheckPIN = func(pin []byte) error {
			if string(pin) != p.PIN {
				return errors.New("that is not the PIN; four tries are left")
			}
			return nil
		}
	}
	return q
}

// asks puts the question of a file on the terminal and writes the answer beside it.
func asks(file string) int {
	var p put
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	if late, err := time.ParseDuration(os.Getenv("SCREEN_TEST_LATE")); err == nil {
		time.Sleep(late) // so that keys are typed ahead
	}
	said := "cannot be drawn on"
	if Can(tty, os.Getenv) {
		var a gate.Answer
		a, err = Ask(context.Background(), tty, p.question())
		said = fmt.Sprintf("%d %s %q %q", a.Choice, a.By, a.Reason, a.Command)
		if err != nil {
			said += " " + err.Error()
		}
	}
	if err := os.WriteFile(file+".answer", []byte(said), 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

// scene is the world that the commands of these tests are in.
const scene = `git . on trunk
remote origin git@github.com:acme/demo.git
upstream origin/trunk ahead 1 behind 3
src/main.go tracked "package main"
build/app ignored 412 files 87MB
deploy.sh tracked exec "git push --force origin trunk\n"
`

// shown is what a person is asked about a command of an agent.
func shown(t testing.TB, command string, pin bool) *consent.Consent {
	t.Helper()
	w, dir, env := fakeworld.Must(t, scene)
	req := &risk.Request{Command: command, Shell: "bash", Dir: dir, Env: env, Workspaces: []string{dir}, Agent: "claude-code", Provenance: risk.WebContent}
	s := service.New(service.Options{World: w})
	a, err := s.Assess(t.Context(), *req)
	if err != nil {
		t.Fatal(err)
	}
	d := s.Decision(&a.Assessment, req, policy.Run)
	return consent.New(req, &a.Assessment, &d, strings.Repeat("3f9a", 16), pin)
}

// clock is a time that tests set.
type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

// standing is a question that has stood on the screen for so long.
func standing(q *gate.Question, since time.Duration) (*ask, *clock) {
	c := &clock{time.Unix(1_800_000_000, 0)}
	a := newAsk(q, c.now)
	a.lines(80, 24)
	a.standing()
	c.Time = c.Add(since)
	return a, c
}

// keys of these names, or letters, one after the other.
func press(a *ask, names ...string) {
	for _, name := range names {
		k := tea.Key{Text: name}
		if r := []rune(name); len(r) == 1 {
			k.Code = r[0]
		} else {
			k = named(name)
		}
		if cmd := a.press(k); cmd != nil {
			if m, ok := cmd().(pinMsg); ok {
				m.of.checked(m.err)
			}
		}
	}
}

func named(name string) tea.Key {
	switch name {
	case "enter":
		return tea.Key{Code: tea.KeyEnter}
	case "esc":
		return tea.Key{Code: tea.KeyEscape}
	case "space":
		return tea.Key{Code: tea.KeySpace, Text: " "}
	case "tab":
		return tea.Key{Code: tea.KeyTab}
	case "backspace":
		return tea.Key{Code: tea.KeyBackspace}
	case "ctrl+c":
		return tea.Key{Code: 'c', Mod: tea.ModCtrl}
	case "right":
		return tea.Key{Code: tea.KeyRight}
	case "ctrl+u":
		return tea.Key{Code: 'u', Mod: tea.ModCtrl}
	}
	return tea.Key{Code: tea.KeyF1}
}

// letters types a text.
func letters(text string) []string { return strings.Split(text, "") }

// keyFor is the letter that does something.
func (a *ask) keyFor(t testing.TB, what action) string {
	t.Helper()
	for _, k := range a.keys {
		if k.action == what {
			return string(k.letter)
		}
	}
	t.Fatalf("no key for %s", what.label())
	return ""
}

// screenText is the whole screen.
func screenText(a *ask, w, h int) string {
	var b strings.Builder
	for _, l := range a.lines(w, h) {
		b.WriteString(strings.TrimRight(l.text(), " ") + "\n")
	}
	return b.String()
}
