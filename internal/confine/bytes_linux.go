package confine

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"
)

// raw begins texts that JSON would not keep: names of files, words and values of any
// bytes.
const raw = "\x00"

// Keep is a text of any bytes as JSON keeps it. [Back] makes it what it was.
func Keep(s string) string {
	if utf8.ValidString(s) && !strings.HasPrefix(s, raw) {
		return s
	}
	return raw + hex.EncodeToString([]byte(s))
}

// Back makes of what [Keep] returned what it was.
func Back(s string) string {
	digits, ok := strings.CutPrefix(s, raw)
	if !ok {
		return s
	}
	text, err := hex.DecodeString(digits)
	if err != nil {
		return s
	}
	return string(text)
}

// KeepAll is [Keep] for several.
func KeepAll(list []string) []string { return each(list, Keep) }

// BackAll is [Back] for several.
func BackAll(list []string) []string { return each(list, Back) }

func each(list []string, f func(string) string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f(s)
	}
	return out
}
