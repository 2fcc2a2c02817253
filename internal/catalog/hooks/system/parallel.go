package system

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// parallel runs shell text once for every combination of its inputs (GNU
// parallel manual, "OPTIONS" up to ":::+").
func parallel(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("rpl") { // a mark, and what makes a word of it
		_, code, _ := strings.Cut(v.Prefix(), " ")
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "perl", Text: v.Cut(len(v.Prefix()) - len(code))})
	}
	for _, v := range m.Values("grouped") { // a column, and an expression for its value
		if text, known := v.Known(); !known || strings.ContainsFunc(text, func(c rune) bool { return !site.WordByte(byte(c)) && c != '.' && c != '-' || c >= 0x80 }) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "perl", Text: v})
		}
	}
	for _, w := range append(m.Values("tagged"), m.Values("word")...) { // in a trial too
		for i := strings.Index(w.Prefix(), "{="); i >= 0; i = strings.Index(w.Prefix(), "{=") {
			w = w.Cut(i + 2)
			code := w
			if end := strings.Index(w.Prefix(), "=}"); end >= 0 {
				code = value.Lit(w.Prefix()[:end]).With(w.Taint())
			}
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "perl", Text: code})
		}
	}
	if m.Has("dry") {
		return
	}
	command, inputs, open := parallelInputs(m, s, r)
	wrap := catalog.Wrapped{}
	if h, ok := m.Value("host"); ok && !site.IsLiteral(h, ":") {
		wrap = catalog.Wrapped{Label: "parallel", Host: h.String()}
	}
	switch {
	case len(command) > 0 && m.Has("pipe"):
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: site.JoinedWords(command), Wrap: wrap})
		return
	case len(command) == 0 && len(inputs) == 0:
		r.ReadsStdin = !m.Has("file")
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "sh", Stdin: r.ReadsStdin, Text: firstOf(m.Values("file")), Wrap: wrap})
		return
	}
	for _, row := range combinations(inputs) {
		run, used := parallelRun(command, row)
		run.Open, run.Many, run.Wrap = open && !used, open, wrap
		r.Runs = append(r.Runs, run)
	}
}

func firstOf(vs []value.Value) value.Value {
	if len(vs) == 0 {
		return value.Value{}
	}
	return vs[0]
}

// parallelInputs divides the words into the command and its input sources.
// open is set when there is input that is not known.
func parallelInputs(m *catalog.Match, s *catalog.Site, r *catalog.Result) (command []value.Value, inputs [][]value.Value, open bool) {
	words := m.Values("word")
	at := len(words)
	for i, w := range words {
		if text, _ := w.Known(); slices.Contains([]string{":::", ":::+", "::::", "::::+"}, text) {
			at = i
			break
		}
	}
	command = words[:at]
	files := false
	for _, w := range words[at:] {
		switch text, _ := w.Known(); text {
		case ":::", ":::+", "::::", "::::+":
			inputs, files = append(inputs, nil), strings.HasPrefix(text, "::::")
			continue
		}
		last := len(inputs) - 1
		if files {
			r.Effects = append(r.Effects, site.ReadOf(w))
			w, open = value.Unknown(risk.CauseFile, "parallel"), true
		}
		inputs[last] = append(inputs[last], w)
	}
	if len(inputs) > 0 || len(command) == 0 {
		return command, inputs, open
	}
	if !m.Has("file") && s.HasStdin {
		if text, known := s.Stdin.Known(); known {
			var lines []value.Value
			for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
				if len(lines) < maxInputRuns {
					lines = append(lines, value.Lit(line))
				}
			}
			return command, [][]value.Value{lines}, len(lines) == maxInputRuns
		}
		if holes := s.Stdin.Holes(); len(holes) > 0 {
			return command, [][]value.Value{{value.Of(*holes[0]).With(s.Stdin.Taint())}}, true
		}
	}
	r.ReadsStdin = !m.Has("file")
	return command, [][]value.Value{{value.Unknown(risk.CauseInput, "parallel")}}, true
}

// combinations is the product of the inputs, bounded.
func combinations(inputs [][]value.Value) [][]value.Value {
	rows := [][]value.Value{nil}
	for _, in := range inputs {
		var next [][]value.Value
		for _, row := range rows {
			for _, w := range in {
				if len(next) < maxInputRuns {
					next = append(next, append(append([]value.Value{}, row...), w))
				}
			}
		}
		rows = next
	}
	return rows
}

// parallelRun is the command for one row: as shell text where every word is
// known; else, where the command is plain words, as words. used is set where the words of
// the row stand in the command, and none are added behind it.
func parallelRun(command, row []value.Value) (run catalog.Run, used bool) {
	if len(command) == 0 {
		return catalog.Run{Kind: catalog.RunShell, Text: site.JoinedWords(row)}, false
	}
	known, plain := true, true
	for _, w := range row {
		known = known && w.IsKnown()
	}
	for _, w := range command {
		text, ok := w.Known()
		plain = plain && ok && !strings.ContainsAny(text, " \t\n;&|<>()$`\\\"'*?[]~#=%!")
	}
	quote := func(v value.Value) value.Value {
		if text, ok := v.Known(); ok && (known || !plain) {
			return value.Lit(site.ShellQuote(text))
		}
		return v
	}
	argv := make([]value.Value, 0, len(command)+len(row))
	for _, w := range command {
		for _, p := range parallelMarks(row) {
			var did bool
			w, did = site.ReplaceWord(w, p.mark, quote(p.by))
			used = used || did
		}
		argv = append(argv, w)
	}
	for _, w := range row {
		if !used {
			argv = append(argv, quote(w))
		}
	}
	if known || !plain {
		return catalog.Run{Kind: catalog.RunShell, Text: site.JoinedWords(argv)}, used
	}
	return catalog.Run{Kind: catalog.RunArgv, Argv: argv}, used
}

type parallelMark struct {
	mark string
	by   value.Value
}

// parallelMarks are the replacement strings for one row.
func parallelMarks(row []value.Value) []parallelMark {
	marks := []parallelMark{{"{#}", value.Lit("1")}, {"{%}", value.Lit("1")}}
	forms := func(n string, v value.Value) {
		marks = append(marks, parallelMark{"{" + n + "}", v}, parallelMark{"{" + n + ".}", noExtension(v)},
			parallelMark{"{" + n + "/}", wordBase(v)}, parallelMark{"{" + n + "//}", wordDir(v)}, parallelMark{"{" + n + "/.}", noExtension(wordBase(v))})
	}
	for i, v := range row {
		forms(strconv.Itoa(i+1), v)
	}
	if len(row) > 0 {
		forms("", site.JoinedWords(row))
	}
	return marks
}

func noExtension(v value.Value) value.Value {
	return v.Map(func(s string) string { return strings.TrimSuffix(s, path.Ext(s)) }, value.AnyText)
}

func wordBase(v value.Value) value.Value { return v.Map(path.Base, value.AnyText) }

func wordDir(v value.Value) value.Value { return v.Map(path.Dir, value.AnyText) }
