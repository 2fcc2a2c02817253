package rules

// The bounds of what is read. Those of an import lie far above what is
// published: SigmaHQ has 4,000 files of 2 to 20 KiB.
const (
	// MaxFile is the longest file of rules, or of their tests, in bytes.
	MaxFile  = 1 << 20
	maxFiles = 20_000
	maxBytes = 256 << 20 // of all files of an import
	maxDepth = 32        // of directories
	maxCases = 1000      // tests of one file
)
