package pure

import (
	"math/big"
	"strings"
)

// A bcRun evaluates bc statements over integers.
type bcRun struct {
	j            *job
	s            string
	at           int
	ibase, obase int
	vars         map[byte]*big.Int
	depth        int
}

// runBc is bc(1) of GNU for integer expressions read from standard input or
// files: + - * / % ^, parentheses, one-letter variables, ibase and obase up to
// 16. scale stays 0; anything else is unknown.
func runBc(j *job, args []string) error {
	p, err := grammar{short: "q", long: []string{"q|quiet"}}.getopt(args)
	if err != nil || !j.unset("BC_ENV_ARGS", "BC_LINE_LENGTH") {
		return errUnknown
	}
	var text []byte
	for _, f := range p.operands {
		b, err := j.readPath(f)
		if err != nil {
			return err
		}
		text = append(append(text, b...), '\n')
	}
	in, err := j.readStdin()
	if err != nil {
		return err
	}
	text = append(text, in...)
	if len(text) > 0 && text[len(text)-1] != '\n' || containsAny(string(text), "--", "++") {
		return errUnknown // some versions drop an unended last line; -- is a token
	}
	b := &bcRun{j: j, s: string(text), ibase: 10, obase: 10, vars: map[byte]*big.Int{}}
	for b.at < len(b.s) && !j.over {
		switch c := b.s[b.at]; {
		case c == '\n' || c == ';' || c == ' ' || c == '\t':
			b.at++
		default:
			if err := b.statement(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bcRun) skip() {
	for b.at < len(b.s) && (b.s[b.at] == ' ' || b.s[b.at] == '\t') {
		b.at++
	}
}

func (b *bcRun) peek() byte {
	b.skip()
	if b.at >= len(b.s) {
		return 0
	}
	return b.s[b.at]
}

// word reads a lower-case name.
func (b *bcRun) word() string {
	b.skip()
	start := b.at
	for b.at < len(b.s) && (isLower(b.s[b.at]) || b.at > start && (isDigit(b.s[b.at]) || b.s[b.at] == '_')) {
		b.at++
	}
	return b.s[start:b.at]
}

func (b *bcRun) statement() error {
	start := b.at
	name := b.word()
	if name != "" && b.peek() == '=' && !strings.HasPrefix(b.s[b.at:], "==") {
		b.at++
		v, err := b.sum()
		if err != nil {
			return err
		}
		return b.assign(name, v)
	}
	if name == "quit" {
		b.at = len(b.s)
		return nil
	}
	b.at = start
	v, err := b.sum()
	if err != nil {
		return err
	}
	if err := b.end(); err != nil {
		return err
	}
	text, ok := calcText(v, b.obase)
	if !ok {
		return errUnknown
	}
	b.j.writeString(text + "\n")
	return nil
}

// end insists that the statement is over.
func (b *bcRun) end() error {
	if c := b.peek(); c != '\n' && c != ';' {
		return errUnknown
	}
	return nil
}

func (b *bcRun) assign(name string, v *big.Int) error {
	if err := b.end(); err != nil {
		return err
	}
	if name == "ibase" || name == "obase" {
		if !v.IsInt64() || v.Int64() < 2 || v.Int64() > 16 {
			return errUnknown
		}
		if name == "ibase" {
			b.ibase = int(v.Int64())
		} else {
			b.obase = int(v.Int64())
		}
		return nil
	}
	if len(name) != 1 {
		return errUnknown
	}
	b.vars[name[0]] = v
	return nil
}

func (b *bcRun) sum() (*big.Int, error) { return b.chain("+-", b.product) }

func (b *bcRun) product() (*big.Int, error) { return b.chain("*/%", b.power) }

// chain reads operands of one level, joined from the left.
func (b *bcRun) chain(ops string, operand func() (*big.Int, error)) (*big.Int, error) {
	x, err := operand()
	for err == nil {
		op := b.peek()
		if op == 0 || strings.IndexByte(ops, op) < 0 {
			return x, nil
		}
		b.at++
		var y *big.Int
		if y, err = operand(); err != nil {
			break
		}
		if !b.j.spend(64 + (x.BitLen()+y.BitLen())/8) {
			return nil, errUnknown
		}
		var ok bool
		if x, ok = arithmetic(op, x, y); !ok {
			return nil, errUnknown
		}
	}
	return nil, err
}

// power reads x^y, which binds to the right.
func (b *bcRun) power() (*big.Int, error) {
	if b.depth++; b.depth > maxCalcDepth {
		return nil, errUnknown
	}
	defer func() { b.depth-- }()
	negative := b.peek() == '-'
	x, err := b.operand()
	if err != nil || b.peek() != '^' {
		return x, err
	}
	if negative {
		return nil, errUnknown // -2^2 is 4 here, -4 elsewhere
	}
	b.at++
	y, err := b.power()
	if err != nil {
		return nil, err
	}
	z, ok := power(x, y)
	if !ok || !b.j.spend(maxCalcBits) {
		return nil, errUnknown
	}
	return z, nil
}

func (b *bcRun) operand() (*big.Int, error) {
	switch c := b.peek(); {
	case c == '-':
		b.at++
		if b.peek() == '-' {
			return nil, errUnknown
		}
		x, err := b.operand()
		if err != nil {
			return nil, err
		}
		return x.Neg(x), nil
	case c == '(':
		b.at++
		x, err := b.sum()
		if err != nil || b.peek() != ')' {
			return nil, errUnknown
		}
		b.at++
		return x, nil
	case isLower(c):
		name := b.word()
		if len(name) != 1 {
			return nil, errUnknown
		}
		x := new(big.Int)
		if v := b.vars[name[0]]; v != nil {
			x.Set(v)
		}
		return x, nil
	case hexDigit(c) >= 0:
		start := b.at
		for b.at < len(b.s) && (isDigit(b.s[b.at]) || b.s[b.at] >= 'A' && b.s[b.at] <= 'F') {
			b.at++
		}
		if strings.HasPrefix(b.s[b.at:], ".") {
			return nil, errUnknown
		}
		x, ok := calcNumber(b.s[start:b.at], b.ibase)
		if !ok {
			return nil, errUnknown
		}
		return x, nil
	}
	return nil, errUnknown
}
