package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Errors of texts that are not one JSON object.
var (
	ErrEmpty     = errors.New("is empty")
	ErrNotObject = errors.New("is not a JSON object")
	ErrCut       = errors.New("is not JSON: it ends too early")
	ErrMore      = errors.New("holds more than one JSON value")
)

// Object calls member for every member of the object that text holds. twice says
// that the name was there before. An error of member ends the reading; what came
// before it was read.
func Object(text []byte, member func(name string, value json.RawMessage, twice bool) error) error {
	if len(bytes.TrimSpace(text)) == 0 {
		return ErrEmpty
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return ErrNotObject
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return notJSON(err)
		}
		name, _ := key.(string) // in an object every key is one
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return notJSON(err)
		}
		twice := seen[name]
		seen[name] = true
		if err := member(name, value, twice); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return notJSON(err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return ErrMore
	}
	return nil
}

func notJSON(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrCut
	}
	return fmt.Errorf("is not JSON: %w", err)
}
