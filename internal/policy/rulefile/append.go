package rulefile

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/heedsh/heed/internal/policy"
	"go.yaml.in/yaml/v4"
)

// ErrThere says that a file has a rule of this id.
var ErrThere = errors.New("is there already")

// Append adds a rule to the end of the rules of a file, with a comment above it, and
// leaves every other byte as it is. It fails, and says so, where the file cannot be read,
// has its rules in a form that no line can be added to, or would not say afterwards what
// it said before and this rule.
func Append(name string, text []byte, layer policy.Layer, r *policy.Rule, comment []string) ([]byte, error) {
	before, err := Parse(name, text, layer)
	if err != nil {
		return nil, err
	}
	for i := range before.Rules {
		if before.Rules[i].ID == r.ID {
			return nil, fmt.Errorf("%s:%d: the rule %s %w", name, before.Rules[i].Line, r.ID, ErrThere)
		}
	}
	newline := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		newline = "\r\n"
	}
	at, indent, first, err := place(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var b strings.Builder
	b.Write(text[:at])
	if at > 0 && text[at-1] != '\n' {
		b.WriteString(newline)
	}
	if first {
		b.WriteString("rules:" + newline)
	}
	for _, line := range comment {
		b.WriteString(strings.TrimRight(indent+"# "+oneLine(line), " ") + newline)
	}
	for line := range strings.Lines(Text(r)) {
		b.WriteString(indent + strings.TrimSuffix(line, "\n") + newline)
	}
	b.Write(text[at:])
	out := []byte(b.String())
	if err := same(name, out, layer, before, r); err != nil {
		return nil, err
	}
	return out, nil
}

// oneLine keeps a comment within its line, whatever it quotes.
func oneLine(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// errForm is why nothing can be added.
var errForm = errors.New("its rules do not stand one below the other: add the rule by hand")

// place finds where the next rule belongs: behind the last, and in front of what the
// file says next; how far it is indented; and whether it is the first.
func place(text []byte) (at int, indent string, first bool, err error) {
	var doc yaml.Node
	l, err := yaml.NewLoader(bytes.NewReader(text))
	if err == nil {
		err = l.Load(&doc)
	}
	body := &doc
	for err == nil && body.Kind == yaml.DocumentNode && len(body.Content) == 1 {
		body = body.Content[0]
	}
	switch {
	case err != nil && len(bytes.TrimSpace(text)) > 0 && !onlyComments(text):
		return 0, "", false, err
	case err != nil || body.Kind != yaml.MappingNode:
		return len(text), "  ", true, nil
	case body.Style&yaml.FlowStyle != 0:
		return 0, "", false, errForm
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	end := len(lines)
	for i := 0; i+1 < len(body.Content); i += 2 {
		if body.Content[i].Value != "rules" {
			continue
		}
		rules := body.Content[i+1]
		if rules.Kind != yaml.SequenceNode || rules.Style&yaml.FlowStyle != 0 || len(rules.Content) == 0 {
			return 0, "", false, errForm
		}
		line := string(lines[rules.Content[0].Line-1])
		dash := strings.IndexByte(line, '-')
		if dash < 0 || strings.Trim(line[:dash], " ") != "" {
			return 0, "", false, errForm
		}
		if i+2 < len(body.Content) {
			end = body.Content[i+2].Line - 1
		}
		for end > 0 && between(lines[end-1], i+2 < len(body.Content)) {
			end--
		}
		return len(bytes.Join(lines[:end], nil)), line[:dash], false, nil
	}
	return len(text), "  ", true, nil
}

func onlyComments(text []byte) bool {
	for line := range bytes.Lines(text) {
		if !between(line, true) {
			return false
		}
	}
	return true
}

// between reports whether a line stands between what a file says. A comment in front
// of the next key belongs to that; one at the end of the file to the rules.
func between(line []byte, comments bool) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || comments && line[0] == '#'
}

// same holds a file that a rule was added to against what it said before.
func same(name string, text []byte, layer policy.Layer, before *File, r *policy.Rule) error {
	after, err := Parse(name, text, layer)
	if err != nil {
		return fmt.Errorf("with the rule it would be broken: %w", err)
	}
	added := *r
	added.Layer = layer
	want := append(before.Rules[:len(before.Rules):len(before.Rules)], added)
	plain := func(rules []policy.Rule) []policy.Rule {
		out := make([]policy.Rule, len(rules))
		for i, r := range rules {
			r.File, r.Line = "", 0
			out[i] = r
		}
		return out
	}
	if before.Preset != after.Preset || before.AskAlways != after.AskAlways || !reflect.DeepEqual(plain(want), plain(after.Rules)) {
		return fmt.Errorf("%s: with the rule it would say something else than before: add the rule by hand", name)
	}
	return nil
}
