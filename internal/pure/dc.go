package pure

import (
	"math/big"
	"strings"
)

// A dcItem is a number or a string on the stack of dc.
type dcItem struct {
	n    *big.Int // nil for a string
	text string
}

// A dcRun is one dc command.
type dcRun struct {
	j            *job
	stack        []dcItem
	ibase, obase int
}

// runDc is dc(1) of GNU for integers: numbers, [strings], + - * / % ^, p n P a
// f c d r i o q, from -e, files or standard input. Macros and registers are
// unknown.
func runDc(j *job, args []string) error {
	p, err := grammar{short: "e:f:", long: []string{"e|expression=", "f|file="}}.getopt(args)
	if err != nil || !j.unset("DC_LINE_LENGTH") {
		return errUnknown
	}
	d := &dcRun{j: j, ibase: 10, obase: 10}
	for _, o := range p.opts {
		text := o.val
		if o.key == "f" {
			b, err := j.readPath(o.val)
			if err != nil {
				return err
			}
			text = string(b)
		}
		if quit, err := d.run(text); err != nil || quit {
			return err
		}
	}
	if len(p.opts) > 0 && len(p.operands) == 0 {
		return nil
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	quit, err := d.run(string(in))
	if quit {
		return errUnknown // the status after q in a file is an accident
	}
	return err
}

// run executes program text; quit says that q was met.
func (d *dcRun) run(s string) (quit bool, err error) {
	for i := 0; i < len(s) && !d.j.over; {
		c := s[i]
		switch {
		case c == ' ' || c == '\n' || c == '\t':
			i++
		case c == '_' || isDigit(c) || c >= 'A' && c <= 'F':
			n, err := d.number(s[i:])
			if err != nil {
				return false, err
			}
			i += n
		case c == '[':
			end := strings.IndexAny(s[i+1:], "[]")
			if end < 0 || s[i+1+end] == '[' {
				return false, errUnknown
			}
			d.stack = append(d.stack, dcItem{text: s[i+1 : i+1+end]})
			i += end + 2
		case c == 'q':
			return true, nil
		default:
			if err := d.command(c); err != nil {
				return false, err
			}
			i++
		}
		if len(d.stack) > maxCalcStack || !d.j.spend(64) {
			return false, errUnknown
		}
	}
	return false, nil
}

// number pushes the number that begins s.
func (d *dcRun) number(s string) (int, error) {
	n, neg := 0, false
	if s[0] == '_' {
		n, neg = 1, true
	}
	start := n
	for n < len(s) && (isDigit(s[n]) || s[n] >= 'A' && s[n] <= 'F') {
		n++
	}
	if n == start || n < len(s) && s[n] == '.' {
		return 0, errUnknown
	}
	v, ok := calcNumber(s[start:n], d.ibase)
	if !ok {
		return 0, errUnknown
	}
	if neg {
		v.Neg(v)
	}
	d.stack = append(d.stack, dcItem{n: v})
	return n, nil
}

func (d *dcRun) pop() (dcItem, bool) {
	if len(d.stack) == 0 {
		return dcItem{}, false
	}
	top := d.stack[len(d.stack)-1]
	d.stack = d.stack[:len(d.stack)-1]
	return top, true
}

func (d *dcRun) command(c byte) error {
	switch c {
	case '+', '-', '*', '/', '%', '^':
		y, ok1 := d.pop()
		x, ok2 := d.pop()
		if !ok1 || !ok2 || x.n == nil || y.n == nil || !d.j.spend(maxCalcBits/8) {
			return errUnknown
		}
		z, ok := arithmetic(c, x.n, y.n)
		if !ok {
			return errUnknown
		}
		d.stack = append(d.stack, dcItem{n: z})
		return nil
	case 'c':
		d.stack = nil
		return nil
	case 'f':
		for i := len(d.stack) - 1; i >= 0; i-- {
			if err := d.print(d.stack[i], "\n"); err != nil {
				return err
			}
		}
		return nil
	case 'r':
		n := len(d.stack)
		if n < 2 {
			return errUnknown
		}
		d.stack[n-1], d.stack[n-2] = d.stack[n-2], d.stack[n-1]
		return nil
	}
	top, ok := d.pop()
	if !ok {
		return errUnknown
	}
	return d.onTop(c, top)
}

// onTop executes a command that takes the top of the stack.
func (d *dcRun) onTop(c byte, top dcItem) error {
	if (c == 'P' || c == 'a') && top.n != nil && top.n.Sign() <= 0 {
		return errUnknown
	}
	switch c {
	case 'p':
		d.stack = append(d.stack, top)
		return d.print(top, "\n")
	case 'n':
		return d.print(top, "")
	case 'd':
		d.stack = append(d.stack, top, top)
		return nil
	case 'P':
		if top.n == nil {
			d.j.writeString(top.text)
			return nil
		}
		d.j.decoded = true
		d.j.write(top.n.Bytes())
		return nil
	case 'a':
		if top.n != nil {
			low := new(big.Int).And(top.n, big.NewInt(0xff))
			top = dcItem{text: string([]byte{byte(low.Int64())})}
		} else if top.text != "" {
			top.text = top.text[:1]
		}
		d.j.decoded = true
		d.stack = append(d.stack, top)
		return nil
	case 'i', 'o':
		if top.n == nil || !top.n.IsInt64() || top.n.Int64() < 2 || top.n.Int64() > 16 {
			return errUnknown
		}
		if c == 'i' {
			d.ibase = int(top.n.Int64())
		} else {
			d.obase = int(top.n.Int64())
		}
		return nil
	}
	return errUnknown
}

func (d *dcRun) print(it dcItem, end string) error {
	text := it.text
	if it.n != nil {
		var ok bool
		if text, ok = calcText(it.n, d.obase); !ok {
			return errUnknown
		}
	}
	d.j.writeString(text + end)
	return nil
}
