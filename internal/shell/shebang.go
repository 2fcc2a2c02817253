package shell

import (
	"bytes"
	"path"
	"strings"
)

// Binary is what [Interpreter] says of a file that is no text.
const Binary = "binary"

// Shebang reads the first line of a script: its interpreter and all that
// stands behind it, which is one argument (execve(2), "Interpreter scripts").
func Shebang(text string) (interpreter, argument string, ok bool) {
	line, _, _ := strings.Cut(text[:min(len(text), 256)], "\n")
	rest, ok := strings.CutPrefix(line, "#!")
	rest = strings.Trim(rest, " \t\r")
	end := strings.IndexAny(rest, " \t")
	if end < 0 {
		return rest, "", ok && rest != ""
	}
	return rest[:end], strings.TrimLeft(rest[end:], " \t"), ok
}

// Interpreter reads what runs a script from its first line. Text without one
// is what a shell would run itself; anything with a NUL is [Binary].
func Interpreter(text string) string {
	head := text[:min(len(text), 512)]
	if bytes.IndexByte([]byte(head), 0) >= 0 || strings.HasPrefix(head, "\x7fELF") || strings.HasPrefix(head, "\xcf\xfa\xed\xfe") {
		return Binary
	}
	interpreter, argument, ok := Shebang(text)
	if !ok {
		return "sh"
	}
	name := path.Base(interpreter)
	if name == "env" {
		for w := range strings.FieldsSeq(argument) {
			if !strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
				return path.Base(w)
			}
		}
	}
	return name
}
