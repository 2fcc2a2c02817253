package eval

// Bounds of evaluating, beside those of reading.
const (
	maxString    = 64 << 10 // bytes of a computed string
	maxFolded    = 4 << 20  // bytes of all computed strings
	maxName      = 256      // bytes of a dotted name
	maxCalls     = 12       // nesting of calls of the program's own functions
	maxRecursion = 3        // nesting of calls of one function of Python
)
