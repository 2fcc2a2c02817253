package shell

import "github.com/heedsh/heed/risk"

// A Step is one command of the top level of a text: what stands between ;, && and line
// ends there, a pipeline in one.
type Step struct {
	Span risk.Span
	// After is what joins it to the step before it: && or ;, and "" for the first.
	After string
	// Together says why the text cannot be divided behind this step, so that a shell each
	// for both halves comes to the same as one for the whole; "" if it can. The last step
	// has nothing behind it.
	Together string
	// First and Rest are the halves where it can be divided. What sets the shell up for
	// what follows (cd, export) stands in both.
	First, Rest string
}

// Steps lists the steps of a text in a dialect; none where it has not several, or is not
// written so that they can be told apart.
func (f *Fronts) Steps(text, dialect string) []Step {
	front, err := f.front(dialect)
	if err != nil {
		return nil
	}
	return front.Steps(text, dialect)
}
