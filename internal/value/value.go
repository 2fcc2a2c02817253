package value

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/risk"
)

// maxMapped is how many names of files are rewritten one by one.
const maxMapped = 4096

// Taint is the set of sources that flowed into a value or a stream.
type Taint uint16

// The sources.
const (
	Secret     Taint = 1 << iota // contents of a credential store, key or .env file
	Network                      // bytes that came from another machine
	Outside                      // contents of files outside workspace and temp
	Decoded                      // result of a decoder: base64, hex, decompression, decryption
	Untrusted                    // content of the workspace that nobody vouched for
	Input                        // typed by a person or read from standard input
	Private                      // personal or machine state: clipboard, screen, accounts, environment
	Credential                   // a secret held in an environment variable: meant to be used, not shown
	Endless                      // a stream that never ends: /dev/zero, yes
	Found                        // the name of a file that a search or a listing found: nobody wrote it
	Picked                       // one that a search was asked for by name
	Absent                       // it may be nothing instead: what prints it may have nothing to print
)

// Has reports whether t contains any source of u.
func (t Taint) Has(u Taint) bool { return t&u != 0 }

// Shape bounds what a hole can hold.
type Shape uint8

// The shapes, from the loosest to the tightest.
const (
	AnyText Shape = iota // anything, the empty string included
	AnyPath              // a non-empty path
	Below                // a path at or below Base
	Word                 // non-empty; no slash, white space or leading dash
	Number               // decimal digits
	Setup                // shell code that a known program prints to be evaluated: assignments, functions, completions
)

// A Listing says what the lines of a list are of which the hole is a part, and
// which of all such things are in it.
type Listing struct {
	Of    Listed
	Named string // of processes: the patterns that they were found by; empty: every one
}

// String says what the list is of, for people.
func (l Listing) String() string {
	switch {
	case l.Of == OfEnvironment:
		return "the environment"
	case l.Of == OfProcesses && l.Named == "":
		return "some that ps lists"
	case l.Of == OfProcesses:
		return "the processes of " + l.Named
	}
	return ""
}

// Listed is what a list is of.
type Listed uint8

// The lists that programs print and others pick from.
const (
	NoListing     Listed = iota
	OfEnvironment        // variables of the environment, with their values
	OfProcesses          // processes, by number or in whole lines
	OfRefs               // names and ids that version control keeps: branches, tags, commits, remotes
	OfService            // what a service told to the program that is named
	OfPlainFiles         // files whose names do not begin with a dot, or that version control has
)

// A Hole is an unknown part of a value.
type Hole struct {
	Cause risk.Cause
	Name  string // the variable, command or pattern, for people to read
	Shape Shape
	Base  string   // for Below; for Word: the directory that it is a name in, if that is known
	Last  string   // for Below: the name or pattern that the path's last element matches
	Self  bool     // for Below: Base itself is among them
	OneOf []string // if not empty, the hole is exactly one of these
	Lists Listing  // the list that it is a part of, if any
	None  bool     // for Below: nothing is there now that it could stand for
	// Edited is, for Below, whether a filter has changed the text, so that it may name
	// something else as well: what is read may be below, what is changed may be anywhere.
	Edited bool
	Among  []string // for Below: all the paths that it stands for, one after the other, if they are known
	// Written is how the text writes it that it was put into by another program
	// than a shell, before a shell read it: $(DESTDIR), {{target}}. In such text
	// it is data.
	Written string
	// Shell is the text of a shell that prints it, where whoever evaluates what
	// the hole stands in may know what that printed. OrGiven is the variable, if any,
	// that whoever runs the file may give instead.
	Shell   *Value
	OrGiven string
	// Nothing is whether what prints it prints nothing as things are now. It is for telling,
	// and no session keeps it.
	Nothing bool
}

// String renders a hole for people: as it is written, as $NAME or as <NAME>.
func (h *Hole) String() string {
	switch {
	case h.Written != "":
		return h.Written
	case h.Cause == risk.CauseUnset || h.Cause == risk.CauseUnknown || h.Cause == risk.CauseArg || h.Cause == risk.CauseGiven:
		return "$" + h.Name
	case h.Name == "":
		return "…"
	}
	return "<" + h.Name + ">"
}

// Variable returns the value of a variable of which only the name is known, since
// whoever runs the file gives it. A credential is one word.
func Variable(name string) Value {
	if CredentialName(name) {
		return Of(Hole{Cause: risk.CauseGiven, Name: name, Shape: Word}).With(Credential)
	}
	return Unknown(risk.CauseGiven, name)
}

// A Part is a literal, or a hole if Hole is not nil.
type Part struct {
	Lit  string
	Hole *Hole
}

// A Value is a string in parts. The zero Value is the empty string.
// Values are immutable: operations return new ones and may share parts.
type Value struct {
	lit     string // all of it, when parts is nil
	pattern string // the glob that produced it
	parts   []Part
	taint   Taint
}

// WrittenAs returns v with its holes written so, but for those that have a
// writing already.
func (v Value) WrittenAs(text string) Value {
	if !slices.ContainsFunc(v.parts, func(p Part) bool { return p.Hole != nil && p.Hole.Written == "" }) {
		return v
	}
	parts := slices.Clone(v.parts)
	for i, p := range parts {
		if p.Hole != nil && p.Hole.Written == "" {
			h := *p.Hole
			h.Written = text
			parts[i].Hole = &h
		}
	}
	v.parts = parts
	return v
}

// Lit returns the known string s.
func Lit(s string) Value { return Value{lit: s} }

// Of returns a value that is one hole.
func Of(h Hole) Value { return Value{parts: []Part{{Hole: &h}}} }

// Unknown returns a hole of any shape with a cause and a name.
func Unknown(c risk.Cause, name string) Value { return Of(Hole{Cause: c, Name: name}) }

// OneOf returns a value that is exactly one of the given strings.
func OneOf(c risk.Cause, name string, alternatives ...string) Value {
	slices.Sort(alternatives)
	alternatives = slices.Compact(alternatives)
	if len(alternatives) == 1 {
		return Lit(alternatives[0])
	}
	return Of(Hole{Cause: c, Name: name, OneOf: alternatives})
}

// OneFile is one of several files by their names, each of which can be meant; name
// says where they come from, for people to read.
func OneFile(name string, files []string) Value {
	base := Around(files)
	return Of(Hole{Cause: risk.CauseMatch, Name: name, Shape: Below, Base: base, Among: files, Self: slices.Contains(files, base)})
}

// Around is the directory that is around all of these files, as their names have it.
func Around(files []string) string {
	base := path.Dir(files[0])
	for _, f := range files {
		for base != "." && base != "/" && !strings.HasPrefix(f, base+"/") {
			base = path.Dir(base)
		}
	}
	return base
}

// Known returns the string and true if v has no holes.
func (v Value) Known() (string, bool) {
	if v.parts == nil {
		return v.lit, true
	}
	return "", false
}

// IsKnown reports whether v has no holes.
func (v Value) IsKnown() bool { return v.parts == nil }

// Empty reports whether v is surely the empty string.
func (v Value) Empty() bool { return v.parts == nil && v.lit == "" }

// Taint returns the sources that flowed into v.
func (v Value) Taint() Taint { return v.taint }

// With returns v with more sources.
func (v Value) With(t Taint) Value { v.taint |= t; return v }

// Without returns v as if it had no source of t.
func (v Value) Without(t Taint) Value { v.taint &^= t; return v }

// Parts returns v's parts; the caller must not change them.
func (v Value) Parts() []Part {
	if v.parts != nil {
		return v.parts
	}
	if v.lit == "" {
		return nil
	}
	return []Part{{Lit: v.lit}}
}

// Anywhere is v with every hole that a filter has edited standing for any text.
func (v Value) Anywhere() Value {
	if !slices.ContainsFunc(v.parts, func(p Part) bool { return p.Hole != nil && p.Hole.Edited }) {
		return v
	}
	v.parts = slices.Clone(v.parts)
	for i, p := range v.parts {
		if p.Hole != nil && p.Hole.Edited {
			v.parts[i].Hole = &Hole{Cause: risk.CauseOutput, Name: p.Hole.Name, Lists: p.Hole.Lists}
		}
	}
	return v
}

// Holes returns v's holes in order.
func (v Value) Holes() []*Hole {
	var hs []*Hole
	for _, p := range v.parts {
		if p.Hole != nil {
			hs = append(hs, p.Hole)
		}
	}
	return hs
}

// Lists returns the list of a kind that v has a hole of, or none.
func (v Value) Lists(of Listed) Listing {
	for _, p := range v.parts {
		if p.Hole != nil && p.Hole.Lists.Of == of {
			return p.Hole.Lists
		}
	}
	return Listing{}
}

// HasCause reports whether a hole of v comes from one of causes.
func (v Value) HasCause(causes ...risk.Cause) bool {
	return slices.ContainsFunc(v.parts, func(p Part) bool { return p.Hole != nil && slices.Contains(causes, p.Hole.Cause) })
}

// Prefix returns the known text before the first hole.
func (v Value) Prefix() string {
	if v.parts == nil {
		return v.lit
	}
	if v.parts[0].Hole == nil {
		return v.parts[0].Lit
	}
	return ""
}

// Suffix returns the known text after the last hole.
func (v Value) Suffix() string {
	if v.parts == nil {
		return v.lit
	}
	return v.parts[len(v.parts)-1].Lit
}

// Len returns the number of known bytes.
func (v Value) Len() int {
	n := len(v.lit)
	for _, p := range v.parts {
		n += len(p.Lit)
	}
	return n
}

// Size returns about how many bytes v takes up.
func (v Value) Size() int { return v.Len() + partSize*len(v.parts) }

// partSize is the size of a part and of what it points to, a hole.
const partSize = 160

// Concat joins values end to end.
func Concat(vs ...Value) Value {
	switch len(vs) {
	case 0:
		return Value{}
	case 1:
		return vs[0]
	}
	var b Builder
	for _, v := range vs {
		b.Add(v)
	}
	return b.Value()
}

// String renders v for people, its holes as [Hole.String] does.
func (v Value) String() string { return v.Fill((*Hole).String) }

// Candidates returns every string that v can be, if there are at most limit.
// ok is false when v has a hole that is not a closed set, or too many.
func (v Value) Candidates(limit int) (all []string, ok bool) {
	if v.parts == nil {
		return []string{v.lit}, true
	}
	all = []string{""}
	for _, p := range v.parts {
		if p.Hole == nil {
			for i := range all {
				all[i] += p.Lit
			}
			continue
		}
		if len(p.Hole.OneOf) == 0 || len(all)*len(p.Hole.OneOf) > limit {
			return nil, false
		}
		next := make([]string, 0, len(all)*len(p.Hole.OneOf))
		for _, a := range all {
			for _, o := range p.Hole.OneOf {
				next = append(next, a+o)
			}
		}
		all = next
	}
	return all, true
}

// Fill returns the text of v with every hole replaced by f's answer.
func (v Value) Fill(f func(*Hole) string) string {
	if v.parts == nil {
		return v.lit
	}
	var b strings.Builder
	for _, p := range v.parts {
		if p.Hole != nil {
			b.WriteString(f(p.Hole))
		} else {
			b.WriteString(p.Lit)
		}
	}
	return b.String()
}

// Worst returns the text of v with unknown parts at their shortest: empty
// where the hole allows it, else a placeholder word.
func (v Value) Worst() string {
	return v.Fill(func(h *Hole) string {
		switch {
		case len(h.OneOf) > 0:
			return slices.MinFunc(h.OneOf, func(a, b string) int { return len(a) - len(b) })
		case h.Shape == Below:
			return h.Base
		case h.Shape == AnyText:
			return ""
		}
		return "x"
	})
}

// WithoutUnset returns v without the variables that are not set and stand in
// the midst of a name: behind some of its letters, before any slash or equals
// sign, and, unless v is an option or all of it is a name, before more letters.
func (v Value) WithoutUnset(isName bool) Value {
	parts := v.Parts()
	var b Builder
	inName := true
	for i, p := range parts {
		switch {
		case p.Hole == nil:
			inName = inName && !strings.ContainsAny(p.Lit, "/=")
			b.WriteString(p.Lit)
		case inName && p.Hole.Cause == risk.CauseUnset && len(p.Hole.OneOf) == 0 && v.Len() > 0 &&
			(isName && (i > 0 || !strings.Contains(v.String(), "/")) || i > 0 && (parts[0].Hole == nil && parts[0].Lit[0] == '-' || parts[len(parts)-1].Hole == nil)):
		default:
			inName = false
			b.Add(Of(*p.Hole))
		}
	}
	b.Taint(v.taint)
	return b.Value().FromPattern(v.pattern)
}

// Map applies f to every possible string of v and returns the value that holds
// all results. Where v is not a closed set of at most 64 strings it returns a
// hole of the given shape, with v's first cause.
func (v Value) Map(f func(string) string, otherwise Shape) Value {
	if v.parts == nil {
		return Lit(f(v.lit)).With(v.taint)
	}
	h := *v.Holes()[0]
	if all, ok := v.Candidates(64); ok {
		for i := range all {
			all[i] = f(all[i])
		}
		return OneOf(h.Cause, h.Name, all...).With(v.taint)
	}
	if files := mapped(v, h.Among, f); len(files) > 0 {
		return OneFile(h.Name, files).With(v.taint)
	}
	return Of(Hole{Cause: h.Cause, Name: h.Name, Shape: otherwise}).With(v.taint)
}

// mapped are the names of files that v stands for, each as f has it; none where
// v is more than one of them, or a name would be no name.
func mapped(v Value, files []string, f func(string) string) []string {
	if len(v.parts) != 1 || len(files) > maxMapped {
		return nil
	}
	out := make([]string, len(files))
	for i, name := range files {
		if out[i] = f(name); out[i] == "" {
			return nil
		}
	}
	return out
}

// alike reports whether two values were told the same: the same literal parts,
// and holes of which the same is known. What comes of `mktemp` twice is two
// files, but a variable that two branches left alone is one.
func alike(v, w Value) bool {
	return v.lit == w.lit && slices.EqualFunc(v.parts, w.parts, func(a, b Part) bool {
		return a.Lit == b.Lit && (a.Hole == b.Hole || a.Hole != nil && b.Hole != nil &&
			a.Hole.Cause == b.Hole.Cause && a.Hole.Name == b.Hole.Name && a.Hole.Written == b.Hole.Written && a.Hole.Shape == b.Hole.Shape &&
			a.Hole.Base == b.Hole.Base && a.Hole.Last == b.Hole.Last && a.Hole.Self == b.Hole.Self && a.Hole.OrGiven == b.Hole.OrGiven && a.Hole.Nothing == b.Hole.Nothing && a.Hole.Lists == b.Hole.Lists && slices.Equal(a.Hole.OneOf, b.Hole.OneOf))
	})
}

// Cut returns v without its first n bytes, which must all be known.
func (v Value) Cut(n int) Value {
	if v.parts == nil {
		return Value{lit: v.lit[n:], taint: v.taint}
	}
	var b Builder
	b.taint = v.taint
	for i, p := range v.parts {
		switch {
		case p.Hole != nil:
			b.flush()
			b.parts = append(b.parts, p)
		case i == 0:
			b.WriteString(p.Lit[n:])
		default:
			b.WriteString(p.Lit)
		}
	}
	return b.Value()
}

// maxPieces is how many pieces a value is cut into; what is behind them is one
// piece more, of which nothing is known.
const maxPieces = 1 << 14

// Split cuts v at every known occurrence of sep, or, where sep is empty, into its
// characters; a hole of it is then one piece.
func (v Value) Split(sep string) []Value {
	if sep == "" {
		return v.characters()
	}
	var out []Value
	b := Builder{taint: v.taint}
	for _, p := range v.Parts() {
		if p.Hole != nil {
			b.flush()
			b.parts = append(b.parts, p)
			continue
		}
		text := p.Lit
		for {
			before, after, found := strings.Cut(text, sep)
			b.WriteString(before)
			if !found {
				break
			}
			if out = append(out, b.Value()); len(out) >= maxPieces {
				return append(out, Unknown(risk.CauseOther, "").With(v.taint))
			}
			b.taint = v.taint
			text = after
		}
	}
	return append(out, b.Value())
}

// characters cuts v into its characters and its holes. What a hole holds may be many
// characters, or none.
func (v Value) characters() []Value {
	if v.Empty() {
		return []Value{v}
	}
	var out []Value
	for _, p := range v.Parts() {
		if p.Hole != nil {
			out = append(out, Unknown(p.Hole.Cause, p.Hole.Name).With(v.taint))
		}
		for text := p.Lit; text != ""; {
			if len(out) >= maxPieces {
				return append(out, Unknown(risk.CauseOther, "").With(v.taint))
			}
			_, n := utf8.DecodeRuneInString(text)
			out = append(out, Lit(text[:n]).With(v.taint))
			text = text[n:]
		}
	}
	return out
}

// Pattern returns the glob pattern whose expansion produced v, or "".
func (v Value) Pattern() string { return v.pattern }

// FromPattern returns v marked as a result of expanding a glob pattern.
func (v Value) FromPattern(p string) Value { v.pattern = p; return v }

// Alone is a word that stands for one file: where it is a match of a pattern,
// that one and not all that match.
func (v Value) Alone() Value {
	if name, known := v.Known(); known && name != v.pattern {
		v.pattern = ""
	}
	return v
}
