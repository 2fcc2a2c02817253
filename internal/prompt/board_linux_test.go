package prompt

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestBoard: who reads a board finds a whole answer there, and the last one in the end.
func TestBoard(t *testing.T) {
	t.Parallel()
	b, err := newBoard()
	if err != nil {
		t.Fatal(err)
	}
	defer b.f.Close()
	texts := []string{"\x00", strings.Repeat("a", 3000), strings.Repeat("b", 30), strings.Repeat("c", 3900)}
	done := make(chan error, 1)
	go func() {
		for i := range 3000 {
			if _, err := b.Write([]byte(texts[1+i%3])); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for ended := false; !ended; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			ended = true
		default:
		}
		got, err := os.ReadFile(lent(b.f))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(texts, string(got)) || ended && string(got) != texts[3] {
			t.Fatalf("%.40q (%d)", got, len(got))
		}
	}
}
