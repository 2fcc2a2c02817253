package calibrate

import "strings"

const (
	maxShape = 4   // simple commands of a line that its shape names
	maxLook  = 400 // bytes of a command that are looked at
	maxWord  = 24
)

// shape names the kind of a command, so that like is compared with like: of each
// simple command the program and what may be its subcommand, without anything that is
// another one each time. It is read as text, roughly: quotes are nothing to it, and two
// commands that it takes for one kind only make a comparison less sure.
func shape(command string) string {
	var b strings.Builder
	parts := 0
	for part := range strings.FieldsFuncSeq(command[:min(len(command), maxLook)], func(r rune) bool { return strings.ContainsRune("|&;\n", r) }) {
		words := leading(part)
		if words == "" {
			continue
		}
		if parts == maxShape {
			break
		}
		if parts++; parts > 1 {
			b.WriteByte('|')
		}
		b.WriteString(words)
	}
	return b.String()
}

// leading are the first word that assigns nothing and what tells its kinds apart: a
// plain word behind it, which may be a subcommand, or an option, without numbers.
func leading(part string) string {
	name := ""
	for word := range strings.FieldsSeq(part) {
		switch {
		case name == "" && strings.Contains(word, "="):
		case name == "":
			name = strings.Trim(word[strings.LastIndexByte(word, '/')+1:], `"'(){}$`)
			name = name[:min(len(name), maxWord)]
		case len(word) > maxWord:
			return name
		case word[0] == '-':
			option, _, _ := strings.Cut(word, "=")
			return name + " " + strings.Trim(option, "0123456789")
		case strings.Trim(word, "abcdefghijklmnopqrstuvwxyz-") == "":
			return name + " " + word
		default:
			return name
		}
	}
	return name
}
