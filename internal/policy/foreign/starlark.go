package foreign

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A call is a call of a function with literals, as Codex's rules are written.
type call struct {
	name string
	args map[string]any // text, bool or []any of these
	line int
}

// starlark reads a file that is nothing but such calls, which is what the rules of
// Codex are. The language can do more; a file that does is refused with its line.
// Source: Starlark specification, "Lexical elements".
func starlark(text string) ([]call, error) {
	p := &starlarkParser{text: text, line: 1}
	var calls []call
	for {
		p.space(true)
		if p.at == len(p.text) {
			return calls, nil
		}
		line := p.line
		c, err := p.call()
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line, err)
		}
		c.line = line
		calls = append(calls, c)
		if len(calls) > maxEntries {
			return nil, fmt.Errorf("line %d: more than %d rules", line, maxEntries)
		}
	}
}

type starlarkParser struct {
	text string
	at   int
	line int
}

// space skips spaces and comments, and the ends of lines if wanted.
func (p *starlarkParser) space(lines bool) {
	for p.at < len(p.text) {
		switch b := p.text[p.at]; {
		case b == '#':
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		case b == '\n' && lines:
			p.line++
			p.at++
		case b == ' ', b == '\t', b == '\r', b == ';' && lines:
			p.at++
		default:
			return
		}
	}
}

func (p *starlarkParser) name() string {
	from := p.at
	for p.at < len(p.text) {
		b := p.text[p.at]
		if b != '_' && (b < 'a' || b > 'z') && (b < 'A' || b > 'Z') && (b < '0' || b > '9' || p.at == from) {
			break
		}
		p.at++
	}
	return p.text[from:p.at]
}

func (p *starlarkParser) take(b byte) bool {
	if p.at < len(p.text) && p.text[p.at] == b {
		p.at++
		return true
	}
	return false
}

func (p *starlarkParser) call() (call, error) {
	c := call{name: p.name(), args: map[string]any{}}
	p.space(false)
	if c.name == "" || !p.take('(') {
		return c, fmt.Errorf("want a rule, as prefix_rule(pattern = [\"git\", \"push\"]): heed reads no programs")
	}
	for {
		p.space(true)
		if p.take(')') {
			return c, nil
		}
		name := p.name()
		p.space(true)
		if name == "" || !p.take('=') {
			return c, fmt.Errorf("want an argument with its name, as decision = \"prompt\"")
		}
		value, err := p.value(0)
		if err != nil {
			return c, err
		}
		if _, twice := c.args[name]; twice {
			return c, fmt.Errorf("%.40s is given twice", name)
		}
		c.args[name] = value
		p.space(true)
		if !p.take(',') {
			p.space(true)
			if !p.take(')') {
				return c, fmt.Errorf("want a comma or the end of the call after %.40s", name)
			}
			return c, nil
		}
	}
}

const maxDepth = 8

// value reads a text, a list, True, False or None.
func (p *starlarkParser) value(depth int) (any, error) {
	p.space(true)
	if depth > maxDepth {
		return nil, fmt.Errorf("lists in lists in lists")
	}
	if p.take('[') {
		list := []any{}
		for {
			p.space(true)
			if p.take(']') {
				return list, nil
			}
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
			p.space(true)
			if !p.take(',') {
				p.space(true)
				if !p.take(']') {
					return nil, fmt.Errorf("want a comma or the end of the list")
				}
				return list, nil
			}
		}
	}
	from := p.at
	switch word := p.name(); {
	case word == "True":
		return true, nil
	case word == "False", word == "None":
		return false, nil
	case word == "r" || word == "":
		return p.quoted(word == "r")
	}
	p.at = from
	return nil, fmt.Errorf("want a text or a list: heed reads no programs")
}

// quoted reads a text between quotes.
func (p *starlarkParser) quoted(raw bool) (string, error) {
	if p.at == len(p.text) || p.text[p.at] != '"' && p.text[p.at] != '\'' {
		return "", fmt.Errorf("want a text or a list: heed reads no programs")
	}
	end := p.text[p.at : p.at+1]
	if triple := strings.Repeat(end, 3); strings.HasPrefix(p.text[p.at:], triple) {
		end = triple
	}
	p.at += len(end)
	var b strings.Builder
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case strings.HasPrefix(p.text[p.at:], end):
			p.at += len(end)
			return b.String(), nil
		case c == '\n' && len(end) == 1:
			return "", fmt.Errorf("a text that does not end")
		case c == '\\' && !raw && p.at+1 < len(p.text):
			p.at++
			letter, ok := map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': "\\", '"': "\"", '\'': "'", '\n': ""}[p.text[p.at]]
			if !ok {
				return "", fmt.Errorf("an escape in a text that heed does not read")
			}
			if p.text[p.at] == '\n' {
				p.line++
			}
			b.WriteString(letter)
			p.at++
		default:
			if c == '\n' {
				p.line++
			}
			_, size := utf8.DecodeRuneInString(p.text[p.at:])
			b.WriteString(p.text[p.at : p.at+size])
			p.at += size
		}
	}
	return "", fmt.Errorf("a text that does not end")
}
