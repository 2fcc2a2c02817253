package prompt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// page is where the screens are shown to people, between comments that name them.
const page = "../../docs/shells.md"

// held compares what is shown with a file, and keeps that.
func (w *window) held(name string) {
	w.t.Helper()
	got := w.shown()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		w.t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		w.t.Errorf("%s is another screen (go test ./internal/prompt -update writes it):\n%s", name, d)
	}
}

// TestScreens holds what a person sees in each shell: SAFE, CAUTION, REVIEW.
func TestScreens(t *testing.T) {
	t.Parallel()
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			w := open(t, shell)
			w.line("ls")
			w.wait(`(?m)^keep/?$`)
			w.settled()
			w.line("mkdir out")
			w.wait(`(?m)^\[CAUTION\]`)
			w.settled()
			w.line("rm -rf keep")
			w.wait(`Ctrl-X o runs it`)
			time.Sleep(500 * time.Millisecond)
			w.held(shell)
			w.confirm()
			w.until("it is gone", func() bool { return !w.there("keep") })
		})
	}
}

// withScreens is the page with the screens of testdata.
func withScreens(text string) (string, error) {
	var fault error
	return regexp.MustCompile("(?s)<!-- screen ([a-z-]+) -->\n.*?<!-- end -->").ReplaceAllStringFunc(text, func(old string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(old, "<!-- screen "), " ")
		shown, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		fault = errors.Join(fault, err)
		return fmt.Sprintf("<!-- screen %s -->\n```text\n%s\n```\n<!-- end -->", name, strings.TrimRight(string(shown), "\n"))
	}), fault
}

// writePage writes the page's screens anew.
func writePage() error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	fresh, err := withScreens(string(text))
	if err != nil {
		return err
	}
	return os.WriteFile(page, []byte(fresh), 0o644)
}

// TestPage holds docs/shells.md to the screens; -update writes it, when all tests have run.
func TestPage(t *testing.T) {
	t.Parallel()
	if *update {
		return
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want, err := withScreens(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(text)); d != "" {
		t.Errorf("docs/shells.md is stale: run go test ./internal/prompt -update\n%s", d)
	}
}
