package inline

import (
	"github.com/heedsh/heed/internal/catalog"
)

// A Result says what a program would do.
type Result struct {
	Effects []catalog.Effect
	Runs    []catalog.Run
	// Pure is set when every statement was understood and does nothing but
	// compute and print.
	Pure bool
	// Inspected is set when all calls that matter were understood. If not,
	// what was found still holds, but there may be more.
	Inspected bool
	// Network is set when a socket is opened, Shell when a shell or its
	// descriptors are handed to it.
	Network, Shell       bool
	ReadsStdin, ShowsEnv bool
}

// Known reports whether there is a reader for a language.
func Known(lang string) bool {
	switch lang {
	case "python", "perl", "ruby", "php", "node", "lua", "tcl", "r", "applescript":
		return true
	}
	return false
}

// Scan reads a program. Text that is too long, or in a language without a
// reader, gives the zero Result.
func Scan(lang, text string) Result {
	if !Known(lang) || len(text) > maxText {
		return Result{}
	}
	s := newScan(lang)
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
