package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/risk"
)

// badge is the tier in words; colour only repeats it.
func badge(s Streams, t risk.Tier) string {
	word := "[" + t.String() + "]"
	if !s.Colour {
		return word
	}
	colour := "\x1b[1;31m" // bold red; for REVIEW and whatever a later version may add
	switch t {
	case risk.Safe:
		colour = "\x1b[32m"
	case risk.Caution:
		colour = "\x1b[33m"
	}
	return colour + word + "\x1b[0m"
}

// writeText prints the badge and the sentence. A command that came on standard
// input is shown in full, because nobody has typed it.
func writeText(s Streams, a risk.Assessment, showCommand bool) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", badge(s, a.Tier), a.Summary)
	if showCommand {
		fmt.Fprintf(&b, "  command: %s\n", explain.Visible(a.Command))
	}
	if a.Error != "" {
		fmt.Fprintf(&b, "  error: %s\n", explain.Visible(a.Error))
	}
	for _, alt := range a.Safer {
		fmt.Fprintf(&b, "  safer: %s  (%s)\n", explain.Visible(alt.Command), alt.Why)
	}
	return write(s.Out, b.String())
}

func write(w io.Writer, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}
