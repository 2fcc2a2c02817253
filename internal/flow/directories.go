package flow

import (
	"path"
	"slices"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// filesOnly reports whether the program leaves directories as they are.
func (d *Deed) filesOnly() bool {
	return d.Result.Match != nil && slices.ContainsFunc(d.Result.Match.Needs(), func(n catalog.Need) bool { return n.Kind == catalog.NeedsFile })
}

// takesAll reports whether a directory that a spec says is deleted goes with all
// in it: it does, unless the spec says that an empty one goes, or has an option
// for more.
func (d *Deed) takesAll(x *catalog.Effect) bool {
	if x.Verb != risk.FSDelete || x.Rule != "spec" || x.Kind == risk.KindEmptyDirectory || d.elsewhere() || d.Result.Match.Node().Flag("recursive") {
		return false
	}
	name, known := Absolute(d.State, x.Target).Known()
	if !known || len(name) > MaxPath {
		return false
	}
	i, err := d.State.FS.Lstat(path.Clean(name))
	return err == nil && i.Kind == world.Dir
}
