package git

import (
	"strings"
	"testing"
)

func TestOwn(t *testing.T) {
	t.Parallel()
	for sub := range strings.FieldsSeq(ownCommands) {
		if !own(sub) {
			t.Errorf("%q is not git's own", sub)
		}
	}
	for _, sub := range []string{"", " ", "add am", "ad", "dd", "write", "write-tree\n", "tree", "lfs", "add\nam", "worktree write-tree", "p4"} {
		if own(sub) {
			t.Errorf("%q is git's own", sub)
		}
	}
}
