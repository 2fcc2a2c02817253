package pure

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// runStatus is true, false and the shell's colon: no output.
func runStatus(status int) program {
	return func(j *job, args []string) error {
		if !j.interp() && len(args) == 1 && strings.HasPrefix(args[0], "--") {
			return errUnknown // --help, --version
		}
		j.status = status
		return nil
	}
}

// runTee is tee(1) without files: standard input goes through.
func runTee(j *job, args []string) error {
	p, err := grammar{short: "aip", long: []string{"a|append", "i|ignore-interrupts"}}.getopt(args)
	if err != nil || len(p.operands) > 0 {
		return errUnknown // writing files is the caller's matter
	}
	in, err := j.readStdin()
	if err != nil {
		return err
	}
	j.write(in)
	return nil
}

// runRot13 is rot13(6) of bsdgames without options.
func runRot13(j *job, args []string) error {
	if len(args) > 0 {
		return errUnknown
	}
	in, err := j.readStdin()
	if err != nil {
		return err
	}
	j.decoded = true
	for _, c := range in {
		switch {
		case isLower(c):
			c = 'a' + (c-'a'+13)%26
		case isUpper(c):
			c = 'A' + (c-'A'+13)%26
		}
		j.writeByte(c)
	}
	return nil
}

// runIconv is iconv(1) between UTF-8, ASCII, Latin-1 and the two byte orders
// of UTF-16, for input that can be converted.
func runIconv(j *job, args []string) error {
	p, err := grammar{short: "f:t:s", long: []string{"f|from-code=", "t|to-code=", "s|silent"}}.getopt(args)
	if err != nil {
		return err
	}
	from, ok1 := p.last("f")
	to, ok2 := p.last("t")
	if !ok1 || !ok2 {
		return errUnknown // the locale's own charset
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	runes, ok := decodeCharset(in, from)
	if !ok {
		return errUnknown
	}
	out, ok := encodeCharset(runes, to)
	if !ok {
		return errUnknown
	}
	j.decoded = strings.HasPrefix(charsetName(from), "utf16")
	j.write(out)
	return nil
}

func charsetName(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '-' || c == '_' {
			return -1
		}
		return c
	}, strings.ToLower(s))
}

func decodeCharset(in []byte, name string) ([]rune, bool) {
	switch name := charsetName(name); name {
	case "utf8":
		return []rune(string(in)), utf8.Valid(in)
	case "ascii", "usascii":
		return []rune(string(in)), isASCII(in)
	case "latin1", "iso88591":
		out := make([]rune, len(in))
		for i, c := range in {
			out[i] = rune(c)
		}
		return out, true
	case "utf16le", "utf16be":
		if len(in)%2 != 0 {
			return nil, false
		}
		units := make([]uint16, 0, len(in)/2)
		for i := 0; i < len(in); i += 2 {
			lo, hi := in[i], in[i+1]
			if name == "utf16be" {
				lo, hi = hi, lo
			}
			units = append(units, uint16(hi)<<8|uint16(lo))
		}
		out := utf16.Decode(units)
		for _, r := range out {
			if r == utf8.RuneError {
				return nil, false
			}
		}
		return out, true
	}
	return nil, false
}

func encodeCharset(in []rune, name string) ([]byte, bool) {
	var out []byte
	switch name := charsetName(name); name {
	case "utf8":
		return []byte(string(in)), true
	case "ascii", "usascii", "latin1", "iso88591":
		limit := rune(0x100)
		if strings.HasSuffix(name, "ascii") {
			limit = 0x80
		}
		for _, r := range in {
			if r >= limit {
				return nil, false
			}
			out = append(out, byte(r))
		}
		return out, true
	case "utf16le", "utf16be":
		for _, u := range utf16.Encode(in) {
			if name == "utf16be" {
				u = u<<8 | u>>8
			}
			out = append(out, byte(u), byte(u>>8))
		}
		return out, true
	}
	return nil, false
}
