package screen

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/risk"
)

// previews reports whether it can be seen what a command would change. What is denied for
// good is not run like that either, and REVIEW is not run before somebody has agreed to it.
func (a *ask) previews() bool {
	return a.q.Preview != nil && a.q.Shown.Tier == risk.Caution && !a.q.Shown.Final
}

// look runs the preview, while no key counts but the one that leaves the question.
func (a *ask) look() tea.Cmd {
	a.to(awaiting)
	preview := a.q.Preview
	return func() tea.Msg {
		text, err := preview()
		return previewMsg{a, text, err}
	}
}

// A previewMsg is what a preview showed.
type previewMsg struct {
	of   *ask
	text string
	err  error
}

// maxShowed bounds what is read of a preview, in bytes.
const maxShowed = 256 << 10

// looked is told what the preview showed.
func (a *ask) looked(text string, err error) {
	if a.done != nil || a.mode != awaiting {
		return
	}
	if err != nil {
		a.to(reading)
		a.note = "No preview: " + explain.Cut(explain.Visible(err.Error()), maxSafer)
		return
	}
	a.to(viewing)
	a.showed, a.body = text[:min(len(text), maxShowed)], nil
	if len(a.showed) < len(text) {
		a.showed += "\n… and more (heed preview shows all)"
	}
}

// previewBody shows what the command would change.
func (a *ask) previewBody(w int) []line {
	if a.mode == awaiting {
		return nil
	}
	var out []line
	for text := range strings.Lines(a.showed) {
		for _, l := range fold(explain.Visible(strings.TrimRight(text, "\r\n")), w) {
			out = append(out, line{{l, plain}})
		}
	}
	return out
}
