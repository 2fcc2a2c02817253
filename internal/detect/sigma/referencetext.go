package sigma

import (
	"fmt"
	"regexp"
	"strings"
)

// refSymbol is one character of a value, or a wildcard for one or many.
type refSymbol struct {
	r         rune
	any, many bool
}

func refLiteral(s string) []refSymbol {
	var out []refSymbol
	for _, r := range s {
		out = append(out, refSymbol{r: r})
	}
	return out
}

// refSymbols reads the escapes of a value from the rule.
func refSymbols(s string) []refSymbol {
	var out []refSymbol
	escaped := false
	for _, r := range s {
		special := r == '*' || r == '?' || r == '\\'
		switch {
		case escaped && special:
			out, escaped = append(out, refSymbol{r: r}), false
			continue
		case escaped:
			out, escaped = append(out, refSymbol{r: '\\'}), false
		}
		switch r {
		case '\\':
			escaped = true
		case '*':
			out = append(out, refSymbol{any: true, many: true})
		case '?':
			out = append(out, refSymbol{any: true})
		default:
			out = append(out, refSymbol{r: r})
		}
	}
	if escaped {
		out = append(out, refSymbol{r: '\\'})
	}
	return out
}

// refMatch walks both texts with one point to return to, the last star.
func refMatch(want []refSymbol, got []rune, cased bool) bool {
	i, j, star, from := 0, 0, -1, 0
	for j < len(got) {
		switch {
		case i < len(want) && want[i].many:
			star, from = i, j
			i++
		case i < len(want) && (want[i].any || refSame(want[i].r, got[j], cased)):
			i++
			j++
		case star >= 0:
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(want) && want[i].many {
		i++
	}
	return i == len(want)
}

// text compares a value with a string of the rule, rewritten by the modifiers in
// their order.
func (w *refWalk) text(x *expr, text, got string) bool {
	variants := [][]refSymbol{refSymbols(text)}
	for _, m := range x.modifiers {
		var next [][]refSymbol
		for _, v := range variants {
			next = append(next, w.rewrite(m, v)...)
		}
		variants = next
	}
	star := refSymbol{any: true, many: true}
	if !x.has("base64") && !x.has("base64offset") {
		for _, v := range variants {
			refUnreadable(x, v)
		}
	}
	placed := x.has("contains") || x.has("startswith") || x.has("endswith")
	for _, v := range variants {
		if x.field == "" && !placed {
			v = append(append([]refSymbol{star}, v...), star)
		}
		if refMatch(v, []rune(got), x.has("cased")) {
			return true
		}
	}
	return false
}

func (w *refWalk) rewrite(modifier string, v []refSymbol) [][]refSymbol {
	star := refSymbol{any: true, many: true}
	switch modifier {
	case "contains":
		return [][]refSymbol{append(append([]refSymbol{star}, v...), star)}
	case "startswith":
		return [][]refSymbol{append(append([]refSymbol{}, v...), star)}
	case "endswith":
		return [][]refSymbol{append([]refSymbol{star}, v...)}
	case "wide", "utf16le", "utf16be", "utf16":
		return [][]refSymbol{refUTF16(modifier, v)}
	case "windash":
		return w.windash(v)
	case "base64":
		return [][]refSymbol{w.base64(v, 0, false)}
	case "base64offset":
		var out [][]refSymbol
		for shift := range 3 {
			if e := w.base64(v, shift, true); len(e) > 0 || len(v) == 0 {
				out = append(out, e)
			}
		}
		return out
	}
	return [][]refSymbol{v}
}

// refUnreadable replaces the bytes of bare UTF-16 that are no text, as they are
// replaced in events.
func refUnreadable(x *expr, v []refSymbol) {
	for _, m := range x.modifiers {
		if m != "wide" && !strings.HasPrefix(m, "utf16") {
			continue
		}
		for i := range v {
			if v[i].r > 0x7f {
				v[i].r = 0xfffd
			}
		}
	}
}

// refUTF16 writes each character as its code units. A symbol is a byte then.
func refUTF16(modifier string, v []refSymbol) []refSymbol {
	var out []refSymbol
	if modifier == "utf16" {
		out = append(out, refSymbol{r: 0xff}, refSymbol{r: 0xfe})
	}
	unit := func(u rune) {
		low, high := refSymbol{r: u & 0xff}, refSymbol{r: u >> 8}
		if modifier == "utf16be" {
			low, high = high, low
		}
		out = append(out, low, high)
	}
	for _, s := range v {
		switch {
		case s.any:
			out = append(out, s)
		case s.r >= 0x10000:
			unit(0xd800 + (s.r-0x10000)>>10)
			unit(0xdc00 + (s.r-0x10000)&0x3ff)
		default:
			unit(s.r)
		}
	}
	return out
}

// windash makes all permutations.
func (w *refWalk) windash(v []refSymbol) [][]refSymbol {
	dashes := []rune{'-', '/', '–', '—', '―'}
	word := regexp.MustCompile(`^\w$`)
	isWord := func(i int) bool { return i >= 0 && i < len(v) && !v[i].any && word.MatchString(string(v[i].r)) }
	out := [][]refSymbol{v}
	for i, s := range v {
		if s.any || !strings.ContainsRune(string(dashes), s.r) || isWord(i-1) || !isWord(i+1) {
			continue
		}
		var next [][]refSymbol
		for _, o := range out {
			for _, d := range dashes {
				c := append([]refSymbol{}, o...)
				c[i].r = d
				next = append(next, c)
			}
		}
		if out = next; len(out) > 5000 {
			w.err = fmt.Errorf("too many dashes to permute")
			return nil
		}
	}
	return out
}

// base64 writes six bits after six bits. The symbols are bytes if they come
// from utf16, characters of UTF-8 otherwise. With cut, only the characters that
// the text alone decides are kept.
func (w *refWalk) base64(v []refSymbol, shift int, cut bool) []refSymbol {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	data := make([]byte, shift)
	bytes := w.bytes(v)
	data = append(data, bytes...)
	bit := func(i int) int {
		if i/8 >= len(data) {
			return 0
		}
		return int(data[i/8]>>(7-i%8)) & 1
	}
	var out []refSymbol
	for at := 0; at < 8*len(data); at += 6 {
		if cut && (at < 8*shift || at+6 > 8*len(data)) {
			continue
		}
		n := 0
		for i := range 6 {
			n = n<<1 | bit(at+i)
		}
		out = append(out, refSymbol{r: rune(alphabet[n])})
	}
	for !cut && len(out)%4 != 0 {
		out = append(out, refSymbol{r: '='})
	}
	return out
}

func (w *refWalk) bytes(v []refSymbol) []byte {
	wide := true // every symbol fits a byte, and zeros show it is UTF-16
	zero := false
	for _, s := range v {
		wide = wide && s.r <= 0xff
		zero = zero || s.r == 0
		if s.any {
			w.err = fmt.Errorf("base64 of a wildcard")
		}
	}
	var out []byte
	for _, s := range v {
		if wide && zero {
			out = append(out, byte(s.r))
		} else {
			out = append(out, string(s.r)...)
		}
	}
	return out
}
