package recipe

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// bind with -x runs shell text when a key is pressed: what stands behind the
// colon of "KEYSEQ": COMMAND (Bash manual, "Bash Builtin Commands").
func bind(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("command") {
		if i := strings.LastIndex(v.Prefix(), `":`); i >= 0 {
			v = v.Cut(i + 2)
		}
		v = v.Cut(len(v.Prefix()) - len(strings.TrimLeft(v.Prefix(), " \t")))
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v})
	}
}

// compgen expands its word list as the shell does, commands included.
func compgen(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("words") {
		text, known := v.Known()
		if !known || strings.ContainsAny(text, "$`<>") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Concat(value.Lit(": "), v)})
		}
	}
}
