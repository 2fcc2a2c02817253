package flow

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
)

// mounted finds the file of this machine that a container's name for it leads
// to, and the state to look at it in; ok says whether there is one. What is
// mounted for reading only is not written through it.
func mounted(st *shell.State, target value.Value, writes bool) (here *shell.State, at value.Value, ok bool) {
	if len(st.Context.Binds) == 0 {
		return st, target, false
	}
	abs := Absolute(st, target)
	if text, known := abs.Known(); known {
		abs = value.Lit(path.Clean(text)).With(abs.Taint()).FromPattern(abs.Pattern())
	}
	b := st.Context.Bound(abs.Prefix())
	if b == nil || writes && b.ReadOnly || !abs.IsKnown() && abs.Prefix() == b.Target {
		return st, target, false
	}
	source := b.Source
	if text, known := source.Known(); known {
		source = value.Lit(strings.TrimSuffix(text, "/"))
	}
	at = value.Concat(source, abs.Cut(len(strings.TrimSuffix(b.Target, "/")))).With(target.Taint())
	if abs.Pattern() != "" {
		at = at.FromPattern(strings.Replace(abs.Pattern(), strings.TrimSuffix(b.Target, "/"), source.String(), 1))
	}
	here = st.Clone()
	here.Context.Host, here.Context.Container, here.Context.Binds = "", "", nil
	return here, at, true
}
