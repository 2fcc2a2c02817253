package pure

import (
	"bytes"
	"strconv"
	"strings"
)

// A sedOutcome says how a cycle ended.
type sedOutcome uint8

const (
	sedPrint   sedOutcome = iota // the usual end: print and go on
	sedDelete                    // go on without printing
	sedRestart                   // D: again without reading
	sedQuit                      // q: print and end
	sedStop                      // Q
)

// cycle runs the script over the pattern space.
func (r *sedRun) cycle() (sedOutcome, error) {
	for pc := 0; pc < len(r.prog); pc++ {
		if !r.j.spend(16) || r.j.over || len(r.space)+len(r.hold) > 2*r.j.limit {
			return sedStop, errUnknown
		}
		c := r.prog[pc]
		selected, err := r.selects(c)
		if err != nil {
			return sedStop, err
		}
		if selected == c.negate {
			if c.name == '{' {
				pc = c.jump - 1
			}
			continue
		}
		switch c.name {
		case 'b':
			pc = c.jump - 1
		case 't', 'T':
			if r.replaced == (c.name == 't') {
				pc = c.jump - 1
			}
			r.replaced = false
		default:
			out, done, err := r.execute(c)
			if done || err != nil {
				return out, err
			}
		}
	}
	return sedPrint, nil
}

// execute runs one command that does not branch; done ends the cycle.
func (r *sedRun) execute(c *sedCommand) (out sedOutcome, done bool, err error) {
	switch c.name {
	case '=':
		r.emit(strconv.AppendInt(nil, int64(r.line), 10), true)
	case 'a':
		r.appended = append(r.appended, c.text)
		if !r.j.spend(len(c.text)) {
			return 0, false, errUnknown
		}
	case 'i':
		r.emit([]byte(c.text), true)
	case 'c':
		if c.a2.kind == sedMulti {
			return 0, false, errUnknown
		}
		if c.a2.kind == sedNone || !c.active || c.negate {
			r.emit([]byte(c.text), true)
		}
		return sedDelete, true, nil
	case 'd':
		return sedDelete, true, nil
	case 'D':
		i := bytes.IndexByte(r.space, '\n')
		if i < 0 {
			return sedDelete, true, nil
		}
		r.space = append(r.space[:0], r.space[i+1:]...)
		return sedRestart, true, nil
	case 'n':
		return r.nextLine()
	case 'N':
		return r.appendLine()
	case 'p':
		r.emit(r.space, r.ended)
	case 'P':
		line, _, more := bytes.Cut(r.space, []byte{'\n'})
		r.emit(line, more || r.ended)
	case 'q', 'Q':
		if !r.ended {
			return 0, false, errUnknown // q may print the missing newline
		}
		r.j.status = c.exit
		if c.name == 'Q' {
			return sedStop, true, nil
		}
		return sedQuit, true, nil
	case 's':
		err = r.substitute(c.sub)
	case 'y':
		if !r.j.spend(len(r.space) / 4) {
			return 0, false, errUnknown
		}
		for i, b := range r.space {
			r.space[i] = c.y[b]
		}
	default:
		r.moveSpaces(c.name)
	}
	return sedPrint, false, err
}

// moveSpaces runs the commands on the hold space.
func (r *sedRun) moveSpaces(name byte) {
	if name != 'x' && name != 'z' {
		r.j.spend(len(r.space)/8 + len(r.hold)/8) // the main loop looks
	}
	switch name {
	case 'g':
		r.space = append(r.space[:0], r.hold...)
	case 'G':
		r.space = append(append(r.space, '\n'), r.hold...)
	case 'h':
		r.hold = append(r.hold[:0], r.space...)
	case 'H':
		r.hold = append(append(r.hold, '\n'), r.space...)
	case 'x':
		r.space, r.hold = r.hold, r.space
	case 'z':
		r.space = r.space[:0]
	}
}

// nextLine is n: without a next line GNU sed prints and ends.
func (r *sedRun) nextLine() (sedOutcome, bool, error) {
	if r.at >= len(r.records) {
		return sedQuit, true, nil
	}
	r.endCycle()
	rec, _ := r.next()
	r.space = append(r.space[:0], rec.text...)
	return sedPrint, false, nil
}

// appendLine is N.
func (r *sedRun) appendLine() (sedOutcome, bool, error) {
	if r.at >= len(r.records) {
		return sedQuit, true, nil
	}
	r.flush()
	rec, _ := r.next()
	r.space = append(append(r.space, '\n'), rec.text...)
	return sedPrint, false, nil
}

// selects reports whether the addresses choose the current line.
func (r *sedRun) selects(c *sedCommand) (bool, error) {
	if c.a1.kind == sedNone {
		return true, nil
	}
	if c.a2.kind == sedNone {
		return r.atAddress(c.a1)
	}
	if c.active {
		if c.a2.kind == sedRE || c.a2.kind == sedLast {
			ends, err := r.atAddress(c.a2)
			c.active = !ends
			return true, err
		}
		if r.line > c.end {
			return false, errUnknown // n or a jump skipped the last line
		}
		c.active = r.line < c.end
		return true, nil
	}
	if c.a1.kind == sedLine && r.line > c.a1.n && !c.begun {
		return false, errUnknown // n or a jump skipped the first line
	}
	starts, err := r.atAddress(c.a1)
	if err != nil || !starts {
		return false, err
	}
	c.begun = true
	switch c.a2.kind {
	case sedRE:
		c.active = true
		return true, nil
	case sedLast:
		c.active = !r.last
		return true, nil
	case sedLine:
		c.end = c.a2.n
	case sedPlus:
		c.end = r.line + c.a2.n
	case sedMulti:
		c.end = r.line
		if c.a2.n > 0 {
			c.end = (r.line + c.a2.n - 1) / c.a2.n * c.a2.n
		}
		if c.end == r.line {
			return false, errUnknown // one line, or more in GNU sed 4.9
		}
	}
	c.active = c.end > r.line
	return true, nil
}

func (r *sedRun) atAddress(a sedAddr) (bool, error) {
	switch a.kind {
	case sedLine:
		return r.line == a.n, nil
	case sedLast:
		return r.last, nil
	case sedStep:
		if a.m == 0 {
			return r.line == a.n, nil
		}
		return r.line >= a.n && (r.line-a.n)%a.m == 0, nil
	}
	re, err := r.regexp(a.re)
	if err != nil {
		return false, err
	}
	return re.matches(r.j, r.space)
}

// regexp notes the pattern as the last one used; nil asks for that one.
func (r *sedRun) regexp(re *pattern) (*pattern, error) {
	if re != nil {
		r.lastRE = re
	}
	if r.lastRE == nil {
		return nil, errUnknown
	}
	return r.lastRE, nil
}

// substitute is s.
func (r *sedRun) substitute(s *sedSub) error {
	re, err := r.regexp(s.re)
	if err != nil {
		return err
	}
	if s.re == nil && s.groups {
		return errUnknown
	}
	limit := s.number
	if s.global {
		limit = -1
	}
	found, err := re.find(r.j, r.space, limit)
	if err != nil || len(found) < s.number {
		return err
	}
	var out []byte
	at := 0
	for _, m := range found[s.number-1:] {
		out = append(out, r.space[at:m[0]]...)
		if out, err = s.replace(out, r.space, m); err != nil {
			return err
		}
		if len(out) > 2*r.j.limit {
			return errUnknown
		}
		at = m[1]
	}
	r.space = append(out, r.space[at:]...)
	r.replaced = true
	if !r.j.spend(len(r.space) / 8) {
		return errUnknown
	}
	if s.print > 0 {
		r.emit(r.space, r.ended)
	}
	return nil
}

// replace appends the replacement for one match.
func (s *sedSub) replace(out, space []byte, m []int) ([]byte, error) {
	var mode, once byte
	for _, p := range s.parts {
		text := []byte(p.text)
		switch {
		case p.mode == 'l' || p.mode == 'u':
			once = p.mode
			continue
		case p.mode != 0:
			mode, once = p.mode, 0
			continue
		case p.group >= 0:
			text = nil
			if m[2*p.group] >= 0 {
				text = space[m[2*p.group]:m[2*p.group+1]]
			}
		}
		if mode == 0 && once == 0 {
			out = append(out, text...)
			continue
		}
		if once != 0 && len(text) == 0 || !isASCII(text) {
			return nil, errUnknown
		}
		out = append(out, recase(text, mode, once)...)
		once = 0
	}
	return out, nil
}

// recase applies \U, \L, \u and \l to ASCII text.
func recase(text []byte, mode, once byte) []byte {
	switch mode {
	case 'U':
		text = bytes.ToUpper(text)
	case 'L':
		text = bytes.ToLower(text)
	default:
		text = bytes.Clone(text)
	}
	if once == 'u' {
		text[0] = toUpper(text[0])
	} else if once == 'l' {
		text[0] = toLower(text[0])
	}
	return text
}

// usesHold reports whether the command touches the hold space.
func (c *sedCommand) usesHold() bool { return strings.IndexByte("gGhHx", c.name) >= 0 }
