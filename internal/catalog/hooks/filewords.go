package hooks

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// isLiteral reports whether v is surely the word s.
func isLiteral(v value.Value, s string) bool {
	text, known := v.Known()
	return known && text == s
}

// baseOf returns the last element of a path; where that is not known, one
// unknown name without a slash.
func baseOf(v value.Value) value.Value {
	if text, known := v.Known(); known {
		return value.Lit(path.Base(text))
	}
	if suffix := v.Suffix(); strings.Contains(suffix, "/") && !strings.HasSuffix(suffix, "/") {
		return value.Lit(suffix[strings.LastIndexByte(suffix, '/')+1:])
	}
	h := v.Holes()[0]
	return value.Of(value.Hole{Cause: h.Cause, Name: h.Name, Shape: value.Word}).With(v.Taint())
}

// inside returns the path of name in directory dir.
func inside(dir, name value.Value) value.Value {
	if strings.HasSuffix(dir.Suffix(), "/") {
		return value.Concat(dir, name)
	}
	return value.Concat(dir, value.Lit("/"), name)
}

// isDirectory asks the world whether v is a directory; where it cannot tell,
// only the spelling decides.
func isDirectory(s *catalog.Site, v value.Value) bool {
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
	kind, ok := kindAt(s, text)
	return ok && kind == world.Dir
}

// isMissing reports whether v names a file that is surely not there.
func isMissing(s *catalog.Site, v value.Value) bool {
	text, known := v.Known()
	kind, ok := kindAt(s, text)
	return known && ok && kind == world.Missing
}

// kindAt looks what a path is; ok is false where that cannot be known.
func kindAt(s *catalog.Site, name string) (kind world.Kind, ok bool) {
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

// isScreen reports whether v is a name for standard output or the terminal.
func isScreen(v value.Value) bool {
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

// sourceOf says what reading v reads.
func sourceOf(v value.Value) catalog.Source {
	if isInput(v) {
		return catalog.Source{Stdin: true}
	}
	return catalog.Source{Path: v}
}

// matchedBelow is one of the names that a search below start finds; the last
// element matches a pattern, if that is not empty.
func matchedBelow(program string, start value.Value, last string) value.Value {
	h := value.Hole{Cause: risk.CauseMatch, Name: program + " " + start.String(), Shape: value.AnyPath, Last: last}
	if text, known := start.Known(); known {
		h.Shape, h.Base = value.Below, text
	}
	return value.Of(h).With(start.Taint())
}

// orItself is a name that a search below a path finds, where the path itself
// may be the first of them.
func orItself(found value.Value) value.Value {
	h := *found.Holes()[0]
	h.Self = h.Shape == value.Below
	return value.Of(h).With(found.Taint())
}

// joinedWords puts words together with spaces, as programs do that hand them to a
// shell.
func joinedWords(words []value.Value) value.Value {
	var b value.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(" ")
		}
		b.Add(w)
	}
	return b.Value()
}

// replaceWord replaces every known occurrence of mark in v; it reports whether
// there was one.
func replaceWord(v value.Value, mark string, by value.Value) (value.Value, bool) {
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

// shellQuote quotes s so that a POSIX shell reads it as one word.
func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// readOf is the effect of reading v without showing it.
func readOf(v value.Value) catalog.Effect {
	return catalog.Effect{Verb: risk.FSRead, Target: v}
}

// givenText is the text of a manifest that is given as a file or, as "-", on
// standard input. Parts that are not known stand in it as a word.
func givenText(s *catalog.Site, r *catalog.Result, v value.Value) (string, bool) {
	if netIs(v, "-") || netIs(v, "/dev/stdin") {
		r.ReadsStdin = true
		if !s.HasStdin || s.Stdin.Len() == 0 {
			return "", false
		}
		return s.Stdin.Fill(func(*value.Hole) string { return "heed-hole" }), true
	}
	if scheme := netScheme(v); scheme != "" {
		return "", false
	}
	return siteFile(s, v)
}
