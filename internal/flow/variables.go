package flow

import (
	"slices"
	"strings"
	"unicode"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
)

// Variables that a command sets for the programs that it runs. What a program
// obeys its spec says; of the rest only those are known to matter to nobody that
// stand in a list here.

// variables tells of the variables that the command set for this program and
// that nobody knows the meaning of.
func (d *Deed) variables() {
	m := d.Result.Match
	if m == nil || d.State.Context.Host != "" {
		return
	}
	var names []string
	for _, a := range d.Inv.Assign {
		if !a.Value.Empty() && (!d.explains(a.Name) || d.startsWith(a.Name)) && !inert(a.Name) {
			names = append(names, a.Name)
		}
	}
	for name, v := range d.State.Vars.Changed() {
		if !v.Exported || v.Unset || slices.ContainsFunc(d.Inv.Assign, func(a shell.Assign) bool { return a.Name == name }) {
			continue
		}
		if (ownName(d.Program, name) || everywhere(name) || d.obeys(name)) && (!d.explains(name) || !ordinary(name) && d.startsWith(name)) && !inert(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		d.doubt(name)
	}
}

// explains reports whether the program's spec says what the variable does.
func (d *Deed) explains(name string) bool {
	m := d.Result.Match
	s, ok := m.Setting(name)
	if !ok { // where all options are, all variables are listed too
		return !loader(name) && (d.Result.Traits.Has(catalog.Echoes|catalog.ShellWord|catalog.Environment) || m.Chain[0].Notes().Inert.All)
	}
	return s.As != catalog.AsUnsaid
}

// obeys reports whether the program's spec says that the variable matters, and not how.
func (d *Deed) obeys(name string) bool {
	s, ok := d.Result.Match.Setting(name)
	return ok && s.As == catalog.AsUnsaid
}

// startsWith reports whether a variable that was set for a program may
// bring code into it although all its options are listed: the language that it is
// written in obeys it, and which that is its spec does not say.
func (d *Deed) startsWith(name string) bool {
	if _, ok := d.Result.Match.Setting(name); ok || d.Result.Traits.Has(catalog.Echoes|catalog.ShellWord|catalog.Environment) {
		return false
	}
	return runtime(name)
}

// ordinary reports whether a variable is often exported for what comes later in a
// line, so that it says nothing about each program between.
func ordinary(name string) bool {
	return strings.HasPrefix(name, "PYTHON") || strings.HasPrefix(name, "NODE_")
}

// doubt says that a variable's meaning is not known.
func (d *Deed) doubt(name string) {
	d.Note(d.Inv.Span, risk.RoleVariable, name)
	d.tell(risk.Effect{Verb: risk.ExecKnown, Target: "$" + name, Kind: risk.KindNotUnderstood})
}

// ownName reports whether a variable's name begins with that of a program, as
// most do that only the program obeys: GIT_PAGER, LESSOPEN, PYTHONPATH.
func ownName(program, variable string) bool {
	prefix := strings.ToUpper(strings.TrimRightFunc(program, func(r rune) bool { return unicode.IsDigit(r) || r == '.' }))
	prefix = strings.ReplaceAll(prefix, "-", "_")
	if len(prefix) < 3 {
		prefix += "_"
	}
	return strings.HasPrefix(strings.ToUpper(variable), prefix)
}

// loader reports whether a variable reaches into every program: it is obeyed by
// the loader and the C library (ld.so(8), "ENVIRONMENT"; environ(7)).
func loader(name string) bool {
	switch name {
	case "GCONV_PATH", "LOCPATH", "NLSPATH", "MALLOC_TRACE", "HOSTALIASES", "GLIBC_TUNABLES":
		return true
	}
	return strings.HasPrefix(name, "LD_") || strings.HasPrefix(name, "DYLD_")
}

// everywhere reports whether a variable reaches into many programs: those of the
// loader, of the runtimes that programs are written for, and those that say where
// settings are looked for (XDG Base Directory Specification).
func everywhere(name string) bool {
	switch name {
	case "TERMINFO", "TERMINFO_DIRS", "TERMCAP", "OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES",
		"XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "HOME", "GIO_EXTRA_MODULES", "GTK_MODULES", "QT_PLUGIN_PATH":
		return true
	}
	return runtime(name) || loader(name)
}

// runtime reports whether the languages that programs are written in obey a
// variable, so that it can bring code into any of them.
func runtime(name string) bool {
	switch name {
	case "NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "NODE_REDIRECT_WARNINGS", "NODE_V8_COVERAGE", "PERL5OPT", "PERL5LIB", "PERL5DB", "RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS",
		"PHPRC", "PHP_INI_SCAN_DIR", "LUA_INIT", "LUA_PATH", "LUA_CPATH",
		"PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONUSERBASE", "PYTHONWARNINGS", "PYTHONBREAKPOINT", "PYTHONINSPECT", "PYTHONPLATLIBDIR", "PYTHONPYCACHEPREFIX", "PYTHONEXECUTABLE", "PERLLIB":
		return true
	}
	return false
}

// inert reports whether a variable changes nothing that matters in any program
// that obeys it: languages and formats (locale(7)), colours and widths, who
// somebody is, how much is told.
func inert(name string) bool {
	switch name {
	case "LANG", "LANGUAGE", "TZ", "TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "CI", "USER", "LOGNAME", "HOSTNAME", "PWD", "OLDPWD", "SHLVL", "_",
		"DEBUG", "VERBOSE", "LOG_LEVEL", "LOGLEVEL", "QUIET", "DEBIAN_FRONTEND", "DISPLAY", "WAYLAND_DISPLAY", "POSIXLY_CORRECT", "SOURCE_DATE_EPOCH", "PS1", "PS2", "HISTSIZE", "HISTFILESIZE", "HISTCONTROL", "OMP_NUM_THREADS", "IFS",
		"BLOCK_SIZE", "BLOCKSIZE", "LS_COLORS", "LSCOLORS", "GREP_COLORS", "PATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONHASHSEED", "PYTHONIOENCODING", "PYTHONUTF8", "NODE_ENV", "NODE_NO_WARNINGS", "RUST_BACKTRACE", "RUST_LOG":
		return true
	}
	// Of heed's own, and those that bring code into every program, the engine tells by itself.
	return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "HEED_") || name == "LD_PRELOAD" || name == "LD_AUDIT" || name == "DYLD_INSERT_LIBRARIES"
}
