package lexical

import (
	"slices"
	"strings"
)

// Commands reports whether a language is the commands of a program whose harmless ones are
// listed here ([Inert]). Most of what is written in it is data, so that a part that is not
// known is no code of somebody else's, as it would be to a shell.
func Commands(lang string) bool { return lang == "dc" || lang == "xmllint" || lang == "gawk" }

// Inert reports whether a text in the command language of a program that has one, and
// no reader here, only computes and looks: its commands are listed, and nothing else is.
func Inert(lang, text string) bool {
	switch lang {
	case "dc":
		return deskCalculation(text)
	case "xmllint": // xmllint(1), "SHELL COMMANDS": dir, save, write and load take files
		return eachLine(text, "base bye cat cd du exit free grep help ls pwd quit setns setrootns whereis xpath")
	case "gawk": // GNU awk manual, "Main Debugger Commands"; run and what is printed are the program's, which is read by itself
		return eachLine(text, "backtrace bt where break b clear c condition continue d delete disable display down enable f finish frame h help i ignore info l list n next ni nexti p print q quit r return run s step si stepi tbreak t trace u undisplay until up w watch")
	}
	return false
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

// eachLine reports whether each line is empty or begins with one of the words.
func eachLine(text, words string) bool {
	for line := range strings.Lines(text) {
		if first := strings.Fields(line); len(first) > 0 && (!slices.Contains(strings.Fields(words), first[0]) || strings.ContainsAny(line, ">|!`")) {
			return false
		}
	}
	return true
}
