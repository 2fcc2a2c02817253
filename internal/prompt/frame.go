package prompt

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A request is fields that end in a zero byte, which no shell can have in a line:
//
//	magic, nonce, verb, token, directory, lines before, line, entries…, "."
//
// An entry is a letter, a colon and a text; see [Request]. Shells make it with printf and
// with what prints their functions, without a process.
const (
	// magic begins a request. No field of another one looks like it, so that half of a
	// request, whose shell was interrupted, is passed over.
	magic = "\x01heed1"
	last  = "."
)

// The bounds of a request.
const (
	maxRequest = 1 << 20 // bytes
	maxEntries = 512
)

// A Verb says what a shell wants.
type Verb string

// The verbs.
const (
	Judge   Verb = "judge" // Enter was pressed
	Confirm Verb = "yes"   // the second key was
)

// A Request is what a shell asks.
type Request struct {
	Nonce string // names the request in its answer
	Verb  Verb
	Token string // of the answer that is confirmed
	Dir   string
	// Before are the lines that the shell has taken already, and waits for more after.
	Before string
	Line   string

	Set     map[string]string // v:NAME=VALUE, a variable with one value
	Unset   []string          // u:NAME, a variable that is not set
	Open    []string          // o:NAME, one that holds what is not told: an array
	Aliases map[string]string // a:NAME=TEXT
	Globals map[string]string // g:NAME=TEXT, aliases anywhere in a line (zsh)
	Funcs   map[string]string // f:NAME, a line end, and the function as the shell prints it
	Options []string          // s:NAME: nocomments, autocd
}

// Text is all that the shell would run.
func (r *Request) Text() string { return r.Before + r.Line }

// errInterrupted says that a request ended before its end.
var errInterrupted = errors.New("the request is not whole")

// A reader reads requests.
type reader struct {
	in *bufio.Reader
	// begun says that the magic of the next request was read with the one before.
	begun bool
}

func newReader(in io.Reader) *reader { return &reader{in: bufio.NewReaderSize(in, 64<<10)} }

// field reads up to the next zero byte.
func (r *reader) field(room *int) (string, error) {
	var b []byte
	for {
		piece, err := r.in.ReadSlice(0)
		if *room -= len(piece); *room < 0 {
			return "", fmt.Errorf("the request is longer than %d bytes", maxRequest)
		}
		b = append(b, piece...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return "", err
		default:
			return string(b[:len(b)-1]), nil
		}
	}
}

// next reads the next request. Of one that is no request it says the nonce, where it is
// known, so that its shell has an answer; only an error of reading has none.
func (r *reader) next() (*Request, error) {
	room := maxRequest
	for !r.begun {
		f, err := r.field(&room)
		if err != nil {
			return nil, err
		}
		// What a shell that was interrupted has left unfinished stands before it.
		r.begun = strings.HasSuffix(f, magic)
		room = maxRequest
	}
	r.begun = false
	req := &Request{}
	for i := 0; ; i++ {
		f, err := r.field(&room)
		if err != nil {
			return req, fmt.Errorf("reading a request: %w", err)
		}
		if strings.HasSuffix(f, magic) {
			r.begun = true
			return req, errInterrupted
		}
		switch i {
		case 0:
			req.Nonce = f
		case 1:
			req.Verb = Verb(f)
		case 2:
			req.Token = f
		case 3:
			req.Dir = f
		case 4:
			req.Before = f
		case 5:
			req.Line = f
		default:
			if f == last {
				return req, req.check()
			}
			if i >= maxEntries {
				return req, errors.New("the request has too many parts")
			}
			if err := req.entry(f); err != nil {
				return req, err
			}
		}
	}
}

// check says what of a whole request cannot be.
func (r *Request) check() error {
	if r.Verb != Judge && r.Verb != Confirm {
		return errors.New("the request wants something that heed does not know")
	}
	if !utf8.ValidString(r.Text()) {
		return errors.New("the line is no valid UTF-8")
	}
	return nil
}

// entry takes one part of a request in.
func (r *Request) entry(f string) error {
	kind, text, ok := strings.Cut(f, ":")
	if !ok || len(kind) != 1 {
		return errors.New("the request has a part that heed does not know")
	}
	put := func(to *map[string]string, by string) error {
		name, val, ok := strings.Cut(text, by)
		if !ok || name == "" {
			return errors.New("the request has a part without a name")
		}
		if *to == nil {
			*to = map[string]string{}
		}
		(*to)[name] = val
		return nil
	}
	switch kind {
	case "v":
		return put(&r.Set, "=")
	case "a":
		return put(&r.Aliases, "=")
	case "g":
		return put(&r.Globals, "=")
	case "f":
		return put(&r.Funcs, "\n")
	case "u":
		r.Unset = append(r.Unset, text)
	case "o":
		r.Open = append(r.Open, text)
	case "s":
		r.Options = append(r.Options, text)
	default:
		return errors.New("the request has a part that heed does not know")
	}
	return nil
}

// An Action is what the shell does with a line.
type Action string

// The actions.
const (
	Run  Action = "run"   // run it; the badge, if there is one, is shown first
	More Action = "more"  // it is not whole: take it and wait for the next line
	Wait Action = "wait"  // run it when the second key confirms the token
	Ask  Action = "again" // run it when Enter is pressed once more
	Stop Action = "no"    // do not run it
)

// An Answer is what the shell does, and shows.
type Answer struct {
	Action Action
	Token  string // what confirms it, where it waits
	Badge  string // "" where nothing is shown
}

// maxAnswer is how long an answer is at most, in bytes: what a FIFO takes in one piece,
// so that a shell never reads half of it (POSIX.1-2024, PIPE_BUF; 4096 on Linux, 512 on
// macOS, which has the rest by the time that it is read).
const maxAnswer = 4000

// write writes an answer to a request: nonce, action and token in a line, then the badge,
// and a zero byte.
func (a *Answer) write(w io.Writer, nonce string) error {
	token := a.Token
	if token == "" {
		token = "-"
	}
	head := nonce + " " + string(a.Action) + " " + token + "\n"
	badge := a.Badge
	for len(head)+len(badge) >= maxAnswer {
		_, size := utf8.DecodeLastRuneInString(badge)
		badge = badge[:len(badge)-size]
	}
	b := append([]byte(head+badge), 0)
	if i := bytes.IndexByte(b, 0); i < len(b)-1 {
		return errors.New("an answer holds a zero byte")
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("writing an answer: %w", err)
	}
	return nil
}
