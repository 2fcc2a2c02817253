package screen

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/gate"
)

// TestPreview: one key shows what a command would change, and no key there agrees to it.
func TestPreview(t *testing.T) {
	t.Parallel()
	const review = "git push --force origin trunk && rm -rf build"
	ran := 0
	question := func(command string, text string, err error) *gate.Question {
		return &gate.Question{Shown: shown(t, command, false), Preview: func() (string, error) { ran++; return text, err }}
	}
	a, _ := standing(question(cautious, "preview: ended with 0\n  deletes src/\x1b[2Ja.go\n", nil), time.Hour)
	if !strings.Contains(screenText(a, 80, 24), "Tab shows what it would change") {
		t.Errorf("the key is not told:\n%s", screenText(a, 80, 24))
	}
	msg := a.look()
	if ran != 0 || !strings.Contains(screenText(a, 80, 24), "nothing of it lasts") {
		t.Errorf("ran %d times before it was waited for:\n%s", ran, screenText(a, 80, 24))
	}
	press(a, "esc", a.keyFor(t, runOnce), "enter")
	if a.done != nil || a.mode != awaiting {
		t.Fatal("a key counted while the preview ran")
	}
	m, ok := msg().(previewMsg)
	if !ok || ran != 1 {
		t.Fatalf("ran %d times", ran)
	}
	a.looked(m.text, m.err)
	if text := screenText(a, 80, 24); !strings.Contains(text, "deletes src/") || strings.Contains(text, "\x1b") || !strings.Contains(text, "nothing was changed") {
		t.Errorf("what it showed:\n%s", text)
	}
	for _, k := range a.keys {
		press(a, string(k.letter))
	}
	press(a, "enter", "tab")
	if a.done != nil || a.mode != viewing {
		t.Fatal("a key of the question counted in the preview")
	}
	press(a, "esc")
	if a.mode != reading {
		t.Fatal("Esc did not lead back to the question")
	}
	press(a, a.keyFor(t, runOnce))
	if a.done == nil || a.done.Choice != gate.Once {
		t.Errorf("the question cannot be answered any more: %+v", a.done)
	}

	a, _ = standing(question(cautious, "", errors.New("not here: no \x1b[1mnamespaces")), time.Hour)
	m, ok = a.look()().(previewMsg)
	if !ok {
		t.Fatal("no answer")
	}
	a.looked(m.text, m.err)
	if text := screenText(a, 80, 24); a.mode != reading || !strings.Contains(text, "No preview: not here") || strings.Contains(text, "\x1b") {
		t.Errorf("a preview that cannot be had:\n%s", text)
	}

	a, _ = standing(question(review, "", nil), time.Hour)
	press(a, "tab")
	if a.mode != reading || strings.Contains(screenText(a, 80, 24), "Tab") {
		t.Error("REVIEW is run for a preview before somebody agreed to it")
	}
	a, _ = standing(&gate.Question{Shown: shown(t, cautious, false)}, time.Hour)
	press(a, "tab")
	if a.mode != reading || strings.Contains(screenText(a, 80, 24), "Tab") {
		t.Error("a preview that nobody can make is offered")
	}
}
