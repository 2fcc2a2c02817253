package pure

import (
	"fmt"
	"slices"
	"strings"
)

// runNl is nl(1) of coreutils without sections: -b a|t|n, -i -n -s -v -w.
func runNl(j *job, args []string) error {
	p, err := grammar{
		short: "b:i:n:s:v:w:p",
		long: []string{
			"b|body-numbering=", "i|line-increment=", "n|number-format=", "s|number-separator=",
			"v|starting-line-number=", "w|number-width=", "p|no-renumber",
		},
	}.getopt(args)
	if err != nil {
		return err
	}
	style, format, sep := "t", "rn", "\t"
	number, step, width := 1, 1, 6
	for _, o := range p.opts {
		ok := true
		switch o.key {
		case "b":
			style, ok = o.val, len(o.val) == 1 && strings.Contains("atn", o.val)
		case "n":
			format, ok = o.val, o.val == "rn" || o.val == "rz" || o.val == "ln"
		case "s":
			sep = o.val
		case "i":
			step, ok = decimal(o.val)
		case "v":
			number, ok = decimal(o.val)
		case "w":
			width, ok = decimal(o.val)
			ok = ok && width > 0 && width < 100
		}
		if !ok {
			return errUnknown
		}
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	layout := map[string]string{"rn": "%*d", "rz": "%0*d", "ln": "%-*d"}[format]
	blank := strings.Repeat(" ", width+len(sep))
	lines, _ := splitLines(in, '\n')
	for _, line := range lines {
		switch string(line) {
		case `\:`, `\:\:`, `\:\:\:`:
			return errUnknown // section delimiters
		}
		if style == "a" || style == "t" && len(line) > 0 {
			j.writeString(fmt.Sprintf(layout, width, number) + sep)
			number += step
		} else {
			j.writeString(blank)
		}
		j.write(line)
		j.writeByte('\n')
		if j.over {
			return nil
		}
	}
	return nil
}

// column is where the cursor stands after c.
func column(at int, c byte, countBytes bool) int {
	switch {
	case countBytes:
		return at + 1
	case c == '\b':
		return max(at-1, 0)
	case c == '\r':
		return 0
	case c == '\t':
		return at + 8 - at%8
	}
	return at + 1
}

// runFold is fold(1) of coreutils: -b -s -w, and -N.
func runFold(j *job, args []string) error {
	if len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && isDigit(args[0][1]) {
		args = slices.Concat([]string{"-w" + args[0][1:]}, args[1:])
	}
	p, err := grammar{
		short: "bsw:", long: []string{"b|bytes", "s|spaces", "w|width="},
	}.getopt(args)
	if err != nil {
		return err
	}
	width := 80
	if v, ok := p.last("w"); ok {
		if width, ok = decimal(v); !ok || width == 0 {
			return errUnknown
		}
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	if !isASCII(in) || len(p.operands) > 1 {
		return errUnknown // bytes or characters, by version
	}
	foldText(j, in, width, p.has("s"), p.has("b"))
	return nil
}

// foldText is the loop of coreutils' fold.c.
func foldText(j *job, in []byte, width int, spaces, countBytes bool) {
	var line []byte
	at := 0
	for i := 0; i < len(in) && !j.over; {
		c := in[i]
		if c == '\n' {
			j.write(append(line, '\n'))
			line, at = line[:0], 0
			i++
			continue
		}
		at = column(at, c, countBytes)
		if at <= width || len(line) == 0 {
			line = append(line, c)
			i++
			continue
		}
		end := len(line)
		if spaces {
			if k := slices.IndexFunc(backwards(line), func(c byte) bool { return c == ' ' || c == '\t' }); k >= 0 {
				end = len(line) - k
			}
		}
		j.write(line[:end])
		j.writeByte('\n')
		line = append(line[:0], line[end:]...)
		at = 0
		for _, c := range line {
			at = column(at, c, countBytes)
		}
	}
	j.write(line)
}

func backwards(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

// runExpand is expand(1) of coreutils: -i, -t N or -t LIST.
func runExpand(j *job, args []string) error {
	p, err := grammar{short: "it:", long: []string{"i|initial", "t|tabs="}}.getopt(args)
	if err != nil {
		return err
	}
	stops := []int{8}
	if v, ok := p.last("t"); ok {
		stops = nil
		for _, s := range strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' }) {
			n, ok := decimal(s)
			if !ok || n == 0 || n > 1024 || len(stops) > 0 && n <= stops[len(stops)-1] {
				return errUnknown
			}
			stops = append(stops, n)
		}
		if len(stops) == 0 {
			return errUnknown
		}
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	if !isASCII(in) {
		return errUnknown
	}
	at, convert := 0, true
	for _, c := range in {
		if j.over {
			return nil
		}
		switch {
		case c == '\n':
			at, convert = 0, true
		case c == '\b':
			at = max(at-1, 0)
		case c == '\t' && convert:
			next := nextStop(stops, at)
			j.writeString(strings.Repeat(" ", next-at))
			at = next
			continue
		case c == '\t':
			at = nextStop(stops, at)
		default:
			at++
		}
		if p.has("i") && c != '\n' && c != ' ' && c != '\t' {
			convert = false
		}
		j.writeByte(c)
	}
	return nil
}

// nextStop is the tab stop after a column; past a list it is one column on.
func nextStop(stops []int, at int) int {
	if len(stops) == 1 {
		return at + stops[0] - at%stops[0]
	}
	for _, s := range stops {
		if s > at {
			return s
		}
	}
	return at + 1
}
