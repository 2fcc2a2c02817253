package text

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// structured reads the operands of programs that mix selectors, verbs and
// files: a word that looks like a file name is one.
func structured(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	words := m.Operands()
	shown := m.Has("input")
	for _, w := range words {
		if strings.HasPrefix(w.Prefix(), "http://") || strings.HasPrefix(w.Prefix(), "https://") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: w})
			shown = true
			continue
		}
		if !structuredFile(w) {
			if s.Name == "fx" && reachesOut(w) {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "javascript", Text: w})
			}
			continue
		}
		shown = true
		site.ShowFiles(r, []value.Value{w}, true)
	}
	if len(words) > 0 && m.Has("input") && (site.SameWord(words[0], "put") || site.SameWord(words[0], "delete")) && !m.Has("out") {
		f, _ := m.Value("input")
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Kind: risk.KindInPlace})
	}
	if !shown {
		r.ReadsStdin, r.ShowsStdin = true, true
	}
}

// reachesOut reports whether a function of JavaScript may be more than one of the
// value that it is given.
func reachesOut(w value.Value) bool {
	text := w.Prefix()
	return !w.IsKnown() || slices.ContainsFunc([]string{"require", "import", "process", "global", "this", "eval", "Function", "constructor", "__proto__", "fetch", "save", "`", "\\"}, func(s string) bool { return strings.Contains(text, s) })
}

// structuredFile reports whether w is a file and no selector. A word that is
// partly known counts by what is known of it.
func structuredFile(w value.Value) bool {
	text := site.NewProgram(w).Text
	if text == "-" || text == "" {
		return text == "-"
	}
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || strings.HasPrefix(text, "~") {
		return !strings.ContainsAny(text, "[]@*")
	}
	return text[0] != '.' && text[0] != '$' && !strings.ContainsAny(text, " {}[]()=|>*") && strings.Contains(text, ".") ||
		strings.HasPrefix(text, ".env") || text[0] == site.HoleByte && len(text) == 1
}

// xslt tells the stylesheet, which is code that can write files, from the
// documents. A parameter's option takes two words, of which the second looks
// like an operand (xsltproc(1)).
func xslt(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Operands()
	for i, w := range s.Args {
		if (site.SameWord(w, "--param") || site.SameWord(w, "--stringparam")) && i+2 < len(s.Args) {
			for j := range words {
				if words[j].String() == s.Args[i+2].String() {
					words = slices.Delete(slices.Clone(words), j, j+1)
					break
				}
			}
		}
	}
	if len(words) == 0 {
		return
	}
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "xslt", Text: words[0]})
	site.ShowFiles(r, words[1:], true)
}
