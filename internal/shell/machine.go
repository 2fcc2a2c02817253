package shell

import (
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A Machine is what a front end drives: it stands for the kernel and for all
// programs that are not part of the shell.
type Machine interface {
	// Run performs an invocation in the abstract and says what it printed.
	Run(st *State, inv *Invocation) Outcome
	// Make records that a redirection opens a path for reading and writing: it
	// is created if it does not exist.
	Make(st *State, span risk.Span, path value.Value)
	// Store records what was written to a path that a redirection opened: it
	// was truncated, unless add is set, and created if it did not exist.
	Store(st *State, span risk.Span, path value.Value, content value.Value, how Writing)
	// Load returns the contents that reading a path would give.
	Load(st *State, span risk.Span, path value.Value) value.Value
	// Connect records a connection made by the shell itself (/dev/tcp) and
	// returns what arrives on it.
	Connect(st *State, span risk.Span, address value.Value) value.Value
	// Send records data written to such a connection.
	Send(st *State, span risk.Span, address value.Value, content value.Value)
	// Show records that content reaches the screen.
	Show(st *State, span risk.Span, content value.Value)
	// Effect records something the shell itself does.
	Effect(st *State, span risk.Span, e Effect)
	// Unknown records something that could not be worked out.
	Unknown(st *State, span risk.Span, role risk.Role, what string)
	// Code records that text with holes would be run as code.
	Code(st *State, span risk.Span, text value.Value, lang string)
	// Tell records what the shell itself does that is no effect, for telling.
	Tell(st *State, span risk.Span, t Telling)
	// Spend takes n steps from the budget and reports whether any are left.
	Spend(n int) bool
	// Deeds counts what was done so far that is more than computing, and
	// reports whether there is plenty left of the budget.
	Deeds() (n int, plenty bool)
	// Settled reports whether all that was done so far is known file by file, so that
	// what is not there now will not be there then.
	Settled() bool
	// Unsure reports whether what is at a path is gone only if something was done that
	// depends on something.
	Unsure(name string) bool
	// Denied reports whether who runs the shell is surely refused an access to a path, as
	// it stands in the words of a command.
	Denied(st *State, file value.Value, how world.Access) bool
	// Mark returns where the record of what was done stands now.
	Mark() Mark
	// Forever records that all that was done since a mark is done again and
	// again, in a loop that nothing ends and in which nothing waits. deeper is
	// set when each turn starts in a directory that the one before made. busy
	// says that every turn takes next to no time.
	Forever(st *State, span risk.Span, since Mark, deeper bool) (busy bool)
}

// A Writing is how a file is written.
type Writing struct {
	Add    bool // behind what is there
	Output bool // with all that the command prints, and nothing else
	// Opened is what had been done when the file was emptied for it, or when the pipeline
	// began of which that is a part; nil where that is not known.
	Opened *Mark
}

// A Telling is what the shell itself does that is no effect: a clause, verb first, which ends with
// a directory where one is set, or else how a loop went.
type Telling struct {
	What string
	Dir  value.Value
	Loop *Loop
}

// A Loop is how often a loop runs what is in it.
type Loop struct {
	Times int // 0 where that is not known
	// Turns are how many programs had started as each turn began, where all were walked one
	// by one, and Words what the loop's variable was in each.
	Turns []int
	Words []string
	// AtMost is set where something in it may leave it before, Forever where nothing does.
	AtMost, Forever bool
	// Until is the condition that ends it, as soon as that succeeds or, with Holds, fails.
	Until risk.Span
	Holds bool
}

// A Mark is a point in a machine's record.
type Mark struct {
	Effects, Programs int
	Repeats           int // effects that were had before
}

// SubstPath begins the paths that stand for process substitutions. It is not
// /dev/fd/, which on a real machine is a link to what this process has open.
const SubstPath = "/dev/heed-fd/"

// An Effect is something the shell itself does, beside running programs.
type Effect struct {
	Verb   risk.Verb
	Target value.Value
	Kind   risk.Kind
}

// An Invocation is one program that would start, with its words evaluated.
type Invocation struct {
	Argv   []Word
	Assign []Assign // set for this invocation only
	Span   risk.Span
	// Stdin is what is piped or redirected in, if HasStdin.
	Stdin     value.Value
	HasStdin  bool
	StdinNet  bool // standard input is a network connection
	StdoutNet bool // standard output is a network connection
	// Open are further descriptors that are network connections, by number.
	Open map[string]Connection
	// Files are what can be read from further descriptors that hold secrets.
	Files map[string]value.Value
	// Piped is set when standard output goes to another program, a variable
	// or a file, and so not to the screen.
	Piped bool
	// Unseen is set when standard output goes nowhere, as that to /dev/null. It is for telling.
	Unseen bool
	// Turns is set where the body of a loop is walked once for all its turns, each of
	// which finds the files as the one before it left them.
	Turns bool
	// Stuck is why the shell does not start the program, nil where it does: a file that a
	// redirection is to open is not there, or is refused to this user.
	Stuck *risk.Ending
	// Asks is set where what is done next depends on how it ends.
	Asks bool
	// Background is set for `cmd &`.
	Background bool
	// Starved is how the program ends whose output would be standard input, where that
	// prints nothing. It is for telling, and decides nothing.
	Starved *risk.Ending
}

// A Connection is an open descriptor that leads to the network.
type Connection struct {
	Path value.Value // /dev/tcp/HOST/PORT, or /dev/fd/N of a file
	In   value.Value // what can be read from it
}

// Words returns the values of the argument vector.
func (inv *Invocation) Words() []value.Value {
	vs := make([]value.Value, len(inv.Argv))
	for i, w := range inv.Argv {
		vs[i] = w.Value
	}
	return vs
}

// A Word is one argument.
type Word struct {
	Value value.Value
	// Many is set when the word stands for any number of words that are not
	// known: an unquoted expansion, a glob with more matches than are carried.
	Many bool
}

// An Assign is a variable set for one invocation.
type Assign struct {
	Name  string
	Value value.Value
}

// An Outcome is what came of running something.
type Outcome struct {
	Stdout value.Value
	Status Status
	// Doomed is how it ends if it fails as things are now. Its status is not known all
	// the same: what is missing may be there when the command runs.
	Doomed *risk.Ending
	// Met is why it succeeds as things are now, of a program that only asks for something.
	Met *risk.Ending
	// Sure is whether nothing is known that it could fail at: it passes on what it reads.
	// It is for telling: its status is not known all the same.
	Sure bool
	// Nothing is why it prints nothing, as things are now: it fails, or the one fails
	// whose output it would have taken.
	Nothing *risk.Ending
}

// Status is an exit status as far as it is known.
type Status uint8

// The exit statuses.
const (
	Perhaps Status = iota // not known
	OK
	Failed
)

// Not returns the negated status.
func (s Status) Not() Status {
	switch s {
	case OK:
		return Failed
	case Failed:
		return OK
	}
	return Perhaps
}
