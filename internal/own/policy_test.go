package own_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
)

func allow(id string) *policy.Rule {
	return &policy.Rule{ID: id, Action: policy.Allow, Match: policy.Match{Program: []string{"frob"}}}
}

// TestAddRule: the file is made, or stays what it is: a link, its mode, what it says.
func TestAddRule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "heed", "policy.yaml")
	if err := own.AddRule(name, policy.User, allow("a"), []string{"why"}); err != nil {
		t.Fatal(err)
	}
	if i, err := os.Stat(name); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", i, err)
	}
	real := filepath.Join(dir, "dotfiles.yaml")
	if err := errors.Join(os.Rename(name, real), os.Chmod(real, 0o644), os.Symlink(real, name)); err != nil {
		t.Fatal(err)
	}
	if err := own.AddRule(name, policy.User, allow("b"), nil); err != nil {
		t.Fatal(err)
	}
	link, err := os.Lstat(name)
	if err != nil || link.Mode().Type() != fs.ModeSymlink {
		t.Errorf("the link is gone: %v, %v", link, err)
	}
	if i, err := os.Stat(real); err != nil || i.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", i, err)
	}
	set := own.PolicyRules(filepath.Join(dir, "none"), name, nil)
	var ids []string
	for _, r := range set.Rules {
		if r.Layer == policy.User {
			ids = append(ids, r.ID)
		}
	}
	if strings.Join(ids, " ") != "a b" || len(set.Broken) > 0 {
		t.Errorf("%v, broken %v", ids, set.Broken)
	}
	for what, name := range map[string]string{"a directory": dir, "the same rule": name} {
		if err := own.AddRule(name, policy.User, allow("a"), nil); err == nil {
			t.Errorf("%s: it was written", what)
		}
	}
}

// TestAddRuleTogether: of several who add at once one succeeds at least, and the file is
// whole.
func TestAddRuleTogether(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "policy.yaml")
	var wg sync.WaitGroup
	added := make([]bool, 8)
	for i := range added {
		wg.Go(func() { added[i] = own.AddRule(name, policy.User, allow(fmt.Sprintf("r%d", i)), nil) == nil })
	}
	wg.Wait()
	set := own.PolicyRules(name+".none", name, nil)
	if len(set.Broken) > 0 || !slices.Contains(added, true) || !slices.ContainsFunc(set.Rules, func(r policy.Rule) bool { return r.Layer == policy.User }) {
		t.Errorf("broken %v, added %v, %d rules", set.Broken, added, len(set.Rules))
	}
}
