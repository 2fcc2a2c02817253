package pure

import (
	"bytes"
	"strconv"
)

// runCat is cat(1) of coreutils 9.1: -n -b -s -E -T -v -A -e -t -u.
func runCat(j *job, args []string) error {
	p, err := grammar{
		short: "benstuvAET",
		long: []string{
			"b|number-nonblank", "e|e", "n|number", "s|squeeze-blank", "E|show-ends",
			"T|show-tabs", "v|show-nonprinting", "A|show-all",
		},
	}.getopt(args)
	if err != nil {
		return err
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	c := catter{
		number:   p.has("n"),
		nonblank: p.has("b"),
		squeeze:  p.has("s"),
		ends:     p.has("E", "A", "e"),
		tabs:     p.has("T", "A", "t"),
		visible:  p.has("v", "A", "e", "t"),
	}
	if c == (catter{}) {
		j.write(in)
		return nil
	}
	if c.ends && !c.visible && bytes.Contains(in, []byte("\r\n")) {
		return errUnknown // ^M$ since coreutils 9.0
	}
	c.print(j, in)
	return nil
}

// A catter holds what cat does to each line.
type catter struct {
	number, nonblank, squeeze, ends, tabs, visible bool
}

func (c catter) print(j *job, in []byte) {
	lines, ended := splitLines(in, '\n')
	n, blank := 0, false
	for i, line := range lines {
		if j.over {
			return
		}
		last := i == len(lines)-1 && !ended
		empty := len(line) == 0 && !last
		if c.squeeze && empty && blank {
			continue
		}
		blank = empty
		if (c.number && !c.nonblank) || (c.nonblank && !empty) {
			n++
			j.write(pad(strconv.AppendInt(nil, int64(n), 10), 6, false))
			j.writeByte('\t')
		}
		for _, b := range line {
			c.printByte(j, b)
		}
		if last {
			return
		}
		if c.ends {
			j.writeByte('$')
		}
		j.writeByte('\n')
	}
}

func (c catter) printByte(j *job, b byte) {
	switch {
	case b == '\t':
		if c.tabs {
			j.writeString("^I")
			return
		}
	case c.visible:
		if b >= 0x80 {
			j.writeString("M-")
			b -= 0x80
		}
		if b < ' ' {
			j.writeByte('^')
			b += '@'
		} else if b == 0x7f {
			j.writeByte('^')
			b = '?'
		}
	}
	j.writeByte(b)
}
