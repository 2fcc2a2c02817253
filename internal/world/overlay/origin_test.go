package overlay_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/overlay"
)

func scenery(t *testing.T) *overlay.FS {
	t.Helper()
	w, _, _, err := fakeworld.Parse(scene)
	if err != nil {
		t.Fatal(err)
	}
	return overlay.New(w.FS)
}

func TestFetched(t *testing.T) {
	t.Parallel()
	fs := scenery(t)
	fs.Fetch(root + "/clone")
	fs.Fetch(root + "/a") // an archive unpacked over what is there
	fs.Create(root+"/clone/own.sh", value.Lit("echo"), true)
	for name, want := range map[string]bool{
		"/clone/run.sh": true, "/clone/bin/run.sh": true, "/a/new": true,
		"/a/one": false, "/c": false, "/elsewhere": false, "/clone/own.sh": false,
	} {
		if got := fs.Fetched(root + name); got != want {
			t.Errorf("Fetched(%s) = %v, want %v", name, got, want)
		}
	}
	if fs.Delete(root + "/clone"); fs.Fetched(root + "/clone/run.sh") {
		t.Error("what was deleted still counts as fetched")
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	fs := scenery(t)
	fs.Came("/tmp/x", root+"/a")
	fs.Came("/tmp/y", "/tmp/x")
	if got := fs.Origin("/tmp/y"); got != root+"/a" {
		t.Errorf("the origin of what was moved twice is %q", got)
	}
	fs.Came(root+"/a", "/tmp/y")
	if got := fs.Origin(root + "/a"); got != "" {
		t.Errorf("what is back where it was has the origin %q", got)
	}
	if got := fs.Origin(root + "/c"); got != "" {
		t.Errorf("what was not moved has the origin %q", got)
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	fs := scenery(t)
	fs.Create(root+"/c", value.Lit("before"), true)
	sub := fs.Clone()
	sub.Create(root+"/c", value.Lit("after"), true)
	fs.Follow(sub)
	sub.Delete(root + "/c")
	if v, _, ok := fs.Content(root + "/c"); !ok || v.String() != "after" {
		t.Errorf("after Follow the file holds %q", v.String())
	}
}

// TestJoinMoved: what only one branch moved away, or made anew, may be what was there.
func TestJoinMoved(t *testing.T) {
	t.Parallel()
	fs := scenery(t)
	moved, anew := fs.Clone(), fs.Clone()
	moved.Move(root+"/c", root+"/d", value.Value{}, false)
	moved.Move(root+"/a", root+"/e", value.Value{}, false)
	anew.Follow(moved)
	anew.Create(root+"/c", value.Lit("other"), true)
	for what, join := range map[string]func() *overlay.FS{
		"moved into nothing": func() *overlay.FS { o := fs.Clone(); o.Join(moved); return o },
		"nothing into moved": func() *overlay.FS { o := moved.Clone(); o.Join(fs); return o },
		"anew into nothing":  func() *overlay.FS { o := fs.Clone(); o.Join(anew); return o },
		"nothing into anew":  func() *overlay.FS { o := anew.Clone(); o.Join(fs); return o },
		"moved into anew":    func() *overlay.FS { o := anew.Clone(); o.Join(moved); return o },
	} {
		o := join()
		for _, name := range []string{"/c", "/a", "/a/one", "/d", "/e/one"} {
			away := what == "moved into anew" && strings.HasPrefix(name, "/a")
			if i, err := o.Lstat(root + name); err != nil || (i.Kind == world.Missing) != away {
				t.Errorf("%s: %s is %v, %v", what, name, i.Kind, err)
			}
			if o.Made(root+name) && what != "moved into anew" {
				t.Errorf("%s: %s counts as made", what, name)
			}
		}
	}
	if got := moved.Origin(root + "/e/b/x"); got != root+"/a/b/x" {
		t.Errorf("what is below a directory that was moved has the origin %q", got)
	}
	if moved.Move(root+"/e", root+"/a", value.Value{}, false); moved.Touched(root+"/a") || moved.Origin(root+"/a/one") != "" {
		t.Error("what is back where it was is not as it was")
	}
}
