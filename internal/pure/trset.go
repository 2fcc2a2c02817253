package pure

import "strings"

// A trItem is one element of a set: a run of bytes, a class, or a repeat.
type trItem struct {
	bytes  []byte
	class  string
	repeat int // [c*n]; -1 is [c*], as many as are needed
}

// A trSet is a parsed STRING operand of tr.
type trSet []trItem

// parseTrSet reads characters, escapes, ranges, [:class:], [=c=] and, in the
// second set, [c*n].
func parseTrSet(s string, second bool) (trSet, error) {
	var set trSet
	for i := 0; i < len(s); {
		if item, n, err := trBracket(s[i:], second); err != nil {
			return nil, err
		} else if n > 0 {
			set = append(set, item)
			i += n
			continue
		}
		lo, n, err := trChar(s[i:])
		if err != nil {
			return nil, err
		}
		i += n
		if i+1 >= len(s) || s[i] != '-' {
			set = append(set, trItem{bytes: []byte{lo}})
			continue
		}
		hi, n, err := trChar(s[i+1:])
		if err != nil || hi < lo {
			return nil, errUnknown
		}
		i += 1 + n
		run := make([]byte, 0, int(hi)-int(lo)+1)
		for c := int(lo); c <= int(hi); c++ {
			run = append(run, byte(c))
		}
		set = append(set, trItem{bytes: run})
	}
	return set, nil
}

// trBracket reads a bracketed construct at the front of s; n is 0 if there is
// none and the bracket stands for itself.
func trBracket(s string, second bool) (item trItem, n int, err error) {
	if len(s) < 3 || s[0] != '[' {
		return item, 0, nil
	}
	if s[1] == ':' || s[1] == '=' {
		end := strings.Index(s[2:], s[1:2]+"]")
		if end < 0 {
			return item, 0, nil
		}
		body := s[2 : 2+end]
		if s[1] == '=' {
			if len(body) != 1 || body[0] == '\\' || second {
				return item, 0, errUnknown
			}
			return trItem{bytes: []byte(body)}, end + 4, nil
		}
		if classBytes(body) == nil {
			return item, 0, errUnknown
		}
		return trItem{class: body}, end + 4, nil
	}
	c, used, err := trChar(s[1:])
	if err != nil || 1+used >= len(s) || s[1+used] != '*' {
		return item, 0, err
	}
	end := strings.IndexByte(s[used+2:], ']')
	if end < 0 {
		return item, 0, nil
	}
	digits := s[used+2 : used+2+end]
	if strings.Trim(digits, "0123456789") != "" {
		return item, 0, nil
	}
	if !second || strings.HasPrefix(digits, "0") {
		return item, 0, errUnknown
	}
	count := -1
	if digits != "" {
		var ok bool
		if count, ok = decimal(digits); !ok || count > 1<<16 {
			return item, 0, errUnknown
		}
	}
	return trItem{bytes: []byte{c}, repeat: count}, used + end + 3, nil
}

// trChar reads one character or escape.
func trChar(s string) (c byte, n int, err error) {
	if s[0] != '\\' {
		return s[0], 1, nil
	}
	if len(s) == 1 {
		return '\\', 1, nil
	}
	if s[1] >= '0' && s[1] <= '7' {
		v, n := digits(s[1:], 8, 3)
		if v > 0xff {
			return 0, 0, errUnknown
		}
		return byte(v), n + 1, nil
	}
	if simple := simpleEscape(s[1]); simple != 0 {
		return simple, 2, nil
	}
	return s[1], 2, nil
}

// expand lists the bytes of the set. want is how long a [c*] may make it;
// -1 if there is nothing to fill up to.
func (s trSet) expand(want int) ([]byte, error) {
	var out []byte
	length, fills := 0, 0
	for _, it := range s {
		length += it.length()
		if it.repeat < 0 {
			fills++
		}
	}
	if fills > 1 || fills == 1 && want < 0 || length > 1<<17 {
		return nil, errUnknown
	}
	for _, it := range s {
		switch {
		case it.class != "":
			out = append(out, classBytes(it.class)...)
		case it.repeat < 0:
			for range max(want-length, 0) {
				out = append(out, it.bytes[0])
			}
		case it.repeat > 0:
			for range it.repeat {
				out = append(out, it.bytes[0])
			}
		default:
			out = append(out, it.bytes...)
		}
	}
	return out, nil
}

func (it trItem) length() int {
	switch {
	case it.class != "":
		return len(classBytes(it.class))
	case it.repeat < 0:
		return 0
	case it.repeat > 0:
		return it.repeat
	}
	return len(it.bytes)
}

func (s trSet) classes() bool {
	for _, it := range s {
		if it.class != "" {
			return true
		}
	}
	return false
}

func (s trSet) endsInClass() bool {
	return len(s) > 0 && s[len(s)-1].class != ""
}

// pairs reports whether every class of the second set is upper or lower and
// stands where s has upper or lower: tr allows no other.
func (s trSet) pairs(second trSet) bool {
	starts := map[int]bool{}
	at := 0
	for _, it := range s {
		if it.class == "upper" || it.class == "lower" {
			starts[at] = true
		}
		at += it.length()
	}
	at = 0
	for _, it := range second {
		if it.repeat < 0 {
			return false
		}
		if it.class != "" && (it.class != "upper" && it.class != "lower" || !starts[at]) {
			return false
		}
		at += it.length()
	}
	return true
}

// classBytes lists the bytes of a POSIX character class in the C locale, in
// order; nil if there is no such class.
func classBytes(name string) []byte {
	in := classTest(name)
	if in == nil {
		return nil
	}
	out := make([]byte, 0, 128)
	for c := range 128 {
		if in(byte(c)) {
			out = append(out, byte(c))
		}
	}
	return out
}

// classTest is the membership test of a POSIX character class for ASCII.
func classTest(name string) func(byte) bool {
	switch name {
	case "alnum":
		return isAlnum
	case "alpha":
		return isAlpha
	case "blank":
		return func(c byte) bool { return c == ' ' || c == '\t' }
	case "cntrl":
		return func(c byte) bool { return c < ' ' || c == 0x7f }
	case "digit":
		return isDigit
	case "graph":
		return func(c byte) bool { return c > ' ' && c < 0x7f }
	case "lower":
		return isLower
	case "print":
		return isPrint
	case "punct":
		return func(c byte) bool { return c > ' ' && c < 0x7f && !isAlnum(c) }
	case "space":
		return isSpace
	case "upper":
		return isUpper
	case "xdigit":
		return func(c byte) bool { return hexDigit(c) >= 0 }
	}
	return nil
}
