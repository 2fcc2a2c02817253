package hooks

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// holeByte stands for one hole in the text of a partly known program. No
// argument of a process can hold it.
const holeByte = '\x00'

// maxProgram bounds the text of a sed, awk or editor script that is read; what
// is longer counts as code that was not inspected.
const maxProgram = 64 << 10

// A program is a script in a small language with its holes marked, so that it
// can be read as a string and pieces of it turned back into values.
type program struct {
	text   string
	holes  []*value.Hole
	places []int // of the holes in text
	taint  value.Taint
	cut    bool // text is not all of it
}

// newProgram marks the holes of v. Bytes that would look like one are dropped.
func newProgram(v value.Value) program {
	p := program{taint: v.Taint()}
	var b strings.Builder
	for _, part := range v.Parts() {
		if part.Hole != nil {
			p.holes = append(p.holes, part.Hole)
			p.places = append(p.places, b.Len())
			b.WriteByte(holeByte)
			continue
		}
		b.WriteString(strings.ReplaceAll(part.Lit, string(rune(holeByte)), ""))
	}
	p.text = b.String()
	if len(p.text) > maxProgram {
		p.text, p.cut = p.text[:maxProgram], true
	}
	return p
}

// slice returns text[from:to] as a value, holes included.
func (p program) slice(from, to int) value.Value {
	to = max(from, min(to, len(p.text)))
	n, _ := slices.BinarySearch(p.places, from)
	return p.fill(p.text[from:to], n)
}

// fill turns text into a value whose first hole is the program's hole n.
func (p program) fill(text string, n int) value.Value {
	var b value.Builder
	b.Taint(p.taint)
	for {
		lit, rest, found := strings.Cut(text, string(rune(holeByte)))
		b.WriteString(lit)
		if !found {
			return b.Value()
		}
		if n < len(p.holes) {
			b.Add(value.Of(*p.holes[n]))
		} else {
			b.Add(value.Unknown(risk.CauseOther, ""))
		}
		n, text = n+1, rest
	}
}

// joinPrograms puts the pieces of a script on lines of their own, as several
// -e options are (POSIX sed, awk).
func joinPrograms(pieces []value.Value) value.Value {
	var b value.Builder
	for i, v := range pieces {
		if i > 0 {
			b.WriteString("\n")
		}
		b.Add(v)
	}
	return b.Value()
}

// showFiles records that files reach standard output, or are read in silence.
func showFiles(r *catalog.Result, files []value.Value, shown bool) {
	for _, f := range files {
		if sameWord(f, "-") || sameWord(f, "/dev/stdin") {
			r.ReadsStdin, r.ShowsStdin = true, r.ShowsStdin || shown
			continue
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "file", Shown: shown})
	}
}

// writeFile records a write that a script states, except to the standard streams.
func writeFile(r *catalog.Result, f value.Value, detail risk.Kind) {
	if s, known := f.Known(); known && (s == "" || s == "-" || s == "/dev/stdout" || s == "/dev/stderr") {
		return
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Kind: detail})
}

// runText records shell text that a script runs.
func runText(r *catalog.Result, text value.Value) {
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: text})
}

// wordByte reports whether a byte can stand in a name.
func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// maxScriptEffects bounds what one script may add to a result.
const maxScriptEffects = 500

// tooMuch reports whether a result has as much as is worth keeping.
func tooMuch(r *catalog.Result) bool { return len(r.Effects)+len(r.Runs) > maxScriptEffects }

// notInspected records code that was not read to its end.
func notInspected(r *catalog.Result, lang string, code value.Value) {
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: lang, Text: code})
}
