package pure

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// An xxdJob is one xxd command.
type xxdJob struct {
	plain, revert, upper, bits bool

	cols, group, length, skip int // cols and length < 0: not given
}

// runXxd is xxd(1) of vim 9: -p -r -u -b -c -g -l -s, in the spellings of the
// manual page. The second operand (an output file) is not handled.
func runXxd(j *job, args []string) error {
	x := xxdJob{cols: -1, group: -1, length: -1}
	files, err := x.parse(args)
	if err != nil || len(files) > 1 {
		return errUnknown
	}
	in, err := j.readAll(files)
	if err != nil {
		return err
	}
	if x.revert {
		j.decoded = true
		if x.plain {
			return x.revertPlain(j, in)
		}
		return x.revertDump(j, in)
	}
	in = in[min(x.skip, len(in)):]
	if x.length >= 0 {
		in = in[:min(x.length, len(in))]
	}
	if x.plain {
		return x.dumpPlain(j, in)
	}
	return x.dump(j, in)
}

func (x *xxdJob) parse(args []string) (files []string, err error) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if len(a) < 2 || a[0] != '-' {
			return args[i:], nil
		}
		name := strings.TrimPrefix(a[1:], "-")
		if name == "" {
			return nil, errUnknown
		}
		switch name {
		case "p", "ps", "plain", "postscript":
			x.plain = true
			continue
		case "r", "revert":
			x.revert = true
			continue
		case "u", "upper", "uppercase":
			x.upper = true
			continue
		case "b", "bits":
			x.bits = true
			continue
		}
		to := map[byte]*int{'c': &x.cols, 'g': &x.group, 'l': &x.length, 's': &x.skip}[name[0]]
		if to == nil {
			return nil, errUnknown
		}
		value := name[1:]
		switch name {
		case "c", "cols", "g", "groupsize", "l", "len", "s", "seek":
			if i++; i == len(args) {
				return nil, errUnknown
			}
			value = args[i]
		}
		n, err := strconv.ParseInt(value, 0, 32)
		if err != nil || n < 0 || strings.ContainsAny(value, "_+bB") || n > 256 && (name[0] == 'c' || name[0] == 'g') {
			return nil, errUnknown
		}
		*to = int(n)
	}
	return nil, nil
}

func (x *xxdJob) digits(c byte) string {
	if x.bits {
		return fmt.Sprintf("%08b", c)
	}
	if x.upper {
		return fmt.Sprintf("%02X", c)
	}
	return fmt.Sprintf("%02x", c)
}

// dumpPlain is -p: digits only, 30 bytes a line unless -c says otherwise.
func (x *xxdJob) dumpPlain(j *job, in []byte) error {
	cols := x.cols
	switch {
	case cols == 0 || x.bits:
		return errUnknown
	case cols < 0:
		cols = 30
	}
	for len(in) > 0 && !j.over {
		n := min(cols, len(in))
		for _, c := range in[:n] {
			j.writeString(x.digits(c))
		}
		j.writeByte('\n')
		in = in[n:]
	}
	return nil
}

// dump is the default form: offset, groups of digits, text.
func (x *xxdJob) dump(j *job, in []byte) error {
	cols, group := x.cols, x.group
	if cols <= 0 {
		cols = 16
		if x.bits {
			cols = 6
		}
	}
	if group < 0 {
		group = 2
		if x.bits {
			group = 1
		}
	}
	if group == 0 || group > cols {
		group = cols
	}
	width := len(x.digits(0))*cols + (cols+group-1)/group
	if x.skip > 0 {
		return errUnknown
	}
	for at := 0; at < len(in) && !j.over; at += cols {
		line := in[at:min(at+cols, len(in))]
		var hex, text strings.Builder
		for i, c := range line {
			if i%group == 0 && i > 0 {
				hex.WriteByte(' ')
			}
			hex.WriteString(x.digits(c))
			if isPrint(c) {
				text.WriteByte(c)
			} else {
				text.WriteByte('.')
			}
		}
		j.writeString(fmt.Sprintf("%08x: %-*s %s\n", at, width, hex.String(), text.String()))
	}
	return nil
}

// revertPlain is -r -p. Blanks are skipped; any other text makes xxd look for
// digits again on the next line, which is left unknown.
func (x *xxdJob) revertPlain(j *job, in []byte) error {
	high := -1
	for _, c := range in {
		if c == ' ' || c == '\n' || c == '\t' || c == '\r' {
			continue
		}
		d := hexDigit(c)
		if d < 0 {
			return errUnknown
		}
		if high < 0 {
			high = d
			continue
		}
		j.writeByte(byte(high<<4 | d))
		high = -1
	}
	return nil
}

// revertDump is -r: lines of "offset: digits  text" whose offsets follow on
// one another.
func (x *xxdJob) revertDump(j *job, in []byte) error {
	if x.skip > 0 || x.bits {
		return errUnknown
	}
	cols := x.cols
	if cols <= 0 {
		cols = 16
	}
	lines, _ := splitLines(in, '\n')
	for _, line := range lines {
		offset, rest, ok := bytes.Cut(line, []byte{':'})
		if !ok || !bytes.HasPrefix(rest, []byte{' '}) {
			return errUnknown
		}
		at, err := strconv.ParseUint(string(offset), 16, 32)
		if err != nil || int(at) != len(j.out) {
			return errUnknown
		}
		digits, _, _ := bytes.Cut(rest[1:], []byte("  "))
		n := 0
		for len(digits) > 0 && n < cols {
			if digits[0] == ' ' {
				digits = digits[1:]
				continue
			}
			if len(digits) < 2 || hexDigit(digits[0]) < 0 || hexDigit(digits[1]) < 0 {
				return errUnknown
			}
			j.writeByte(byte(hexDigit(digits[0])<<4 | hexDigit(digits[1])))
			digits = digits[2:]
			n++
		}
		if len(bytes.TrimSpace(digits)) > 0 {
			return errUnknown
		}
	}
	return nil
}
