package audit

import (
	"fmt"
	"time"
)

// A Stamp is a point in time in milliseconds since 1970, in UTC.
type Stamp int64

// stampForm writes a stamp: always of the same length, so that stamps are ordered
// as their texts are.
const stampForm = "2006-01-02T15:04:05.000Z"

// The first and the last stamp that stampForm can write.
const (
	minStamp Stamp = -62167219200000 // year 0
	maxStamp Stamp = 253402300799999 // year 9999
)

// StampOf is the stamp of a time.
func StampOf(t time.Time) Stamp { return min(max(Stamp(t.UnixMilli()), minStamp), maxStamp) }

// Time is the time of a stamp.
func (s Stamp) Time() time.Time { return time.UnixMilli(int64(s)).UTC() }

// String writes a stamp as rows have it.
func (s Stamp) String() string { return s.Time().Format(stampForm) }

// MarshalText writes a stamp for JSON.
func (s Stamp) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a stamp.
func (s *Stamp) UnmarshalText(text []byte) error {
	t, err := time.Parse(stampForm, string(text))
	if err != nil {
		return fmt.Errorf("reading a time: %w", err)
	}
	*s = StampOf(t)
	return nil
}
