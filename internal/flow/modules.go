package flow

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// builtinModules are loaded, or built in, before Python looks at any directory.
const builtinModules = " sys builtins os io abc codecs site stat time marshal posix itertools gc "

// maxModules is how many modules are looked for beside a program, and
// maxModuleDirs in how many directories.
const (
	maxModules    = 64
	maxModuleDirs = 64
)

// StandsIn reports whether a module that Python code loads may be a file
// beside it: the directory of the script, or the current one for other code,
// comes first where modules are looked for, and PYTHONPATH next (Python, Command
// line and environment).
func (sc *Scene) StandsIn(st *shell.State, inv *shell.Invocation, run *catalog.Run, found *inline.Result) bool {
	if !inline.NamesModules(run.Lang) {
		return sc.standsForData(st, run, found.Modules)
	}
	more, _, _ := Env(st, inv, "PYTHONPATH")
	if len(found.Modules) == 0 && more.Empty() {
		return false
	}
	dir, known := st.Dir.Known()
	if run.Kind == catalog.RunScript {
		dir, known = path.Dir(run.File), true
	}
	if !known || len(found.Modules) > maxModules || !sc.Spend(len(found.Modules)) {
		return true
	}
	dirs, modules := []string{dir}, found.Modules
	if !more.Empty() {
		text, ok := more.Known()
		if !ok {
			return true
		}
		for d := range strings.SplitSeq(text, ":") {
			d, _ = Absolute(st, value.Lit(d)).Known()
			dirs = append(dirs, d)
		}
		modules = append(modules[:len(modules):len(modules)], "sitecustomize", "usercustomize")
	}
	for _, d := range dirs[:min(len(dirs), maxModuleDirs)] {
		for _, name := range modules {
			if !strings.Contains(builtinModules, " "+name+" ") && isModule(st, path.Join(d, name)) {
				return true
			}
		}
	}
	return false
}

// isModule reports whether Python finds a module under a path without its
// extension.
func isModule(st *shell.State, name string) bool {
	for _, extension := range []string{"", ".py", ".pyc", ".so", ".abi3.so"} {
		i, err := st.FS.Lstat(name + extension)
		if err != nil || i.Kind != world.Missing && (extension != "" || i.Kind != world.Regular) {
			return true
		}
	}
	return false
}

// standsForData reports whether one of the files of JSON that JavaScript requires may
// be code: what a link leads to has its own extension, and a file that is not there
// is looked for with more extensions, or as a directory (Node.js, "Modules: CommonJS
// modules", "All together").
func (sc *Scene) standsForData(st *shell.State, run *catalog.Run, files []string) bool {
	if len(files) == 0 {
		return false
	}
	dir, known := st.Dir.Known()
	if run.Kind == catalog.RunScript {
		dir, known = path.Dir(run.File), true
	}
	if len(files) > maxModules || !sc.Spend(len(files)) {
		return true
	}
	for _, name := range files {
		if !path.IsAbs(name) && !known || mayBeCode(st, absolute(dir, name)) {
			return true
		}
	}
	return false
}

func absolute(dir, name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(dir, name)
}

// mayBeCode reports whether what Node finds under the name of a file of JSON may be
// something else.
func mayBeCode(st *shell.State, name string) bool {
	i, err := st.FS.Lstat(name)
	if err != nil || i.Kind != world.Regular && i.Kind != world.Missing {
		return true
	}
	if i.Kind == world.Regular {
		return false
	}
	for _, extension := range []string{".js", ".json", ".node"} {
		if x, err := st.FS.Lstat(name + extension); err != nil || x.Kind != world.Missing {
			return true
		}
	}
	return false
}
