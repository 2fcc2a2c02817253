package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Canonical writes a value as JSON in the form of RFC 8785: no space, the members
// of objects in the order of their names, strings as short as they can be. Structs
// must have their fields in that order.
func Canonical(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("writing JSON: %w", err)
	}
	return shortest(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// shortest undoes the only escapes that package json writes and RFC 8785 does not:
// those of U+2028, U+2029 and of bytes that are no text.
func shortest(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\u2028`)) && !bytes.Contains(text, []byte(`\u2029`)) && !bytes.Contains(text, []byte(`\ufffd`)) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			continue
		}
		if i+6 <= len(text) && text[i+1] == 'u' {
			switch string(text[i+2 : i+6]) {
			case "2028", "2029", "fffd":
				n, _ := strconv.ParseUint(string(text[i+2:i+6]), 16, 16) // they are digits
				out = utf8.AppendRune(out, rune(n))
				i += 5
				continue
			}
		}
		out = append(out, text[i], text[i+1])
		i++
	}
	return out
}

// plain shows the bytes of a text that are no UTF-8 as \xNN: JSON has no others.
func plain(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, text[0])
		} else {
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// sum is a SHA-256 in 64 hexadecimal digits.
func sum(parts ...[]byte) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
