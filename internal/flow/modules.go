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
