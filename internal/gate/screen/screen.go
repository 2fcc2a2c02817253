package screen

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/heedsh/heed/internal/gate"
)

// Can reports whether a terminal can be drawn on: otherwise, and for people who have
// screens read to them (HEED_PLAIN), a question is lines of text.
func Can(tty *os.File, getenv func(string) string) bool {
	if plain := getenv("HEED_PLAIN"); plain != "" && plain != "0" {
		return false
	}
	if term := getenv("TERM"); term == "" || term == "dumb" {
		return false
	}
	w, h := size(tty)
	return w >= minWidth && h >= minHeight
}

// Ask asks a person at a terminal. With an error the answer is no.
func Ask(ctx context.Context, tty *os.File, q *gate.Question) (gate.Answer, error) {
	m := &asking{ask: newAsk(q, time.Now)}
	if err := run(ctx, tty, m); err != nil {
		return gate.Answer{By: "click", Waited: time.Since(m.ask.opened)}, err
	}
	if m.ask.done == nil {
		return gate.Answer{By: "click", Waited: time.Since(m.ask.opened)}, errors.New("asking: nothing was answered")
	}
	tell(tty, q, m.ask.done)
	return *m.ask.done, nil
}

// At asks at a terminal: drawn where that is possible, and in lines of text where it is
// not.
func At(ctx context.Context, t *gate.Terminal, getenv func(string) string, q *gate.Question) (gate.Answer, error) {
	if Can(t.File(), getenv) {
		return Ask(ctx, t.File(), q)
	}
	return t.Plain(q)
}

// tell leaves a line of what was asked and said, where the question stood before.
func tell(tty io.Writer, q *gate.Question, a *gate.Answer) {
	said := "run it once"
	switch a.Choice {
	case gate.No:
		said = "no"
	case gate.ThisSession:
		said = "run it, and what is like it in this session"
	case gate.AsRule:
		said = "run it, and make it a rule"
	case gate.Edit:
		said = "another command"
	case gate.Instead:
		said = "the safer command"
	case gate.Part:
		said = fmt.Sprintf("run its first steps, %d of %d", a.Steps, len(q.Shown.Steps))
	}
	// That it was said is in the answer; nothing depends on this line.
	fmt.Fprintf(tty, "%s %s\n  you said: %s\n", badge(q.Shown.Tier).text, join(clusters(q.Shown.Explanation)), said)
}

// An asking is one question as Bubble Tea sees it.
type asking struct {
	ask  *ask
	w, h int
	out  *output
}

// A program is a model that is told where it is drawn.
type program interface {
	tea.Model
	on(out *output)
}

// run draws a model until it ends.
func run(ctx context.Context, tty *os.File, m program) error {
	if err := gate.Discard(int(tty.Fd())); err != nil {
		return fmt.Errorf("asking: %w", err)
	}
	out := &output{File: tty}
	m.on(out)
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(tty), tea.WithOutput(out), tea.WithEnvironment(environ(os.Environ()))).Run()
	if err != nil {
		return fmt.Errorf("asking: %w", err)
	}
	return nil
}

// environ is what the drawing goes by: which terminal, and whether it has colours. The
// names under which Bubble Tea would ask the terminal about itself are kept from it: an
// answer that comes late would be input of the command that was agreed to.
func environ(env []string) []string {
	out := []string{"SSH_TTY=unknown"}
	for _, kv := range env {
		name, val, _ := strings.Cut(kv, "=")
		switch {
		case name == "TERM" && slices.ContainsFunc([]string{"ghostty", "wezterm", "alacritty", "kitty", "rio"}, func(s string) bool { return strings.Contains(val, s) }):
			out = append(out, "TERM=xterm-256color")
		case slices.Contains([]string{"TERM", "COLORTERM", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "TMUX", "STY", "HOME", "PATH"}, name):
			out = append(out, kv)
		}
	}
	return out
}

// An output is a terminal that knows when it was written to last.
type output struct {
	*os.File
	wrote atomic.Int64 // nanoseconds since 1970
}

// Write implements [io.Writer].
func (o *output) Write(b []byte) (int, error) {
	n, err := o.File.Write(b)
	if n > 0 {
		o.wrote.Store(time.Now().UnixNano())
	}
	return n, err
}

// since reports whether something was drawn after a moment.
func (o *output) since(t time.Time) bool { return o.wrote.Load() > t.UnixNano() }

// A tick is a moment at which is looked whether a question stands on the screen.
type tick struct{}

func nextTick() tea.Cmd {
	return tea.Tick(50*time.Millisecond, func(time.Time) tea.Msg { return tick{} })
}

// stands tells a question whether it was drawn, and looks again until its keys count.
func stands(a *ask, drawn bool) tea.Cmd {
	if drawn {
		a.standing()
	}
	if a.stood() < settle {
		return nextTick()
	}
	return nil
}

func (m *asking) on(out *output) { m.out = out }

// Init implements [tea.Model].
func (m *asking) Init() tea.Cmd { return nextTick() }

// Update implements [tea.Model].
func (m *asking) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tick:
		cmd = stands(m.ask, m.h > 0 && m.out.since(m.ask.opened))
	case tea.KeyPressMsg:
		cmd = m.ask.press(tea.Key(msg))
	case tea.PasteMsg:
		m.ask.paste(msg.Content)
	case pinMsg:
		msg.of.checked(msg.err)
	case previewMsg:
		msg.of.looked(msg.text, msg.err)
	}
	if m.ask.done != nil {
		return m, tea.Quit
	}
	return m, cmd
}

// View implements [tea.Model].
func (m *asking) View() tea.View { return view(m.ask.lines(m.w, m.h)) }

// view makes lines what Bubble Tea draws.
func view(lines []line) tea.View {
	texts := make([]string, 0, len(lines))
	for _, l := range lines {
		texts = append(texts, l.draw())
	}
	v := tea.NewView(strings.Join(texts, "\n"))
	v.AltScreen = true
	return v
}
