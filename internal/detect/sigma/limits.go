package sigma

// The bounds of what is read. Each lies far above what published rules need;
// what exceeds them is refused with a reason.
const (
	maxFile       = 8 << 20 // bytes of one YAML file
	maxDocs       = 4096    // documents in one file
	maxNodes      = 200_000 // YAML nodes in one document, aliases followed
	maxDepth      = 64      // of nested YAML, conditions and compiled trees
	maxTokens     = 2000    // in one condition
	maxConditions = 32      // in a list of conditions
	maxSearches   = 1000    // search identifiers of a rule
	maxPattern    = 1 << 16 // bytes of one value
	maxExpanded   = 20_000  // values of one field after placeholders
	maxModifiers  = 10      // on one field
	maxRefs       = 64      // rules of one correlation
	maxGroupBy    = 16      // fields of one correlation
	maxLeaves     = 50_000  // comparisons of one compiled rule
)
