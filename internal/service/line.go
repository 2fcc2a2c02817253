package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/strictjson"
	"github.com/heedsh/heed/risk"
)

// ParseLine reads one request of a batch: a JSON object whose fields are those
// of [risk.Request]. What it does not say comes from base. With an error it
// still returns what was read, so that the answer carries the id.
//
// It is as strict as package strictjson: names are exact, no field comes twice,
// and nothing follows the object. Fields that heed does not know are ignored.
//
// at is when the command is run, in nanoseconds since any moment; nil if the
// line does not say so.
func ParseLine(line []byte, base risk.Request) (req risk.Request, at *int64, err error) {
	l := lineReader{req: base, said: map[string]bool{}}
	err = l.object(line)
	if err == nil && !utf8.Valid(line) {
		err = errors.New("this line is not valid UTF-8")
	}
	if err == nil && !l.said["cmd"] {
		err = errors.New(`this line has no "cmd"`)
	}
	unknown := CheckProvenance(string(l.req.Provenance))
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
	said map[string]bool // the fields that are known and not null
}

// complete checks the fields and fills in what is empty from base.
func (l *lineReader) complete(base *risk.Request) error {
	if l.req.Shell == "" {
		l.req.Shell = base.Shell
	}
	if err := CheckShell(l.req.Shell); err != nil {
		return fmt.Errorf("shell %w", err)
	}
	dir, err := Absolute(base.Dir, l.req.Dir)
	if err != nil {
		return fmt.Errorf("cwd: %w", err)
	}
	l.req.Dir = dir
	for i, w := range l.req.Workspaces {
		if l.req.Workspaces[i], err = Absolute(base.Dir, w); err != nil {
			return fmt.Errorf("workspaces: %w", err)
		}
	}
	return nil
}

// object reads the whole line. A field of the wrong type does not end it: the
// id may come later.
func (l *lineReader) object(line []byte) error {
	var first error
	var twice error
	err := strictjson.Object(line, func(name string, value json.RawMessage, _ bool) error {
		known, err := l.field(name, value)
		var wrong *json.UnmarshalTypeError
		switch {
		case errors.As(err, &wrong) && first == nil && name == "time":
			first = fmt.Errorf("field %q: want RFC 3339 or nanoseconds as a whole number, not %s", name, wrong.Value)
		case errors.As(err, &wrong) && first == nil:
			first = fmt.Errorf("field %q: want %s, not %s", name, wrong.Type, wrong.Value)
		case errors.As(err, &wrong):
		case err != nil:
			return err
		case known && l.said[name]:
			twice = fmt.Errorf("field %q: it is given twice", name)
			return twice
		case known:
			l.said[name] = true
		}
		return nil
	})
	switch {
	case errors.Is(err, strictjson.ErrEmpty), errors.Is(err, strictjson.ErrNotObject):
		return errors.New(`this line is not a request: want {"cmd": "…"}`)
	case twice != nil:
		return twice
	case err != nil:
		return fmt.Errorf("this line %w", err)
	}
	return first
}

// field takes the value of one field in. known says that it is a field of a
// request and has a value: null is the same as absent for those that have no
// other value to say so.
func (l *lineReader) field(name string, value json.RawMessage) (known bool, err error) {
	var to any
	switch name {
	case "id":
		l.req.ID = idOf(value)
		return true, nil
	case "cmd":
		var text *string
		if err := json.Unmarshal(value, &text); err != nil || text == nil {
			return false, err
		}
		l.req.Command = *text
		return true, nil
	case "env":
		// The environment that is given is the whole environment.
		var env map[string]string
		if err := json.Unmarshal(value, &env); err != nil || env == nil {
			return false, err
		}
		l.req.Env = env
		return true, nil
	case "time":
		return true, l.time(value)
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
	default:
		return false, nil
	}
	return true, json.Unmarshal(value, to)
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

// idOf takes any JSON value as an id: a string as it is, others as written.
func idOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}
