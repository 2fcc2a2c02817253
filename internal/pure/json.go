package pure

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A jsonKind is the type of a JSON value.
type jsonKind uint8

const (
	jsonNull jsonKind = iota
	jsonBool
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

// A jsonValue keeps the order of object keys and the text of numbers.
type jsonValue struct {
	kind  jsonKind
	yes   bool
	text  string // of a number or string
	items []jsonValue
	keys  []string // of an object, beside items
}

const maxJSONDepth = 200

// parseJSON reads all values of a stream.
func parseJSON(in []byte) ([]jsonValue, error) {
	if !utf8.Valid(in) {
		return nil, errUnknown
	}
	d := json.NewDecoder(bytes.NewReader(in))
	d.UseNumber()
	var out []jsonValue
	for {
		v, err := readJSON(d, 0)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, errUnknown
		}
		out = append(out, v)
	}
}

func readJSON(d *json.Decoder, depth int) (jsonValue, error) {
	if depth > maxJSONDepth {
		return jsonValue{}, errUnknown
	}
	tok, err := d.Token()
	if err != nil {
		if depth > 0 {
			err = errUnknown
		}
		return jsonValue{}, err
	}
	switch t := tok.(type) {
	case nil:
		return jsonValue{}, nil
	case bool:
		return jsonValue{kind: jsonBool, yes: t}, nil
	case json.Number:
		return newJSONNumber(t.String())
	case string:
		if strings.ContainsRune(t, utf8.RuneError) {
			return jsonValue{}, errUnknown
		}
		return jsonValue{kind: jsonString, text: t}, nil
	case json.Delim:
		return readJSONList(d, t, depth)
	}
	return jsonValue{}, errUnknown
}

// newJSONNumber takes numbers that every version of jq prints as they stand.
func newJSONNumber(text string) (jsonValue, error) {
	f, err := strconv.ParseFloat(text, 64)
	digits := strings.Trim(text, "-0.")
	if err != nil || len(digits) > 15 || f != 0 && (f < 0 && f > -1e-4 || f > 0 && f < 1e-4) || f > 1e15 || f < -1e15 ||
		strconv.FormatFloat(f, 'f', -1, 64) != text || text == "-0" {
		return jsonValue{}, errUnknown
	}
	return jsonValue{kind: jsonNumber, text: text}, nil
}

func readJSONList(d *json.Decoder, open json.Delim, depth int) (jsonValue, error) {
	v := jsonValue{kind: jsonArray}
	if open == '{' {
		v.kind = jsonObject
	}
	seen := map[string]int{}
	for d.More() {
		at := -1
		if v.kind == jsonObject {
			k, err := readJSON(d, depth+1)
			if err != nil {
				return v, errUnknown
			}
			if i, twice := seen[k.text]; twice {
				at = i
			} else {
				seen[k.text] = len(v.keys)
				v.keys = append(v.keys, k.text)
			}
		}
		item, err := readJSON(d, depth+1)
		if err != nil {
			return v, errUnknown
		}
		if at >= 0 {
			v.items[at] = item
		} else {
			v.items = append(v.items, item)
		}
	}
	if _, err := d.Token(); err != nil {
		return v, errUnknown
	}
	return v, nil
}

// A jsonPrinter writes values as jq does.
type jsonPrinter struct {
	j       *job
	compact bool
	sorted  bool
}

func (p jsonPrinter) print(v jsonValue, indent int) {
	switch v.kind {
	case jsonNull:
		p.j.writeString("null")
	case jsonBool:
		p.j.writeString(strconv.FormatBool(v.yes))
	case jsonNumber:
		p.j.writeString(v.text)
	case jsonString:
		p.j.writeString(quoteJSON(v.text))
	case jsonArray:
		p.list(v, indent, "[", "]")
	case jsonObject:
		if p.sorted {
			v = v.sortKeys()
		}
		p.list(v, indent, "{", "}")
	}
}

func (p jsonPrinter) list(v jsonValue, indent int, open, end string) {
	p.j.writeString(open)
	for i, item := range v.items {
		if p.j.over {
			return
		}
		if i > 0 {
			p.j.writeByte(',')
		}
		p.newline(indent + 1)
		if v.kind == jsonObject {
			p.j.writeString(quoteJSON(v.keys[i]) + ":")
			if !p.compact {
				p.j.writeByte(' ')
			}
		}
		p.print(item, indent+1)
	}
	if len(v.items) > 0 {
		p.newline(indent)
	}
	p.j.writeString(end)
}

func (p jsonPrinter) newline(indent int) {
	if !p.compact {
		p.j.writeString("\n" + strings.Repeat("  ", indent))
	}
}

// sortKeys orders an object's keys by code point, as jq does.
func (v jsonValue) sortKeys() jsonValue {
	order := make([]int, len(v.keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(v.keys[a], v.keys[b]) })
	out := jsonValue{kind: jsonObject}
	for _, i := range order {
		out.keys = append(out.keys, v.keys[i])
		out.items = append(out.items, v.items[i])
	}
	return out
}

// quoteJSON escapes a string as jq prints it.
func quoteJSON(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r < ' ' || r == 0x7f:
			b.WriteString(`\u00`)
			b.WriteByte("0123456789abcdef"[r>>4])
			b.WriteByte("0123456789abcdef"[r&15])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
