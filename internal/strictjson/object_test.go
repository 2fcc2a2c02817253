package strictjson_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/strictjson"
)

// members reads a text and says what was told of it.
func members(text string) (told string, err error) {
	var b strings.Builder
	err = strictjson.Object([]byte(text), func(name string, value json.RawMessage, twice bool) error {
		if name == "stop" {
			return errStop
		}
		fmt.Fprintf(&b, "%s=%s", name, value)
		if twice {
			b.WriteString("!")
		}
		b.WriteString(" ")
		return nil
	})
	return strings.TrimSpace(b.String()), err
}

var errStop = errors.New("that is enough")

func TestObject(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		told string
		err  error
	}{
		`{}`:                          {"", nil},
		` {"b": 1, "a" : [ 2, {}] } `: {`b=1 a=[ 2, {}]`, nil},
		`{"a":1,"A":2,"a":3}`:         {`a=1 A=2 a=3!`, nil},
		`{"\u0061":1,"a":2}`:          {`a=1 a=2!`, nil},
		`{"a":{"x":1,"x":2}}`:         {`a={"x":1,"x":2}`, nil},
		`{"a":1,"stop":2,"b":3}`:      {`a=1`, errStop},
		``:                            {"", strictjson.ErrEmpty},
		" \n":                         {"", strictjson.ErrEmpty},
		`[1]`:                         {"", strictjson.ErrNotObject},
		`null`:                        {"", strictjson.ErrNotObject},
		`x`:                           {"", strictjson.ErrNotObject},
		`{"a":1`:                      {`a=1`, strictjson.ErrCut},
		`{"a":`:                       {"", strictjson.ErrCut},
		`{"a":"b`:                     {"", strictjson.ErrCut},
		`{`:                           {"", strictjson.ErrCut},
		`{"a":1} {}`:                  {`a=1`, strictjson.ErrMore},
		`{"a":1}}`:                    {`a=1`, strictjson.ErrMore},
	} {
		told, err := members(text)
		if told != want.told || !errors.Is(err, want.err) || want.err == nil && err != nil {
			t.Errorf("%s: %q, %v; want %q, %v", text, told, err, want.told, want.err)
		}
	}
	for _, text := range []string{`{,`, `{"a":tru}`, `{"a" 1}`, `{1:2}`, `{"a":1,}`} {
		if _, err := members(text); err == nil || !strings.HasPrefix(err.Error(), "is not JSON: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzObject: what is accepted is one JSON object, and its members put together
// again are an object with the same ones.
func FuzzObject(f *testing.F) {
	for _, text := range []string{`{}`, `{"a":1,"a":2}`, `{"\ud800":"\u0000"}`, `[`, ``, `{"a":{"b":[1,2]}}x`, "{\"\xff\":1}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		again := []byte("{")
		n := 0
		err := strictjson.Object(text, func(name string, value json.RawMessage, _ bool) error {
			key, err := json.Marshal(name)
			if err != nil || !json.Valid(value) {
				t.Fatalf("member %q: %q, %v", name, value, err)
			}
			if n++; n > 1 {
				again = append(again, ',')
			}
			again = append(append(append(again, key...), ':'), value...)
			return nil
		})
		if err != nil {
			return
		}
		if !json.Valid(text) || !json.Valid(append(again, '}')) {
			t.Errorf("accepted %q, which is not JSON", text)
		}
	})
}
