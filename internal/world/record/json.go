package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/world"
)

// The form of a Log in JSON.
type (
	logJSON struct {
		OS      string                `json:"os"`
		Host    string                `json:"host"`
		User    world.User            `json:"user"`
		Answers map[string]answerJSON `json:"answers"`
	}
	answerJSON struct {
		Value json.RawMessage `json:"v"`
		Error *errorJSON      `json:"err,omitempty"`
	}
	errorJSON struct {
		Text string   `json:"text"`
		Is   []string `json:"is,omitempty"`
	}
)

// MarshalJSON writes the Log. Equal Logs give equal bytes.
func (l *Log) MarshalJSON() ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := logJSON{
		OS:      escape(l.os),
		Host:    escape(l.host),
		User:    escaped(reflect.ValueOf(l.user)).Interface().(world.User),
		Answers: make(map[string]answerJSON, len(l.answers)),
	}
	for key, a := range l.answers {
		j := answerJSON{Value: a.raw}
		if a.raw == nil {
			var err error
			if j.Value, err = json.Marshal(escaped(reflect.ValueOf(a.value)).Interface()); err != nil {
				return nil, fmt.Errorf("record the answer to %s: %w", key, err)
			}
		}
		if a.err != nil {
			j.Error = &errorJSON{Text: escape(a.err.Error()), Is: kinds(a.err)}
		}
		out.Answers[key] = j
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads a Log for Replay.
func (l *Log) UnmarshalJSON(data []byte) error {
	var in logJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	header := struct {
		OS, Host string
		User     world.User
	}{in.OS, in.Host, in.User}
	if err := mapStrings(reflect.ValueOf(&header).Elem(), unescape); err != nil {
		return err
	}
	answers := make(map[string]*answer, len(in.Answers))
	for key, j := range in.Answers {
		if len(j.Value) == 0 {
			return fmt.Errorf("%s has no value", key)
		}
		a := &answer{raw: j.Value}
		if j.Error != nil {
			text, err := unescape(j.Error.Text)
			if err != nil {
				return err
			}
			a.err = &recorded{text, j.Error.Is}
		}
		answers[key] = a
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.os, l.host, l.user = header.OS, header.Host, header.User
	l.answers, l.repos, l.missed = answers, nil, nil
	return nil
}

// sentinel returns the error that a name in a Log stands for, or nil.
func sentinel(name string) error {
	switch name {
	case "not-exist":
		return world.ErrNotExist
	case "permission":
		return fs.ErrPermission
	case "too-large":
		return world.ErrTooLarge
	case "not-read":
		return world.ErrNotRead
	}
	return nil
}

// kinds names the errors that err wraps, as far as callers may ask for them.
func kinds(err error) []string {
	var names []string
	for _, name := range []string{"not-exist", "permission", "too-large", "not-read"} {
		if errors.Is(err, sentinel(name)) {
			names = append(names, name)
		}
	}
	return names
}

// recorded is an error read from a Log.
type recorded struct {
	text  string
	kinds []string
}

func (e *recorded) Error() string { return e.text }

func (e *recorded) Is(target error) bool {
	for _, name := range e.kinds {
		if sentinel(name) == target {
			return target != nil
		}
	}
	return false
}

// escape makes a string survive JSON, which would replace bytes that are not
// UTF-8: such a string, and one that could be mistaken for it, is written as a
// NUL and a Go string literal.
func escape(s string) string {
	if utf8.ValidString(s) && !strings.HasPrefix(s, "\x00") {
		return s
	}
	return "\x00" + strconv.Quote(s)
}

func unescape(s string) (string, error) {
	quoted, ok := strings.CutPrefix(s, "\x00")
	if !ok {
		return s, nil
	}
	s, err := strconv.Unquote(quoted)
	if err != nil {
		return "", fmt.Errorf("unescape %.40q: %w", quoted, err)
	}
	return s, nil
}

// escaped returns a copy of a value with all strings in it escaped.
func escaped(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	// The only error is that of the function, and escape has none.
	_ = mapStrings(c, func(s string) (string, error) { return escape(s), nil })
	return c
}

// mapStrings replaces the strings in a settable value, which may consist of
// structs, slices and maps from strings to strings. What is shared with other
// values is copied first.
func mapStrings(v reflect.Value, f func(string) (string, error)) error {
	switch v.Kind() {
	case reflect.String:
		s, err := f(v.String())
		v.SetString(s)
		return err
	case reflect.Struct:
		for i := range v.NumField() {
			if err := mapStrings(v.Field(i), f); err != nil {
				return err
			}
		}
	case reflect.Slice:
		if v.IsNil() || v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		v.Set(c)
		for i := range c.Len() {
			if err := mapStrings(c.Index(i), f); err != nil {
				return err
			}
		}
	case reflect.Map:
		if v.IsNil() {
			return nil
		}
		c := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, value := range v.Seq2() {
			k, err := f(key.String())
			if err != nil {
				return err
			}
			s, err := f(value.String())
			if err != nil {
				return err
			}
			c.SetMapIndex(reflect.ValueOf(k), reflect.ValueOf(s))
		}
		v.Set(c)
	}
	return nil
}
