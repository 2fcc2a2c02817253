package pin

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/heedsh/heed/internal/ownfile"
)

// The file's name, that of the next one while it is written, and that of the file
// whose lock is taken for it.
const (
	fileName = "pin"
	lockName = "pin.lock"
	maxFile  = 4096 // bytes
)

// format names the form of the file. A later form has another name.
const format = "heed-pin/1"

// A cost is what one try costs. Source: OWASP Password Storage Cheat Sheet, argon2id
// with 19 MiB, two passes, one lane; RFC 9106.
type cost struct {
	Time    uint32 `json:"time"`
	Memory  uint32 `json:"memory"` // KiB
	Threads uint8  `json:"threads"`
}

func usual() cost { return cost{2, 19 << 10, 1} }

// bounded reports whether a cost is one that a file may ask for: a damaged one must
// not ask for the machine.
func (c cost) bounded() bool {
	return c.Time >= 1 && c.Time <= 16 && c.Memory >= 8 && c.Memory <= 1<<20 && c.Threads >= 1 && c.Threads <= 16
}

const saltSize, hashSize = 16, 32

// state is what the file holds.
type state struct {
	Format string `json:"format"`
	Cost   cost   `json:"argon2id"`
	Salt   []byte `json:"salt"`
	Hash   []byte `json:"hash"`
	Failed int    `json:"failed"` // tries since the last right one
	Last   int64  `json:"last"`   // when the last of them was, in nanoseconds since 1970
}

// newState hashes a PIN.
func newState(pin []byte, c cost) *state {
	s := &state{Format: format, Cost: c, Salt: make([]byte, saltSize)}
	rand.Read(s.Salt) // it never fails: crypto/rand
	s.Hash = s.hash(pin)
	return s
}

func (s *state) hash(pin []byte) []byte {
	return argon2.IDKey(pin, s.Salt, s.Cost.Time, s.Cost.Memory, s.Cost.Threads, hashSize)
}

// is reports whether a PIN is the right one.
func (s *state) is(pin []byte) bool {
	got := s.hash(pin)
	defer clear(got)
	return subtle.ConstantTimeCompare(got, s.Hash) == 1
}

// The rules of waiting.
const (
	freeTries = 5
	firstWait = time.Minute
	longest   = 24 * time.Hour
)

// pause is how long is waited after so many wrong tries.
func pause(failed int) time.Duration {
	if failed < freeTries {
		return 0
	}
	wait := firstWait
	for i := freeTries; i < failed && wait < longest; i++ {
		wait *= 2
	}
	return min(wait, longest)
}

// until is when the next try may be, the zero time if now. back says that the clock
// shows an earlier time than it did: the wait begins anew then.
func (s *state) until(now time.Time) (at time.Time, back bool) {
	wait := pause(s.Failed)
	if wait == 0 {
		return time.Time{}, false
	}
	last := time.Unix(0, s.Last)
	if now.Before(last) {
		return now.Add(wait), true
	}
	if at := last.Add(wait); at.After(now) {
		return at, false
	}
	return time.Time{}, false
}

// read reads the file. It must be a regular one that nobody but this account can
// read or write.
func read(root *os.Root) (*state, error) {
	f, i, err := ownfile.Open(root, fileName, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if i.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: others may read or write it", f.Name())
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	s, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", f.Name(), err)
	}
	return s, nil
}

func parse(text []byte) (*state, error) {
	if len(text) > maxFile {
		return nil, errors.New("it is too long")
	}
	s := &state{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows it")
	}
	switch {
	case s.Format != format:
		return nil, fmt.Errorf("it has the form %.40q, and this heed reads %q", s.Format, format)
	case !s.Cost.bounded() || len(s.Salt) < saltSize || len(s.Salt) > 64 || len(s.Hash) != hashSize || bytes.Equal(s.Hash, make([]byte, hashSize)):
		return nil, errors.New("it holds no hash")
	case s.Failed < 0 || s.Last < 0:
		return nil, errors.New("it has counted wrongly")
	}
	return s, nil
}
