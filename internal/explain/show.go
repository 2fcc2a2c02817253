package explain

import (
	"fmt"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/heedsh/heed/risk"
)

// maxName is the longest piece of the command's own text in a sentence, in
// characters (DESIGN section 1).
const maxName = 60

// Visible makes text safe to show on a terminal and in a dialog: control
// characters, bidirectional and zero-width characters appear as escapes, and
// badge words are broken up so that a file cannot be called "[SAFE] approved".
func Visible(s string) string {
	if printable(s) {
		return breakBadges(s)
	}
	var b strings.Builder
	for i, w := 0, 0; i < len(s); i += w {
		var r rune
		r, w = utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && w == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == ' ':
			b.WriteByte(' ')
		case !unicode.IsGraphic(r) || hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return breakBadges(b.String())
}

// printable reports whether text is printable ASCII, as almost all is.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// hidden are characters that are drawn as nothing, or that change the order
// or look of others: format characters, variation selectors, wide spaces.
func hidden(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Zs, r) && r != ' ' ||
		r == 0x115f || r == 0x1160 || r == 0x3164 || r == 0xffa0 || r == 0x2800 || r == 0x034f
}

// breakBadges breaks up heed's own badge words in foreign text: a dot is put
// behind the bracket that would make them look like a badge.
func breakBadges(s string) string {
	if !strings.ContainsAny(s, "[]") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if s[i] == ']' && badgeWord(s[:i], true) {
			b.WriteString("·")
		}
		b.WriteByte(s[i])
		if s[i] == '[' && badgeWord(s[i+1:], false) {
			b.WriteString("·")
		}
	}
	return b.String()
}

// badgeWord reports whether s begins, or ends, with one of the badge words.
func badgeWord(s string, atEnd bool) bool {
	for _, w := range []string{"SAFE", "CAUTION", "REVIEW"} {
		if len(s) < len(w) {
			continue
		}
		piece := s[:len(w)]
		if atEnd {
			piece = s[len(s)-len(w):]
		}
		if strings.EqualFold(piece, w) {
			return true
		}
	}
	return false
}

// Cut shortens text to n characters with an ellipsis in the middle, where a
// path's beginning and end both still show.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := (n - 1) / 2
	return string(r[:head]) + "…" + string(r[len(r)-(n-1-head):])
}

// A place says from where paths are shown.
type place struct{ dir, home string }

// path writes an absolute path as a person in dir would: ./x, ~/x or /x.
func (p place) path(name string) string {
	switch {
	case name == "":
		return "an unknown place"
	case name == risk.NewTemp || strings.HasPrefix(name, risk.NewTemp+"/") || strings.HasPrefix(name, risk.NewTemp+"."):
		name = "<mktemp>" + name[len(risk.NewTemp):]
	case name == p.dir:
		name = "."
	case p.dir != "" && p.dir != "/" && strings.HasPrefix(name, p.dir+"/"):
		name = "./" + name[len(p.dir)+1:]
	case p.home != "" && p.home != "/" && name == p.home:
		name = "~"
	case p.home != "" && p.home != "/" && strings.HasPrefix(name, p.home+"/"):
		name = "~/" + name[len(p.home)+1:]
	}
	return quote(name)
}

// paths shows files as path does.
func (p place) paths(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = p.path(name)
	}
	return out
}

// named shows a target that may be a path, a word of the command, or the
// catalog's own name for something, which stands without quotation marks.
func (p place) named(target string) string {
	switch {
	case strings.HasPrefix(target, "/"):
		return p.path(target)
	case risk.IsNoun(target):
		return target
	}
	return quote(target)
}

// quote shows foreign text: visible, cut, in quotes if it has spaces.
func quote(s string) string {
	s = Cut(Visible(s), maxName)
	if strings.ContainsAny(s, " \"'`") || s == "" {
		return "“" + s + "”"
	}
	return s
}

// number writes 1243 as 1,243.
func number(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + more
}

// size writes bytes as a person reads them, in decimal units.
func size(n int64) string {
	f, unit := float64(n), ""
	for _, u := range []string{"kB", "MB", "GB", "TB"} {
		if f < 1000 {
			break
		}
		f, unit = f/1000, u
	}
	if unit == "" {
		return fmt.Sprintf("%d bytes", n)
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") + " " + unit
}

func base(p string) string { return path.Base(p) }
