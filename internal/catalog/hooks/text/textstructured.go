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
			if s.Name == "fx" && !fxSelects(w) {
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

// fxSelects reports whether a word selects parts of a document, or is a function that does
// no more than read the properties of its arguments and call those methods of texts and lists
// that only compute (fx 35 manual; ECMA-262). Anything else is JavaScript.
func fxSelects(w value.Value) bool {
	raw, known := w.Known()
	text, ok := withoutTexts(raw)
	text = strings.Join(strings.Fields(text), " ")
	if !known || !ok || strings.ContainsAny(text, "`\\;{}#") || strings.Contains(strings.NewReplacer("=>", "", "==", "", "!=", "", "<=", "", ">=", "").Replace(text), "=") {
		return false
	}
	squeezed := strings.ReplaceAll(text, " ", "")
	if strings.Contains(squeezed, ")(") || strings.Contains(squeezed, "](") || strings.Contains(squeezed, "?.(") || strings.Contains(text, "/") && strings.Count(text, "/") > 1 {
		return false // a call of what is not named
	}
	if strings.Contains(raw, "\\") || strings.Contains(raw, "constructor") || strings.Contains(raw, "__") || !fxIndexes(squeezed) {
		return false
	}
	for i := 0; i < len(text); i++ {
		from := i
		for i < len(text) && (site.WordByte(text[i]) || text[i] == '$' || text[i] >= 0x80) {
			i++
		}
		if i == from {
			continue
		}
		property := strings.HasSuffix(strings.TrimRight(text[:from], " "), ".")
		called := strings.HasPrefix(strings.TrimLeft(text[i:], " "), "(")
		if !fxHarmless(text[from:i], property, called) {
			return false
		}
	}
	return true
}

// fxIndexes reports whether what is indexed is indexed by numbers, or by texts that stand there
// (and are left out of the text).
func fxIndexes(text string) bool {
	for i := 1; i < len(text); i++ {
		if text[i] != '[' || !site.WordByte(text[i-1]) && text[i-1] != ')' && text[i-1] != ']' {
			continue
		}
		index, _, ends := strings.Cut(text[i+1:], "]")
		if !ends || strings.Trim(index, "0123456789:-") != "" {
			return false
		}
	}
	return true
}

// fxHarmless reports whether a name in a function reads a property, calls a method that
// computes, or is a parameter: those have one letter, or one of the usual names.
func fxHarmless(name string, property, called bool) bool {
	const (
		methods = " map filter find findIndex some every slice concat join indexOf includes flat flatMap sort reverse at keys values entries split trim startsWith endsWith toUpperCase toLowerCase match padStart padEnd toString toFixed reduce "
		never   = " constructor __proto__ prototype caller callee arguments __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ "
		builtin = " typeof map filter sortBy groupBy len uniq sort reverse flatten chunk zip keys values list "
		words   = " this true false null undefined typeof in keys values len uniq sort reverse flatten item elem acc cur key val value obj el node row "
	)
	switch {
	case called:
		return property && strings.Contains(methods, " "+name+" ") || !property && strings.Contains(builtin, " "+name+" ")
	case property:
		return !strings.Contains(never, " "+name+" ")
	}
	return len(name) == 1 || strings.Contains(words, " "+name+" ") || strings.Trim(name, "0123456789") == ""
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
