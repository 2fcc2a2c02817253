package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A node is one JSON value and where it stands in the text, so that a change
// leaves every other byte as its author wrote it.
type node struct {
	start, end int // the value's bytes
	kind       byte
	keys       []string // of an object, as many as kids
	kids       []*node
	from       int // where the whole entry begins: its key, or the value itself
}

// maxDepth bounds the recursion over a value.
const maxDepth = 200

// parseJSON reads a text that must be one JSON object without names that come
// twice. Comments are not JSON.
func parseJSON(text []byte) (*node, error) {
	var any json.RawMessage
	if err := json.Unmarshal(text, &any); err != nil {
		return nil, notJSON(text, err)
	}
	p := &jsonReader{text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	n, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if n.kind != '{' {
		return nil, errors.New("it is no JSON object")
	}
	return n, nil
}

// notJSON says where a text stops being JSON.
func notJSON(text []byte, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	line := 1 + bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n"))
	return fmt.Errorf("line %d is not JSON (comments and trailing commas are not allowed): %w", line, err)
}

type jsonReader struct {
	text []byte
	dec  *json.Decoder
}

// next returns the next token and where it starts.
func (p *jsonReader) next() (json.Token, int, error) {
	at := int(p.dec.InputOffset())
	for at < len(p.text) && strings.IndexByte(" \t\r\n,:", p.text[at]) >= 0 {
		at++
	}
	t, err := p.dec.Token()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, at, fmt.Errorf("it is not JSON: %w", err)
	}
	return t, at, err
}

func (p *jsonReader) value(depth int) (*node, error) {
	t, at, err := p.next()
	if err != nil {
		return nil, err
	}
	n := &node{start: at, from: at, kind: p.text[at]}
	if depth > maxDepth {
		return nil, errors.New("it is nested too deeply")
	}
	switch t {
	case json.Delim('{'):
		err = p.members(n, depth)
	case json.Delim('['):
		for p.dec.More() && err == nil {
			var kid *node
			kid, err = p.value(depth + 1)
			n.kids = append(n.kids, kid)
		}
		if err == nil {
			_, _, err = p.next()
		}
	}
	n.end = int(p.dec.InputOffset())
	return n, err
}

func (p *jsonReader) members(n *node, depth int) error {
	seen := map[string]bool{}
	for p.dec.More() {
		t, at, err := p.next()
		if err != nil {
			return err
		}
		key, _ := t.(string)
		if seen[key] {
			return fmt.Errorf("%s is given twice in one object", quoted(key))
		}
		seen[key] = true
		kid, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		kid.from = at
		n.keys, n.kids = append(n.keys, key), append(n.kids, kid)
	}
	_, _, err := p.next()
	return err
}

// get returns the member of an object, or nil.
func (n *node) get(key string) *node {
	if n == nil || n.kind != '{' {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.kids[i]
		}
	}
	return nil
}

// without returns the text with one entry of a container cut out, together
// with the comma that joins it to its neighbours.
func (n *node) without(text []byte, kid int) []byte {
	from, to := n.kids[kid].from, n.kids[kid].end
	switch {
	case len(n.kids) == 1:
		from, to = n.start+1, n.end-1
	case kid > 0:
		from = n.kids[kid-1].end
	default:
		to = n.kids[1].from
	}
	return splice(text, from, to, nil)
}

// with returns the text with an entry added at the end of a container. render
// writes it with the indentation that the entries there have; it is one line
// if they stand in one line.
func (n *node) with(text []byte, s style, render func(prefix, unit string) string) []byte {
	newline := []byte(s.newline)
	line := func(entry string) []byte { return bytes.ReplaceAll([]byte(entry), []byte("\n"), newline) }
	if len(n.kids) == 0 {
		outer := s.indentAt(text, n.start)
		entry := "\n" + outer + s.unit + render(outer+s.unit, s.unit) + "\n" + outer
		return splice(text, n.start+1, n.end-1, line(entry))
	}
	end := n.kids[len(n.kids)-1].end
	if !bytes.Contains(text[n.start:n.kids[0].from], []byte("\n")) {
		return splice(text, end, end, line(", "+render("", "")))
	}
	prefix := s.indentAt(text, n.kids[0].from)
	return splice(text, end, end, line(",\n"+prefix+render(prefix, s.unit)))
}

func splice(text []byte, from, to int, with []byte) []byte {
	out := make([]byte, 0, len(text)+len(with))
	out = append(out, text[:from]...)
	out = append(out, with...)
	return append(out, text[to:]...)
}

// A style is how a file is laid out.
type style struct{ newline, unit string }

// styleOf finds the line ends of a text and the indentation of its first
// member; two spaces where there is none.
func styleOf(text []byte, root *node) style {
	s := style{newline: "\n", unit: "  "}
	if bytes.Contains(text, []byte("\r\n")) {
		s.newline = "\r\n"
	}
	if len(root.kids) > 0 {
		if in := s.indentAt(text, root.kids[0].from); in != "" {
			s.unit = in
		}
	}
	return s
}

// indentAt returns the blanks with which the line of a position begins.
func (style) indentAt(text []byte, at int) string {
	begin := bytes.LastIndexByte(text[:at], '\n') + 1
	end := begin
	for end < at && (text[end] == ' ' || text[end] == '\t') {
		end++
	}
	return string(text[begin:end])
}
