package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// The tests of find in words.

// maxPicked is how long a word of a test is told, in characters.
const maxPicked = 40

// furtherTests stands for those that are not told.
const furtherTests = "by further tests"

// findKind is what a letter of -type stands for.
func findKind(letter string) string {
	switch letter {
	case "f":
		return "files"
	case "d":
		return "directories"
	case "l":
		return "links"
	case "b":
		return "block devices"
	case "c":
		return "character devices"
	case "p":
		return "named pipes"
	case "s":
		return "sockets"
	}
	return ""
}

// kind is what a term of -type says that something is. One of the two goes where
// links lead, -xtype without -L and -type with it: what is a link still leads nowhere.
func (p *findPicker) kind(t *findTerm) string {
	arg, known := t.arg.Known()
	if t.name != "-type" && t.name != "-xtype" || !known {
		return ""
	}
	follows := p.run.follow || slices.ContainsFunc(p.run.terms, func(t findTerm) bool { return t.name == "-follow" })
	var kinds []string
	for letter := range strings.SplitSeq(arg, ",") {
		kind := findKind(letter)
		if kind == "" {
			return ""
		}
		if letter == "l" && follows == (t.name == "-type") {
			kind = "broken links"
		}
		kinds = append(kinds, kind)
	}
	return joinedBy("and", kinds)
}

// word is what a test asks for, as it is told.
func (p *findPicker) word(t *findTerm) string {
	text, known := t.arg.Known()
	if !known {
		if text = t.arg.String(); slices.ContainsFunc(t.arg.Holes(), func(h *value.Hole) bool {
			return !strings.HasPrefix(h.String(), "$") || strings.HasPrefix(h.String(), "$(")
		}) {
			return "…"
		}
	}
	return quotedWord(text)
}

// quotedWord is a word of the command in a clause.
func quotedWord(text string) string {
	if runes := []rune(text); len(runes) > maxPicked {
		text = string(runes[:maxPicked-1]) + "…"
	}
	if text == "" || strings.ContainsAny(text, " \"'`,;") {
		return "“" + text + "”"
	}
	return text
}

// test tells of one test; known is false where it has no words, and what says nothing is "".
func (p *findPicker) test(t *findTerm, negated bool) (text string, known bool) {
	word := p.word(t)
	is := func(yes, no string) (string, bool) {
		if negated {
			return no, true
		}
		return yes, true
	}
	plain := func(text string) (string, bool) { return is(text, "not "+text) }
	switch t.name {
	case "-path", "-ipath", "-wholename", "-iwholename":
		if place := p.place(t, true); place != "" && place != word {
			return is("below "+place, "outside "+place)
		}
		return is("whose path matches "+word, "whose path does not match "+word)
	case "-regex", "-iregex":
		return plain("matching " + word)
	case "-lname", "-ilname":
		return plain("leading to " + word)
	case "-type", "-xtype":
		return is("that are "+p.kind(t), "")
	case "-empty":
		return "that are not empty", true
	case "-size":
		return plain(sized(word))
	case "-perm":
		return plain(withMode(word))
	case "-user", "-uid":
		return plain("of the user " + word)
	case "-group", "-gid":
		return plain("of the group " + word)
	case "-links":
		return plain("with " + compared(word) + " links")
	case "-inum":
		return plain("with the inode " + word)
	case "-fstype":
		return plain("on " + word)
	case "-nouser":
		return is("that nobody owns", "that somebody owns")
	case "-nogroup":
		return is("of no group", "of a group")
	case "-executable":
		return is("that can be run", "that cannot be run")
	case "-readable":
		return is("that can be read", "that cannot be read")
	case "-writable":
		return is("that can be written", "that cannot be written")
	case "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin":
		return plain(p.dated(t.name, word))
	case "-newer", "-mnewer", "-newermm", "-newermt":
		return plain("newer than " + word)
	case "-anewer", "-neweram":
		return is("read since "+word+" changed", "not read since "+word+" changed")
	case "-cnewer", "-newercm":
		return is("whose status changed since "+word+" did", "whose status has not changed since "+word+" did")
	case "-newerat":
		return plain("read since " + word)
	case "-newerct":
		return is("whose status changed since "+word, "whose status has not changed since "+word)
	case "-newerBt":
		return plain("made since " + word)
	case "-samefile":
		return plain("being the same file as " + word)
	case "-prune", "-false", "-quit":
		return "", false
	}
	if t.runs > 0 {
		for _, c := range p.run.commands {
			if c.number == t.runs && !c.many {
				words := make([]string, len(c.words))
				for i, w := range c.words {
					words[i] = w.String()
				}
				return is("for which "+quotedWord(strings.Join(words, " "))+" succeeds", "")
			}
		}
	}
	if act, _ := p.isAct(&findNode{term: t}); act {
		return "", !negated
	}
	return furtherTests, true
}

// compared is a number of a test: 2, more than 2, fewer than 2.
func compared(word string) string {
	switch {
	case strings.HasPrefix(word, "+"):
		return "more than " + word[1:]
	case strings.HasPrefix(word, "-"):
		return "fewer than " + word[1:]
	}
	return word
}

// sized is a size of -size, which counts blocks where it has no unit.
func sized(word string) string {
	number := strings.TrimLeft(word, "+-")
	bare := strings.TrimLeft(number, "0123456789") // the unit
	switch {
	case number == "0" && bare == "":
	case bare == "" && number == "1":
		number = "1 block of 512 bytes"
	case bare == "" && number != "":
		number += " blocks of 512 bytes"
	case bare == "c":
		number = strings.TrimSuffix(number, "c") + " bytes"
	}
	switch {
	case strings.HasPrefix(word, "+"):
		return "larger than " + number
	case strings.HasPrefix(word, "-"):
		return "smaller than " + number
	}
	return "of size " + number
}

// withMode is a mode of -perm: all of some bits, any of them, or just these.
func withMode(word string) string {
	bits := strings.TrimLeft(word, "-/+")
	all, some := strings.HasPrefix(word, "-"), strings.HasPrefix(word, "/") || strings.HasPrefix(word, "+")
	one := map[string]string{
		"4000": "with the setuid bit", "u+s": "with the setuid bit", "u=s": "with the setuid bit",
		"2000": "with the setgid bit", "g+s": "with the setgid bit", "g=s": "with the setgid bit",
		"2": "writable by everybody", "002": "writable by everybody", "0002": "writable by everybody", "o+w": "writable by everybody", "o=w": "writable by everybody",
	}[bits]
	switch {
	case (all || some) && one != "":
		return one
	case some && (bits == "6000" || bits == "u=s,g=s" || bits == "u+s,g+s"):
		return "with the setuid or setgid bit"
	case all:
		return "with at least the mode " + bits
	case some:
		return "with any bit of the mode " + bits
	}
	return "with the mode " + word
}

// dated is when a file was changed or read, or its status was.
func (p *findPicker) dated(name, word string) string {
	act := map[byte]string{'m': "changed", 'a': "read", 'c': "whose status changed"}[name[1]]
	unit := " minutes"
	if strings.HasSuffix(name, "time") {
		unit = " days"
	}
	number := strings.TrimLeft(word, "+-")
	if number == "1" {
		unit = strings.TrimSuffix(unit, "s")
	}
	days := strings.HasPrefix(unit, " day")
	switch {
	case days && p.daystart && (word == "0" || word == "-1"):
		return act + " today"
	case days && (word == "0" || word == "-1"):
		return act + " in the last 24 hours"
	case strings.HasPrefix(word, "-") && number == "1":
		return act + " in the last" + unit
	case strings.HasPrefix(word, "-"):
		return act + " in the last " + number + unit
	case strings.HasPrefix(word, "+"):
		if name[1] == 'a' {
			act = "last read"
		}
		return act + " more than " + number + unit + " ago"
	}
	return act + " " + number + unit + " ago"
}

// joinedBy joins words as a person does: a, b and c.
func joinedBy(word string, all []string) string {
	if n := len(all); n > 1 {
		return strings.Join(all[:n-1], ", ") + " " + word + " " + all[n-1]
	}
	return strings.Join(all, "")
}
