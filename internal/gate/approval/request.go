package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/ownfile"
	"github.com/heedsh/heed/internal/world/record"
)

// A State is where a request stands.
type State string

// The states. One that is pending becomes approved, partly approved or denied, once; one
// that is approved, in whole or in part, becomes used, once; all but the last become
// expired with time.
const (
	Pending  State = "pending"
	Approved State = "approved"
	// Partly says that a person agreed to the first steps of a line: no more than these
	// may run, as a command of their own.
	Partly  State = "partly"
	Denied  State = "denied"
	Expired State = "expired"
	Used    State = "used"
)

// How long a request waits for an answer, and a yes for its command.
const (
	PendingFor  = 24 * time.Hour
	ApprovedFor = time.Hour
)

// A Request is a command that waits for a person.
type Request struct {
	Digest string `json:"-"` // its name, and of Facts
	Made   int64  `json:"made"`
	Front  string `json:"front"` // run or hook
	// Row is the digest by which the log names the assessment.
	Row   string           `json:"row,omitempty"`
	Facts Facts            `json:"facts"`
	Shown *consent.Consent `json:"shown,omitempty"`
	// State and Answer are read from beside it.
	State  State  `json:"-"`
	Answer Answer `json:"-"`
	// Owner is the account that asked, where a daemon keeps those of several.
	Owner int `json:"-"`
}

// The fronts that make requests.
const (
	FrontRun  = "run"
	FrontHook = "hook"
)

// An Answer is what a person said of a request.
type Answer struct {
	State State  `json:"state"` // Approved, Partly or Denied
	By    string `json:"by"`    // person, pin
	// Steps is to how many steps of the line the person agreed; 0 unless Partly.
	Steps  int    `json:"steps,omitempty"`
	Reason string `json:"reason,omitempty"`
	At     int64  `json:"at"` // milliseconds since 1970
}

// format names the form of a request's file. A later form has another name.
const format = "heed-request/3"

type requestJSON struct {
	Format string `json:"format"`
	Request
}

// An AnsweredError says that a request was answered already.
type AnsweredError struct{ State State }

// Error implements error.
func (e *AnsweredError) Error() string { return "the request is " + string(e.State) + " already" }

// Keep keeps a request until it is answered. One with the same digest that waits
// already stays as it is; one that was used, or is too old, begins anew. What is
// returned is the request as it stands in the store.
func (s *Store) Keep(r Request) (*Request, error) {
	digest, err := r.Facts.Digest()
	if err != nil {
		return nil, err
	}
	root, err := s.open(true)
	if err != nil {
		return nil, fmt.Errorf("keeping the request: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	was, err := s.read(root, digest)
	switch {
	case err == nil && was.State != Used && was.State != Expired:
		return was, nil
	case err == nil:
		// The answer goes first: while it is there, what says that it was used is, too.
		for _, kind := range []string{answerFile, usedFile} {
			if err := root.Remove(digest + kind); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("keeping the request: %w", err)
			}
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("keeping the request: %w", err)
	}
	r.Digest, r.Made, r.State = digest, s.now().UnixMilli(), Pending
	text, err := r.Text()
	switch {
	case err != nil:
		return nil, fmt.Errorf("keeping the request: %w", err)
	case len(text) > maxFile:
		return nil, fmt.Errorf("keeping the request: it is too large (%d bytes, %d allowed)", len(text), maxFile)
	}
	if err := ownfile.Keep(root, digest+requestFile, text); err != nil {
		return nil, fmt.Errorf("keeping the request: %w", err)
	}
	return &r, drop(root)
}

// Answer answers a request that is pending. Of several answers the first counts; the
// others get an [*AnsweredError].
func (s *Store) Answer(digest string, a Answer) error {
	if !a.Sound() {
		return fmt.Errorf("answering the request: there is no answer %.40q to %d steps", a.State, a.Steps)
	}
	a.At = s.now().UnixMilli()
	text, err := json.Marshal(a)
	if err != nil {
		return fmt.Errorf("answering the request: %w", err)
	}
	return s.mark("answering", digest, answerFile, text, func(is State) error {
		if is == Pending {
			return nil
		}
		return &AnsweredError{is}
	})
}

// Sound reports whether it is an answer.
func (a *Answer) Sound() bool {
	switch a.State {
	case Approved, Denied:
		return a.Steps == 0
	case Partly:
		return a.Steps > 0
	}
	return false
}

// Use takes a request that is approved, in whole or in part, so that what was approved
// runs once, or one that is pending, for who asks the person himself. Of several who do so at the same time one
// succeeds, and the others get ErrGone, as they do for a request in another state.
func (s *Store) Use(digest string, is State) error {
	return s.mark("taking", digest, usedFile, nil, func(now State) error {
		if now == is && (is == Approved || is == Partly || is == Pending) {
			return nil
		}
		return ErrGone
	})
}

// mark writes one of the files beside a request that are written once, if the state that
// the request is in may have it. Of several who do so at the same time one succeeds; the
// others get what refuse says of the state that this led to.
func (s *Store) mark(doing, digest, kind string, text []byte, refuse func(is State) error) error {
	root, err := s.open(false)
	if err != nil {
		return fmt.Errorf("%s the request: %w", doing, err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	r, err := s.read(root, digest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrGone
	case err != nil:
		return fmt.Errorf("%s the request: %w", doing, err)
	}
	if err := refuse(r.State); err != nil {
		return err
	}
	switch err := ownfile.KeepNew(root, digest+kind, text); {
	case errors.Is(err, fs.ErrExist):
		if r, err := s.read(root, digest); err == nil {
			if err := refuse(r.State); err != nil {
				return err
			}
		}
		return ErrGone // or it begins anew at this moment
	case err != nil:
		return fmt.Errorf("%s the request: %w", doing, err)
	}
	return nil
}

// Get returns the request of a digest, or ErrGone.
func (s *Store) Get(digest string) (*Request, error) {
	root, err := s.open(false)
	if err != nil {
		return nil, err
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	r, err := s.read(root, digest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrGone
	}
	return r, err
}

// read reads a request and checks that it is what its name says.
func (s *Store) read(root *os.Root, digest string) (*Request, error) {
	text, err := ownfile.Read(root, digest+requestFile, maxFile)
	if err != nil {
		return nil, err
	}
	r, err := parse(text)
	if err != nil {
		return nil, err
	}
	if is, err := r.Facts.Digest(); err != nil || is != digest {
		return nil, errors.New("it is not what its name says")
	}
	r.Digest = digest
	return r, s.state(root, r)
}

// state finds where a request stands.
func (s *Store) state(root *os.Root, r *Request) error {
	r.State = Pending
	text, err := ownfile.Read(root, r.Digest+answerFile, maxFile)
	switch {
	case err == nil:
		if err := json.Unmarshal(text, &r.Answer); err != nil || !r.Answer.Sound() {
			return errors.New("its answer is damaged")
		}
		r.State = r.Answer.State
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("its answer: %w", err)
	}
	switch _, err := root.Lstat(r.Digest + usedFile); {
	case err == nil:
		r.State = Used
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	now := s.now()
	switch r.State {
	case Pending:
		if now.Sub(time.UnixMilli(r.Made)) > PendingFor {
			r.State = Expired
		}
	case Approved, Partly:
		// A yes from the future is one of a clock that was wrong.
		if since := now.Sub(time.UnixMilli(r.Answer.At)); since > ApprovedFor || since < -time.Minute {
			r.State = Expired
		}
	case Denied:
		if now.Sub(time.UnixMilli(r.Answer.At)) > ApprovedFor {
			r.State = Expired
		}
	}
	return nil
}

// parse reads the text of a request's file.
func parse(text []byte) (*Request, error) {
	if len(text) > maxFile {
		return nil, errors.New("it is too large")
	}
	var in requestJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	if in.Format != format {
		return nil, fmt.Errorf("it has the form %.40q, and this heed reads %q", in.Format, format)
	}
	if err := record.Unescape(&in); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	j := &in.Facts.Job
	switch {
	case !filepath.IsAbs(j.Dir):
		return nil, errors.New("it is damaged: it names no directory")
	case in.Front != FrontRun && in.Front != FrontHook:
		return nil, errors.New("it is damaged: it does not say where it was asked")
	case in.Front == FrontRun && in.Facts.MAC == "" && (len(j.Argv) == 0 || !filepath.IsAbs(j.Program)):
		return nil, errors.New("it is damaged: it names no program")
	}
	return &in.Request, nil
}
