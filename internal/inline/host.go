package inline

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A Result says what a program would do.
type Result struct {
	Effects []catalog.Effect
	// Output is what it prints, if it only prints what can be computed.
	Output value.Value
	Runs   []catalog.Run
	// Pure is set when every statement was understood and does nothing but
	// compute, print and, as a filter, read the files that its arguments name.
	Pure bool
	// Complete is set when all that it does is among the effects and the nested
	// commands, or follows from them. It is said of Python and JavaScript only.
	Complete bool
	// Modules are the modules that a pure or complete program loads, by the first
	// parts of their names: what is beside the program may stand in for them. Of
	// JavaScript they are the files of JSON that it requires, as it names them.
	Modules []string
	// Inspected is set when all calls that matter were understood. If not,
	// what was found still holds, but there may be more.
	Inspected bool
	// Uses are the modules that a program imports which only prints what their functions
	// and its own computing give, by the first parts of their names. It is for telling.
	Uses []string
	// Stops are what a program needs before it has changed anything, in the order in which
	// it surely comes to it. It is for telling.
	Stops []Stop
	// Network is set when a socket is opened, Shell when a shell or its
	// descriptors are handed to it.
	Network, Shell       bool
	ReadsStdin, ShowsEnv bool
}

// A Stop is what a program cannot go on without: a module that it imports, a file that
// it reads or, where Made is set, the directory in which it makes one. Because is set where
// it cannot go on whatever there is.
type Stop struct {
	Module string
	File   value.Value
	Made   bool

	Because string
}

// A Host says in what circumstances a program runs. The zero Host says nothing.
type Host struct {
	// Env looks up an environment variable.
	Env func(name string) (value.Value, bool)
	// Missing reports whether a file is not there, or cannot be looked for.
	Missing func(path value.Value) bool
	// Dir is the directory it runs in, Script the file it was read from; both
	// are empty where that is not known.
	Dir, Script string
	// Word is set where the program itself is a word of the command, and in no file.
	Word bool
	// Args are the words that it is given.
	Args []value.Value
	// Prints is set where the interpreter prints what the program evaluates to:
	// the value of its last statement.
	Prints bool
}

// Variable is the value of an environment variable, if it is known.
func (h *Host) Variable(name string) (value.Value, bool) {
	if h.Env == nil || name == "" {
		return value.Value{}, false
	}
	return h.Env(name)
}

// Home is the home directory of who runs it.
func (h *Host) Home() value.Value {
	if v, ok := h.Variable("HOME"); ok {
		return v
	}
	return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: "HOME", Shape: value.AnyPath})
}

// ExpandUser replaces a leading ~ by the home directory.
func (h *Host) ExpandUser(v value.Value) value.Value {
	if p := v.Prefix(); p == "~" || strings.HasPrefix(p, "~/") {
		return value.Concat(h.Home(), v.Cut(1))
	}
	return v
}

// LoadsBeside reports whether code in a language loads modules from the
// directory that it lies in, or from the current one, before the system's own.
func LoadsBeside(lang string) bool {
	return lang == "python" || lang == "node" || lang == "javascript" || lang == "typescript"
}

// OpensFirst reports whether the interpreter of a language opens the script before it
// loads the modules that its environment names. Shells, Node, Lua and Python do not.
func OpensFirst(lang string) bool {
	return lang == "perl" || lang == "ruby"
}

// NamesModules reports whether the Modules of a Result in a language are names that
// are looked for in directories. Those of the others are files.
func NamesModules(lang string) bool {
	return lang == Modular
}

// Reads reports whether there is a reader for a language.
func Reads(lang string) bool {
	switch lang {
	case "python", "perl", "ruby", "php", "node", "lua", "tcl", "r", "applescript", "javascript", "typescript", "expect":
		return true
	}
	return false
}

// Words makes a set of the words of a text.
func Words(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// SameRun reports whether two commands are the same one.
func SameRun(a, b *catalog.Run) bool {
	return a.Kind == b.Kind && a.Lang == b.Lang && a.Text.String() == b.Text.String() && slices.EqualFunc(a.Argv, b.Argv, func(x, y value.Value) bool { return x.String() == y.String() })
}
