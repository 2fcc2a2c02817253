package risk

// An End is how an invocation ends, where that is known beforehand.
type End string

// The ends. What is not known, or goes on as its effects say, has none.
const (
	EndFails  End = "fails"        // it stops with an error and does not do its work
	EndPartly End = "partly fails" // it does its work on what is there, and ends with an error
	EndIdle   End = "does nothing" // it ends well and has done nothing
	EndWaits  End = "waits"        // it waits for input that nobody gives
	EndAsks   End = "asks"         // it stops and asks
)

// An Ending is how an invocation ends and why. It is a claim: what it speaks of was
// looked at, on this machine, in this assessment. It moves no level, but where the line
// asks for it itself.
type Ending struct {
	How End `json:"how"`
	// Missing are the files that it needs and that are not there, as absolute paths.
	Missing []string `json:"missing,omitempty"`
	// Because says why in the words of the program's spec, where Missing does not.
	Because string `json:"because,omitempty"`
	// Rightless is whether it only wants rights, which a person may give it.
	Rightless bool `json:"-"`
	// ByShell is whether the shell itself stops before the command, whatever the
	// program is: a directory that a redirection or `cd` names is not there.
	ByShell bool `json:"-"`
	// Asked is whether the line itself asks for it before it goes on: `[ -e FILE ] && …`.
	Asked bool `json:"-"`
	// Within is whether it may do a part of its work before it ends.
	Within bool `json:"-"`
	// Hollow is whether nothing of what it works on is there, and it makes its file all
	// the same.
	Hollow bool `json:"-"`
	// Never is whether it would end so whatever else there were.
	Never bool `json:"-"`
}
