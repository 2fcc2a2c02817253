package site

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// HoleByte stands for one hole in the text of a partly known program. No
// argument of a process can hold it.
const HoleByte = '\x00'

// maxProgram bounds the text of a sed, awk or editor script that is read; what
// is longer counts as code that was not inspected.
const maxProgram = 64 << 10

// A Program is a script in a small language with its holes marked, so that it
// can be read as a string and pieces of it turned back into values.
type Program struct {
	Text   string
	holes  []*value.Hole
	Places []int // of the holes in text
	taint  value.Taint
	Cut    bool // text is not all of it
}

// NewProgram marks the holes of v. Bytes that would look like one are dropped.
func NewProgram(v value.Value) Program {
	p := Program{taint: v.Taint()}
	var b strings.Builder
	for _, part := range v.Parts() {
		if part.Hole != nil {
			p.holes = append(p.holes, part.Hole)
			p.Places = append(p.Places, b.Len())
			b.WriteByte(HoleByte)
			continue
		}
		b.WriteString(strings.ReplaceAll(part.Lit, string(rune(HoleByte)), ""))
	}
	p.Text = b.String()
	if len(p.Text) > maxProgram {
		p.Text, p.Cut = p.Text[:maxProgram], true
	}
	return p
}

// Slice returns text[from:to] as a value, holes included.
func (p Program) Slice(from, to int) value.Value {
	to = max(from, min(to, len(p.Text)))
	n, _ := slices.BinarySearch(p.Places, from)
	return p.Fill(p.Text[from:to], n)
}

// Fill turns text into a value whose first hole is the program's hole n.
func (p Program) Fill(text string, n int) value.Value {
	var b value.Builder
	b.Taint(p.taint)
	for {
		lit, rest, found := strings.Cut(text, string(rune(HoleByte)))
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

// JoinPrograms puts the pieces of a script on lines of their own, as several
// -e options are (POSIX sed, awk).
func JoinPrograms(pieces []value.Value) value.Value {
	var b value.Builder
	for i, v := range pieces {
		if i > 0 {
			b.WriteString("\n")
		}
		b.Add(v)
	}
	return b.Value()
}

// ShowFiles records that files reach standard output, or are read in silence.
func ShowFiles(r *catalog.Result, files []value.Value, shown bool) {
	for _, f := range files {
		if SameWord(f, "-") || SameWord(f, "/dev/stdin") {
			r.ReadsStdin, r.ShowsStdin = true, r.ShowsStdin || shown
			continue
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "file", Shown: shown})
	}
}

// WriteFile records a write that a script states, except to the standard streams.
func WriteFile(r *catalog.Result, f value.Value, detail risk.Kind) {
	if s, known := f.Known(); known && (s == "" || s == "-" || s == "/dev/stdout" || s == "/dev/stderr") {
		return
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Kind: detail})
}

// RunText records shell text that a script runs.
func RunText(r *catalog.Result, text value.Value) {
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: text})
}

// WordByte reports whether a byte can stand in a name.
func WordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// MaxScriptEffects bounds what one script may add to a result.
const MaxScriptEffects = 500

// TooMuch reports whether a result has as much as is worth keeping.
func TooMuch(r *catalog.Result) bool { return len(r.Effects)+len(r.Runs) > MaxScriptEffects }

// NotInspected records code that was not read to its end.
func NotInspected(r *catalog.Result, lang string, code value.Value) {
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: lang, Text: code})
}

// NotUnderstood records that a word, or a part of a text, may do what is not known.
func NotUnderstood(r *catalog.Result, v value.Value) {
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecKnown, Target: v, Kind: risk.KindNotUnderstood})
}
