package inline

// Bounds that keep the work linear and the memory small.
const (
	maxText      = 256 << 10 // bytes that are scanned
	maxTokens    = 64 << 10  // tokens that are parsed
	maxEval      = 8         // nesting of code in strings
	maxEvalSteps = 20_000    // nodes that are evaluated
)
