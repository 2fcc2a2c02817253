package sigma

import (
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// tokKind is what a piece of a pattern stands for.
type tokKind uint8

const (
	tokText tokKind = iota // itself
	tokStar                // any characters
	tokOne                 // one character
	tokDash                // one of the five dashes of windash
)

type tok struct {
	kind tokKind
	text string
}

// pattern is a Sigma string: text and wildcards.
type pattern []tok

// isDash reports whether r is one of the characters that windash takes for
// each other: hyphen, slash, en dash, em dash, horizontal bar.
func isDash(r rune) bool {
	return r == '-' || r == '/' || r == '–' || r == '—' || r == '―'
}

// parsePattern reads wildcards and escapes. A backslash takes away the meaning
// of a following *, ? or backslash; before anything else it is itself
// (specification, "Escaping").
func parsePattern(s string) pattern {
	var p pattern
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			p = append(p, tok{tokText, text.String()})
			text.Reset()
		}
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && (s[i+1] == '*' || s[i+1] == '?' || s[i+1] == '\\'):
			i++
			text.WriteByte(s[i])
		case c == '*':
			flush()
			p = append(p, tok{kind: tokStar})
		case c == '?':
			flush()
			p = append(p, tok{kind: tokOne})
		default:
			text.WriteByte(c)
		}
	}
	flush()
	return p
}

// apply rewrites patterns by one modifier; most leave what they do not know.
func (p pattern) apply(modifier string) ([]pattern, error) {
	switch modifier {
	case "contains":
		return []pattern{p.starred(true, true)}, nil
	case "startswith":
		return []pattern{p.starred(false, true)}, nil
	case "endswith":
		return []pattern{p.starred(true, false)}, nil
	case "windash":
		return []pattern{p.windash()}, nil
	case "utf16le", "wide", "utf16be", "utf16":
		return []pattern{p.utf16(modifier)}, nil
	case "base64":
		text, err := p.plain(modifier)
		return []pattern{{{tokText, base64.StdEncoding.EncodeToString([]byte(text))}}}, err
	case "base64offset":
		text, err := p.plain(modifier)
		return base64Offsets(text), err
	}
	return []pattern{p}, nil
}

// starred adds * before and after.
func (p pattern) starred(before, after bool) pattern {
	var out pattern
	if before {
		out = append(out, tok{kind: tokStar})
	}
	out = append(out, p...)
	if after {
		out = append(out, tok{kind: tokStar})
	}
	return out
}

// plain returns the text of a pattern without wildcards.
func (p pattern) plain(modifier string) (string, error) {
	var b strings.Builder
	for _, t := range p {
		if t.kind != tokText {
			return "", fmt.Errorf("%s of a value with wildcards", modifier)
		}
		b.WriteString(t.text)
	}
	return b.String(), nil
}

// windash lets every dash that begins a word match any dash: one that follows
// no letter, digit or underscore and is followed by one. The specification does
// not say which dashes are meant; its reference implementation, pySigma, takes
// those at \B[-/]\b, so that paths and hyphened words stay what they are.
func (p pattern) windash() pattern {
	var out pattern
	var before rune // the last character written; 0 after a wildcard and at the start
	for n, t := range p {
		if t.kind != tokText {
			out = append(out, t)
			before = 0
			continue
		}
		start := 0
		for i, r := range t.text {
			width := utf8.RuneLen(r)
			var after rune
			if i+width < len(t.text) {
				after, _ = utf8.DecodeRuneInString(t.text[i+width:])
			} else if n+1 < len(p) && p[n+1].kind == tokText {
				after, _ = utf8.DecodeRuneInString(p[n+1].text)
			}
			if isDash(r) && !wordRune(before) && wordRune(after) {
				if start < i {
					out = append(out, tok{tokText, t.text[start:i]})
				}
				out = append(out, tok{kind: tokDash})
				start = i + width
			}
			before = r
		}
		if start < len(t.text) {
			out = append(out, tok{tokText, t.text[start:]})
		}
	}
	return out
}

// utf16 writes the text as UTF-16 in the byte order of the modifier; utf16 alone
// is little endian behind a byte order mark, as the appendix shows it.
func (p pattern) utf16(modifier string) pattern {
	out := make(pattern, 0, len(p)+1)
	if modifier == "utf16" {
		out = append(out, tok{tokText, "\xff\xfe"})
	}
	for _, t := range p {
		if t.kind == tokText {
			var b strings.Builder
			for _, u := range utf16.Encode([]rune(t.text)) {
				if modifier == "utf16be" {
					b.WriteByte(byte(u >> 8))
					b.WriteByte(byte(u))
				} else {
					b.WriteByte(byte(u))
					b.WriteByte(byte(u >> 8))
				}
			}
			t.text = b.String()
		}
		out = append(out, t)
	}
	return out
}

// base64Offsets encodes a text as it looks inside of a longer text's base64,
// for the three ways in which it can lie across the groups of three bytes. The
// characters that also depend on what stands before and after are cut off.
func base64Offsets(text string) []pattern {
	if text == "" {
		return []pattern{{}}
	}
	// Of a text that begins i bytes into a group, the first i bytes spoil
	// these many characters; of one that ends with r bytes in a group, the last
	// characters, with the padding.
	first, last := [3]int{0, 2, 3}, [3]int{0, 3, 2}
	out := make([]pattern, 0, 3)
	for i := range 3 {
		e := base64.StdEncoding.EncodeToString([]byte("   "[:i] + text))
		from, to := first[i], len(e)-last[(len(text)+i)%3]
		if from >= to {
			continue // a single byte can leave no whole character
		}
		out = append(out, pattern{{tokText, e[from:to]}})
	}
	return out
}
