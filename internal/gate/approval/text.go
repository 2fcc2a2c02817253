package approval

import (
	"encoding/json"
	"fmt"

	"github.com/heedsh/heed/internal/world/record"
)

// Text is a request as it is written, for who keeps it elsewhere.
func (r *Request) Text() ([]byte, error) {
	text, err := json.Marshal(record.Escape(requestJSON{format, *r}))
	if err != nil {
		return nil, fmt.Errorf("writing the request: %w", err)
	}
	return text, nil
}

// Parse reads what Text wrote, and finds its digest. Nothing is known of its state.
func Parse(text []byte) (*Request, error) {
	r, err := parse(text)
	if err != nil {
		return nil, err
	}
	r.Digest, err = r.Facts.Digest()
	return r, err
}
