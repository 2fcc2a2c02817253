package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
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
		switch {
		case known && !strings.ContainsAny(text, "$`<>"):
		case onlyGiven(v):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Target: v, Kind: risk.KindCodeWithWord})
		default:
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Concat(value.Lit(": "), inOneCommand(v))})
		}
	}
}

// onlyGiven reports whether nothing in a list of words is expanded but what whoever runs
// the file gives: that is words in code, as in a trap's.
func onlyGiven(v value.Value) bool {
	return !v.IsKnown() && !v.Taint().Has(value.Network) && !slices.ContainsFunc(v.Parts(), func(p value.Part) bool {
		return p.Hole != nil && p.Hole.Cause != risk.CauseGiven || strings.ContainsAny(p.Lit, "$`<>\\")
	})
}

// inOneCommand is a list of words in a form in which a shell that reads it takes it for
// words as well: only expansions in it run anything, and a line's end or a semicolon
// ends no command. Text that expands is left alone.
func inOneCommand(v value.Value) value.Value {
	parts := v.Parts()
	if slices.ContainsFunc(parts, func(p value.Part) bool { return strings.ContainsAny(p.Lit, "$`<>\"\\'") }) {
		return v
	}
	var b value.Builder
	for _, p := range parts {
		if p.Hole != nil {
			b.Add(value.Of(*p.Hole))
			continue
		}
		b.Add(value.Lit(strings.Map(func(r rune) rune {
			if strings.ContainsRune("\n;&|()#", r) {
				return ' '
			}
			return r
		}, p.Lit)))
	}
	return b.Value().With(v.Taint())
}
