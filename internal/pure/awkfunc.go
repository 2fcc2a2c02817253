package pure

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/lang/awk"
)

// call runs a built-in function.
func (r *awkRun) call(n *awk.Node) (awkValue, error) {
	switch n.Text {
	case "sub", "gsub":
		return r.substitute(n)
	case "split":
		return r.splitCall(n)
	case "match":
		return r.matchCall(n)
	case "sprintf":
		text, err := r.format(n.Kids)
		return awkTextOf(text), err
	case "length":
		return r.length(n)
	case "int":
		x, err := r.evalNumber(n.Kids[0])
		return awkNumberOf(math.Trunc(x)), err
	}
	s, err := r.evalText(n.Kids[0])
	if err != nil || !isASCII(s) {
		return awkValue{}, errUnknown // bytes to some, characters to others
	}
	if !r.j.spend(len(s) / 8) {
		return awkValue{}, errUnknown
	}
	switch n.Text {
	case "tolower":
		return awkTextOf(strings.ToLower(s)), nil
	case "toupper":
		return awkTextOf(strings.ToUpper(s)), nil
	case "index":
		t, err := r.evalText(n.Kids[1])
		if err != nil || t == "" {
			return awkValue{}, errUnknown
		}
		return awkNumberOf(float64(strings.Index(s, t) + 1)), nil
	}
	return r.substr(s, n)
}

func (r *awkRun) length(n *awk.Node) (awkValue, error) {
	var text string
	switch {
	case len(n.Kids) == 0:
		v, err := r.getField(0)
		if err != nil {
			return awkValue{}, err
		}
		if text, err = v.text(); err != nil {
			return awkValue{}, err
		}
	case n.Kids[0].Kind == awk.Var && r.cell(n.Kids[0]).asArray:
		return awkNumberOf(float64(len(r.cell(n.Kids[0]).array))), nil
	default:
		var err error
		if text, err = r.evalText(n.Kids[0]); err != nil {
			return awkValue{}, err
		}
	}
	if !r.j.spend(len(text)/16) || !isASCII(text) {
		return awkValue{}, errUnknown
	}
	return awkNumberOf(float64(len(text))), nil
}

// substr takes whole positions only: rounding differs, and so does what a
// start before the string does to the length.
func (r *awkRun) substr(s string, n *awk.Node) (awkValue, error) {
	v, err := r.eval(n.Kids[1])
	if err != nil {
		return awkValue{}, err
	}
	start, err := v.whole()
	if err != nil {
		return awkValue{}, err
	}
	length := len(s)
	if len(n.Kids) > 2 {
		v, err := r.eval(n.Kids[2])
		if err != nil {
			return awkValue{}, err
		}
		if length, err = v.whole(); err != nil || start < 1 {
			return awkValue{}, errUnknown
		}
	}
	from := min(max(start-1, 0), len(s))
	to := min(from+max(length, 0), len(s))
	return awkTextOf(s[from:to]), nil
}

func (r *awkRun) matchCall(n *awk.Node) (awkValue, error) {
	s, err := r.evalText(n.Kids[0])
	if err != nil || !isASCII(s) {
		return awkValue{}, errUnknown
	}
	re, err := r.regexp(n.Kids[1])
	if err != nil {
		return awkValue{}, err
	}
	found, err := re.find(r.j, []byte(s), 1)
	if err != nil {
		return awkValue{}, err
	}
	start, length := 0, -1
	if len(found) > 0 {
		start, length = found[0][0]+1, found[0][1]-found[0][0]
	}
	r.rstart.value, r.rlength.value = awkNumberOf(float64(start)), awkNumberOf(float64(length))
	return r.rstart.value, nil
}

func (r *awkRun) splitCall(n *awk.Node) (awkValue, error) {
	s, err := r.evalText(n.Kids[0])
	if err != nil || n.Kids[1].Kind != awk.Var {
		return awkValue{}, errUnknown
	}
	sep := ""
	var re *pattern
	if len(n.Kids) > 2 {
		if re = r.constant(n.Kids[2]); re == nil {
			sep, err = r.evalText(n.Kids[2])
		}
	} else {
		sep, err = r.fs.value.text()
	}
	if err != nil {
		return awkValue{}, err
	}
	parts, err := r.cut(s, sep, re)
	if err != nil {
		return awkValue{}, err
	}
	a, err := r.array(r.cell(n.Kids[1]))
	if err != nil {
		return awkValue{}, err
	}
	clear(a)
	for i, p := range parts {
		a[strconv.Itoa(i+1)] = awkInput(p)
	}
	return awkNumberOf(float64(len(parts))), nil
}

// substitute is sub and gsub.
func (r *awkRun) substitute(n *awk.Node) (awkValue, error) {
	re, err := r.regexp(n.Kids[0])
	if err != nil {
		return awkValue{}, err
	}
	text, err := r.evalText(n.Kids[1])
	if err != nil {
		return awkValue{}, err
	}
	parts, err := awkReplacement(text)
	if err != nil {
		return awkValue{}, err
	}
	var target *awk.Node // nil for the record
	if len(n.Kids) > 2 {
		target = n.Kids[2]
	}
	if target != nil && awkChanges(target) || awkChanges(n.Kids[1]) {
		return awkValue{}, errUnknown
	}
	old, err := r.substituted(target)
	if err != nil {
		return awkValue{}, err
	}
	limit := 1
	if n.Text == "gsub" {
		limit = -1
		if re.nullable && !re.anchor { // busybox disagrees
			return awkValue{}, errUnknown
		}
	}
	found, err := re.find(r.j, []byte(old), limit)
	if err != nil || len(found) == 0 {
		return awkNumberOf(0), err
	}
	var b strings.Builder
	at := 0
	for _, m := range found {
		b.WriteString(old[at:m[0]])
		b.WriteString(strings.Join(parts, old[m[0]:m[1]]))
		if at = m[1]; b.Len() > 2*r.j.limit {
			return awkValue{}, errUnknown
		}
	}
	b.WriteString(old[at:])
	if !r.j.spend(b.Len() / 8) {
		return awkValue{}, errUnknown
	}
	v := awkTextOf(b.String())
	if target == nil {
		return awkNumberOf(float64(len(found))), r.setField(0, v)
	}
	return awkNumberOf(float64(len(found))), r.store(target, v)
}

// substituted is the text in which sub and gsub look: the record, or a target.
func (r *awkRun) substituted(target *awk.Node) (string, error) {
	if target != nil {
		return r.evalText(target)
	}
	v, err := r.getField(0)
	if err != nil {
		return "", err
	}
	return r.textOf(v)
}

// awkReplacement cuts a replacement at each &; \& is a plain one. How other
// backslashes are read varies.
func awkReplacement(s string) ([]string, error) {
	parts := []string{""}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '&':
			parts = append(parts, "")
			continue
		case s[i] == '\\':
			if i++; i == len(s) || s[i] != '&' {
				return nil, errUnknown
			}
		}
		parts[len(parts)-1] += s[i : i+1]
	}
	if len(parts) > 1000 {
		return nil, errUnknown
	}
	return parts, nil
}

// format is printf and sprintf.
func (r *awkRun) format(list []*awk.Node) (string, error) {
	texts := make([]awkValue, 0, len(list))
	for _, n := range list {
		v, err := r.eval(n)
		if err != nil {
			return "", err
		}
		texts = append(texts, v)
	}
	if len(texts) == 0 {
		return "", errUnknown
	}
	format, err := texts[0].text()
	if err != nil {
		return "", err
	}
	args := texts[1:]
	var b strings.Builder
	for {
		before, after, more := strings.Cut(format, "%")
		b.WriteString(before)
		if !more {
			return b.String(), nil
		}
		if strings.HasPrefix(after, "%") {
			b.WriteByte('%')
			format = after[1:]
			continue
		}
		f, n, ok := parseField(after, "")
		if !ok || f.starWidth || f.starPr || len(args) == 0 {
			return "", errUnknown
		}
		out, err := awkField1(f, args[0])
		if err != nil {
			return "", err
		}
		if b.Write(out); b.Len() > 2*r.j.limit || !r.j.spend(64+len(out)) {
			return "", errUnknown
		}
		args, format = args[1:], after[n:]
	}
}

// awkField1 formats one value.
func awkField1(f field, v awkValue) ([]byte, error) {
	switch f.verb {
	case 's', 'c':
		if f.plus || f.space || f.sharp || f.zero {
			return nil, errUnknown
		}
		return awkTextField(f, v)
	case 'd', 'i', 'o', 'x', 'X', 'u':
		n, err := v.number()
		if err != nil || math.IsNaN(n) || math.Abs(n) > math.MaxInt32 || n < 0 && f.verb != 'd' && f.verb != 'i' {
			return nil, errUnknown
		}
		whole := int64(n)
		base := 10
		switch f.verb {
		case 'o':
			base = 8
		case 'x', 'X':
			base = 16
		}
		digits := strconv.FormatInt(max(whole, -whole), base)
		return layoutInteger(f, whole < 0, digits), nil
	case 'e', 'E', 'f', 'g', 'G':
		n, err := v.number()
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) || f.prec > 100 || math.Abs(n) > 1e100 {
			return nil, errUnknown
		}
		return layoutFloat(f, big.NewFloat(n)), nil
	}
	return nil, errUnknown
}

func awkTextField(f field, v awkValue) ([]byte, error) {
	text, err := v.text()
	if err != nil {
		return nil, err
	}
	if f.verb == 'c' {
		switch v.typ {
		case awkNum:
			if v.n < 1 || v.n > 127 || v.n != math.Trunc(v.n) {
				return nil, errUnknown
			}
			text = string(rune(int(v.n)))
		case awkText:
			if text == "" || !isASCII(text) {
				return nil, errUnknown
			}
			text = text[:1]
		default:
			return nil, errUnknown // a number to some, text to others
		}
		if f.prec >= 0 {
			return nil, errUnknown
		}
	}
	if (f.width != 0 || f.prec >= 0) && !isASCII(text) {
		return nil, errUnknown
	}
	if f.prec >= 0 && f.prec < len(text) {
		text = text[:f.prec]
	}
	return pad([]byte(text), f.width, f.minus), nil
}
