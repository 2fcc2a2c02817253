package pure

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// An odFormat is one -t: a letter and the size of its numbers.
type odFormat struct {
	letter byte
	size   int
}

// An odJob is one od command.
type odJob struct {
	format  odFormat
	address byte // d, o, x or n
	all     bool // -v
	width   int
	skip    int
	limit   int // < 0: none
}

// runOd is od(1) of coreutils for one integer or character format on a
// little-endian machine: -A -j -N -t -v -w and the traditional -a -b -c -d -i
// -l -o -s -x.
func runOd(j *job, args []string) error {
	p, err := grammar{
		short: "A:abcdij:lN:ost:vw::x",
		long: []string{
			"A|address-radix=", "j|skip-bytes=", "N|read-bytes=", "t|format=", "v|output-duplicates", "w|width=?",
		},
	}.getopt(args)
	if err != nil {
		return err
	}
	for _, f := range p.operands {
		if f == "" || f[0] == '+' || isDigit(f[0]) && len(p.operands) > 1 {
			return errUnknown // may be a traditional offset
		}
	}
	o, err := newOdJob(p)
	if err != nil {
		return err
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	if o.skip > len(in) {
		return errUnknown
	}
	in = in[o.skip:]
	if o.limit >= 0 {
		in = in[:min(o.limit, len(in))]
	}
	o.dump(j, in)
	return nil
}

func newOdJob(p parsed) (odJob, error) {
	o := odJob{format: odFormat{'o', 2}, address: 'o', width: 16, limit: -1}
	formats := 0
	for _, opt := range p.opts {
		ok := true
		switch opt.key {
		case "A":
			ok = len(opt.val) == 1 && strings.Contains("doxn", opt.val)
			if ok {
				o.address = opt.val[0]
			}
		case "j":
			o.skip, ok = decimal(opt.val)
			ok = ok && (opt.val == "0" || opt.val[0] != '0')
		case "N":
			o.limit, ok = decimal(opt.val)
			ok = ok && (opt.val == "0" || opt.val[0] != '0')
		case "t":
			o.format, ok = parseOdFormat(opt.val)
			formats++
		case "v":
			o.all = true
		case "w":
			o.width = 32
			if opt.has {
				o.width, ok = decimal(opt.val)
			}
		default:
			o.format = traditionalOd(opt.key[0])
			formats++
		}
		if !ok {
			return o, errUnknown
		}
	}
	if formats > 1 || o.width <= 0 || o.width > 4096 || o.width%o.format.size != 0 {
		return o, errUnknown
	}
	return o, nil
}

// traditionalOd is the format that an old option letter stands for.
func traditionalOd(c byte) odFormat {
	switch c {
	case 'a':
		return odFormat{'a', 1}
	case 'b':
		return odFormat{'o', 1}
	case 'c':
		return odFormat{'c', 1}
	case 'd':
		return odFormat{'u', 2}
	case 'i':
		return odFormat{'d', 4}
	case 'l':
		return odFormat{'d', 8}
	case 's':
		return odFormat{'d', 2}
	case 'x':
		return odFormat{'x', 2}
	}
	return odFormat{'o', 2}
}

// parseOdFormat reads one TYPE of -t without the trailing z.
func parseOdFormat(s string) (odFormat, bool) {
	if s == "" {
		return odFormat{}, false
	}
	f := odFormat{s[0], 4}
	switch s[0] {
	case 'a', 'c':
		f.size = 1
		return f, len(s) == 1
	case 'd', 'o', 'u', 'x':
	default:
		return f, false
	}
	switch s[1:] {
	case "":
	case "1", "C":
		f.size = 1
	case "2", "S":
		f.size = 2
	case "4", "I":
		f.size = 4
	case "8", "L":
		f.size = 8
	default:
		return f, false
	}
	return f, true
}

func (o odJob) dump(j *job, in []byte) {
	var previous []byte
	starred := false
	for at := 0; at < len(in) && !j.over; at += o.width {
		block := in[at:min(at+o.width, len(in))]
		if !o.all && len(block) == o.width && bytes.Equal(block, previous) {
			if !starred {
				j.writeString("*\n")
			}
			starred = true
			continue
		}
		previous, starred = block, false
		o.printAddress(j, o.skip+at, "")
		for i := 0; i < len(block); i += o.format.size {
			j.writeString(o.format.text(block[i:min(i+o.format.size, len(block))]))
		}
		j.writeByte('\n')
	}
	o.printAddress(j, o.skip+len(in), "\n")
}

func (o odJob) printAddress(j *job, at int, end string) {
	switch o.address {
	case 'd':
		j.writeString(fmt.Sprintf("%07d%s", at, end))
	case 'o':
		j.writeString(fmt.Sprintf("%07o%s", at, end))
	case 'x':
		j.writeString(fmt.Sprintf("%06x%s", at, end))
	}
}

// text prints one number with the space before it.
func (f odFormat) text(b []byte) string {
	switch f.letter {
	case 'a':
		return fmt.Sprintf(" %3s", asciiName(b[0]&0x7f))
	case 'c':
		return fmt.Sprintf(" %3s", odChar(b[0]))
	}
	var full [8]byte
	copy(full[:], b)
	v := binary.LittleEndian.Uint64(full[:])
	i := map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[f.size]
	switch f.letter {
	case 'd':
		shift := 64 - 8*f.size
		return fmt.Sprintf(" %*d", []int{4, 6, 11, 20}[i], int64(v<<shift)>>shift)
	case 'u':
		return fmt.Sprintf(" %*d", []int{3, 5, 10, 20}[i], v)
	case 'o':
		return fmt.Sprintf(" %0*o", []int{3, 6, 11, 22}[i], v)
	}
	return fmt.Sprintf(" %0*x", 2*f.size, v)
}

// odChar is the text of od -c for one byte.
func odChar(c byte) string {
	switch {
	case c == 0:
		return `\0`
	case c >= '\a' && c <= '\r':
		return `\` + "abtnvfr"[c-'\a':c-'\a'+1]
	case isPrint(c):
		return string(rune(c))
	}
	return fmt.Sprintf("%03o", c)
}

// asciiName is the name od -a gives to a character.
func asciiName(c byte) string {
	names := strings.Fields("nul soh stx etx eot enq ack bel bs ht nl vt ff cr so si dle dc1 dc2 dc3 dc4 nak syn etb can em sub esc fs gs rs us sp")
	switch {
	case int(c) < len(names):
		return names[c]
	case c == 0x7f:
		return "del"
	}
	return string(rune(c))
}
