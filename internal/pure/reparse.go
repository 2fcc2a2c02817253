package pure

import (
	"strings"
	"unicode/utf8"
)

// A reDialect says which program reads the pattern: they share POSIX's
// grammars and GNU's additions, but differ in escapes.
type reDialect struct {
	extended bool // ERE instead of BRE
	sed      bool // \n \t … and \n in brackets
	awk      bool // C escapes everywhere; no GNU escapes, no intervals
	fold     bool // ignore case
	lines    bool // ^ and $ match at every line
	ranges   bool // any range is in byte order (C locales)
}

// Bounds of a pattern.
const (
	maxPattern  = 4096 // bytes
	maxRepeat   = 255  // POSIX RE_DUP_MAX; Go allows 1000 in all
	maxREDepth  = 50
	maxREGroups = 30
	maxRESize   = 4000 // nodes with repetitions written out
)

// A reParser is a recursive-descent parser for BRE and ERE.
type reParser struct {
	s      string
	at     int
	d      reDialect
	groups int
	depth  int
}

func parseRE(pattern string, d reDialect) (*reNode, error) {
	if len(pattern) > maxPattern || !utf8.ValidString(pattern) || strings.IndexByte(pattern, 0) >= 0 {
		return nil, errUnknown
	}
	if d.fold && !isASCII(pattern) {
		return nil, errUnknown
	}
	p := &reParser{s: pattern, d: d}
	n, err := p.alternation()
	if err != nil {
		return nil, err
	}
	if p.at < len(p.s) || n.size(maxRESize) > maxRESize || p.groups > maxREGroups {
		return nil, errUnknown
	}
	return n, nil
}

// operator reports whether the special character c stands here: bare in ERE,
// behind a backslash in BRE. n is its length.
func (p *reParser) operator(c byte) (n int, ok bool) {
	rest := p.s[p.at:]
	if p.d.extended {
		return 1, rest != "" && rest[0] == c
	}
	return 2, len(rest) > 1 && rest[0] == '\\' && rest[1] == c
}

func (p *reParser) alternation() (*reNode, error) {
	if p.depth++; p.depth > maxREDepth {
		return nil, errUnknown
	}
	defer func() { p.depth-- }()
	var branches []*reNode
	for {
		b, err := p.branch()
		if err != nil {
			return nil, err
		}
		branches = append(branches, b)
		n, ok := p.operator('|')
		if !ok {
			break
		}
		p.at += n
	}
	if len(branches) == 1 {
		return branches[0], nil
	}
	for _, b := range branches {
		if len(b.subs) == 0 {
			return nil, errUnknown // a||b: implementations differ
		}
	}
	return &reNode{op: reAlt, subs: branches}, nil
}

// branch reads a sequence up to | or ).
func (p *reParser) branch() (*reNode, error) {
	cat := &reNode{op: reCat}
	start := true // nothing but an anchor so far: a BRE star is literal
	for p.at < len(p.s) {
		if _, ok := p.operator('|'); ok {
			break
		}
		if _, ok := p.operator(')'); ok && p.depth > 1 {
			break
		}
		if _, ok := p.operator('{'); ok && start {
			return nil, errUnknown
		}
		n, err := p.atom(len(cat.subs) == 0, start)
		if err != nil {
			return nil, err
		}
		if !n.assertion() {
			if n, err = p.repeats(n); err != nil {
				return nil, err
			}
			start = false
		} else if !(n.op == reBegin && len(cat.subs) == 0) {
			if p.repeatFollows() {
				return nil, errUnknown
			}
			start = false
		} else if p.d.extended && p.repeatFollows() {
			return nil, errUnknown
		}
		cat.subs = append(cat.subs, n)
	}
	return cat, nil
}

// atom reads one element. first says that it opens the branch, start that a
// BRE star here is an ordinary character.
func (p *reParser) atom(first, start bool) (*reNode, error) {
	if n, ok := p.operator('('); ok {
		p.at += n
		p.groups++
		sub, err := p.alternation()
		if err != nil {
			return nil, err
		}
		n, ok := p.operator(')')
		if !ok {
			return nil, errUnknown
		}
		p.at += n
		return &reNode{op: reGroup, subs: []*reNode{sub}}, nil
	}
	c := p.s[p.at]
	switch {
	case c == '\\':
		return p.escape()
	case c == '[':
		return p.bracket()
	case c == '.':
		p.at++
		return &reNode{op: reChars, set: reSet{}.not()}, nil
	case c == '^' && (p.d.extended || first):
		p.at++
		return &reNode{op: reBegin}, nil
	case c == '$' && (p.d.extended || p.atBranchEnd(p.at+1)):
		p.at++
		return &reNode{op: reEnd}, nil
	case c == '*' && !start && !p.d.extended, p.d.extended && strings.IndexByte("*+?{)", c) >= 0:
		return nil, errUnknown // nothing to repeat: undefined in POSIX
	case c == '\n' && !p.d.sed && !p.d.awk:
		return nil, errUnknown // separates patterns for grep
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(p.s[p.at:])
		p.at += n
		return &reNode{op: reRune, char: r}, nil
	}
	p.at++
	return p.literal(c), nil
}

// atBranchEnd reports whether a BRE branch ends at i.
func (p *reParser) atBranchEnd(i int) bool {
	rest := p.s[i:]
	return rest == "" || strings.HasPrefix(rest, `\)`) || strings.HasPrefix(rest, `\|`)
}

func (p *reParser) literal(c byte) *reNode {
	n := &reNode{op: reChars}
	n.set.add(c)
	if p.d.fold {
		n.set = n.set.folded()
	}
	return n
}

func (p *reParser) chars(s reSet) *reNode { return &reNode{op: reChars, set: s} }

// escape reads a backslash and what follows.
func (p *reParser) escape() (*reNode, error) {
	if p.at+1 >= len(p.s) {
		return nil, errUnknown
	}
	c := p.s[p.at+1]
	p.at += 2
	if p.d.awk {
		return p.awkEscape(c)
	}
	switch c {
	case 'w':
		return p.chars(wordSet()), nil
	case 'W':
		return p.chars(wordSet().not()), nil
	case 's':
		return p.chars(setOf(isSpace)), nil
	case 'S':
		return p.chars(setOf(isSpace).not()), nil
	case 'b':
		return &reNode{op: reWordEdge}, nil
	case '<':
		return &reNode{op: reWordStart}, nil
	case '>':
		return &reNode{op: reWordEnd}, nil
	case '`':
		return &reNode{op: reTextBegin}, nil
	case '\'':
		return &reNode{op: reTextEnd}, nil
	}
	if p.d.sed {
		if v, ok := sedEscape(c); ok {
			return p.literal(v), nil
		}
		if c == 'x' {
			return p.sedHex()
		}
	}
	special := `.[]\*^$/`
	if p.d.extended {
		special += "+?(){}|"
	}
	// Other punctuation stands for itself too, letters and digits do not.
	if strings.IndexByte(special, c) >= 0 || p.d.extended && c < utf8.RuneSelf && !isAlnum(c) && isPrint(c) ||
		strings.IndexByte(`"#%&,-:;=@_!~ `, c) >= 0 {
		return p.literal(c), nil
	}
	return nil, errUnknown
}

// sedEscape is a one-letter escape of GNU sed.
func sedEscape(c byte) (byte, bool) {
	if c == 'b' || c == '\\' {
		return 0, false
	}
	v := simpleEscape(c)
	return v, v != 0
}

// sedHex reads \xHH; a special character made that way was special in older
// versions.
func (p *reParser) sedHex() (*reNode, error) {
	v, n := digits(p.s[p.at:], 16, 2)
	if n == 0 || v >= utf8.RuneSelf || v == 0 || isPrint(byte(v)) && !isAlnum(byte(v)) && strings.IndexByte(" !\"#%&',-/:;<=>@_`~", byte(v)) < 0 {
		return nil, errUnknown
	}
	p.at += n
	return p.literal(byte(v)), nil
}

// awkEscape is an escape that every awk knows.
func (p *reParser) awkEscape(c byte) (*reNode, error) {
	switch {
	case c == 'n' || c == 't' || c == 'r' || c == 'f' || c == 'v' || c == 'a':
		return p.literal(simpleEscape(c)), nil
	case strings.IndexByte(`.[]\*^$/"+?(){}|-&`, c) >= 0:
		return p.literal(c), nil
	}
	return nil, errUnknown
}

func (p *reParser) repeatFollows() bool {
	if p.at < len(p.s) && p.s[p.at] == '*' {
		return true
	}
	for _, c := range []byte("+?{") {
		if _, ok := p.operator(c); ok {
			return true
		}
	}
	return false
}

// repeats reads the repetition operators after an atom.
func (p *reParser) repeats(n *reNode) (*reNode, error) {
	for again := false; ; again = true {
		low, high := 0, -1
		if p.at < len(p.s) && p.s[p.at] == '*' {
			p.at++
		} else if k, ok := p.operator('+'); ok {
			p.at, low = p.at+k, 1
		} else if k, ok := p.operator('?'); ok {
			p.at, high = p.at+k, 1
		} else if k, ok := p.operator('{'); ok {
			if p.d.awk {
				return nil, errUnknown // mawk reads it as text
			}
			p.at += k
			var err error
			if low, high, err = p.interval(); err != nil {
				return nil, err
			}
		} else {
			return n, nil
		}
		if again {
			return nil, errUnknown // a**: an error in some programs
		}
		n = &reNode{op: reRepeat, min: low, max: high, subs: []*reNode{n}}
	}
}

// interval reads m}, m,} or m,n} (with a backslash in BRE).
func (p *reParser) interval() (low, high int, err error) {
	end := strings.IndexByte(p.s[p.at:], '}')
	if end < 0 {
		return 0, 0, errUnknown
	}
	body := p.s[p.at : p.at+end]
	p.at += end + 1
	if !p.d.extended {
		var ok bool
		if body, ok = strings.CutSuffix(body, `\`); !ok {
			return 0, 0, errUnknown
		}
	}
	a, b, comma := strings.Cut(body, ",")
	low, ok := decimal(a)
	high = low
	if ok && comma {
		high = -1
		if b != "" {
			high, ok = decimal(b)
		}
	}
	if !ok || low > maxRepeat || high > maxRepeat || high >= 0 && high < low {
		return 0, 0, errUnknown
	}
	return low, high, nil
}
