package inline

import (
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
	// compute and print.
	Pure bool
	// Complete is set when all that it does is among the effects and the nested
	// commands, or follows from them. It is said of Python only.
	Complete bool
	// Modules are the modules that a pure or complete program loads, by the first
	// parts of their names: what is beside the program may stand in for them.
	Modules []string
	// Inspected is set when all calls that matter were understood. If not,
	// what was found still holds, but there may be more.
	Inspected bool
	// Network is set when a socket is opened, Shell when a shell or its
	// descriptors are handed to it.
	Network, Shell       bool
	ReadsStdin, ShowsEnv bool
}

// A Host says in what circumstances a program runs. The zero Host says nothing.
type Host struct {
	// Env looks up an environment variable.
	Env func(name string) (value.Value, bool)
	// Missing reports whether a file is surely not there.
	Missing func(path value.Value) bool
	// Dir is the directory it runs in, Script the file it was read from; both
	// are empty where that is not known.
	Dir, Script string
	// Prints is set where the interpreter prints what the program evaluates to:
	// the value of its last statement.
	Prints bool
}

// env is the value of an environment variable, if it is known.
func (h *Host) env(name string) (value.Value, bool) {
	if h.Env == nil || name == "" {
		return value.Value{}, false
	}
	return h.Env(name)
}

// LoadsBeside reports whether code in a language loads modules from the
// directory that it lies in, or from the current one, before the system's own.
func LoadsBeside(lang string) bool { return lang == "python" }

// Known reports whether there is a reader for a language.
func Known(lang string) bool {
	switch lang {
	case "python", "perl", "ruby", "php", "node", "lua", "tcl", "r", "applescript", "javascript", "typescript", "expect":
		return true
	}
	return false
}

// Scan reads a program. Text that is too long, or in a language without a
// reader, gives the zero Result.
func Scan(lang, text string, host Host) Result {
	if lang == "javascript" || lang == "typescript" {
		lang = "node"
	} else if lang == "expect" {
		lang = "tcl"
	}
	if !Known(lang) || len(text) > maxText {
		return Result{}
	}
	s := newScan(lang)
	s.host = host
	switch lang {
	case "tcl":
		s.tclScript(text)
	case "applescript":
		s.appleScript(text)
	default:
		s.program(text)
	}
	return s.finish()
}

// home is the home directory of who runs it.
func (h *Host) home() value.Value {
	if v, ok := h.env("HOME"); ok {
		return v
	}
	return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: "HOME", Shape: value.AnyPath})
}
