package engine

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Modules and files that code needs and that are not there.

// stopped says how code ends that surely comes to something which is not there, or nil.
func (o outlook) stopped(lang string, stops []inline.Stop) *risk.Ending {
	if len(stops) == 0 || !o.Settled() || !o.st.Here() || !o.st.Dir.IsKnown() {
		return nil
	}
	for _, s := range stops {
		switch {
		case s.Because != "":
			return &risk.Ending{How: risk.EndFails, Within: true, Because: s.Because}
		case s.Module != "":
			if o.noModule(lang, s.Module) {
				return &risk.Ending{How: risk.EndFails, Within: true, Because: "there is no module " + s.Module + " here"}
			}
		case s.Made:
			name, known := flow.Absolute(o.st, s.File).Known()
			if dir := value.Lit(path.Dir(path.Clean(name))); known && s.File.Pattern() == "" && o.missing(dir) {
				return &risk.Ending{How: risk.EndFails, Within: true, Missing: []string{path.Dir(path.Clean(name))}}
			}
			if e := o.denies("write", risk.FSWrite, s.File); e != nil {
				return e
			}
		case s.File.Pattern() == "" && o.missing(s.File):
			e := o.without(s.File)
			e.Within = true
			return e
		default:
			if e := o.denies("read", risk.FSRead, s.File); e != nil {
				return e
			}
		}
	}
	return nil
}

// denies says how code ends that opens a file which the system surely does not let it open,
// or nil.
func (o outlook) denies(word string, verb risk.Verb, file value.Value) *risk.Ending {
	name := spoken("", []value.Value{file})
	if o.sc.World.User.UID == 0 || file.Pattern() != "" || name == "" || !o.Spend(1) || !o.refused(verb, file, false) {
		return nil
	}
	return &risk.Ending{How: risk.EndFails, Within: true, Because: "you may not " + word + " " + name}
}

// withoutModule says how an interpreter ends that is to run a module which is not there,
// or nil; aside is what to say where it may be elsewhere.
func (o outlook) withoutModule() (e *risk.Ending, aside string) {
	for i := range o.r.Effects {
		x := &o.r.Effects[i]
		name, known := x.Target.Known()
		if x.Kind != risk.KindModule || x.Verb != risk.ExecProject || !known || !plainModule(name) {
			continue
		}
		dir, known := o.st.Dir.Known()
		if pythonPath, set, _ := flow.Env(o.st, o.inv, "PYTHONPATH"); !known || set && !pythonPath.Empty() || o.st.FS.Touched(dir) {
			continue
		}
		first, rest, _ := strings.Cut(name, ".")
		switch {
		case o.noModule(inline.Modular, name):
			return &risk.Ending{How: risk.EndFails, Because: "there is no module " + name + " here"}, ""
		case o.noneIn(dir, first) && o.noneIn(dir, first+".py"):
			return nil, "there is no " + first + " in this directory"
		case rest != "" && o.noneIn(dir, first+".py"):
			file := path.Join(dir, strings.ReplaceAll(name, ".", "/"))
			if o.noneIn(path.Dir(file), path.Base(file)) && o.noneIn(path.Dir(file), path.Base(file)+".py") {
				return &risk.Ending{How: risk.EndFails, Missing: []string{file + ".py"}}, ""
			}
		}
	}
	return nil, ""
}

// withoutApp says how a server ends whose application is not there, or nil: its module is
// neither here nor in any library that Python has by convention.
func (o outlook) withoutApp() *risk.Ending {
	name := o.r.Module
	dir, known := o.st.Dir.Known()
	if !plainModule(name) || !known || o.st.FS.Touched(dir) || o.isSet("PYTHONHOME", "CONDA_PREFIX", "VIRTUAL_ENV") {
		return nil
	}
	first, rest, _ := strings.Cut(name, ".")
	if o.onPythonPath(dir, first) {
		return nil
	}
	file := path.Join(dir, strings.ReplaceAll(name, ".", "/"))
	switch {
	case !o.noneIn(dir, first) && o.noneIn(dir, first+".py") && rest != "" && o.noneIn(path.Dir(file), path.Base(file)) && o.noneIn(path.Dir(file), path.Base(file)+".py"):
		return &risk.Ending{How: risk.EndFails, Missing: []string{file + ".py"}}
	case !o.noneIn(dir, first) || !o.noneIn(dir, first+".py") || !o.noLibraryHas(dir, first):
		return nil
	}
	return &risk.Ending{How: risk.EndFails, Because: "there is no module " + first + " here"}
}

// managedPython reports whether a program surely installs into the Python of the system, and
// that is kept for the packages of the system (PEP 668): no environment is entered, by this line
// or before, the program is where the system has its own, and no settings say that it may all
// the same.
func (o outlook) managedPython() bool {
	called, known := o.inv.Argv[0].Value.Known()
	if !known || o.st.Context.Privileged || !o.sc.First() || o.isSet("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHOME", "PIP_BREAK_SYSTEM_PACKAGES", "PIP_CONFIG_FILE", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_PYTHON") ||
		slices.ContainsFunc(o.st.Context.Via, func(v string) bool { return !catalog.KeepsPython(v) }) {
		return false
	}
	for _, via := range append(slices.Clone(o.st.Context.Via), called) {
		name, _, _ := strings.Cut(via, " ")
		if at := o.programFile(name); at != "" && path.Dir(at) != "/usr/bin" && path.Dir(at) != "/bin" {
			return false
		}
	}
	for _, file := range []string{"/etc/pip.conf", "/etc/xdg/pip/pip.conf", path.Join(o.home(), ".config/pip/pip.conf"), path.Join(o.home(), ".pip/pip.conf")} {
		if o.missing(value.Lit(file)) {
			continue
		}
		text, err := o.st.FS.ReadFile(file, maxManifest)
		if err != nil || catalog.FreesPython(string(text)) {
			return false
		}
	}
	own, ok := world.Resolve(o.st.FS, "/usr/bin/python3", true)
	if !ok {
		return false
	}
	mark, err := world.Stat(o.st.FS, path.Join("/usr/lib", path.Base(own), "EXTERNALLY-MANAGED"))
	return err == nil && mark.Kind == world.Regular
}

// onPythonPath reports whether one of the directories that PYTHONPATH names has a module, or
// may have it.
func (o outlook) onPythonPath(dir, module string) bool {
	v, set, _ := flow.Env(o.st, o.inv, "PYTHONPATH")
	if !set || v.Empty() {
		return false
	}
	text, known := v.Known()
	if !known {
		return true
	}
	for at := range strings.SplitSeq(text, ":") {
		if !path.IsAbs(at) {
			at = path.Join(dir, at)
		}
		if !o.Spend(4) || !o.withoutModuleIn(path.Clean(at), module, false) {
			return true
		}
	}
	return false
}

// isSet reports whether one of some variables has a value, or may have one.
func (o outlook) isSet(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		v, set, _ := flow.Env(o.st, o.inv, name)
		return set && !v.Empty()
	})
}

// noLibraryHas reports whether none of the directories that hold libraries of Python, of the
// machine, the user or an environment here, has a module.
func (o outlook) noLibraryHas(dir, module string) bool {
	for _, root := range []string{"/usr/lib", "/usr/local/lib", path.Join(o.sc.Space.Home, ".local/lib"), path.Join(dir, ".venv/lib"), path.Join(dir, "venv/lib"), path.Join(dir, "env/lib")} {
		versions, err := o.st.FS.ReadDir(root, maxLibrary)
		if info, statErr := world.Stat(o.st.FS, root); statErr == nil && info.Kind == world.Missing {
			continue
		}
		if err != nil || len(versions) >= maxLibrary {
			return false
		}
		for _, v := range versions {
			if !strings.HasPrefix(v.Name, "python") {
				continue
			}
			for _, name := range []string{"site-packages", "dist-packages"} {
				if !o.Spend(4) || !o.withoutModuleIn(path.Join(root, v.Name, name), module, true) {
					return false
				}
			}
		}
	}
	return true
}

// plainModule reports whether a word is the name of a module.
func plainModule(name string) bool {
	return name != "" && len(name) <= maxPathWord && name[0] != '.' && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.") == ""
}

// maxLibrary is how many files of a directory of modules are looked through.
const maxLibrary = 5000

// noModule reports whether a language's interpreter surely does not find a module: neither
// here nor where its library is.
func (o outlook) noModule(lang, name string) bool {
	first, _, _ := strings.Cut(name, ".")
	if len(o.inv.Argv) == 0 {
		return false
	}
	called, known := o.inv.Argv[0].Value.Known()
	if !known || !plainModule(name) || !inline.NamesModules(lang) || slices.ContainsFunc(o.st.Context.Via, func(v string) bool { return interpreter(v) != interpreter(called) }) {
		return false
	}
	if o.isSet("PYTHONPATH", "PYTHONHOME", "CONDA_PREFIX") {
		return false
	}
	at := o.programFile(called)
	if at == "" && called == lang { // most machines have it by its version only
		at = o.programFile(lang + "3")
	}
	if called = at; called == "" {
		return false
	}
	file, ok := world.Resolve(o.st.FS, called, true)
	settings := ""
	if b, err := o.st.FS.ReadFile(path.Join(path.Dir(path.Dir(called)), "pyvenv.cfg"), maxManifest); err == nil {
		settings = string(b)
	}
	lib, known := inline.LibraryOf(lang, called, file, o.home(), settings)
	if !ok || !known || slices.Contains(strings.Fields(lib.Inside), first) {
		return false
	}
	if own, err := world.Stat(o.st.FS, lib.Dirs[0]); err != nil || own.Kind != world.Dir {
		return false
	}
	dir, _ := o.st.Dir.Known()
	for _, d := range append(lib.Dirs, dir) {
		if !o.Spend(4) || !o.withoutModuleIn(d, first, d != dir) {
			return false
		}
	}
	return true
}

// interpreter is the name of an interpreter that is called so, without its version.
func interpreter(called string) string {
	first, _, _ := strings.Cut(called, " ")
	return strings.TrimRight(path.Base(first), "0123456789.")
}

// withoutModuleIn reports whether a directory surely has no module of a name, and nothing
// that leads to other directories, where such things are heeded.
func (o outlook) withoutModuleIn(dir, name string, leads bool) bool {
	entries, err := o.st.FS.ReadDir(dir, maxLibrary)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if info, statErr := world.Stat(o.st.FS, dir); statErr == nil && info.Kind == world.Missing {
		return true
	}
	if err != nil || len(entries) >= maxLibrary {
		return false
	}
	for _, e := range entries {
		switch {
		case e.Name == name, strings.HasPrefix(e.Name, name+"."), leads && strings.HasSuffix(e.Name, ".egg-link"):
			return false
		case leads && strings.HasSuffix(e.Name, ".pth"):
			text, err := o.st.FS.ReadFile(path.Join(dir, e.Name), maxManifest)
			if err != nil || strings.Contains(string(text), "__editable__") {
				return false
			}
			for line := range strings.Lines(string(text)) {
				if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.HasPrefix(line, "import ") {
					return false
				}
			}
		}
	}
	return true
}

// programFile is where a program is found that is called so, or "".
func (o outlook) programFile(name string) string {
	if strings.Contains(name, "/") {
		name, _ = flow.Absolute(o.st, value.Lit(name)).Known()
		return path.Clean(name)
	}
	v := o.st.Vars.Get("PATH")
	if v == nil {
		return ""
	}
	text, _ := v.Value.Known()
	for dir := range strings.SplitSeq(text, ":") {
		if !path.IsAbs(dir) || !o.Spend(1) {
			return ""
		}
		if info, err := o.st.FS.Lstat(path.Join(dir, name)); err == nil && info.Kind != world.Missing {
			return path.Join(dir, name)
		}
	}
	return ""
}

// codeStops records how the program that runs now ends by what its code needs.
func (o outlook) codeStops(run *catalog.Run, stops []inline.Stop) {
	if run.Kind == catalog.RunScript || run.Mode == catalog.RunInLoop {
		return
	}
	o.sc.Ends(o.stopped(run.Lang, stops))
}
