package pure

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// runUudecode is uudecode(1) of sharutils when it writes to standard output:
// -o /dev/stdout, -o -, -p, or a header that names /dev/stdout or "-". POSIX
// describes both formats.
func runUudecode(j *job, args []string) error {
	p, err := grammar{short: "co:p", long: []string{"o|output-file="}}.getopt(args)
	if err != nil || len(p.operands) > 1 || p.has("c") {
		return errUnknown
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	lines, _ := splitLines(in, '\n')
	for len(lines) > 0 && !bytes.HasPrefix(lines[0], []byte("begin")) {
		lines = lines[1:]
	}
	if len(lines) == 0 {
		return errUnknown
	}
	header := strings.SplitN(string(lines[0]), " ", 3)
	if len(header) != 3 {
		return errUnknown
	}
	target := header[2]
	if v, ok := p.last("o"); ok {
		target = v
	} else if p.has("p") {
		target = "/dev/stdout"
	}
	if target != "/dev/stdout" && target != "-" {
		return errUnknown // writes a file
	}
	j.decoded = true
	switch header[0] {
	case "begin":
		return uuLines(j, lines[1:])
	case "begin-base64":
		return uuBase64(j, lines[1:])
	}
	return errUnknown
}

func uuBase64(j *job, lines [][]byte) error {
	var text []byte
	for _, l := range lines {
		if string(l) == "====" {
			out, err := base64.StdEncoding.AppendDecode(nil, text)
			if err != nil {
				return errUnknown
			}
			j.write(out)
			return nil
		}
		text = append(text, l...)
	}
	return errUnknown
}

func uuLines(j *job, lines [][]byte) error {
	for i, l := range lines {
		if string(l) == "end" && i > 0 {
			return nil
		}
		if len(l) == 0 || l[0] < ' ' || l[0] > '`' {
			return errUnknown
		}
		n := int(l[0]-' ') & 0x3f
		if len(l)-1 < (n+2)/3*4 {
			return errUnknown
		}
		var out []byte
		for at := 1; len(out) < n; at += 4 {
			var v [4]byte
			for k, c := range l[at : at+4] {
				if c < ' ' || c > '`' {
					return errUnknown
				}
				v[k] = (c - ' ') & 0x3f
			}
			out = append(out, v[0]<<2|v[1]>>4, v[1]<<4|v[2]>>2, v[2]<<6|v[3])
		}
		j.write(out[:n])
	}
	return errUnknown
}
