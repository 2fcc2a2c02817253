package pin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

// ErrNone says that no PIN is set up.
var ErrNone = errors.New("no PIN is set up")

// Wrong says that a PIN was not the right one.
type Wrong struct {
	Left  int       // tries before the first wait
	Until time.Time // when the next try may be; the zero time if now
}

// Error says what may be done next.
func (w Wrong) Error() string {
	if w.Until.IsZero() {
		return fmt.Sprintf("wrong PIN; tries left: %d", w.Left)
	}
	return "wrong PIN; the next try is at " + clock(w.Until)
}

// Wait says that no PIN is compared before a time.
type Wait struct{ Until time.Time }

// Error says when.
func (w Wait) Error() string {
	return "too many wrong PINs; the next try is at " + clock(w.Until)
}

// clock rounds up: at the time that is shown a try is possible.
func clock(t time.Time) string {
	return t.Add(time.Second - 1).Truncate(time.Second).Local().Format("2006-01-02 15:04:05")
}

// A Store is where an account's PIN is kept.
type Store struct {
	dir  string
	now  func() time.Time
	cost cost
}

// Open names the store of an account: heed/pin in $XDG_STATE_HOME, or else in
// ~/.local/state. Nothing is read yet.
func Open(getenv func(string) string) (*Store, error) {
	dir, err := ownfile.State(getenv, "pin")
	if err != nil {
		return nil, fmt.Errorf("looking for the PIN: %w", err)
	}
	return &Store{dir, time.Now, usual()}, nil
}

// File is where the PIN is kept.
func (s *Store) File() string { return filepath.Join(s.dir, fileName) }

// Exists reports whether a PIN is set up. Where that cannot be told, it fails: a
// file that cannot be read is no leave to do without.
func (s *Store) Exists() (bool, error) {
	root, err := s.open(false)
	if err == nil {
		defer root.Close() //nolint:errcheck // closing a directory loses nothing
		_, err = read(root)
	}
	switch {
	case errors.Is(err, ErrNone):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("looking for the PIN: %w", err)
	}
	return true, nil
}

// Set sets a PIN up, or another in the place of old. Both are wiped.
func (s *Store) Set(old, pin []byte) error {
	defer clear(old)
	defer clear(pin)
	if err := form(pin); err != nil {
		return err
	}
	if err := common(pin); err != nil {
		return err
	}
	return saying("setting the PIN", s.locked(context.Background(), true, func(root *os.Root) error {
		switch err := s.try(root, old); {
		case errors.Is(err, ErrNone):
		case err != nil:
			return err
		}
		return write(root, newState(pin, s.cost))
	}))
}

// Remove takes the PIN away. old is wiped.
func (s *Store) Remove(old []byte) error {
	defer clear(old)
	return saying("removing the PIN", s.locked(context.Background(), false, func(root *os.Root) error {
		if err := s.try(root, old); err != nil {
			return err
		}
		if err := root.Remove(fileName); err != nil {
			return err
		}
		return ownfile.SyncDir(root)
	}))
}

// Check compares a PIN, which is wiped, and returns nil only for the right one. Its
// errors are [Wrong], [Wait], [ErrNone], and whatever kept it from comparing.
func (s *Store) Check(ctx context.Context, pin []byte) error {
	defer clear(pin)
	return saying("checking the PIN", s.locked(ctx, false, func(root *os.Root) error { return s.try(root, pin) }))
}

// saying puts what was being done before an error that does not say so itself.
func saying(doing string, err error) error {
	if err == nil || errors.Is(err, ErrNone) || errors.As(err, new(Wrong)) || errors.As(err, new(Wait)) {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// try compares a PIN. That somebody tried is on the disk before.
func (s *Store) try(root *os.Root, pin []byte) error {
	st, err := read(root)
	if err != nil {
		return err
	}
	if err := form(pin); err != nil {
		return fmt.Errorf("the PIN that is set up: %w", err)
	}
	now := s.now()
	if at, back := st.until(now); !at.IsZero() {
		if back {
			st.Last = now.UnixNano()
			if err := write(root, st); err != nil {
				return err
			}
		}
		return Wait{at}
	}
	st.Failed++
	st.Last = now.UnixNano()
	if err := write(root, st); err != nil {
		return err
	}
	if !st.is(pin) {
		wrong := Wrong{Left: max(freeTries-st.Failed, 0)}
		wrong.Until, _ = st.until(now)
		return wrong
	}
	st.Failed, st.Last = 0, 0
	return write(root, st)
}

// write writes the file, all of it or nothing, and sees it on the disk.
func write(root *os.Root, st *state) error {
	text, err := json.Marshal(st)
	if err != nil {
		return err
	}
	return ownfile.Keep(root, fileName, text)
}
