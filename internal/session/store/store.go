package store

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
	"github.com/heedsh/heed/internal/session"
	"github.com/heedsh/heed/internal/world/record"
)

// The bounds of a store.
const (
	maxSessions = 1000
	maxFile     = 8 << 20 // bytes of one
	maxListed   = 20 * maxSessions
	wait        = 2 * time.Second // for the lock
)

// format names the form of a file. A later form has another name.
const format = "heed-session/1"

// Names in the directory that are no session's.
const (
	lockName  = "lock"
	crowdName = "crowd" // when a session was removed that was not old
)

// A Trouble says why a state could not be read or kept.
type Trouble string

// The troubles.
const (
	Damaged Trouble = "damaged" // it is not what was written
	Foreign Trouble = "foreign" // others may write there, or it is another account's
	Busy    Trouble = "busy"    // another program writes and does not end
	Broken  Trouble = "broken"  // anything else, as the system says it
)

// A Fault is the error of a state that cannot be read or kept.
type Fault struct {
	Trouble Trouble
	Doing   string
	Err     error
}

// Error implements error.
func (f *Fault) Error() string { return f.Doing + ": " + f.Err.Error() }

// Unwrap returns what was wrong.
func (f *Fault) Unwrap() error { return f.Err }

func fault(doing string, err error) error {
	var not *ownfile.Foreign
	var busy *ownfile.Busy
	trouble := Broken
	switch {
	case errors.As(err, &not):
		trouble = Foreign
	case errors.As(err, &busy):
		trouble = Busy
	case errors.Is(err, errDamaged), errors.Is(err, ownfile.ErrTooLarge):
		trouble = Damaged
	}
	return &Fault{Trouble: trouble, Doing: doing, Err: err}
}

var errDamaged = errors.New("it is damaged")

// A Store holds the states of an account's sessions. It is safe for concurrent use,
// by several processes as well.
type Store struct{ dir string }

// Open names the store of an account: heed/sessions in $XDG_STATE_HOME, or else in
// ~/.local/state. Nothing is read yet.
func Open(getenv func(string) string) (*Store, error) {
	dir, err := ownfile.State(getenv, "sessions")
	if err != nil {
		return nil, fmt.Errorf("looking for sessions: %w", err)
	}
	return &Store{dir}, nil
}

// Dir is the store's directory.
func (s *Store) Dir() string { return s.dir }

type file struct {
	Format  string        `json:"format"`
	Key     string        `json:"key"`
	Session session.State `json:"session"`
}

// key names the file of a session: neither name nor id can choose it.
func key(agent, id string) string {
	sum := sha256.Sum256([]byte(strconv.Itoa(len(agent)) + " " + agent + id))
	return hex.EncodeToString(sum[:])
}

// Load returns what a session has behind it, aged to a time: nil without an id, and
// with an error one that is lost.
func (s *Store) Load(agent, id string, now time.Time) (*session.State, error) {
	if id == "" {
		return nil, nil
	}
	const doing = "reading the session"
	root, err := ownfile.Dir(s.dir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return begin(agent, id, now), nil
	}
	if err != nil {
		return session.Lost(agent, id, now.Unix()), fault(doing, err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	st, err := load(root, agent, id, now)
	if err != nil {
		return st, fault(doing, err)
	}
	return st, nil
}

func begin(agent, id string, now time.Time) *session.State {
	st := session.New(agent, id)
	st.At(now.Unix())
	return st
}

// load reads a state; one that is there and cannot be read is lost.
func load(root *os.Root, agent, id string, now time.Time) (*session.State, error) {
	name := key(agent, id)
	text, err := ownfile.Read(root, name+".json", maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		if crowded(root, now) {
			return session.Lost(agent, id, now.Unix()), nil
		}
		return begin(agent, id, now), nil
	}
	var st *session.State
	if err == nil {
		st, err = parse(text, agent, name)
	}
	if err != nil {
		return session.Lost(agent, id, now.Unix()), err
	}
	st.At(now.Unix())
	return st, nil
}

// parse reads the text of a file.
func parse(text []byte, agent, name string) (*session.State, error) {
	var in file
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if d.More() {
		return nil, fmt.Errorf("%w: something follows it", errDamaged)
	}
	switch {
	case in.Format != format:
		return nil, fmt.Errorf("%w: it has the form %.40q, and this heed reads %q", errDamaged, in.Format, format)
	}
	if err := record.Unescape(&in); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if in.Key != name || in.Session.Agent != agent {
		return nil, fmt.Errorf("%w: it is of another session", errDamaged)
	}
	if err := in.Session.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", errDamaged, err)
	}
	return &in.Session, nil
}

// Update changes what a session has behind it, in its turn: do gets the state as it
// is, aged to a time, and what it makes of it is kept. Without an id it gets nil. A
// state that cannot be read is lost, and kept as that; the error says so.
func (s *Store) Update(ctx context.Context, agent, id string, now time.Time, do func(*session.State)) error {
	if id == "" {
		do(nil)
		return nil
	}
	const doing = "keeping the session"
	root, err := ownfile.Dir(s.dir, true)
	if err != nil {
		return fault(doing, err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	lock, err := ownfile.Lock(ctx, root, lockName, false, wait)
	if err != nil {
		return fault(doing, err)
	}
	defer lock.Close() // that gives the lock back
	st, wrong := load(root, agent, id, now)
	do(st)
	if err := keep(root, key(agent, id), st, now); err != nil {
		return fault(doing, err)
	}
	if wrong != nil {
		return fault("reading the session", wrong)
	}
	return nil
}

// keep writes a state.
func keep(root *os.Root, name string, st *session.State, now time.Time) error {
	text, err := json.Marshal(record.Escape(file{format, name, *st}))
	if err != nil {
		return err
	}
	if len(text) > maxFile {
		return ownfile.ErrTooLarge
	}
	if _, err := root.Lstat(name + ".json"); errors.Is(err, fs.ErrNotExist) {
		if err := makeRoom(root, now); err != nil {
			return err
		}
	}
	return ownfile.Put(root, name+".json", text)
}

// makeRoom removes what no session needs any more, and the oldest where there are
// too many: then it is not known any more what is new.
func makeRoom(root *os.Root, now time.Time) error {
	files, err := list(root)
	if err != nil {
		return err
	}
	left := 0
	for _, i := range files { // the youngest first
		old := now.Sub(i.ModTime()) > session.Keeps*time.Second
		if old || left >= maxSessions-1 {
			if !old && strings.HasSuffix(i.Name(), ".json") {
				if err := ownfile.Put(root, crowdName, strconv.AppendInt(nil, now.Unix(), 10)); err != nil {
					return err
				}
			}
			if err := root.Remove(i.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			continue
		}
		left++
	}
	return nil
}

// crowded reports whether a session was removed that was not old, so that one which
// is not there may be that.
func crowded(root *os.Root, now time.Time) bool {
	text, err := ownfile.Read(root, crowdName, 32)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	when, perr := strconv.ParseInt(string(text), 10, 64)
	return err != nil || perr != nil || now.Unix()-when <= session.Keeps
}

// list lists the files of sessions, and those that a crash left behind, the youngest
// first.
func list(root *os.Root) ([]fs.FileInfo, error) {
	d, err := root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(maxListed)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if e.Name() == lockName || e.Name() == crowdName {
			continue
		}
		if i, err := root.Lstat(filepath.Clean(e.Name())); err == nil && i.Mode().IsRegular() {
			files = append(files, i)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	return files, nil
}
