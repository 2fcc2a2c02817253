package eval

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/value"
)

// decoded turns an encoded constant into text that is marked as decoded.
func decoded(kind string, v val) val {
	t, ok := v.known()
	if !ok {
		out := derived(v)
		out.s = out.s.With(value.Decoded)
		return out
	}
	var b []byte
	var err error
	switch kind {
	case "base64":
		b, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(urlSafe(strip(t)), "="))
	case "base32":
		b, err = base32.StdEncoding.DecodeString(strip(t))
	case "hex":
		b, err = hex.DecodeString(strip(t))
	case "rot13":
		b = []byte(strings.Map(rot13, t))
	case "url":
		var x string
		x, err = url.QueryUnescape(t)
		b = []byte(x)
	default:
		b = []byte(t)
	}
	if err != nil && len(b) == 0 || len(b) > maxString {
		return dull()
	}
	return text(value.Lit(string(b)).With(value.Decoded)).with(v)
}

func strip(t string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == ' ' || r == '\r' || r == '\t' {
			return -1
		}
		return r
	}, t)
}

func urlSafe(t string) string { return strings.NewReplacer("-", "+", "_", "/").Replace(t) }

func rot13(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return 'a' + (r-'a'+13)%26
	case r >= 'A' && r <= 'Z':
		return 'A' + (r-'A'+13)%26
	}
	return r
}

// codec names an encoding, however it is spelled.
func codec(name string) string {
	switch strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name)) {
	case "base64", "base64url", "base64codec", "m", "m0":
		return "base64"
	case "hex", "hexcodec", "h*":
		return "hex"
	case "rot13", "rot":
		return "rot13"
	}
	return ""
}

// decodeMethod computes methods that decode the text they are called on.
func (s *scan) decodeMethod(t, name string, c *call) (val, bool) {
	how, _ := c.arg(0).known()
	switch name {
	case "toString":
		if c.recv.s.Taint().Has(value.Decoded) || how == "" || codec(how) == "" {
			return c.recv, true
		}
		return dull(), true
	case "decode", "encode":
		if k := codec(how); k != "" && (name == "decode" || k == "rot13") {
			return decoded(k, c.recv), true
		}
		return c.recv, true
	case "unpack", "unpack1":
		if k := codec(how); k == "base64" {
			out := decoded(k, c.recv)
			if name == "unpack" {
				out = val{k: vList, list: []val{out}}
			}
			return out, true
		}
		return derived(c.recv), true
	case "charCodeAt", "ord", "codePointAt":
		i := intOf(c.arg(0))
		at := 0
		if i != nil {
			at = *i
		}
		if at >= 0 && at < len(t) {
			return num(float64(t[at])), true
		}
		return dull(), true
	}
	return derived(c.recv), true
}

// packed is pack of Perl and Ruby for hexadecimal, characters and text.
func packed(template val, items []val) val {
	f, _ := template.known()
	switch f {
	case "H*":
		if len(items) > 0 {
			return decoded("hex", items[0])
		}
	case "m", "m0":
		return derived(items...)
	case "C*", "c*", "U*", "W*":
		return characters(items)
	case "a*", "A*":
		if len(items) > 0 {
			return items[0]
		}
	}
	return derived(items...)
}

// characters makes text of character codes.
func characters(codes []val) val {
	var b strings.Builder
	for _, c := range flat(codes) {
		if c.k == vStr { // "114" in PHP and Perl
			if t, ok := c.known(); ok {
				c = number64("lua", t)
			}
		}
		if c.k != vNum || c.n < 0 || c.n > 0x10ffff {
			return dull()
		}
		syntax.WriteCode(&b, uint64(c.n), c.n > 127)
	}
	return text(value.Lit(b.String()).With(value.Decoded))
}

// decode makes an action that decodes its argument.
func decode(kind string) action {
	return func(s *scan, c *call) val { return decoded(kind, c.arg(0, "s")) }
}
