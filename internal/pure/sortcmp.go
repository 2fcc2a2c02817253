package pure

import (
	"bytes"
	"strings"
)

// prepare applies -d, -i and -f to a key.
func (o ordering) prepare(key []byte) []byte {
	if !o.dict && !o.printable && !o.fold {
		return key
	}
	out := make([]byte, 0, len(key))
	for _, c := range key {
		if o.dict && !isAlnum(c) && !isSortBlank(c) || o.printable && !o.dict && !isPrint(c) {
			continue
		}
		if o.fold {
			c = toUpper(c)
		}
		out = append(out, c)
	}
	return out
}

// compare orders two lines: keys in turn, then the whole line unless -s or -u.
func (s sorter) compare(a, b sortItem) int {
	for i, k := range s.keys {
		if c := k.order.compare(a.keys[i], b.keys[i]); c != 0 {
			if k.order.reverse {
				return -c
			}
			return c
		}
	}
	if len(s.keys) > 0 && (s.unique || s.stable) {
		return 0
	}
	c := bytes.Compare(a.line, b.line)
	if s.reverse {
		return -c
	}
	return c
}

func (o ordering) compare(a, b []byte) int {
	switch {
	case o.numeric:
		x, _ := parseDecimal(a)
		y, _ := parseDecimal(b)
		return x.compare(y)
	case o.human:
		return compareHuman(a, b)
	case o.month:
		return monthOf(a) - monthOf(b)
	case o.version:
		return compareVersion(string(a), string(b))
	}
	return bytes.Compare(a, b)
}

// A decimalText is a number as sort -n reads it: sign, digits without leading
// zeros, fraction without trailing zeros.
type decimalText struct {
	neg         bool
	whole, frac string
}

// parseDecimal reads blanks, an optional minus and digits with a point; rest
// is what follows.
func parseDecimal(b []byte) (d decimalText, rest []byte) {
	b = b[skipBlanks(b, 0):]
	if len(b) > 0 && b[0] == '-' {
		d.neg, b = true, b[1:]
	}
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	d.whole, b = strings.TrimLeft(string(b[:n]), "0"), b[n:]
	if len(b) > 0 && b[0] == '.' {
		n = 1
		for n < len(b) && isDigit(b[n]) {
			n++
		}
		d.frac, b = strings.TrimRight(string(b[1:n]), "0"), b[n:]
	}
	if d.zero() {
		d.neg = false
	}
	return d, b
}

func (d decimalText) zero() bool { return d.whole == "" && d.frac == "" }

func (d decimalText) compare(e decimalText) int {
	if d.neg != e.neg {
		if d.neg {
			return -1
		}
		return 1
	}
	c := len(d.whole) - len(e.whole)
	if c == 0 {
		c = strings.Compare(d.whole, e.whole)
	}
	if c == 0 {
		c = strings.Compare(d.frac, e.frac)
	}
	if d.neg {
		return -c
	}
	return c
}

// compareHuman is sort -h: sign, then unit, then number.
func compareHuman(a, b []byte) int {
	x, ra := parseDecimal(a)
	y, rb := parseDecimal(b)
	if c := x.unit(ra) - y.unit(rb); c != 0 {
		return c
	}
	return x.compare(y)
}

// unit is the rank of the suffix that follows, negative for negative numbers.
func (d decimalText) unit(rest []byte) int {
	if d.zero() || len(rest) == 0 {
		return 0
	}
	n := strings.IndexByte("KMGTPEZY", rest[0]) + 1
	if rest[0] == 'k' {
		n = 1
	}
	if d.neg {
		return -n
	}
	return n
}

// monthOf is 1 for JAN to 12 for DEC, 0 for anything else.
func monthOf(key []byte) int {
	key = key[skipBlanks(key, 0):]
	if len(key) < 3 {
		return 0
	}
	i := strings.Index("JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC", strings.ToUpper(string(key[:3])))
	if i < 0 || i%3 != 0 {
		return 0
	}
	return i/3 + 1
}

// compareVersion is gnulib's filevercmp (coreutils 9.1).
func compareVersion(a, b string) int {
	switch {
	case a == "" || b == "":
		return strings.Compare(a, b)
	case a[0] == '.' && b[0] != '.':
		return -1
	case a[0] != '.' && b[0] == '.':
		return 1
	case a[0] == '.':
		for _, special := range []string{".", ".."} {
			switch {
			case a == special && b == special:
				return 0
			case a == special:
				return -1
			case b == special:
				return 1
			}
		}
	}
	pa, pb := versionPrefix(a), versionPrefix(b)
	c := compareRevision(a[:pa], b[:pb])
	if c != 0 || pa == len(a) && pb == len(b) {
		return c
	}
	return compareRevision(a, b)
}

// versionPrefix is the length of s without its suffix (\.[A-Za-z~][A-Za-z0-9~]*)*$.
func versionPrefix(s string) int {
	prefix := 0
	for i := 0; i < len(s); {
		i++
		prefix = i
		for i+1 < len(s) && s[i] == '.' && (isAlpha(s[i+1]) || s[i+1] == '~') {
			for i += 2; i < len(s) && (isAlnum(s[i]) || s[i] == '~'); i++ {
			}
		}
	}
	return prefix
}

// compareRevision is gnulib's verrevcmp.
func compareRevision(a, b string) int {
	i, k := 0, 0
	for i < len(a) || k < len(b) {
		for i < len(a) && !isDigit(a[i]) || k < len(b) && !isDigit(b[k]) {
			if c := versionOrder(a, i) - versionOrder(b, k); c != 0 {
				return c
			}
			i, k = i+1, k+1
		}
		for i < len(a) && a[i] == '0' {
			i++
		}
		for k < len(b) && b[k] == '0' {
			k++
		}
		first := 0
		for i < len(a) && k < len(b) && isDigit(a[i]) && isDigit(b[k]) {
			if first == 0 {
				first = int(a[i]) - int(b[k])
			}
			i, k = i+1, k+1
		}
		switch {
		case i < len(a) && isDigit(a[i]):
			return 1
		case k < len(b) && isDigit(b[k]):
			return -1
		case first != 0:
			return first
		}
	}
	return 0
}

func versionOrder(s string, i int) int {
	switch {
	case i >= len(s):
		return -1
	case isDigit(s[i]):
		return 0
	case isAlpha(s[i]):
		return int(s[i])
	case s[i] == '~':
		return -2
	}
	return int(s[i]) + 256
}
