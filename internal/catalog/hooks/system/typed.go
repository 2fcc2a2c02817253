package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// typed judges a text that is typed into another window as a command line: that is
// what it is in a terminal. Where it cannot be one, as its quotes are not closed,
// it is only typed.
func typed(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Kind: risk.KindTypedIntoAWindow})
	var b value.Builder
	for i, v := range m.Values("text") {
		if i > 0 {
			b.WriteString(" ")
		}
		b.Add(v)
	}
	text := b.Value().Map(func(s string) string {
		return strings.TrimSpace(strings.NewReplacer(`\n`, "\n", `\r`, "\n", "\r", "\n").Replace(s))
	}, value.AnyText)
	if s, known := text.Known(); known && (s == "" || strings.Count(s, "'")%2+strings.Count(s, `"`)%2+strings.Count(s, "`")%2 > 0 || strings.Count(s, "(") != strings.Count(s, ")")) {
		return
	}
	if !text.Empty() {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: text})
	}
}
