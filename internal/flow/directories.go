package flow

import (
	"path"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// filesOnly reports whether the program leaves directories as they are.
func (d *Deed) filesOnly() bool {
	if d.Result.Match == nil {
		return false
	}
	for n := range d.Result.Needs() {
		if n.Kind == catalog.NeedsFile {
			return true
		}
	}
	return false
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
