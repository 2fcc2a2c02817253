package pure

import (
	"math/big"
	"strings"
)

// A seqNumber is an operand of seq: digits scaled by a power of ten.
type seqNumber struct {
	text  string
	prec  int // digits after the point
	value *big.Int
}

// parseSeqNumber reads [-]digits[.digits]; other forms are left out.
func parseSeqNumber(s string) (seqNumber, bool) {
	whole, frac, point := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	if whole == "" || point && frac == "" || strings.Trim(whole+frac, "0123456789") != "" || len(whole)+len(frac) > 15 {
		return seqNumber{}, false
	}
	v, ok := new(big.Int).SetString(whole+frac, 10)
	if !ok {
		return seqNumber{}, false
	}
	if strings.HasPrefix(s, "-") {
		if v.Sign() == 0 {
			return seqNumber{}, false // -0
		}
		v.Neg(v)
	}
	return seqNumber{s, len(frac), v}, true
}

// at is the value scaled to prec digits after the point.
func (n seqNumber) at(prec int) *big.Int {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(prec-n.prec)), nil)
	return scale.Mul(scale, n.value)
}

// runSeq is seq(1) of coreutils: [FIRST [INCREMENT]] LAST, -f -s -w.
func runSeq(j *job, args []string) error {
	options := args
	for i := 0; i < len(args); i++ { // a negative number ends the options
		a := args[i]
		if a == "-s" || a == "-f" || a == "--separator" || a == "--format" {
			i++
			continue
		}
		if !strings.HasPrefix(a, "-") || len(a) > 1 && (isDigit(a[1]) || a[1] == '.') {
			options = args[:i]
			break
		}
	}
	rest := args[len(options):]
	p, err := grammar{
		short: "+f:s:w", long: []string{"f|format=", "s|separator=", "w|equal-width"},
	}.getopt(options)
	if err != nil {
		return err
	}
	operands := append(p.operands, rest...)
	if len(operands) < 1 || len(operands) > 3 {
		return errUnknown
	}
	numbers := make([]seqNumber, 0, 3)
	for _, s := range operands {
		n, ok := parseSeqNumber(s)
		if !ok {
			return errUnknown
		}
		numbers = append(numbers, n)
	}
	one, _ := parseSeqNumber("1")
	first, step, last := one, one, numbers[len(numbers)-1]
	if len(numbers) > 1 {
		first = numbers[0]
	}
	if len(numbers) == 3 {
		step = numbers[1]
	}
	if step.value.Sign() == 0 || (first.prec+step.prec+last.prec > 0 || p.has("f")) && !j.decimalPoint() {
		return errUnknown
	}
	return seqPrint(j, p, first, step, last)
}

func seqPrint(j *job, p parsed, first, step, last seqNumber) error {
	sep := "\n"
	if s, ok := p.last("s"); ok {
		sep = s
	}
	format, hasFormat := p.last("f")
	width := 0
	prec := max(first.prec, step.prec)
	if p.has("w") {
		if hasFormat {
			return errUnknown
		}
		width = max(seqWidth(first, prec), seqWidth(last, prec))
	}
	// Compare at the finest precision of the three, print at that of two.
	fine := max(prec, last.prec)
	x, by, end := first.at(fine), step.at(fine), last.at(fine)
	cut := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(fine-prec)), nil)
	for n := 0; !j.over; n++ {
		if c := x.Cmp(end); c != 0 && c == by.Sign() {
			if n > 0 {
				j.writeByte('\n')
			}
			return nil
		}
		if !j.spend(8) {
			return errUnknown
		}
		if n > 0 {
			j.writeString(sep)
		}
		text := seqText(new(big.Int).Quo(x, cut), prec, width)
		if hasFormat {
			b, err := seqFormat(format, text)
			if err != nil {
				return err
			}
			text = b
		}
		j.writeString(text)
		x.Add(x, by)
	}
	return nil
}

// seqWidth is how wide an operand is when printed with prec digits.
func seqWidth(n seqNumber, prec int) int {
	w := len(n.text) + prec - n.prec
	if n.prec > 0 && prec == 0 {
		w--
	}
	if n.prec == 0 && prec > 0 {
		w++
	}
	return w
}

// seqText prints a scaled number with prec digits, zero-padded to width.
func seqText(v *big.Int, prec, width int) string {
	digits := new(big.Int).Abs(v).String()
	if n := prec + 1 - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	if prec > 0 {
		digits = digits[:len(digits)-prec] + "." + digits[len(digits)-prec:]
	}
	sign := ""
	if v.Sign() < 0 {
		sign = "-"
	}
	if n := width - len(sign) - len(digits); n > 0 {
		digits = strings.Repeat("0", n) + digits
	}
	return sign + digits
}

// seqFormat applies -f: one %e, %f or %g with text around it.
func seqFormat(format, value string) (string, error) {
	before, after, found := strings.Cut(format, "%")
	if !found || strings.Contains(after, "%") {
		return "", errUnknown
	}
	f, n, ok := parseField(after, "")
	if !ok || f.starWidth || f.starPr || strings.IndexByte("eEfgG", f.verb) < 0 {
		return "", errUnknown
	}
	b, err := formatFloat(f, value, 53, 64, 113)
	if err != nil {
		return "", err
	}
	return before + string(b) + after[n:], nil
}
