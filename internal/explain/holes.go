package explain

import "strings"

// withoutHoles writes the words of which a part is not known, as the evaluation has them
// (<docker ps -q>), as a person would: what a program prints, a variable, or an ellipsis
// where it is only a part of a word. Words of the command that look so stay.
func (in *Input) withoutHoles(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		end := closing(text[i:])
		if text[i] != '<' || end < 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		hole, rest := text[i:i+end], text[i+end:]
		if strings.Contains(in.Command, hole) || strings.Contains(in.Command, Cut(hole, 8)) {
			b.WriteString(hole)
			i += end
			continue
		}
		before := b.String()
		quoted := strings.HasSuffix(before, "“") && strings.HasPrefix(rest, "”")
		whole := quoted || (before == "" || strings.ContainsAny(before[len(before)-1:], " (")) && (rest == "" || strings.ContainsAny(rest[:1], " ,;:.)") && !(len(rest) > 1 && rest[0] != ' ' && rest[1] != ' ' && strings.ContainsAny(rest[:1], ".:")))
		word := hole[1 : len(hole)-1]
		if quoted {
			before, rest = strings.TrimSuffix(before, "“"), strings.TrimPrefix(rest, "”")
		}
		says := in.ofHole(word, whole)
		if strings.Count(before, "`")%2 == 1 { // within a command
			says = inCommand(word, says)
		}
		if says == unforeseen {
			rest = strings.TrimPrefix(rest, " is not known")
		}
		b.Reset()
		b.WriteString(before)
		b.WriteString(says)
		i = len(text) - len(rest)
	}
	return strings.ReplaceAll(b.String(), " processes what `", " processes that `")
}

// closing is where a hole ends that a text begins with, behind its >; -1 where it begins with
// none.
func closing(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '<':
			if depth++; i+1 < len(text) && strings.IndexByte(" <=", text[i+1]) >= 0 {
				return -1
			}
		case '>':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// unforeseen is what a value is called that the code works out itself.
const unforeseen = "what is only known when it runs"

// inCommand writes a hole in a command, as a shell has it.
func inCommand(word, says string) string {
	if strings.HasPrefix(says, "what `") || says == "…" && !strings.ContainsAny(word, "…`<") {
		return "$(" + word + ")"
	}
	return strings.ReplaceAll(says, "what its input names", "…")
}

// ofHole says what stands for a word, or for a part of one, that is not known.
func (in *Input) ofHole(word string, whole bool) string {
	at := place{in.Dir, in.Home}
	switch {
	case word == "mktemp":
		return "$(mktemp)"
	case handed("<"+word+">") || word == "standard input" || word == "stdin":
		return map[bool]string{true: "what its input names", false: "…"}[whole]
	case strings.HasPrefix(word, "descriptor "), strings.HasPrefix(word, "a value in "), strings.HasSuffix(word, " code"), word == "an expression", word == "one of several", word == "a loop":
		return map[bool]string{true: unforeseen, false: "…"}[whole]
	case variable(word) && strings.Contains(in.Command, "$"+word), variable(word) && strings.Contains(in.Command, "${"+word):
		return "$" + word
	case !whole:
		return "…"
	case strings.HasPrefix(word, "/") && !strings.ContainsAny(word, "*?["):
		return "what " + at.path(word) + " holds"
	case strings.HasPrefix(word, "a "), strings.HasPrefix(word, "the "):
		return word
	}
	return "what `" + strings.ReplaceAll(Cut(strings.NewReplacer("<", "$(", ">", ")").Replace(word), maxCommand), "`", "'") + "` prints"
}
