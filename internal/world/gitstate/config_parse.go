package gitstate

import (
	"errors"
	"strings"
)

const (
	maxConfigFile    = 1 << 20
	maxConfigEntries = 100_000
)

var (
	errConfigLine = errors.New("bad config line")
	errConfigSize = errors.New("too many config entries")
)

// A configEntry is one assignment. Its key is as git prints it: section and name
// in lower case, subsection as written.
type configEntry struct {
	key   string
	value string
	bare  bool // "name" without "=": true as a boolean
	own   bool // in a file of the repository, or one that such a file includes
}

// parseConfig reads a configuration file as git-config(1), "CONFIGURATION FILE"
// describes it. At the first bad line it stops and says so, with what came before:
// git refuses to work there.
func parseConfig(data []byte) ([]configEntry, error) {
	p := &configParser{text: strings.TrimPrefix(string(data), "\ufeff")}
	err := p.file()
	return p.out, err
}

type configParser struct {
	text    string
	pos     int
	section string // "core." or "remote.origin."
	out     []configEntry
}

// next returns the next byte; CR LF is one newline, and so is the end.
func (p *configParser) next() byte {
	if p.pos >= len(p.text) {
		p.pos = len(p.text) + 1
		return '\n'
	}
	c := p.text[p.pos]
	p.pos++
	if c == '\r' && p.pos < len(p.text) && p.text[p.pos] == '\n' {
		p.pos++
		return '\n'
	}
	return c
}

func (p *configParser) ended() bool { return p.pos > len(p.text) }

func (p *configParser) file() error {
	for {
		c := p.next()
		switch {
		case p.ended():
			return nil
		case isConfigSpace(c):
		case c == '#' || c == ';':
			for p.next() != '\n' {
			}
			if p.ended() {
				return nil
			}
		case c == '[':
			if err := p.header(); err != nil {
				return err
			}
		case isAlpha(c):
			if err := p.assignment(c); err != nil {
				return err
			}
			if len(p.out) > maxConfigEntries {
				return errConfigSize
			}
		default:
			return errConfigLine
		}
	}
}

// header reads the rest of [section] or [section "subsection"].
func (p *configParser) header() error {
	var b strings.Builder
	for {
		c := p.next()
		switch {
		case p.ended():
			return errConfigLine
		case c == ']':
			p.section = b.String() + "."
			return nil
		case isConfigSpace(c):
			return p.subsection(&b, c)
		case !isKeyByte(c) && c != '.':
			return errConfigLine
		}
		b.WriteByte(lower(c))
	}
}

// subsection reads ` "name"]`; c is the first blank.
func (p *configParser) subsection(b *strings.Builder, c byte) error {
	for isConfigSpace(c) {
		if c == '\n' {
			return errConfigLine
		}
		c = p.next()
	}
	if c != '"' {
		return errConfigLine
	}
	b.WriteByte('.')
	for {
		c = p.next()
		if c == '\\' {
			if c = p.next(); c != '\n' {
				b.WriteByte(c)
				continue
			}
		}
		switch c {
		case '\n':
			return errConfigLine
		case '"':
			if p.next() != ']' {
				return errConfigLine
			}
			p.section = b.String() + "."
			return nil
		}
		b.WriteByte(c)
	}
}

// assignment reads "name", "name =" or "name = value"; c is its first letter.
func (p *configParser) assignment(c byte) error {
	var b strings.Builder
	b.WriteString(p.section)
	for isKeyByte(c) {
		b.WriteByte(lower(c))
		c = p.next()
	}
	for c == ' ' || c == '\t' {
		c = p.next()
	}
	e := configEntry{key: b.String(), bare: true}
	if c != '\n' {
		if c != '=' {
			return errConfigLine
		}
		v, err := p.value()
		if err != nil {
			return err
		}
		e.value, e.bare = v, false
	}
	p.out = append(p.out, e)
	return nil
}

// value reads up to the end of the line: quotes removed, escapes and
// continuations resolved, comments and outer blanks dropped. Blanks inside are
// kept as they are (git 2.45; before, each became a space).
func (p *configParser) value() (string, error) {
	var b, blanks strings.Builder
	quoted := false
	for {
		c := p.next()
		switch {
		case c == '\n':
			if quoted {
				return "", errConfigLine
			}
			return b.String(), nil
		case isConfigSpace(c) && !quoted:
			if b.Len() > 0 {
				blanks.WriteByte(c)
			}
			continue
		case !quoted && (c == '#' || c == ';'):
			for p.next() != '\n' {
			}
			return b.String(), nil
		}
		b.WriteString(blanks.String())
		blanks.Reset()
		switch c {
		case '"':
			quoted = !quoted
		case '\\':
			r, ok := configEscape(p.next())
			if !ok {
				return "", errConfigLine
			}
			b.WriteString(r)
		default:
			b.WriteByte(c)
		}
	}
}

func configEscape(c byte) (string, bool) {
	switch c {
	case '\n':
		return "", true
	case 't':
		return "\t", true
	case 'b':
		return "\b", true
	case 'n':
		return "\n", true
	case '\\', '"':
		return string(rune(c)), true
	}
	return "", false
}

func isConfigSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isAlpha(c byte) bool { return 'a' <= lower(c) && lower(c) <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isKeyByte(c byte) bool { return isAlpha(c) || isDigit(c) || c == '-' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// normalKey spells a key as parseConfig does: "Core.HooksPath" and
// "core.hookspath" are one key, a subsection keeps its case.
func normalKey(key string) string {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first < 0 {
		return asciiLower(key)
	}
	return asciiLower(key[:first]) + key[first:last] + asciiLower(key[last:])
}

func asciiLower(s string) string {
	for i := range len(s) {
		if lower(s[i]) != s[i] {
			b := []byte(s)
			for j := range b {
				b[j] = lower(b[j])
			}
			return string(b)
		}
	}
	return s
}

// configBool reads a boolean as git_config_bool does; ok is false if it is none.
func configBool(v string) (value, ok bool) {
	switch asciiLower(v) {
	case "true", "yes", "on":
		return true, true
	case "false", "no", "off", "":
		return false, true
	}
	n, digits := 0, strings.TrimLeft(v, "+-")
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return false, false
		}
		n |= int(digits[i] - '0')
	}
	return n != 0, digits != ""
}
