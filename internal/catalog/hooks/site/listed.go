package site

import (
	"path"
	"slices"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// MaxLines is how many names a list may have to be told line by line; a longer
// one is told as a name that stands for each of them.
const MaxLines = 256

// Full makes a path as a program was given it absolute; "" where the directory
// that it is counted from is not known.
func Full(s *catalog.Site, name string) string { return FullFrom(s.Dir, name) }

// FullFrom makes a path absolute that is counted from a directory; "" where that
// is not known.
func FullFrom(dir, name string) string {
	switch {
	case path.IsAbs(name):
		return path.Clean(name)
	case dir == "":
		return ""
	}
	return path.Join(dir, name)
}

// Names is what a program prints that lists names of files which it found from a
// start path on, each with an end behind it.
func Names(program, start string, names []string, end string, taint value.Taint) *value.Value {
	if len(names) <= MaxLines {
		list := Listed(names, end)
		*list = list.With(taint)
		return list
	}
	text := value.Concat(Among(program, value.Lit(start), "", names), value.Lit(end)).With(value.Found | taint)
	return &text
}

// Among is a name that stands for all that a program found from a start path on;
// the last element of each matches a pattern, if that is not empty.
func Among(program string, start value.Value, last string, names []string) value.Value {
	h := *MatchedBelow(program, start, last).Holes()[0]
	h.Among = names
	h.Self = slices.Contains(names, h.Base)
	return value.Of(h).With(start.Taint())
}

// NoneNow is a name of something that a program would have found from a start path
// on, and that is not there now.
func NoneNow(program string, start value.Value, last string) value.Value {
	h := *MatchedBelow(program, start, last).Holes()[0]
	h.None = true
	return value.Of(h).With(start.Taint())
}
