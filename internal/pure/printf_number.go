package pure

import (
	"math"
	"math/big"
	"slices"
	"strings"
)

// A number is an integer argument as strtoimax and strtoumax would hold it.
type number struct {
	neg      bool
	abs      uint64
	overflow bool // above 2^64-1
}

// parseInteger reads an argument of %d and its kin as strtoimax(3) does with
// base 0, or as a character code after a quote. clean is false if something
// was left over, which makes printf fail after printing.
func parseInteger(a string, base0 bool) (n number, clean bool, err error) {
	if a == "" {
		return n, true, nil
	}
	if a[0] == '\'' || a[0] == '"' {
		if len(a) == 1 || !isASCII(a) {
			return n, false, errUnknown
		}
		return number{abs: uint64(a[1])}, true, nil
	}
	s := strings.TrimLeft(a, " \t\n\v\f\r")
	if s != "" && (s[0] == '-' || s[0] == '+') {
		n.neg = s[0] == '-'
		s = s[1:]
	}
	base := 10
	if base0 && len(s) > 1 && s[0] == '0' {
		switch {
		case s[1] == 'b' || s[1] == 'B':
			return n, false, errUnknown // binary since C23
		case (s[1] == 'x' || s[1] == 'X') && len(s) > 2 && hexDigit(s[2]) >= 0:
			base, s = 16, s[2:]
		default:
			base = 8
		}
	}
	i := 0
	for ; i < len(s); i++ {
		d := hexDigit(s[i])
		if d < 0 || d >= base {
			break
		}
		if n.abs > (math.MaxUint64-uint64(d))/uint64(base) {
			n.overflow = true
		}
		n.abs = n.abs*uint64(base) + uint64(d)
	}
	if i == 0 {
		n.neg = false
	}
	return n, i == len(s) && i > 0, nil
}

// signed is the value as intmax_t, clamped.
func (n number) signed() (v int64, clamped bool) {
	switch {
	case n.overflow, n.neg && n.abs > 1<<63, !n.neg && n.abs > math.MaxInt64:
		if n.neg {
			return math.MinInt64, true
		}
		return math.MaxInt64, true
	case n.neg:
		return -int64(n.abs), false
	}
	return int64(n.abs), false
}

// unsigned is the value as uintmax_t, clamped.
func (n number) unsigned() (v uint64, clamped bool) {
	switch {
	case n.overflow:
		return math.MaxUint64, true
	case n.neg:
		return -n.abs, false
	}
	return n.abs, false
}

// integer writes %d %i %u %o %x %X.
func (p *printer) integer(f field) error {
	a, _ := p.next()
	if p.dialect == "zsh" && !plainDecimal(a) {
		return errUnknown // zsh evaluates an arithmetic expression
	}
	n, clean, err := parseInteger(a, p.dialect != "zsh")
	if err != nil {
		return err
	}
	if !clean {
		p.j.status = 1
	}
	var digits string
	neg, clamped := false, false
	if f.verb == 'd' || f.verb == 'i' {
		var v int64
		v, clamped = n.signed()
		neg = v < 0
		digits = strings.TrimPrefix(big.NewInt(v).String(), "-")
	} else {
		var v uint64
		v, clamped = n.unsigned()
		digits = new(big.Int).SetUint64(v).Text(map[byte]int{'u': 10, 'o': 8, 'x': 16, 'X': 16}[f.verb])
	}
	if clamped {
		if p.dialect == "zsh" {
			return errUnknown
		}
		if p.dialect != "bash" {
			p.j.status = 1
		}
	}
	p.j.write(layoutInteger(f, neg, digits))
	return nil
}

func plainDecimal(a string) bool {
	t := strings.TrimPrefix(a, "-")
	return a == "" || t != "" && strings.Trim(t, "0123456789") == "" && (t == "0" || t[0] != '0') && len(t) < 19
}

// layoutInteger applies flags, precision and width as C's printf does.
func layoutInteger(f field, neg bool, digits string) []byte {
	zero := digits == "0"
	if f.prec == 0 && zero {
		digits = ""
	}
	if n := f.prec - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	prefix := ""
	switch f.verb {
	case 'd', 'i':
		prefix = signOf(f, neg)
	case 'o':
		if f.sharp && !strings.HasPrefix(digits, "0") {
			digits = "0" + digits
		}
	case 'x':
		if f.sharp && !zero {
			prefix = "0x"
		}
	case 'X':
		digits = strings.ToUpper(digits)
		if f.sharp && !zero {
			prefix = "0X"
		}
	}
	if n := f.width - len(prefix) - len(digits); n > 0 && f.zero && !f.minus && f.prec < 0 {
		digits = strings.Repeat("0", n) + digits
	}
	return pad([]byte(prefix+digits), f.width, f.minus)
}

func signOf(f field, neg bool) string {
	switch {
	case neg:
		return "-"
	case f.plus:
		return "+"
	case f.space:
		return " "
	}
	return ""
}

// float writes %e %f %g. Programs hold the value in double, x87 extended or
// quad precision; the text is certain only if all three print the same.
func (p *printer) float(f field) error {
	a, _ := p.next()
	s := strings.TrimLeft(a, " \t\n\v\f\r")
	n, ok := decimalPrefix(s)
	if !ok || !p.j.decimalPoint() {
		return errUnknown
	}
	if p.dialect == "zsh" && n != len(a) {
		return errUnknown
	}
	if n != len(s) || a != "" && s == "" {
		p.j.status = 1
	}
	text, err := formatFloat(f, s[:n], 53, 64, 113)
	if err != nil {
		return err
	}
	p.j.write(text)
	return nil
}

// decimalPrefix is the length of the decimal floating-point number at the
// front of s; ok is false if s may be hexadecimal, infinite or not a number.
func decimalPrefix(s string) (n int, ok bool) {
	i := 0
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	start, digits := i, 0
	for ; i < len(s) && (isDigit(s[i]) || s[i] == '.' && strings.Count(s[start:i], ".") == 0); i++ {
		if s[i] != '.' {
			digits++
		}
	}
	if i < len(s) && (digits == 0 && strings.IndexByte("iInN'\"", s[i]) >= 0 || s[start:i] == "0" && strings.IndexByte("xX", s[i]) >= 0) {
		return 0, false
	}
	if digits == 0 {
		return 0, true
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		k := i + 1
		if k < len(s) && (s[k] == '+' || s[k] == '-') {
			k++
		}
		m := k
		for k < len(s) && isDigit(s[k]) {
			k++
		}
		if k-m > 3 {
			return 0, false // beyond double's range
		}
		if k > m {
			i = k
		}
	}
	return i, len(s[:i]) <= 400
}

// formatFloat lays out the decimal text as C would in each of the binary
// precisions and insists that they agree.
func formatFloat(f field, text string, precisions ...uint) ([]byte, error) {
	if text == "" {
		text = "0"
	}
	if f.prec > 400 {
		return nil, errUnknown
	}
	var result []byte
	for i, prec := range precisions {
		v, _, err := big.ParseFloat(text, 10, prec, big.ToNearestEven)
		if err != nil {
			return nil, errUnknown
		}
		if e := v.MantExp(nil); e > 1000 || e < -1000 {
			return nil, errUnknown
		}
		b := layoutFloat(f, v)
		if i > 0 && !slices.Equal(b, result) {
			return nil, errUnknown
		}
		result = b
	}
	return result, nil
}

// layoutFloat is C's %e, %f and %g.
func layoutFloat(f field, v *big.Float) []byte {
	neg := v.Signbit()
	abs := new(big.Float).Abs(v)
	prec := f.prec
	if prec < 0 {
		prec = 6
	}
	var digits string
	switch f.verb {
	case 'e', 'E':
		digits = abs.Text('e', prec)
		if prec == 0 && f.sharp {
			digits = strings.Replace(digits, "e", ".e", 1)
		}
	case 'f', 'F':
		digits = abs.Text('f', prec)
		if prec == 0 && f.sharp {
			digits += "."
		}
	default:
		digits = generalFloat(abs, max(prec, 1), f.sharp)
	}
	if f.verb == 'E' || f.verb == 'G' {
		digits = strings.ToUpper(digits)
	}
	sign := signOf(f, neg)
	if n := f.width - len(sign) - len(digits); n > 0 && f.zero && !f.minus {
		digits = strings.Repeat("0", n) + digits
	}
	return pad([]byte(sign+digits), f.width, f.minus)
}

// generalFloat is %g: the shorter of %e and %f with trailing zeros removed.
func generalFloat(abs *big.Float, prec int, keep bool) string {
	e := abs.Text('e', prec-1)
	mant, expText, _ := strings.Cut(e, "e")
	exp := 0
	for i := 1; i < len(expText); i++ {
		exp = exp*10 + int(expText[i]-'0')
	}
	if strings.HasPrefix(expText, "-") {
		exp = -exp
	}
	if exp >= -4 && exp < prec {
		mant, expText = abs.Text('f', prec-1-exp), ""
	} else {
		expText = "e" + expText
	}
	if !keep && strings.Contains(mant, ".") {
		mant = strings.TrimRight(strings.TrimRight(mant, "0"), ".")
	} else if keep && !strings.Contains(mant, ".") {
		mant += "."
	}
	return mant + expText
}
