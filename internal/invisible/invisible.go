// Package invisible finds characters that hide or reorder what a person reads.
//
// In goes a text that is shown to somebody before it runs; out comes what is first
// in it that the eye misses, in words, or nothing. It knows no command and no shell.
//
// Sources: Unicode 16, chapters 9, 12, 23 (joiners, fillers, tags, variation
// selectors); UAX #9 and UTR #36 (direction); UTS #51 (emoji sequences).
package invisible

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Find returns what a text hides, and where it begins in it; what is empty where
// nothing does. Joiners between letters of scripts that need them, marks of
// direction beside Arabic and Hebrew, and what belongs to an emoji hide nothing.
func Find(text string) (what string, at int) {
	var before rune
	for i, size := 0, 0; i < len(text); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(text[i:])
		after, _ := utf8.DecodeRuneInString(text[i+size:])
		switch {
		case r < ' ':
			what = control(r, before, after)
		case r < 0x7f:
		case r == 0x7f:
			what = "a delete character"
		case r >= 0x80 && r < 0xa0:
			what = "a control character"
		case turns(r):
			what = "a character that turns the direction of writing"
		case mark(r):
			if !rightToLeft(before) && !rightToLeft(after) {
				what = "a character that turns the direction of writing"
			}
		case r == 0x200c || r == 0x200d:
			if !joins(before) || !joins(after) {
				what = "an invisible character"
			}
		case selector(r):
			if !selects(before, r) {
				what = "an invisible character"
			}
		case r >= 0xe0000 && r <= 0xe007f:
			if before != 0x1f3f4 && (before < 0xe0000 || before > 0xe007f) { // the flag of a region
				what = "an invisible character"
			}
		case unseen(r):
			if i > 0 || r != 0xfeff { // a byte order mark
				what = "an invisible character"
			}
		}
		if what != "" {
			if r > ' ' {
				what += fmt.Sprintf(" (U+%04X)", r)
			}
			return what, i
		}
		before = r
	}
	return "", 0
}

// control says what a control character hides where a terminal obeys it.
func control(r, before, after rune) string {
	switch r {
	case '\t', '\n', '\v', '\f', 0x07:
		return ""
	case '\r':
		if after == '\n' || after == utf8.RuneError || before == '\n' {
			return "" // the end of a line
		}
		return "a carriage return in the middle of a line"
	case '\b':
		return "a backspace"
	case 0x1b:
		return "an escape sequence"
	}
	return ""
}

// turns are the embeddings, overrides and isolates (UAX #9, 2).
func turns(r rune) bool { return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 }

// mark are the marks of direction, which take no room.
func mark(r rune) bool { return r == 0x200e || r == 0x200f || r == 0x61c }

func rightToLeft(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
}

// joins reports whether a joiner beside r means something: in scripts whose
// letters change shape, and in emoji.
func joins(r rune) bool {
	return emoji(r) || unicode.In(r, unicode.Arabic, unicode.Syriac, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati,
		unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Mongolian, unicode.Tibetan)
}

// emoji reports whether r can be part of an emoji.
func emoji(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x2bff || r == 0xfe0f || r == 0x3030 || r == 0x303d || r == 0x3297 || r == 0x3299
}

func selector(r rune) bool { return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef }

// selects reports whether a variation selector behind a character is one that
// exists: an emoji or keycap, a mathematical sign, an ideograph. More than one says
// nothing but hidden text.
func selects(before, r rune) bool {
	switch {
	case r >= 0xe0100:
		return unicode.Is(unicode.Han, before)
	case before >= '0' && before <= '9' || before == '#' || before == '*' || before == 0xa9 || before == 0xae || before == 0x203c || before == 0x2049 || before == 0x2122 || before == 0x2139:
		return true
	}
	return before != 0xfe0f && emoji(before) || unicode.In(before, unicode.Han, unicode.Mongolian, unicode.Myanmar)
}

// unseen are the other characters that show nothing or an empty place.
func unseen(r rune) bool {
	switch r {
	case 0xad, 0x34f, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180c, 0x180d, 0x180e, 0x200b, 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0x206a, 0x206b, 0x206c, 0x206d, 0x206e, 0x206f, 0x3164, 0xfeff, 0xffa0:
		return true
	}
	return false
}
