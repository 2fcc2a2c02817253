package shell

import (
	"bytes"
	"path"
	"strings"
)

// Binary is what [Interpreter] says of a file that is no text.
const Binary = "binary"

// Interpreter reads what runs a script from its first line. Text without one
// is what a shell would run itself; anything with a NUL is [Binary].
func Interpreter(text string) string {
	head := text[:min(len(text), 512)]
	if bytes.IndexByte([]byte(head), 0) >= 0 || strings.HasPrefix(head, "\x7fELF") || strings.HasPrefix(head, "\xcf\xfa\xed\xfe") {
		return Binary
	}
	line, _, _ := strings.Cut(head, "\n")
	rest, ok := strings.CutPrefix(line, "#!")
	if !ok {
		return "sh"
	}
	words := strings.Fields(rest)
	if len(words) == 0 {
		return "sh"
	}
	name := path.Base(words[0])
	if name == "env" {
		for _, w := range words[1:] {
			if !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
				return path.Base(w)
			}
		}
	}
	return name
}
