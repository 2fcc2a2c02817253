package text

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// pager reads the operands of less and its kin: +COMMAND is typed at the
// beginning, and may be !shell or |mark shell (less(1), "Options").
func pager(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	var files []value.Value
	for _, w := range m.Operands() {
		if strings.HasPrefix(w.Prefix(), "+") {
			pagerCommand(r, s.Name == "less", w.Cut(1))
			continue
		}
		files = append(files, w)
	}
	for _, v := range m.Values("pattern") { // is typed behind a slash
		pagerCommand(r, s.Name == "less", value.Concat(value.Lit("/"), v))
	}
	for _, v := range m.Values("number") { // what is no number is taken for a file
		if text, known := v.Known(); !known || strings.Trim(text, "0123456789.,*-") != "" {
			files = append(files, v)
		}
	}
	if len(files) == 0 {
		r.ReadsStdin, r.ShowsStdin = true, true
		for _, e := range m.Values("log") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: e, Carries: []catalog.Source{{Stdin: true}}})
		}
	}
	site.ShowFiles(r, files, true)
	if v, ok := site.OwnEnv(s, "LESS"); ok {
		if i := strings.Index(v.Prefix(), "+"); i >= 0 {
			pagerCommand(r, s.Name == "less", v.Cut(i+1))
		}
	}
	for _, name := range []string{"LESSOPEN", "LESSCLOSE"} {
		if v, ok := site.OwnEnv(s, name); ok && !m.Has("no-lessopen") {
			n := len(v.Prefix()) - len(strings.TrimLeft(v.Prefix(), "|-"))
			site.RunText(r, v.Cut(n))
		}
	}
}

// pagerMoves are the keys of less and more that go to another place of the text, or
// draw it anew.
const pagerMoves = "0123456789 \n\r<>%.,eEjJkKyYbBfFgGdDuUpPnNzZwWrRlLtTq"

// pagerCommand acts on keys that are typed for the person. All says that the program
// takes any, as less does; the others go to a line or a pattern.
func pagerCommand(r *catalog.Result, all bool, keys value.Value) {
	text := strings.TrimPrefix(keys.Prefix(), "+") // ++ is for every file
	text = strings.TrimLeft(text, pagerMoves)
	keys = keys.Cut(len(keys.Prefix()) - len(text))
	switch {
	case text == "":
		if !keys.IsKnown() {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "less", Text: keys})
		}
	case strings.IndexByte("/?&", text[0]) >= 0: // a pattern, and what is typed behind it
		if i := strings.IndexAny(text, "\n\r"); i >= 0 {
			pagerCommand(r, all, keys.Cut(i+1))
		}
	case text[0] == '!' || text[0] == '#':
		site.RunText(r, keys.Cut(1))
	case text[0] == '|' && len(text) > 1:
		site.RunText(r, keys.Cut(2))
	case text[0] == 'v':
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, As: risk.KindEditor})
	case text[0] == 's':
		name := strings.TrimLeft(text[1:], " ")
		site.WriteFile(r, keys.Cut(len(text)-len(name)), risk.NoKind)
	case all:
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "less", Text: keys})
	}
}
