package risk

import "slices"

// IsNoun reports whether a target is the catalog's own name for what has none
// in a command: "the tests", "dependencies of this project". They are declared
// in nouns.txt.
func IsNoun(target string) bool {
	_, ok := slices.BinarySearch(nounRows[:], target)
	return ok
}

// Nouns lists the declared nouns, sorted.
func Nouns() []string { return slices.Clone(nounRows[:]) }
