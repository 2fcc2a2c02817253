package detect

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// Mask stands in an argument vector for a word that is data or a pattern.
const Mask = "…"

// A Process is one program that would start.
type Process struct {
	// Program is the name under which the catalog knows it; empty if it does not.
	Program string
	// Path is where it was found, or the word as it was written.
	Path string
	// Argv are its words. Those that are data or patterns are [Mask].
	Argv []string
	// Flags are what its options set, in the words of its spec.
	Flags []string
	// Parent is the index of the process that starts it, -1 for the shell.
	Parent     int
	Span       risk.Span
	Dir        string
	Host       string // empty: this machine
	Container  bool
	Privileged bool
}

// Line returns the words joined by blanks, as a process table shows them.
func (p *Process) Line() string { return strings.Join(p.Argv, " ") }

// A Context is all that detectors see of one request.
type Context struct {
	Command   string
	Shell     string
	User      string
	Processes []Process
	Effects   []risk.Effect
	Unknowns  []risk.Unknown
	// NotInspected says that something would run that heed did not read.
	NotInspected bool
}
