package pure

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"strings"
)

const (
	base64Std = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	base64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	base32Std = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	base32Hex = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
	base16    = "0123456789ABCDEF"
)

// A baseCode is one of the encodings of basenc(1). RFC 4648 defines base64,
// base64url, base32, base32hex and base16; base2* are coreutils' own.
type baseCode struct {
	alphabet string
	bits     int // of one digit
	group    int // digits of a padded group; 0: no padding
	lsb      bool
}

func baseCodeNamed(name string) (baseCode, bool) {
	switch name {
	case "base64":
		return baseCode{base64Std, 6, 4, false}, true
	case "base64url":
		return baseCode{base64URL, 6, 4, false}, true
	case "base32":
		return baseCode{base32Std, 5, 8, false}, true
	case "base32hex":
		return baseCode{base32Hex, 5, 8, false}, true
	case "base16":
		return baseCode{base16, 4, 0, false}, true
	case "base2msbf":
		return baseCode{"01", 1, 0, false}, true
	case "base2lsbf":
		return baseCode{"01", 1, 0, true}, true
	}
	return baseCode{}, false
}

// runBase is base64(1), base32(1) and basenc(1) of coreutils: -d -i -w.
func runBase(j *job, args []string) error {
	g := grammar{short: "diw:", long: []string{"d|decode", "i|ignore-garbage", "w|wrap="}}
	name := j.name
	if name == "basenc" {
		g.long = append(g.long, "base64", "base64url", "base32", "base32hex", "base16", "base2msbf", "base2lsbf")
	}
	p, err := g.getopt(args)
	if err != nil || len(p.operands) > 1 {
		return errUnknown
	}
	wrap := 76
	for _, o := range p.opts {
		switch {
		case o.key == "w":
			var ok bool
			if wrap, ok = decimal(o.val); !ok {
				return errUnknown
			}
		case strings.HasPrefix(o.key, "base"):
			name = o.key
		}
	}
	code, ok := baseCodeNamed(name)
	if !ok {
		return errUnknown
	}
	in, err := j.readAll(p.operands)
	if err != nil {
		return err
	}
	if !p.has("d") {
		return code.encode(j, in, wrap)
	}
	j.decoded = true
	return code.decode(j, in, p.has("i"), j.name == "basenc")
}

// encode writes in, a newline after every wrap digits and at the end; with a
// wrap of 0 there is none.
func (b baseCode) encode(j *job, in []byte, wrap int) error {
	if len(in) > j.limit {
		return errUnknown
	}
	var text []byte
	switch b.bits {
	case 6:
		text = base64.NewEncoding(b.alphabet).AppendEncode(nil, in)
	case 5:
		text = base32.NewEncoding(b.alphabet).AppendEncode(nil, in)
	default:
		text = b.encodeBits(in)
	}
	writeWrapped(j, text, wrap)
	return nil
}

func writeWrapped(j *job, text []byte, wrap int) {
	if wrap == 0 {
		j.write(text)
		return
	}
	for len(text) > 0 && !j.over {
		n := min(wrap, len(text))
		j.write(text[:n])
		j.writeByte('\n')
		text = text[n:]
	}
}

func (b baseCode) encodeBits(in []byte) []byte {
	out := make([]byte, 0, len(in)*8/b.bits)
	for _, c := range in {
		for at := 0; at < 8; at += b.bits {
			shift := 8 - b.bits - at
			if b.lsb {
				shift = at
			}
			out = append(out, b.alphabet[int(c)>>shift&(1<<b.bits-1)])
		}
	}
	return out
}

// decode writes what the text stands for. At the first thing that is not the
// encoding the programs stop with status 1, what they had decoded is printed.
func (b baseCode) decode(j *job, in []byte, ignore, strict bool) error {
	var values [256]int8
	for i := range values {
		values[i] = -1
	}
	for i := range len(b.alphabet) {
		values[b.alphabet[i]] = int8(i)
	}
	text := make([]byte, 0, len(in))
	for _, c := range in {
		if c == '\n' || ignore && values[c] < 0 && c != '=' {
			continue
		}
		text = append(text, c)
	}
	if b.group == 0 {
		return b.decodeBits(j, text, &values)
	}
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		n := min(b.group, len(text))
		var ok bool
		if n < b.group {
			// Without padding, versions before 9.5 print what they can and
			// fail, later ones succeed. base64 prints the same either way.
			if b.bits != 6 || strict || bytes.IndexByte(text, '=') >= 0 {
				return errUnknown
			}
			out, ok = b.group64(out, &values, text)
		} else if b.bits == 6 {
			out, ok = b.group64(out, &values, text[:n])
		} else {
			out, ok = b.group32(out, &values, text[:n])
		}
		if !ok {
			if strict {
				return errUnknown
			}
			j.status = 1
			break
		}
		text = text[n:]
	}
	j.write(out)
	return nil
}

// group64 decodes up to four base64 digits, as much as is valid. A short
// group without padding counts as valid if its digits are.
func (b baseCode) group64(out []byte, values *[256]int8, g []byte) ([]byte, bool) {
	if len(g) < 2 || values[g[0]] < 0 || values[g[1]] < 0 {
		return out, false
	}
	v := [4]int{int(values[g[0]]), int(values[g[1]])}
	out = append(out, byte(v[0]<<2|v[1]>>4))
	if len(g) == 2 {
		return out, true
	}
	if g[2] == '=' {
		return out, len(g) == 4 && g[3] == '='
	}
	if v[2] = int(values[g[2]]); v[2] < 0 {
		return out, false
	}
	out = append(out, byte(v[1]<<4|v[2]>>2))
	if len(g) == 3 || g[3] == '=' {
		return out, true
	}
	if v[3] = int(values[g[3]]); v[3] < 0 {
		return out, false
	}
	return append(out, byte(v[2]<<6|v[3])), true
}

// group32 decodes eight base32 digits; padding may stand for the last 6, 4, 3
// or 1 of them.
func (b baseCode) group32(out []byte, values *[256]int8, g []byte) ([]byte, bool) {
	var acc, bits int
	for i, c := range g {
		v := int(values[c])
		if c == '=' {
			ok := i == 2 || i == 4 || i == 5 || i == 7
			return out, ok && len(bytes.Trim(g[i:], "=")) == 0
		}
		if v < 0 {
			return out, false
		}
		acc, bits = acc<<5|v, bits+5
		if bits >= 8 {
			bits -= 8
			out = append(out, byte(acc>>bits))
			acc &= 1<<bits - 1
		}
	}
	return out, true
}

// decodeBits decodes base16 and base2; anything irregular is left unknown.
func (b baseCode) decodeBits(j *job, text []byte, values *[256]int8) error {
	per := 8 / b.bits
	if len(text)%per != 0 {
		return errUnknown
	}
	out := make([]byte, 0, len(text)/per)
	for i := 0; i < len(text); i += per {
		v := 0
		for k := range per {
			d := int(values[text[i+k]])
			if d < 0 {
				return errUnknown
			}
			shift := 8 - b.bits*(k+1)
			if b.lsb {
				shift = k
			}
			v |= d << shift
		}
		out = append(out, byte(v))
	}
	j.write(out)
	return nil
}
