package service

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/risk"
)

// Printed is an answer as it is printed: how long it took stands beside the
// record that replays.
type Printed struct {
	risk.Assessment
	LayerUS   LayerTimes `json:"layer_us,omitempty"`
	ElapsedUS int64      `json:"elapsed_us"`
}

// LayerTimes are printed as an object of microseconds by layer.
type LayerTimes []assess.LayerTime

// MarshalJSON implements [json.Marshaler].
func (l LayerTimes) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 100), '{')
	for i, t := range l {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(strconv.AppendQuote(b, t.Layer), ':'), t.Nanoseconds/1000, 10)
	}
	return append(b, '}'), nil
}

// WriteJSON writes an answer as one line: docs/output.schema.json.
func (a *Answer) WriteJSON(w io.Writer, took time.Duration) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return a.encode(e, took)
}

func (a *Answer) encode(e *json.Encoder, took time.Duration) error {
	if err := e.Encode(Printed{Assessment: a.Assessment, LayerUS: a.Detail.Took, ElapsedUS: took.Microseconds()}); err != nil {
		return fmt.Errorf("writing the assessment: %w", err)
	}
	return nil
}
