package rulefile

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/policy"
	"go.yaml.in/yaml/v4"
)

// Text writes rules as the list that stands under the key rules of a file, each
// line behind as many spaces.
func Text(rules []policy.Rule, indent int) string {
	var b strings.Builder
	before := strings.Repeat(" ", indent)
	for i := range rules {
		r := &rules[i]
		fmt.Fprintf(&b, "%s- id: %s\n%s  action: %s\n%s  match: %s\n", before, scalar(r.ID), before, r.Action, before, flow(&r.Match))
		if r.Except != nil {
			fmt.Fprintf(&b, "%s  except: %s\n", before, flow(r.Except))
		}
		for _, k := range []struct{ key, value string }{{"reason", r.Reason}, {"owner", r.Owner}, {"until", r.Until}} {
			if k.value != "" {
				fmt.Fprintf(&b, "%s  %s: %s\n", before, k.key, scalar(k.value))
			}
		}
		if len(r.Examples.Match)+len(r.Examples.Not) > 0 {
			fmt.Fprintf(&b, "%s  examples: {", before)
			sep := ""
			for _, k := range []struct {
				key   string
				words []string
			}{{"match", r.Examples.Match}, {"not", r.Examples.Not}} {
				if len(k.words) > 0 {
					fmt.Fprintf(&b, "%s%s: %s", sep, k.key, list(k.words))
					sep = ", "
				}
			}
			b.WriteString("}\n")
		}
	}
	return b.String()
}

// flow writes a match on one line.
func flow(m *policy.Match) string {
	var parts []string
	for _, k := range keys(m) {
		switch len(k.words) {
		case 0:
		case 1:
			parts = append(parts, k.key+": "+scalar(k.words[0]))
		default:
			parts = append(parts, k.key+": "+list(k.words))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func list(words []string) string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = scalar(w)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// scalar writes a text so that every reader of YAML takes it for that text.
func scalar(text string) string {
	if regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_./ -]*[A-Za-z0-9_./-]$|^[A-Za-z]$`).MatchString(text) &&
		!slices.Contains([]string{"true", "false", "null", "yes", "no", "on", "off", "y", "n"}, strings.ToLower(text)) {
		return text
	}
	// What Go quotes is a double-quoted scalar of YAML, but for \U and \x of bytes
	// that are no text, which nothing here holds.
	return strconv.QuoteToGraphic(strings.ToValidUTF8(text, "\uFFFD"))
}

// Append puts rules at the end of the list of a file, and leaves the rest of the
// file as it is written. Rules whose id is there are left out. added are those that
// were put in. name names the file in errors.
func Append(name string, text []byte, rules []policy.Rule, layer policy.Layer) (out []byte, added []policy.Rule, err error) {
	have, err := Parse(name, text, layer)
	if err != nil {
		return nil, nil, fmt.Errorf("mend the file first: %w", err)
	}
	for i := range rules {
		if !slices.ContainsFunc(have.Rules, func(r policy.Rule) bool { return r.ID == rules[i].ID }) {
			added = append(added, rules[i])
		}
	}
	if len(added) == 0 {
		return text, nil, nil
	}
	at, indent, head, err := end(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	var b bytes.Buffer
	b.Write(text[:at])
	if at > 0 && text[at-1] != '\n' {
		b.WriteByte('\n')
	}
	b.WriteString(head + Text(added, indent))
	b.Write(text[at:])
	now, err := Parse(name, b.Bytes(), layer)
	if err == nil && len(now.Rules) != len(have.Rules)+len(added) {
		err = errors.New("the rules did not all arrive")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("the file would not be right any more: put the rules in by hand: %w", err)
	}
	return b.Bytes(), added, nil
}

// end is where the list of rules of a file ends, how far its lines stand in, and what
// has to stand before the first rule.
func end(text []byte) (at, indent int, head string, err error) {
	var doc yaml.Node
	body := &doc
	if len(bytes.TrimSpace(text)) > 0 {
		// Nothing but comments is an error to package yaml, and the file was read before.
		_ = yaml.Load(text, &doc)
	}
	for body.Kind == yaml.DocumentNode && len(body.Content) == 1 {
		body = body.Content[0]
	}
	for i := 0; i+1 < len(body.Content); i += 2 {
		if body.Content[i].Value != "rules" {
			continue
		}
		seq := body.Content[i+1]
		if seq.Kind != yaml.SequenceNode || seq.Style&yaml.FlowStyle != 0 || len(seq.Content) == 0 {
			return 0, 0, "", fmt.Errorf("line %d: rules is no list of lines: put the rules in by hand", body.Content[i].Line)
		}
		at := len(text)
		if i+2 < len(body.Content) {
			at = lineStart(text, body.Content[i+2].Line)
			// A comment above the next key belongs to that.
			for at > 0 {
				before := bytes.LastIndexByte(text[:at-1], '\n') + 1
				line := bytes.TrimSpace(text[before:at])
				if len(line) > 0 && (line[0] != '#' || text[before] == ' ') {
					break
				}
				at = before
			}
		}
		return at, seq.Column - 1, "", nil
	}
	return len(text), 2, "rules:\n", nil
}

// lineStart is where a line begins; the first is 1.
func lineStart(text []byte, line int) (at int) {
	for ; line > 1; line-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}
