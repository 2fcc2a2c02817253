package text

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// dos2unix converts its operands in place, except that after -n they are
// pairs of an input and an output (dos2unix manual, "File mode").
func dos2unix(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	files := m.Values("file")
	if len(files) == 0 {
		r.ReadsStdin, r.ShowsStdin = true, !m.Has("info")
		return
	}
	for i := 0; i < len(files); i++ {
		from := files[i]
		to, detail := from, risk.KindInPlace
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: from, Arg: "file", Shown: m.Has("stdout")})
		if m.Has("stdout") || m.Has("info") {
			continue
		}
		e := catalog.Effect{Verb: risk.FSWrite, Target: to, Arg: "file", Kind: detail}
		if m.Has("newfile") && i+1 < len(files) {
			i++
			e = catalog.Effect{Verb: risk.FSWrite, Target: files[i], Arg: "file", Carries: []catalog.Source{{Path: from}}}
		}
		r.Effects = append(r.Effects, e)
	}
}
