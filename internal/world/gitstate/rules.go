package gitstate

import "strings"

// Rules are the patterns of one file that says what to ignore, for the other programs
// that read such files.
type Rules struct{ list []pattern }

// ParseRules reads a file in the form of .gitignore. It reports false where others
// than git read it in another way: braces are a choice to them.
func ParseRules(data []byte) (*Rules, bool) {
	if strings.ContainsAny(string(data), "{}") {
		return nil, false
	}
	list, err := parseIgnore(data, false)
	return &Rules{list}, err == nil
}

// Decide says what the last pattern that matches a name makes of it: whether one
// does, and whether it keeps the name. The name is counted from the directory of the
// file.
func (r *Rules) Decide(name string, isDir bool) (decided, keep bool) {
	if r == nil {
		return false, false
	}
	work := 0
	v := decide(r.list, name, isDir, &work)
	return v != undecided, v == kept
}
