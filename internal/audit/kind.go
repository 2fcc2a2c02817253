package audit

import "slices"

// A Kind says what a row is about.
type Kind string

// The kinds that callers append.
const (
	Assessed Kind = "assessed" // a command was judged
	Decided  Kind = "decided"  // a rule or the tier said what is done about it
	Asked    Kind = "asked"    // a person was asked
	Approved Kind = "approved" // a person, or a rule for one, said yes
	Denied   Kind = "denied"   // a person, or a rule for one, said no
	Started  Kind = "started"  // the command was started
	Finished Kind = "finished" // the command ended
	Drifted  Kind = "drifted"  // the world changed between a yes and the start

	// Mispredicted says that the kernel refused a confined command what its assessment had
	// not expected.
	Mispredicted Kind = "mispredicted"
)

// The kinds that the log writes about itself.
const (
	Begun  Kind = "begun"  // the first row of a log
	Pruned Kind = "pruned" // older rows were removed: a checkpoint
	Mended Kind = "mended" // the log goes on after damage
)

// Kinds lists the kinds that callers append, in the order in which they come.
func Kinds() []Kind {
	return []Kind{Assessed, Decided, Asked, Approved, Denied, Started, Finished, Drifted, Mispredicted}
}

// known reports whether callers may append rows of this kind.
func (k Kind) known() bool { return slices.Contains(Kinds(), k) }
