package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// rename reads Perl's form (EXPRESSION FILE…) and util-linux's (FROM TO FILE…).
// A plain substitution or transliteration is not code that needs reading.
func rename(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	code := m.Values("code")
	switch {
	case len(code) > 0:
	case len(words) > 0 && (s.Name == "prename" || s.Name == "file-rename" || s.Name == "perl-rename" || s.Name != "rename.ul" && mayBePerl(words[0])):
		code, words = words[:1], words[1:]
	case len(words) == 2: // rename OLD NEW of mksh; without files the program says how it is used
		words = words[:1]
	default:
		words = words[min(2, len(words)):]
	}
	for _, c := range code {
		if !plainSubstitution(c) {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "perl", Text: c})
		}
	}
	if m.Has("noact") {
		return
	}
	for _, v := range words {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSMove, Target: v, Arg: "file", Forced: m.Has("force"), Kind: risk.KindRename})
	}
}

// mayBePerl reports whether a word is more than a part of a name, as util-linux's
// rename takes it: then Perl's may run it.
func mayBePerl(v value.Value) bool {
	p := v.Prefix()
	for _, op := range []string{"s", "y", "tr"} {
		rest, ok := strings.CutPrefix(p, op)
		if ok && len(rest) > 1 && strings.IndexByte("/|#!,{(@:;~", rest[0]) >= 0 {
			return true
		}
	}
	for _, word := range []string{"use ", "no ", "do ", "require ", "package ", "BEGIN", "END", "print"} {
		if strings.HasPrefix(p, word) {
			return true
		}
	}
	return strings.ContainsAny(p, "$;(`{")
}

// plainSubstitution reports whether v is one s///, y/// or tr/// without code
// in it.
func plainSubstitution(v value.Value) bool {
	text, known := v.Known()
	if !known || strings.Contains(text, "(?{") || strings.Contains(text, "(??{") || strings.ContainsAny(text, "`;") || strings.Contains(text, "@{") || strings.Contains(text, "${") {
		return false
	}
	rest, sub := strings.CutPrefix(text, "s")
	if !sub {
		var ok bool
		if rest, ok = strings.CutPrefix(text, "tr"); !ok {
			if rest, ok = strings.CutPrefix(text, "y"); !ok {
				return false
			}
		}
	}
	if len(rest) < 3 || strings.IndexByte("/|#!,@:~", rest[0]) < 0 {
		return false
	}
	parts := strings.Split(strings.ReplaceAll(rest[1:], `\`+rest[:1], ""), rest[:1])
	return len(parts) == 3 && strings.Trim(parts[2], "gimosxcdr") == ""
}
