package inline

// Bounds that keep the work linear and the memory small.
const (
	maxText      = 256 << 10 // bytes that are scanned
	maxTokens    = 64 << 10  // tokens that are parsed
	maxEval      = 8         // nesting of code in strings
	maxEvalSteps = 20_000    // nodes that are evaluated
	maxString    = 64 << 10  // bytes of a computed string
	maxFolded    = 4 << 20   // bytes of all computed strings
	maxName      = 256       // bytes of a dotted name
	maxCalls     = 12        // nesting of calls of the program's own functions
	maxRecursion = 3         // nesting of calls of one function of Python
)
