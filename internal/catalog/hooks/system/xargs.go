package system

import (
	"path"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Bounds on what is read from a known input.
const (
	maxInputWords = 1000
	maxInputRuns  = 64
)

// xargs appends the words of its input to a command, or puts every line where
// a mark stands (POSIX.1-2024 xargs; GNU findutils manual, "Invoking xargs").
func xargs(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	command := m.Values("command")
	if len(command) == 0 {
		command = []value.Value{value.Lit("echo")}
	}
	r.Runs = nil
	if name, _ := site.BaseOf(command[0]).Known(); name == "echo" || name == "printf" { // words of the input are shown
		r.ShowsStdin = !m.Has("file")
		for i := range r.Effects {
			r.Effects[i].Shown = true
		}
	}
	r.ReadsStdin = !m.Has("file")
	mark := replaceMark(m)
	r.PerInput = mark != "" || m.Has("if-any")
	words, open := xargsWords(m, s, mark != "")
	if mark != "" {
		r.Runs = insertRuns(command, mark, words, open)
		return
	}
	if len(words) == 0 && !open && m.Has("if-any") {
		return
	}
	size := len(words)
	perRun, many := wordsPerRun(m)
	if many && len(words) > 0 {
		size = max(perRun, (len(words)+maxInputRuns-1)/maxInputRuns)
	}
	for first := true; first || len(words) > 0; first = false {
		n := min(size, len(words))
		argv := append(append([]value.Value{}, command...), words[:n]...)
		words = words[n:]
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunArgv, Argv: argv, Open: open, Many: many && open})
	}
}

// replaceMark returns the mark that -I, -i or -J names, or "".
func replaceMark(m *catalog.Match) string {
	if v, ok := m.Value("replace"); ok {
		return v.Prefix()
	}
	if m.Has("replace-default") {
		return "{}"
	}
	return ""
}

// wordsPerRun returns the limit that -n sets; -L and -l count as one line of
// one word, the smallest they can mean.
func wordsPerRun(m *catalog.Match) (n int, limited bool) {
	if v, ok := m.Value("count"); ok {
		text, _ := v.Known()
		if n, err := strconv.Atoi(text); err == nil && n > 0 {
			return n, true
		}
		return 1, true
	}
	return maxInputWords, m.Has("lines") || m.Has("by-line")
}

// xargsWords reads the input. open is set when there can be words that are not
// known. A word ends at a NUL: what stands behind it cannot be passed on (GNU
// findutils says so in a warning).
func xargsWords(m *catalog.Match, s *catalog.Site, lines bool) (words []value.Value, open bool) {
	words, open = inputWords(m, s, lines)
	for i, w := range words {
		words[i] = w.Split("\x00")[0]
	}
	return words, open
}

func inputWords(m *catalog.Match, s *catalog.Site, lines bool) (words []value.Value, open bool) {
	if m.Has("file") || !s.HasStdin {
		return nil, true
	}
	sep, quoted := "\n", lines
	switch d, ok := m.Value("delimiter"); {
	case m.Has("nul"):
		sep, quoted = "\x00", false
	case ok: // each character is taken as it stands
		sep, quoted = delimiterByte(d.Prefix()), false
	case !lines:
		if text, known := site.Input(s).Known(); known {
			words, open = InputWords(text)
			for i := range words {
				words[i] = words[i].With(s.Stdin.Taint())
			}
			return words, open
		}
		return inputFields(s.Stdin)
	}
	pieces := s.Stdin.Split(sep)
	if len(pieces) > 0 && pieces[len(pieces)-1].Empty() {
		pieces = pieces[:len(pieces)-1]
	}
	if len(pieces) > maxInputWords {
		pieces, open = pieces[:maxInputWords], true
	}
	for _, p := range pieces {
		if text, known := p.Known(); known && quoted {
			p = value.Lit(withoutQuotes(strings.TrimLeft(text, " \t"))).With(p.Taint())
			if p.Empty() {
				continue
			}
		}
		words, open = append(words, p), open || !p.IsKnown()
	}
	return words, open
}

// delimiterByte reads the argument of -d: a character or a C escape.
func delimiterByte(text string) string {
	if text == "" { // an error to xargs, or not known
		return "\n"
	}
	if len(text) < 2 || text[0] != '\\' {
		return text[:1]
	}
	if n, err := strconv.ParseUint(text[1:], 8, 8); err == nil {
		return string([]byte{byte(n)})
	}
	switch text[1] {
	case 'x':
		if n, err := strconv.ParseUint(text[2:], 16, 8); err == nil {
			return string([]byte{byte(n)})
		}
	case 'n':
		return "\n"
	case 't':
		return "\t"
	case 'r':
		return "\r"
	case '\\':
		return "\\"
	}
	return text[1:2]
}

// InputWords splits known input at blanks; quotes and backslashes protect.
func InputWords(text string) (words []value.Value, open bool) {
	var b strings.Builder
	in := false
	flush := func() {
		if in {
			words = append(words, value.Lit(b.String()))
			b.Reset()
			in = false
		}
	}
	for i := 0; i < len(text); i++ {
		if len(words) >= maxInputWords {
			return words, true
		}
		switch c := text[i]; c {
		case ' ', '\t', '\n':
			flush()
		case '\'', '"':
			in = true
			end := strings.IndexByte(text[i+1:], c)
			if end < 0 {
				return words, true // xargs stops here with an error
			}
			b.WriteString(text[i+1 : i+1+end])
			i += end + 1
		case '\\':
			in = true
			if i++; i < len(text) {
				b.WriteByte(text[i])
			}
		default:
			in = true
			b.WriteByte(c)
		}
	}
	flush()
	return words, false
}

// withoutQuotes removes the quotes and backslashes of one line.
func withoutQuotes(line string) string {
	if !strings.ContainsAny(line, `'"\`) {
		return line
	}
	var b strings.Builder
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote == c && quote != 0:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote == 0 && c == '\\' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// inputFields splits input that is partly known; each word that has a hole may
// be any number of words.
func inputFields(in value.Value) (words []value.Value, open bool) {
	for _, line := range in.Split("\n") {
		for _, tabbed := range line.Split("\t") {
			for _, w := range tabbed.Split(" ") {
				if w.Empty() {
					continue
				}
				if len(words) >= maxInputWords {
					return words, true
				}
				words = append(words, w)
			}
		}
	}
	return words, true
}

// anyOf is a word that stands for each of many; of some unknown ones it is unknown.
func anyOf(words []value.Value) value.Value {
	var names []string
	var t value.Taint
	for _, w := range words {
		name, known := w.Known()
		if !known {
			return value.Unknown(risk.CauseInput, "xargs").With(w.Taint())
		}
		names, t = append(names, name), t|w.Taint()
	}
	if len(names) == 0 {
		return value.Unknown(risk.CauseInput, "xargs")
	}
	return site.Among("xargs", value.Lit(commonDir(names)), "", names).With(t)
}

// commonDir is the directory that all of some paths lie in.
func commonDir(names []string) string {
	dir := path.Dir(names[0])
	for _, name := range names {
		for dir != "." && dir != "/" && !strings.HasPrefix(path.Clean(name)+"/", dir+"/") {
			dir = path.Dir(dir)
		}
		if dir == "." && path.IsAbs(name) {
			return "/"
		}
	}
	return dir
}

// insertRuns runs the command once for every word, in place of the mark.
func insertRuns(command []value.Value, mark string, words []value.Value, open bool) []catalog.Run {
	if len(words) == 0 && open || len(words) > maxInputRuns {
		words = []value.Value{anyOf(words)}
	}
	runs := make([]catalog.Run, 0, len(words))
	for _, w := range words {
		run := forEach(command[1:], mark, w) // the command's own name is not replaced
		run.Argv = append([]value.Value{command[0]}, run.Argv...)
		run.Many = !w.IsKnown()
		runs = append(runs, run)
	}
	return runs
}
