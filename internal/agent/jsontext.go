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

// blanked is a text with comments, in which these, and commas behind a last entry, are
// blanks: what stands in it stands where it stood.
func blanked(text []byte) []byte {
	out := bytes.Clone(text)
	comma := -1 // one that may be the last
	for i := 0; i < len(out); i++ {
		if n := comment(text[i:]); n > 0 {
			for end := i + n; i < end; i++ {
				if out[i] != '\n' && out[i] != '\r' {
					out[i] = ' '
				}
			}
			i--
			continue
		}
		switch c := out[i]; c {
		case ' ', '\t', '\r', '\n':
		case ',':
			comma = i
		case '}', ']':
			if comma >= 0 {
				out[comma] = ' '
			}
			comma = -1
		case '"':
			comma = -1
			i += stringLen(out[i:]) - 1
		default:
			comma = -1
		}
	}
	return out
}

// comment is the length of the comment that a text begins with, without the end of its
// line; 0 if it begins with none.
func comment(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		if n := bytes.IndexAny(text, "\r\n"); n >= 0 {
			return n
		}
		return len(text)
	case bytes.HasPrefix(text, []byte("/*")):
		if n := bytes.Index(text[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
	}
	return 0
}

// stringLen is the length of the string that a text begins with.
func stringLen(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// comments are those between two entries, with the blanks around them; nil if there are
// none.
func comments(between []byte) []byte {
	var out []byte
	found := false
	for i := 0; i < len(between); i++ {
		if n := comment(between[i:]); n > 0 {
			found = true
			out = append(out, between[i:i+n]...)
			i += n - 1
		} else if between[i] != ',' {
			out = append(out, between[i])
		}
	}
	if !found {
		return nil
	}
	return out
}

// lineEnd is where the line ends in which a position is, outside of comments, or the
// bound, whichever comes first.
func lineEnd(text []byte, at, bound int) int {
	return outside(text, at, bound, "\r\n", bound)
}

// commaIn is where a comma stands outside of comments; -1 if there is none.
func commaIn(text []byte, at, bound int) int { return outside(text, at, bound, ",", -1) }

// outside is where one of these characters stands outside of comments, or none.
func outside(text []byte, at, bound int, chars string, none int) int {
	for i := at; i < bound; i++ {
		if n := comment(text[i:bound]); n > 0 {
			i += n - 1
		} else if strings.IndexByte(chars, text[i]) >= 0 {
			return i
		}
	}
	return none
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
// with the comma that joins it to its neighbours. Comments stay.
func (n *node) without(text []byte, kid int) []byte {
	from, to := n.kids[kid].from, n.kids[kid].end
	before, after := from, to
	switch {
	case len(n.kids) == 1:
		before, after = n.start+1, n.end-1
	case kid == 0:
		after = n.kids[1].from
	case kid == len(n.kids)-1 && commaIn(text, to, n.end-1) >= 0:
		// A list whose last entry has a comma, too, keeps the one before.
		before, after = commaIn(text, n.kids[kid-1].end, from)+1, commaIn(text, to, n.end-1)+1
	default:
		before = n.kids[kid-1].end
	}
	kept := append(comments(text[before:from]), comments(text[to:after])...)
	if kid == len(n.kids)-1 && bytes.IndexAny(text[after:], "\r\n") == 0 {
		kept = bytes.TrimRight(kept, " \t\r\n")
	}
	return splice(text, before, after, kept)
}

// with returns the text with an entry added at the end of a container, or first in it.
// render writes it with the indentation that the entries there have; it is one line
// if they stand in one line.
func (n *node) with(text []byte, s style, first bool, render func(prefix, unit string) string) []byte {
	newline := []byte(s.newline)
	line := func(entry string) []byte { return bytes.ReplaceAll([]byte(entry), []byte("\n"), newline) }
	if len(n.kids) == 0 {
		outer := s.indentAt(text, n.start)
		entry := "\n" + outer + s.unit + render(outer+s.unit, s.unit) + "\n" + outer
		return splice(text, n.start+1, n.end-1, append(bytes.TrimRight(comments(text[n.start+1:n.end-1]), " \t\r\n"), line(entry)...))
	}
	begin, end := n.kids[0].from, n.kids[len(n.kids)-1].end
	oneLine := !bytes.Contains(text[n.start:begin], []byte("\n"))
	prefix := s.indentAt(text, begin)
	switch {
	case first && oneLine:
		return splice(text, begin, begin, line(render("", "")+", "))
	case first:
		return splice(text, begin, begin, line(render(prefix, s.unit)+",\n"+prefix))
	}
	if tail := bytes.TrimSpace(text[end : n.end-1]); len(tail) > 0 {
		// Comments or a comma stand behind the last entry: the new one goes behind the line.
		at := lineEnd(text, end, n.end-1)
		entry := "\n" + prefix + render(prefix, s.unit)
		if commaIn(text, end, n.end-1) >= 0 {
			return splice(text, at, at, line(entry+","))
		}
		return splice(splice(text, at, at, line(entry)), end, end, []byte(","))
	}
	if oneLine {
		return splice(text, end, end, line(", "+render("", "")))
	}
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
