package pure

import (
	"strings"
	"unicode/utf8"
)

// bracket reads a bracket expression. Characters above 127, collating symbols
// and equivalence classes are left out.
func (p *reParser) bracket() (*reNode, error) {
	s := p.s[p.at+1:]
	i, negate := 0, false
	if strings.HasPrefix(s, "^") {
		negate, i = true, 1
	}
	var set reSet
	for first := true; ; first = false {
		if i >= len(s) {
			return nil, errUnknown
		}
		if s[i] == ']' && !first {
			break
		}
		if class, n, err := bracketClass(s[i:]); err != nil {
			return nil, err
		} else if n > 0 {
			set = set.or(setOf(class))
			i += n
			continue
		}
		lo, n, err := p.bracketChar(s[i:])
		if err != nil {
			return nil, err
		}
		i += n
		if i+1 >= len(s) || s[i] != '-' || s[i+1] == ']' {
			set.add(lo)
			continue
		}
		hi, n, err := p.bracketChar(s[i+1:])
		if err != nil || !p.plainRange(lo, hi) {
			return nil, errUnknown
		}
		i += 1 + n
		for c := int(lo); c <= int(hi); c++ {
			set.add(byte(c))
		}
	}
	if p.d.fold {
		set = set.folded()
	}
	if negate {
		set = set.not()
	}
	p.at += i + 2
	return p.chars(set), nil
}

// bracketClass reads [:name:] at the front of s; n is 0 if there is none.
func bracketClass(s string) (class func(byte) bool, n int, err error) {
	if len(s) < 2 || s[0] != '[' || strings.IndexByte(":.=", s[1]) < 0 {
		return nil, 0, nil
	}
	name, _, ok := strings.Cut(s[2:], ":]")
	if s[1] != ':' || !ok {
		return nil, 0, errUnknown
	}
	if class = classTest(name); class == nil {
		return nil, 0, errUnknown
	}
	return class, len(name) + 4, nil
}

// bracketChar reads one character of a bracket expression.
func (p *reParser) bracketChar(s string) (c byte, n int, err error) {
	if s[0] >= utf8.RuneSelf || s[0] == '[' && len(s) > 1 && strings.IndexByte(":.=", s[1]) >= 0 {
		return 0, 0, errUnknown
	}
	if s[0] != '\\' {
		return s[0], 1, nil
	}
	switch {
	case p.d.sed && len(s) > 1:
		if v, ok := sedEscape(s[1]); ok {
			return v, 2, nil
		}
		if strings.IndexByte("cdox", s[1]) >= 0 {
			return 0, 0, errUnknown
		}
	case p.d.awk && len(s) > 1:
		n, err := p.awkEscape(s[1])
		if err != nil {
			return 0, 0, err
		}
		for c := range 128 {
			if n.set.has(byte(c)) && (!p.d.fold || c == int(s[1])) {
				return byte(c), 2, nil
			}
		}
		return 0, 0, errUnknown
	case p.d.awk:
		return 0, 0, errUnknown
	}
	return '\\', 1, nil
}

// plainRange reports whether every locale reads the range as bytes.
func (p *reParser) plainRange(lo, hi byte) bool {
	if lo > hi {
		return false
	}
	return p.d.ranges || isDigit(lo) && isDigit(hi) || isLower(lo) && isLower(hi) || isUpper(lo) && isUpper(hi)
}
