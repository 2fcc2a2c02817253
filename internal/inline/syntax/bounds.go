package syntax

// Bounds that keep the work linear and the memory small.
const (
	MaxText      = 256 << 10 // bytes that are scanned
	maxTokens    = 64 << 10  // tokens that are parsed
	MaxEval      = 8         // nesting of code in strings
	MaxEvalSteps = 20_000    // nodes that are evaluated
)
