package explain

import (
	"slices"
	"strings"
)

// forEach tells of an act that runs one program for each of some files by what that does
// with them; "" where it has no words for that, or names none of them.
func forEach(acts []Act, i int, at place) string {
	a := &acts[i]
	if a.Each == "" || i+1 >= len(acts) || acts[i+1].Parent != i {
		return ""
	}
	first := &acts[i+1]
	if first.Says == "" || first.Passes || len(first.Does) > 0 && first.Ends != nil || strings.HasPrefix(first.Says, "Tells by its exit status") {
		return "" // a test, of which what is done else tells more
	}
	var names []string
	for j := i + 1; j < len(acts) && acts[j].Parent >= i; j++ {
		b := &acts[j]
		differs := -1
		for k := range b.Argv {
			if k >= len(first.Argv) || b.Argv[k] != first.Argv[k] {
				differs = k
			}
		}
		if b.Parent != i || b.Says == "" || b.Ends != nil || b.Dir != first.Dir || len(b.Argv) != len(first.Argv) || j > i+1 && differs < 0 {
			return ""
		}
		if j > i+1 {
			if len(names) == 0 {
				names = append(names, at.named(first.Argv[differs]))
			}
			if !strings.Contains(first.Says, names[0]) || slices.Contains(names, at.named(b.Argv[differs])) {
				return ""
			}
			names = append(names, at.named(b.Argv[differs]))
		}
	}
	if len(names) > 0 {
		return strings.Replace(first.Says, names[0], series(names), 1)
	}
	if first.Found == "" {
		if !slices.ContainsFunc(first.Argv, func(w string) bool { return !slices.Contains(a.Argv, w) && strings.Contains(first.Says, at.named(w)) }) {
			return "" // it names none of them
		}
		return first.Says
	}
	each := a.Each
	if !strings.HasPrefix(each, "what ") {
		each = "the " + each
	}
	return strings.Replace(first.Says, first.Found, each, 1)
}
