package foreign

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/heedsh/heed/internal/strictjson"
)

// plainJSON takes comments and trailing commas out of a text, as the editors read
// it: JSON with Comments (https://jsonc.org). Lines stay where they are.
func plainJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	comma := -1 // where a comma stands that nothing has followed yet
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' && text[end] != '\n' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			out, comma = append(out, text[i:end]...), -1
			i = end - 1
		case b == '/' && i+1 < len(text) && text[i+1] == '/':
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case b == '/' && i+1 < len(text) && text[i+1] == '*':
			end := len(text)
			if n := bytes.Index(text[i+2:], []byte("*/")); n >= 0 {
				end = i + 2 + n + 2
			}
			out = append(out, bytes.Repeat([]byte("\n"), bytes.Count(text[i:end], []byte("\n")))...)
			i = end - 1
		case b == ',':
			comma, out = len(out), append(out, b)
		case b == '}' || b == ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma, out = -1, append(out, b)
		case b == ' ' || b == '\t' || b == '\n' || b == '\r':
			out = append(out, b)
		default:
			comma, out = -1, append(out, b)
		}
	}
	return out
}

// members reads an object; what it does not hold is nil. Names are exact, and none
// may come twice: agents do not agree which of two counts.
func members(text []byte) (names []string, values map[string]json.RawMessage, err error) {
	values = map[string]json.RawMessage{}
	err = strictjson.Object(text, func(name string, value json.RawMessage, twice bool) error {
		if twice {
			return fmt.Errorf("holds the key %.40q twice", name)
		}
		names = append(names, name)
		values[name] = value
		return nil
	})
	return names, values, err
}

// object reads the object that a key holds; no key is an empty one.
func object(in map[string]json.RawMessage, key string) ([]string, map[string]json.RawMessage, error) {
	if in[key] == nil {
		return nil, nil, nil
	}
	names, values, err := members(in[key])
	if err != nil {
		return nil, nil, fmt.Errorf("%s %w", key, err)
	}
	return names, values, nil
}

// texts reads the list of texts that a key holds.
func texts(in map[string]json.RawMessage, key string) ([]string, error) {
	if in[key] == nil {
		return nil, nil
	}
	var all []string
	if err := json.Unmarshal(in[key], &all); err != nil {
		return nil, fmt.Errorf("%s: want a list of texts", key)
	}
	return all, nil
}

// word reads a text that a key holds, "" if there is none.
func word(in map[string]json.RawMessage, key string) string {
	var text string
	if in[key] == nil || json.Unmarshal(in[key], &text) != nil {
		return ""
	}
	return text
}

// settings reads a file that is one object.
func settings(text []byte) (names []string, values map[string]json.RawMessage, err error) {
	names, values, err = members(plainJSON(text))
	if errors.Is(err, strictjson.ErrEmpty) {
		return nil, nil, errors.New("it is empty")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("it %w", err)
	}
	return names, values, nil
}
