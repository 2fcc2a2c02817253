package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/risk"
)

// printed is an assessment as it is printed: how long it took stands beside
// the record that replays.
type printed struct {
	risk.Assessment
	LayerUS   layerTimes `json:"layer_us,omitempty"`
	ElapsedUS int64      `json:"elapsed_us"`
}

// layerTimes are printed as an object of microseconds by layer.
type layerTimes []assess.LayerTime

// MarshalJSON implements [json.Marshaler].
func (l layerTimes) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 100), '{')
	for i, t := range l {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(strconv.AppendQuote(b, t.Layer), ':'), t.Nanoseconds/1000, 10)
	}
	return append(b, '}'), nil
}

// timed joins an assessment and the time that it took.
func timed(a risk.Assessment, d *assess.Detail, took time.Duration) printed {
	return printed{Assessment: a, LayerUS: d.Took, ElapsedUS: took.Microseconds()}
}

func writeJSON(w io.Writer, a risk.Assessment, d *assess.Detail, took time.Duration) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	if err := e.Encode(timed(a, d, took)); err != nil {
		return fmt.Errorf("writing the assessment: %w", err)
	}
	return nil
}

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
