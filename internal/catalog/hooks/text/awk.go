package text

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/awk"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// awkCommand walks the program for what reaches outside it: system, pipes,
// redirections, getline from files, network files, extensions and ENVIRON.
func awkCommand(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Operands()
	sources := m.Values("source")
	given := len(sources) > 0 || m.Has("executable")
	files := m.Values("progfile")
	for _, v := range m.Values("implementation") { // mawk -W exec FILE, by any beginning of the word (mawk(1))
		word, _, joined := strings.Cut(v.Prefix(), "=")
		switch {
		case word == "" || !strings.HasPrefix("exec", word):
		case joined:
			files = append(files, v.Cut(len(word)+1))
		case len(words) > 0:
			files, words = append(files, words[0]), words[1:]
		}
	}
	for _, f := range files {
		given = true
		if text, ok := site.SiteFile(s, f); ok {
			sources = append(sources, value.Lit(text))
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "progfile"})
			continue
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "awk", Text: f, Stdin: site.SameWord(f, "-")})
	}
	if !given {
		if len(words) == 0 {
			return
		}
		sources, words = words[:1], words[1:]
	}
	inplace := false
	for _, lib := range m.Values("include") {
		if site.SameWord(lib, "inplace") || site.SameWord(lib, "inplace.awk") {
			inplace = true
			continue
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "awk", Text: lib})
	}
	code := site.JoinPrograms(sources)
	awkTold(m, code)
	if text, known := code.Known(); known && picksLines(text) && !m.Has("assignment") && len(words) == 0 {
		r.Traits |= catalog.WholeLines
	}
	w := newAwkWalk(code, r)
	w.assigned(m.Values("assignment"), words)
	if len(words) == 0 && s.HasStdin && !m.Has("separator") {
		w.record(s.Stdin)
	}
	w.walk()
	if w.Cut || w.tree.Cut || site.TooMuch(r) || w.tree.Err != nil && strings.Contains(w.Text, ">") {
		site.NotInspected(r, "awk", code)
	}
	if w.tree.Err != nil && (w.acts || mayRun(w.Text)) {
		site.RunText(r, awkUnknown())
	}
	if m.Has("sandbox") && w.acts { // gawk refuses them then
		r.Fails, r.Runs, r.Effects = true, nil, nil
	}
	if len(sources) > 0 && !w.reads {
		return
	}
	awkFiles(r, words, inplace)
}

// mayRun reports whether a program that gawk refuses could run something, should
// another awk take it: what was found in it is then not all there is to say.
func mayRun(text string) bool {
	text = strings.ReplaceAll(text, "||", "")
	return strings.ContainsAny(text, "|@") || strings.Contains(text, "system") || strings.Contains(text, "getline")
}

// picksLines reports whether a program is a pattern alone that changes no line: it assigns
// nothing but elements of arrays ('!seen[$0]++'), and calls nothing.
func picksLines(text string) bool {
	plain := strings.NewReplacer("==", "", "!=", "", "<=", "", ">=", "", "]++", "]").Replace(text)
	return text != "" && !strings.ContainsAny(plain, "{(=;\n") && !strings.Contains(plain, "++") && !strings.Contains(plain, "--") && !strings.Contains(plain, "getline")
}

// awkFiles says what becomes of the operands: NAME=TEXT assigns, others are read.
func awkFiles(r *catalog.Result, words []value.Value, inplace bool) {
	any := false
	for _, f := range words {
		if name, _, ok := strings.Cut(f.Prefix(), "="); ok && awk.IsName(name) {
			continue
		}
		any = true
		if inplace {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: risk.KindInPlace})
			continue
		}
		site.ShowFiles(r, []value.Value{f}, true)
	}
	if !any {
		r.ReadsStdin, r.ShowsStdin = true, true
	}
}
