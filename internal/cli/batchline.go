package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/shell/fronts"
	"github.com/heedsh/heed/risk"
)

// parseLine reads one request of check --batch: a JSON object whose fields are
// those of [risk.Request]. What it does not say comes from base. With an error
// it still returns what was read, so that the answer carries the id.
//
// It is stricter than encoding/json, because a line that two readers
// understand differently must not be judged in one of its meanings: names are
// exact, no field comes twice, and nothing follows the object. Fields that
// heed does not know are ignored.
//
// at is when the command is run, in nanoseconds since any moment; nil if the
// line does not say so.
func parseLine(line []byte, base risk.Request) (req risk.Request, at *int64, err error) {
	l := lineReader{req: base, dec: json.NewDecoder(bytes.NewReader(line)), seen: map[string]bool{}}
	err = l.object()
	if err == nil && !utf8.Valid(line) {
		err = errors.New("this line is not valid UTF-8")
	}
	if err == nil && !l.seen["cmd"] {
		err = errors.New(`this line has no "cmd"`)
	}
	unknown := checkProvenance(string(l.req.Provenance))
	if unknown != nil || l.req.Provenance == "" {
		l.req.Provenance = base.Provenance // an answer holds no value that the schema does not know
	}
	if err == nil {
		err = l.complete(&base)
	}
	if err == nil && unknown != nil {
		err = fmt.Errorf("provenance %w", unknown)
	}
	return l.req, l.at, err
}

type lineReader struct {
	req  risk.Request
	at   *int64
	dec  *json.Decoder
	seen map[string]bool
}

// complete checks the fields and fills in what is empty from base.
func (l *lineReader) complete(base *risk.Request) error {
	if l.req.Shell == "" {
		l.req.Shell = base.Shell
	}
	shells := fronts.All()
	if _, ok := shells.Dialect(l.req.Shell); !ok {
		return fmt.Errorf("shell %q: want one of %s", l.req.Shell, list(shells.Dialects()))
	}
	dir, err := absolute(base.Dir, l.req.Dir)
	if err != nil {
		return fmt.Errorf("cwd: %w", err)
	}
	l.req.Dir = dir
	for i, w := range l.req.Workspaces {
		if l.req.Workspaces[i], err = absolute(base.Dir, w); err != nil {
			return fmt.Errorf("workspaces: %w", err)
		}
	}
	return nil
}

// object reads the whole line. A field of the wrong type does not end it: the
// id may come later.
func (l *lineReader) object() error {
	if t, err := l.dec.Token(); err != nil || t != json.Delim('{') {
		return errors.New(`this line is not a request: want {"cmd": "…"}`)
	}
	var first error
	for l.dec.More() {
		key, err := l.dec.Token()
		if err != nil {
			return notJSON(err)
		}
		name, _ := key.(string)
		err = l.field(name)
		var wrong *json.UnmarshalTypeError
		switch {
		case err == nil:
		case first == nil && errors.As(err, &wrong) && name == "time":
			first = fmt.Errorf("field %q: want RFC 3339 or nanoseconds as a whole number, not %s", name, wrong.Value)
		case first == nil && errors.As(err, &wrong):
			first = fmt.Errorf("field %q: want %s, not %s", name, wrong.Type, wrong.Value)
		case errors.As(err, &wrong):
		case errors.Is(err, errTwice):
			return fmt.Errorf("field %q: %w", name, err)
		default:
			return notJSON(err)
		}
	}
	if _, err := l.dec.Token(); err != nil {
		return notJSON(err)
	}
	if _, err := l.dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("this line holds more than one JSON value")
	}
	return first
}

func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("this line is not JSON: it ends too early")
	}
	return fmt.Errorf("this line is not JSON: %w", err)
}

var errTwice = errors.New("it is given twice")

// field reads the value of one field. null is the same as absent.
func (l *lineReader) field(name string) error {
	var to any
	switch name {
	case "id":
		var raw json.RawMessage
		if err := l.dec.Decode(&raw); err != nil {
			return err
		}
		l.req.ID = idOf(raw)
		return l.once(name)
	case "cmd":
		var text *string
		if err := l.dec.Decode(&text); err != nil || text == nil {
			return err
		}
		l.req.Command = *text
		return l.once(name)
	case "env":
		// The environment that is given is the whole environment.
		var env map[string]string
		if err := l.dec.Decode(&env); err != nil || env == nil {
			return err
		}
		l.req.Env = env
		return l.once(name)
	case "shell":
		to = &l.req.Shell
	case "cwd":
		to = &l.req.Dir
	case "workspaces":
		to = &l.req.Workspaces
	case "provenance":
		to = &l.req.Provenance
	case "agent":
		to = &l.req.Agent
	case "session":
		to = &l.req.Session
	case "time":
		var raw json.RawMessage
		if err := l.dec.Decode(&raw); err != nil {
			return err
		}
		if err := l.time(raw); err != nil {
			return err
		}
		return l.once(name)
	default:
		to = new(json.RawMessage)
		return l.dec.Decode(to)
	}
	if err := l.dec.Decode(to); err != nil {
		return err
	}
	return l.once(name)
}

// time reads a time: RFC 3339, or a number of nanoseconds.
func (l *lineReader) time(raw json.RawMessage) error {
	wrong := &json.UnmarshalTypeError{Value: string(raw[:min(len(raw), 40)]), Type: reflect.TypeFor[time.Time]()}
	var text string
	var n int64
	switch {
	case string(raw) == "null":
		return nil
	case json.Unmarshal(raw, &n) == nil:
	case json.Unmarshal(raw, &text) == nil:
		t, err := time.Parse(time.RFC3339Nano, text)
		if err != nil || t.Year() < 1678 || t.Year() > 2261 { // beyond, UnixNano is not defined
			return wrong
		}
		n = t.UnixNano()
	default:
		return wrong
	}
	l.at = &n
	return nil
}

func (l *lineReader) once(name string) error {
	if l.seen[name] {
		return errTwice
	}
	l.seen[name] = true
	return nil
}

// idOf takes any JSON value as an id: a string as it is, others as written.
func idOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
