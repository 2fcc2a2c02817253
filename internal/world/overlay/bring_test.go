package overlay_test

import (
	"errors"
	"testing"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// What is brought has contents that are not known, but for what the command
// wrote itself and for git's own files; what is there is there as before.
func TestBring(t *testing.T) {
	t.Parallel()
	o := scenery(t)
	before, err := o.Lstat(root + "/a")
	if err != nil || before.Kind != world.Dir {
		t.Fatalf(root+"/a is %v, %v", before.Kind, err)
	}
	if o.Brought(root + "/a/one") {
		t.Error("nothing was brought")
	}
	o.Bring(root + "/a")
	if after, err := o.Lstat(root + "/a"); err != nil || after != before {
		t.Errorf("the directory changed: %v, %v", after, err)
	}
	o.Create(root+"/a/mine", value.Lit("text"), true)
	for name, want := range map[string]bool{"/a/one": true, "/a/deep/er/b": true, "/a/.git/config": false, "/a/mine": false, "/c": false, "/a": false} {
		if got := o.Brought(root + name); got != want {
			t.Errorf("Brought(%s) = %v", name, got)
		}
	}
	if _, err := o.ReadFile(root+"/a/one", 100); !errors.Is(err, world.ErrNotRead) {
		t.Errorf("what was brought is read: %v", err)
	}
	if text, err := o.ReadFile(root+"/a/mine", 100); err != nil || string(text) != "text" {
		t.Errorf("what was written is not: %q, %v", text, err)
	}
	if c := o.Clone(); !c.Brought(root + "/a/one") {
		t.Error("a clone forgets")
	}
}
