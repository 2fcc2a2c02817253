package lexical

import (
	"slices"
	"strings"
)

// Commands reports whether a language is the commands of a program whose harmless ones are
// listed here ([Inert]). Most of what is written in it is data, so that a part that is not
// known is no code of somebody else's, as it would be to a shell.
func Commands(lang string) bool { return commandsOf(lang) != nil }

// Inert reports whether a text in the command language of a program that has one, and
// no reader here, only computes and looks: its commands are listed, and nothing else is.
func Inert(lang, text string) bool {
	inert := commandsOf(lang)
	return inert != nil && inert(text)
}

// commandsOf is what tells harmless commands of a language from others; nil where they are
// not listed.
func commandsOf(lang string) func(text string) bool {
	switch lang {
	case "dc":
		return deskCalculation
	case "xmllint": // xmllint(1), "SHELL COMMANDS": dir, save, write and load take files
		return eachLine("base bye cat cd du exit free grep help ls pwd quit setns setrootns whereis xpath")
	case "gawk": // GNU awk manual, "Main Debugger Commands"; run and what is printed are the program's, which is read by itself
		return eachLine("backtrace bt where break b clear c condition continue d delete disable display down enable f finish frame h help i ignore info l list n next ni nexti p print q quit r return run s step si stepi tbreak t trace u undisplay until up w watch")
	}
	return nil
}

// deskCalculation reports whether dc only calculates: ! runs the rest of its line but
// before a comparison, and ? reads more of what comes in (GNU dc manual, "Miscellaneous").
func deskCalculation(text string) bool {
	for i := range len(text) {
		switch {
		case text[i] == '?':
			return false
		case text[i] == '!' && (i+1 == len(text) || !strings.ContainsRune("<>=", rune(text[i+1]))):
			return false
		}
	}
	return true
}

// eachLine is whether each line of a text is empty or begins with one of the words.
func eachLine(words string) func(text string) bool {
	return func(text string) bool {
		for line := range strings.Lines(text) {
			if first := strings.Fields(line); len(first) > 0 && (!slices.Contains(strings.Fields(words), first[0]) || strings.ContainsAny(line, ">|!`")) {
				return false
			}
		}
		return true
	}
}
