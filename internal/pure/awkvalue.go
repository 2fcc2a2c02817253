package pure

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// An awkType says what a value is.
type awkType uint8

const (
	awkUnset  awkType = iota
	awkNum            // n
	awkText           // s
	awkStrnum         // input text s that looks like the number n
	awkOdd            // input text that is a number to some (0x1A, inf)
	awkAbsent         // a field past the last one: 0 to some, "" to others
)

// An awkValue is the value of an expression.
type awkValue struct {
	typ awkType
	s   string
	n   float64
}

// An awkCell is a variable: a scalar or an array.
type awkCell struct {
	name  string
	value awkValue
	array map[string]awkValue

	asArray, asScalar bool // how the program uses it
}

func awkNumberOf(n float64) awkValue { return awkValue{typ: awkNum, n: n} }
func awkTextOf(s string) awkValue    { return awkValue{typ: awkText, s: s} }

func awkBool(b bool) awkValue {
	if b {
		return awkNumberOf(1)
	}
	return awkNumberOf(0)
}

// awkInput is the value of input text: a string that may look numeric.
func awkInput(s string) awkValue {
	t := strings.Trim(s, " \t\n")
	if t == "" {
		return awkTextOf(s)
	}
	if len(s) > maxNumberText {
		if strings.IndexByte("0123456789+-.iInN", t[0]) >= 0 {
			return awkValue{typ: awkOdd, s: s}
		}
		return awkTextOf(s)
	}
	if oddNumber(t) {
		return awkValue{typ: awkOdd, s: s}
	}
	n, ok := decimalPrefix(t)
	if !ok || n != len(t) {
		return awkTextOf(s)
	}
	v, err := strconv.ParseFloat(t, 64)
	if err != nil {
		return awkValue{typ: awkOdd, s: s}
	}
	return awkValue{typ: awkStrnum, s: s, n: v}
}

// oddNumber reports whether text begins like a number that not every
// implementation takes for one.
func oddNumber(t string) bool {
	t = strings.ToLower(strings.TrimLeft(t, "+-"))
	return strings.HasPrefix(t, "inf") || strings.HasPrefix(t, "nan") ||
		len(t) > 2 && strings.HasPrefix(t, "0x") && hexDigit(t[2]) >= 0
}

// Text longer than this is not taken for a number nor for none.
const maxNumberText = 1000

// number is the numeric value.
func (v awkValue) number() (float64, error) {
	switch v.typ {
	case awkUnset, awkAbsent:
		return 0, nil
	case awkNum, awkStrnum:
		return v.n, nil
	case awkOdd:
		return 0, errUnknown
	}
	if len(v.s) > maxNumberText {
		return 0, errUnknown
	}
	t := strings.TrimLeft(v.s, " \t\n\r\f\v")
	if oddNumber(t) {
		return 0, errUnknown
	}
	n, ok := decimalPrefix(t)
	if !ok && len(t) > 0 && (t[0] == 'i' || t[0] == 'I' || t[0] == 'n' || t[0] == 'N' || t[0] == '\'' || t[0] == '"') {
		return 0, nil
	}
	if !ok && (strings.HasPrefix(t, "0x") || strings.HasPrefix(t, "0X")) {
		return 0, nil
	}
	if !ok {
		return 0, errUnknown
	}
	if n == 0 {
		return 0, nil
	}
	f, err := strconv.ParseFloat(t[:n], 64)
	if err != nil {
		return 0, errUnknown
	}
	return f, nil
}

// text is the string value. Whole numbers beyond 31 bits are printed
// differently by implementations.
func (v awkValue) text() (string, error) {
	switch v.typ {
	case awkUnset, awkAbsent:
		return "", nil
	case awkNum:
		return awkNumberText(v.n)
	}
	return v.s, nil
}

func awkNumberText(n float64) (string, error) {
	switch {
	case math.IsNaN(n) || math.IsInf(n, 0):
		return "", errUnknown
	case n == math.Trunc(n):
		if math.Abs(n) > math.MaxInt32 {
			return "", errUnknown
		}
		return strconv.FormatInt(int64(n), 10), nil
	}
	return string(layoutFloat(field{prec: 6, verb: 'g'}, big.NewFloat(n))), nil
}

// truth is the value as a condition.
func (v awkValue) truth() (bool, error) {
	switch v.typ {
	case awkUnset, awkAbsent:
		return false, nil
	case awkNum, awkStrnum:
		return v.n != 0, nil
	case awkOdd:
		return false, errUnknown
	}
	return v.s != "", nil
}

// whole is the value as a whole number of moderate size.
func (v awkValue) whole() (int, error) {
	n, err := v.number()
	if err != nil || math.IsNaN(n) || math.Abs(n) > math.MaxInt32 || n != math.Trunc(n) {
		return 0, errUnknown
	}
	return int(n), nil
}

// awkCompareValues orders two values: as numbers if both are or look like
// numbers, else as strings.
func (j *job) awkCompareValues(a, b awkValue, order bool) (int, error) {
	if a.typ == awkOdd || b.typ == awkOdd {
		return 0, errUnknown
	}
	if a.typ != awkText && b.typ != awkText {
		if a.typ == awkAbsent || b.typ == awkAbsent {
			return 0, errUnknown
		}
		x, y := a.n, b.n
		switch {
		case x < y:
			return -1, nil
		case x > y:
			return 1, nil
		}
		return 0, nil
	}
	x, err := a.text()
	if err != nil {
		return 0, err
	}
	y, err := b.text()
	if err != nil || !j.spend(min(len(x), len(y))/16) {
		return 0, errUnknown
	}
	if order && j.locale("LC_COLLATE") == charsetUnknown && !collatesAlike([]byte(x+y)) {
		return 0, errUnknown
	}
	return strings.Compare(x, y), nil
}
