package site

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// IsLiteral reports whether v is surely the word s.
func IsLiteral(v value.Value, s string) bool {
	text, known := v.Known()
	return known && text == s
}

// BaseOf returns the last element of a path; where that is not known, one
// unknown name without a slash.
func BaseOf(v value.Value) value.Value {
	if text, known := v.Known(); known {
		return value.Lit(path.Base(text))
	}
	if suffix := v.Suffix(); strings.Contains(suffix, "/") && !strings.HasSuffix(suffix, "/") {
		return value.Lit(suffix[strings.LastIndexByte(suffix, '/')+1:])
	}
	h := v.Holes()[0]
	return value.Of(value.Hole{Cause: h.Cause, Name: h.Name, Shape: value.Word}).With(v.Taint())
}

// Inside returns the path of name in directory dir.
func Inside(dir, name value.Value) value.Value {
	if strings.HasSuffix(dir.Suffix(), "/") {
		return value.Concat(dir, name)
	}
	return value.Concat(dir, value.Lit("/"), name)
}

// IsDirectory asks the world whether v is a directory; where it cannot tell,
// only the spelling decides.
func IsDirectory(s *catalog.Site, v value.Value) bool {
	text, known := v.Known()
	if !known {
		return strings.HasSuffix(v.Suffix(), "/")
	}
	switch path.Base(text) {
	case ".", "..":
		return true
	}
	if strings.HasSuffix(text, "/") {
		return true
	}
	kind, ok := KindAt(s, text)
	return ok && kind == world.Dir
}

// IsMissing reports whether v names a file that is surely not there.
func IsMissing(s *catalog.Site, v value.Value) bool {
	text, known := v.Known()
	kind, ok := KindAt(s, text)
	return known && ok && kind == world.Missing
}

// IsEmptyFile reports whether v names a file that surely is not there, or has nothing in it.
func IsEmptyFile(s *catalog.Site, v value.Value) bool {
	text, known := v.Known()
	kind, ok := KindAt(s, text)
	if !known || !ok || kind == world.Missing {
		return known && ok
	}
	if !path.IsAbs(text) {
		text = path.Join(s.Dir, text)
	}
	info, err := world.Stat(s.World.FS, text)
	return err == nil && kind == world.Regular && info.Size == 0
}

// KindAt looks what a path is; ok is false where that cannot be known.
func KindAt(s *catalog.Site, name string) (kind world.Kind, ok bool) {
	if s.World == nil || s.World.FS == nil || name == "" {
		return world.Missing, false
	}
	if !path.IsAbs(name) {
		if s.Dir == "" {
			return world.Missing, false
		}
		name = path.Join(s.Dir, name)
	}
	info, err := world.Stat(s.World.FS, name)
	return info.Kind, err == nil
}

// InfoAt is what a path leads to, if that can be told.
func InfoAt(s *catalog.Site, name string) (info world.Info, ok bool) {
	if s.World == nil || s.World.FS == nil || name == "" || s.Dir == "" && !path.IsAbs(name) {
		return world.Info{}, false
	}
	if !path.IsAbs(name) {
		name = path.Join(s.Dir, name)
	}
	info, err := world.Stat(s.World.FS, name)
	return info, err == nil
}

// Executable reports whether a path is surely a file that may be run.
func Executable(s *catalog.Site, name string) bool {
	if s.World == nil || s.World.FS == nil || s.Dir == "" && !path.IsAbs(name) {
		return false
	}
	if !path.IsAbs(name) {
		name = path.Join(s.Dir, name)
	}
	info, err := world.Stat(s.World.FS, name)
	return err == nil && info.Kind == world.Regular && info.Mode&0o111 != 0
}

// IsScreen reports whether v is a name for standard output or the terminal.
func IsScreen(v value.Value) bool {
	text, _ := v.Known()
	switch text {
	case "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2", "/proc/self/fd/1", "/proc/self/fd/2":
		return true
	}
	return false
}

// isInput reports whether v is a name for standard input.
func isInput(v value.Value) bool {
	text, _ := v.Known()
	return text == "/dev/stdin" || text == "/dev/fd/0" || text == "/proc/self/fd/0"
}

// SourceOf says what reading v reads.
func SourceOf(v value.Value) catalog.Source {
	if isInput(v) {
		return catalog.Source{Stdin: true}
	}
	return catalog.Source{Path: v}
}

// MatchedBelow is one of the names that a search below start finds; the last
// element matches a pattern, if that is not empty.
func MatchedBelow(program string, start value.Value, last string) value.Value {
	h := value.Hole{Cause: risk.CauseMatch, Name: program + " " + start.String(), Shape: value.AnyPath, Last: last}
	if text, known := start.Known(); known {
		h.Shape, h.Base = value.Below, text
	}
	return value.Of(h).With(start.Taint())
}

// OrItself is a name that a search below a path finds, where the path itself
// may be the first of them.
func OrItself(found value.Value) value.Value {
	h := *found.Holes()[0]
	h.Self = h.Shape == value.Below
	return value.Of(h).With(found.Taint())
}

// Listed is what a program prints that lists names, each with an end behind it.
func Listed(names []string, end string) *value.Value {
	var b value.Builder
	for _, name := range names {
		b.WriteString(name + end)
	}
	b.Taint(value.Found)
	text := b.Value()
	return &text
}

// JoinedWords puts words together with spaces, as programs do that hand them to a
// shell.
func JoinedWords(words []value.Value) value.Value {
	var b value.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(" ")
		}
		b.Add(w)
	}
	return b.Value()
}

// ReplaceWord replaces every known occurrence of mark in v; it reports whether
// there was one.
func ReplaceWord(v value.Value, mark string, by value.Value) (value.Value, bool) {
	if mark == "" {
		return v, false
	}
	pieces := v.Split(mark)
	if len(pieces) == 1 {
		return v, false
	}
	var b value.Builder
	for i, p := range pieces {
		if i > 0 {
			b.Add(by)
		}
		b.Add(p)
	}
	return b.Value(), true
}

// ShellQuote quotes s so that a POSIX shell reads it as one word.
func ShellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ReadOf is the effect of reading v without showing it.
func ReadOf(v value.Value) catalog.Effect {
	return catalog.Effect{Verb: risk.FSRead, Target: v}
}

// GivenText is the text of a manifest that is given as a file or, as "-", on
// standard input. Parts that are not known stand in it as a word.
func GivenText(s *catalog.Site, r *catalog.Result, v value.Value) (string, bool) {
	if NetIs(v, "-") || NetIs(v, "/dev/stdin") {
		r.ReadsStdin = true
		if !s.HasStdin || s.Stdin.Len() == 0 {
			return "", false
		}
		return s.Stdin.Fill(func(*value.Hole) string { return "heed-hole" }), true
	}
	if scheme := NetScheme(v); scheme != "" {
		return "", false
	}
	return SiteFile(s, v)
}
