package pure

import (
	"bytes"
	"fmt"
	"strings"
)

// runHexdump is hexdump(1) of util-linux: -C (also as hd), and -e with one
// format of one byte at a time; -n -v.
func runHexdump(j *job, args []string) error {
	p, err := grammar{
		short: "Ce:n:v", long: []string{"C|canonical", "e|format=", "n|length=", "v|no-squeezing"},
	}.getopt(args)
	if err != nil || len(p.operands) > 1 {
		return errUnknown
	}
	if j.name == "hd" {
		p.opts = append(p.opts, opt{key: "C"})
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	if v, ok := p.last("n"); ok {
		n, ok := decimal(v)
		if !ok || v != "0" && v[0] == '0' {
			return errUnknown
		}
		in = in[:min(n, len(in))]
	}
	formats := 0
	for _, o := range p.opts {
		if o.key == "e" {
			formats++
		}
	}
	format, _ := p.last("e")
	switch {
	case formats == 1 && !p.has("C"):
		return hexdumpFormat(j, in, format, p.has("v"))
	case formats == 0 && p.has("C"):
		hexdumpCanonical(j, in, p.has("v"))
		return nil
	}
	return errUnknown
}

// hexdumpCanonical is -C.
func hexdumpCanonical(j *job, in []byte, all bool) {
	var previous []byte
	starred := false
	for at := 0; at < len(in) && !j.over; at += 16 {
		block := in[at:min(at+16, len(in))]
		if !all && len(block) == 16 && bytes.Equal(block, previous) {
			if !starred {
				j.writeString("*\n")
			}
			starred = true
			continue
		}
		previous, starred = block, false
		var hex, text strings.Builder
		for i, c := range block {
			if i == 8 {
				hex.WriteByte(' ')
			}
			fmt.Fprintf(&hex, " %02x", c)
			if isPrint(c) {
				text.WriteByte(c)
			} else {
				text.WriteByte('.')
			}
		}
		j.writeString(fmt.Sprintf("%08x %-51s|%s|\n", at, hex.String(), text.String()))
	}
	if len(in) > 0 {
		j.writeString(fmt.Sprintf("%08x\n", len(in)))
	}
}

// hexdumpFormat is -e '[1]/1 "text%02xtext"': one byte at a time. Without -v
// runs of equal bytes become "*", which is left unknown.
func hexdumpFormat(j *job, in []byte, format string, all bool) error {
	unit, quoted, ok := strings.Cut(strings.TrimSpace(format), `"`)
	quoted, isEnd := strings.CutSuffix(quoted, `"`)
	unit = strings.TrimSpace(unit)
	if !ok || !isEnd || unit != "1/1" && unit != "/1" || strings.ContainsAny(quoted, `"`) {
		return errUnknown
	}
	before, after, found := strings.Cut(quoted, "%")
	if !found || strings.Contains(after, "%") {
		return errUnknown
	}
	f, n, ok := parseField(after, "")
	if !ok || f.starWidth || f.starPr || strings.IndexByte("xXod", f.verb) < 0 {
		return errUnknown
	}
	head, ok1 := hexdumpText(before)
	tail, ok2 := hexdumpText(after[n:])
	if !ok1 || !ok2 {
		return errUnknown
	}
	for i, c := range in {
		if !all && i > 0 && in[i-1] == c {
			return errUnknown
		}
		digits, neg := fmt.Sprintf("%x", c), false
		switch f.verb {
		case 'o':
			digits = fmt.Sprintf("%o", c)
		case 'd':
			neg = c >= 0x80
			digits = strings.TrimPrefix(fmt.Sprint(int8(c)), "-")
		}
		j.writeString(head)
		j.write(layoutInteger(f, neg, digits))
		j.writeString(tail)
		if j.over {
			return nil
		}
	}
	return nil
}

// hexdumpText expands the backslash escapes of a format.
func hexdumpText(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		if i == len(s) || simpleEscape(s[i]) == 0 || s[i] == '\\' {
			return "", false
		}
		b.WriteByte(simpleEscape(s[i]))
	}
	return b.String(), true
}
