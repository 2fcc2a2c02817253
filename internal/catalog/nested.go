package catalog

import (
	"path"

	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/splice"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// RunKind says in which form a nested command is given.
type RunKind uint8

// The kinds of nested commands.
const (
	RunArgv             RunKind = iota // a command line in words
	RunShell                           // shell text
	RunCode                            // code in another language
	RunScript                          // a file of code
	RunExec                            // a program without arguments that are known
	RunPlugin                          // native code or a module
	RunShellInteractive                // an interactive shell or command loop
)

// RunMode says what an interpreter does around the text that it runs.
type RunMode uint8

// The modes.
const (
	RunOnce    RunMode = iota // runs it, once
	RunInLoop                 // runs it for every line, or changes what it prints: what the text prints by itself says little
	RunPrinted                // prints what its last statement evaluates to
	RunLines                  // lines of a text, of which some may be commands
	RunTraced                 // a shell prints each command before it runs it, as `set -x` has it
)

// A Run is a command inside a command.
type Run struct {
	Kind  RunKind
	Argv  []value.Value // RunArgv
	Text  value.Value   // RunShell, RunCode: the text; RunScript, RunExec, RunPlugin: the path
	Parts []value.Value // RunShell: what stands in the text in parts (internal/splice)
	Lang  string        // language or shell dialect
	Args  []value.Value // positional parameters for shell text and scripts
	Stdin bool          // the text comes from standard input
	Wrap  Wrapped
	// Open is set when words that are not known will be added to Argv.
	Open bool
	Mode RunMode
	// Arg is the name of the argument that holds it, if it came by a role.
	Arg string
	// File is where the text of a script was read.
	File string
	// As is what kind of shell or command loop it is.
	As risk.Kind
	// Many is set when it is run once for each of several files.
	Many bool
	// Setup are variables set for the run.
	Setup []Assignment
	// Dir, if set, is the directory to run in.
	Dir *value.Value
	// Gone is how the program ends that does not come to run it: the script is not there,
	// or nothing is found to run it for. It is for telling.
	Gone *risk.Ending
}

// Reader is the program that is given, with -c, text for sh that is judged where it
// stands: a shell then does nothing of its own. Any other program may do anything.
func Reader(program value.Value) Run {
	run := Run{Kind: RunExec, Text: program}
	if name, known := program.Known(); known && shellname.ReadsSh(path.Base(name)) {
		run.Args = []value.Value{value.Lit("-c"), value.Lit(":")}
	}
	return run
}

// Shown is the text of a run as its author wrote it.
func (r *Run) Shown() string { return splice.Shown(r.Text.String(), r.Parts) }

// Wrapped are the circumstances of a nested run, resolved.
type Wrapped struct {
	Label      string // "sudo", "ssh prod", "docker run img"
	Privileged bool
	Host       string
	Container  string
	Secrets    bool // stored secrets are put into the environment
	// Binds are files of this machine that the container sees, and Workdir is
	// where in it the command starts, if that is known.
	Binds   []Bind
	Workdir value.Value
}

// None reports whether nothing is said of the circumstances.
func (w *Wrapped) None() bool {
	return w.Label == "" && !w.Privileged && !w.Secrets && w.Host == "" && w.Container == ""
}

// A Bind is a file or directory that a container sees under another name.
type Bind struct {
	Source, Target value.Value
	ReadOnly       bool
}
