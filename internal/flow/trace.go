package flow

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
)

// A Start is how a program starts, as those who tell of it have to know.
type Start struct {
	Result *catalog.Result // what the catalog says of it; nil where it does not know it
	// Fed is set when its input comes from another program or a file, and Piped when
	// its output goes to one, or into a variable.
	Fed, Piped bool
	// Otherwise is set when it starts if what stands before it fails.
	Otherwise bool
	// Else is set when it starts if the condition of a clause does not hold.
	Else bool
	// Tested is set when a test decides whether it starts.
	Tested bool
	// Unseen is set when its output goes nowhere.
	Unseen bool
	// Astray is set when it would start in a directory that is not there, and Instead when
	// it starts elsewhere for that.
	Astray, Instead bool
	// Captured is set when its output becomes a word of the shell.
	Captured bool
	// Background is set when the shell does not wait for it.
	Background bool
	// Prints is the text that it surely prints on the screen and nothing else, nil where
	// that is not known. It is for telling, and holds no secret.
	Prints *string
	// Nothing is set for a search that finds nothing as the files are. It is for telling.
	Nothing bool
	// Uses are the modules of its code, where that is known to do no more than to print
	// what they give. What they do is not known.
	Uses []string
	// Lost are files, by their names, that its words name and that are not there, where
	// nothing says whether it needs them.
	Lost []string
	// Aside is what else is not there, as a clause, or "". Wanting is set where the program
	// needs it.
	Aside   string
	Wanting bool
}

// A Told is what the shell itself did that is no effect, as a clause, verb first.
type Told struct {
	Text string
	Dir  string      // with which the clause ends, "" for none
	Loop *shell.Loop // how a loop went, which is no clause
	Span risk.Span
}

// A Trace is everything that evaluation found.
type Trace struct {
	Invocations  []risk.Invocation
	Processes    []detect.Process // the invocations as detectors see them, in their order
	Starts       []Start          // how they start, in their order
	Told         []Told           // what the shell itself did, as far as there is room
	Loops        []Told           // those of the shell, inner ones first
	Effects      []risk.Effect
	Unknowns     []risk.Unknown
	NotInspected []string
	// Left is what the command leaves to those after it in its session, if that was
	// asked for.
	Left  *shell.Left
	Steps int
	Spent bool // a budget was used up
}
