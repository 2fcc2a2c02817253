package shellargs

import (
	"slices"
	"strings"
)

// Quote writes a word so that every POSIX shell reads it as it is.
func Quote(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,+@%") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Join writes words as one command.
func Join(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = Quote(w)
	}
	return strings.Join(quoted, " ")
}

// Source writes the line as a command of bash that runs program in the same
// way, with the options in a form in which they count: those of set and shopt
// become commands before the text. script is the text that it reads on standard
// input, as if it were given with -c; nil if a person types there.
func (l *Line) Source(program string, script *string) string {
	words := []string{program}
	if l.Mode == Info {
		return Join(append(words, "--version"))
	}
	for _, o := range []struct {
		on   bool
		word string
	}{{l.NoExec, "-n"}, {l.Trace, "-x"}, {l.Privileged, "-p"}, {l.Interactive, "-i"}, {l.Login, "-l"}} {
		if o.on {
			words = append(words, o.word)
		}
	}
	if l.RCFile != "" && l.Interactive && !l.NoRC {
		words = slices.Insert(words, 1, "--rcfile", l.RCFile)
	}
	switch {
	case l.Mode == Text:
		words = append(words, "-c", l.prelude()+l.Text)
	case l.Mode == Script:
		words = append(words, "--", l.Script)
	case script != nil:
		words = append(words, "-c", l.prelude()+*script, program)
	default:
		words = append(words, "-s", "--")
	}
	return Join(append(words, l.Args...))
}

// prelude are the commands that do what the options of the line do.
func (l *Line) prelude() string {
	var b strings.Builder
	if len(l.Set) > 0 {
		b.WriteString("set " + Join(l.Set) + "\n")
	}
	for i := 0; i+1 < len(l.Shopt); i += 2 {
		b.WriteString("shopt " + Join(l.Shopt[i:i+2]) + "\n")
	}
	return b.String()
}
