package pure

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A pattern is a POSIX regular expression ready to search with.
type pattern struct {
	re       *regexp.Regexp
	groups   int
	exact    bool // submatches are POSIX's
	high     bool // can match characters above 127
	counts   bool // what is one character matters
	wordy    bool // asks what is a word character or of which class
	spaces   bool // asks what is white space
	cheap    bool // all matches cost one pass
	nullable bool
	anchor   bool // nothing but ^ or $
	fixed    int  // the only length of a match, or -1
	overlaps bool // two matches could share characters
	size     int
}

// compileRE translates a pattern for Go's engine.
func (j *job) compileRE(text string, d reDialect) (*pattern, error) {
	d.ranges = j.locale("LC_COLLATE") != charsetUnknown && j.ctype() != charsetUnknown
	n, err := parseRE(text, d)
	if err != nil {
		return nil, err
	}
	size := n.size(maxRESize)
	if !j.spend(size * 16) {
		return nil, errUnknown
	}
	e := reEmitter{lines: d.lines}
	if err := e.emit(n); err != nil {
		return nil, err
	}
	re, err := regexp.Compile("(?s)" + e.b.String())
	if err != nil {
		return nil, errUnknown
	}
	re.Longest()
	reach, _ := n.reach()
	return &pattern{
		re:       re,
		groups:   re.NumSubexp(),
		exact:    n.exactGroups(),
		high:     n.hasHigh(),
		counts:   n.countsCharacters(),
		wordy:    usesClasses(text) || n.any(func(m *reNode) bool { return m.op >= reWordEdge }),
		spaces:   usesSpaces(text),
		cheap:    n.searchesCheaply(),
		nullable: n.nullable(),
		anchor:   text == "^" || text == "$",
		fixed:    reach.fixed,
		overlaps: !n.any((*reNode).leaf) || n.mayOverlap(),
		size:     size,
	}, nil
}

// usesSpaces reports whether the text may ask for white space or blanks, of
// which some locales know more than the ASCII ones.
func usesSpaces(text string) bool {
	return containsAny(text, "[:space:]", "[:blank:]", `\s`, `\S`)
}

// usesClasses reports whether the text may ask for another character class
// that has members above 127 in some locales.
func usesClasses(text string) bool {
	for _, known := range []string{"[:space:]", "[:blank:]", "[:digit:]", "[:xdigit:]"} {
		text = strings.ReplaceAll(text, known, "")
	}
	return containsAny(text, "[:", `\w`, `\W`)
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// A reEmitter writes a tree in Go's syntax.
type reEmitter struct {
	b     strings.Builder
	lines bool
}

func (e *reEmitter) emit(n *reNode) error {
	switch n.op {
	case reChars:
		return e.set(n.set)
	case reRune:
		e.b.WriteString(regexp.QuoteMeta(string(n.char)))
	case reCat:
		return e.cat(n.subs)
	case reAlt:
		e.b.WriteString("(?:")
		for i, s := range n.subs {
			if i > 0 {
				e.b.WriteByte('|')
			}
			if err := e.emit(s); err != nil {
				return err
			}
		}
		e.b.WriteByte(')')
	case reRepeat:
		return e.repeat(n)
	case reGroup:
		e.b.WriteByte('(')
		if err := e.emit(n.subs[0]); err != nil {
			return err
		}
		e.b.WriteByte(')')
	default:
		return e.assertion(n)
	}
	return nil
}

func (e *reEmitter) assertion(n *reNode) error {
	switch {
	case n.op == reBegin && e.lines:
		e.b.WriteString("(?m:^)")
	case n.op == reEnd && e.lines:
		e.b.WriteString("(?m:$)")
	case n.op == reBegin, n.op == reTextBegin:
		e.b.WriteString(`\A`)
	case n.op == reEnd, n.op == reTextEnd:
		e.b.WriteString(`\z`)
	case n.op == reWordEdge:
		e.b.WriteString(`\b`)
	default:
		return errUnknown
	}
	return nil
}

// cat writes a sequence. Go has no \< and \>: beside something that is surely
// a word character they are \b.
func (e *reEmitter) cat(subs []*reNode) error {
	for i, n := range subs {
		switch n.op {
		case reWordStart:
			if i+1 >= len(subs) || !surelyWord(subs[i+1], subs[i+1].first()) {
				return errUnknown
			}
			e.b.WriteString(`\b`)
		case reWordEnd:
			if i == 0 || !surelyWord(subs[i-1], subs[i-1].last()) {
				return errUnknown
			}
			e.b.WriteString(`\b`)
		case reChars:
			s := n.set
			if i > 0 && subs[i-1].op == reWordStart || i+1 < len(subs) && subs[i+1].op == reWordEnd {
				s = s.and(wordSet())
			}
			if err := e.set(s); err != nil {
				return err
			}
		default:
			if err := e.emit(n); err != nil {
				return err
			}
		}
	}
	return nil
}

// surelyWord reports whether the node must match a word character at its edge
// (a single character is cut down to word characters by the caller).
func surelyWord(n *reNode, edge reSet) bool {
	return n.op == reChars || !n.nullable() && edge.within(wordSet())
}

func (e *reEmitter) repeat(n *reNode) error {
	e.b.WriteString("(?:")
	if err := e.emit(n.subs[0]); err != nil {
		return err
	}
	e.b.WriteByte(')')
	switch {
	case n.max < 0 && n.min == 0:
		e.b.WriteByte('*')
	case n.max < 0 && n.min == 1:
		e.b.WriteByte('+')
	case n.max < 0:
		fmt.Fprintf(&e.b, "{%d,}", n.min)
	default:
		fmt.Fprintf(&e.b, "{%d,%d}", n.min, n.max)
	}
	return nil
}

// set writes a character class; one that is empty cannot be written plainly.
func (e *reEmitter) set(s reSet) error {
	if s.empty() {
		return errUnknown
	}
	e.b.WriteByte('[')
	for c := 0; c < 128; c++ {
		if !s.has(byte(c)) {
			continue
		}
		end := c
		for end+1 < 128 && s.has(byte(end+1)) {
			end++
		}
		fmt.Fprintf(&e.b, `\x%02x-\x%02x`, c, end)
		c = end
	}
	if s.high {
		e.b.WriteString(`\x{80}-\x{10ffff}`)
	}
	e.b.WriteByte(']')
	return nil
}

// find returns up to limit matches in text (all if limit < 0), or errUnknown
// if the locale could change them or the budget is spent.
func (p *pattern) find(j *job, text []byte, limit int) ([][]int, error) {
	if err := p.admits(j, text, limit == 1); err != nil {
		return nil, err
	}
	cost := (len(text) + 16) * (1 + p.size/8)
	if limit != 1 && !p.cheap {
		cost += len(text) / 2 * len(text) * (1 + p.size/8)
	}
	if !j.spend(cost) {
		return nil, errUnknown
	}
	return p.re.FindAllSubmatchIndex(text, limit), nil
}

// matches reports whether the pattern is found in text.
func (p *pattern) matches(j *job, text []byte) (bool, error) {
	if err := p.admits(j, text, true); err != nil {
		return false, err
	}
	if !j.spend((len(text) + 16) * (1 + p.size/8)) {
		return false, errUnknown
	}
	return p.re.Match(text), nil
}

// admits reports whether the program's locale surely reads text as Go does;
// once says that one match is looked for.
func (p *pattern) admits(j *job, text []byte, once bool) error {
	if bytes.IndexByte(text, 0) >= 0 {
		return errUnknown
	}
	if isASCII(text) {
		return nil
	}
	if p.wordy || p.spaces && bytes.ContainsFunc(text, func(r rune) bool {
		return r >= utf8.RuneSelf && (unicode.IsSpace(r) || r == utf8.RuneError)
	}) {
		return errUnknown
	}
	switch {
	case p.nullable && !once: // some programs step by bytes over an empty match
		return errUnknown
	case !p.high:
		return nil
	case !utf8.Valid(text), p.counts && j.ctype() != charsetUTF8:
		return errUnknown
	}
	return nil
}
