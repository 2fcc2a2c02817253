package scan

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// packageJSON takes the values of "scripts" (npm-run-script(1): run by sh).
func (f *Found) packageJSON(text string) {
	body := strings.TrimPrefix(text, "\ufeff")
	skipped := len(text) - len(body)
	d := json.NewDecoder(strings.NewReader(body))
	fail := func(err error) {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		f.problem(skipped+int(d.InputOffset()), "", fmt.Sprintf("it cannot be read as JSON: %v", err))
	}
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		if err == nil {
			err = errors.New("it is no object")
		}
		fail(err)
		return
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			fail(err)
			return
		}
		if key == "scripts" {
			err = f.scripts(d, body, skipped)
		} else {
			var skip json.RawMessage
			err = d.Decode(&skip)
		}
		if err != nil {
			fail(err)
			return
		}
	}
	if _, err := d.Token(); err != nil {
		fail(err)
	}
}

// scripts reads the object of scripts.
func (f *Found) scripts(d *json.Decoder, body string, skipped int) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return errors.New("scripts is no object")
	}
	for d.More() {
		from := int(d.InputOffset())
		key, err := d.Token()
		if err != nil {
			return err
		}
		at := from + max(0, strings.IndexByte(body[from:], '"'))
		name, _ := key.(string)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		var command string
		if json.Unmarshal(raw, &command) != nil {
			f.problem(skipped+at, name, "the script is no text")
			continue
		}
		value := int(d.InputOffset()) - len(raw) + 1
		w := &writer{}
		if string(raw) == `"`+command+`"` { // without escapes, every byte is where it was
			w.copy(command, skipped+value)
		} else {
			w.put(command, skipped+value)
		}
		f.add(w.command(Command{Shell: "sh", Name: name, Place: Beside}))
	}
	_, err = d.Token()
	return err
}
