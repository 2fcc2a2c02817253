package overlay_test

import (
	"errors"
	"testing"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// in reads files of fs.
func in(fs *overlay.FS) func(string) value.Value {
	return func(name string) value.Value {
		text, err := fs.ReadFile(name, 100)
		if err != nil {
			return value.Unknown(risk.CauseFile, name)
		}
		return value.Lit(string(text))
	}
}

func TestCopy(t *testing.T) {
	t.Parallel()
	fs := scenery(t)
	fs.Create(root+"/a/mine", value.Lit("mine"), true)
	fs.Delete(root + "/a/two")
	fs.Copy(root+"/a", root+"/new", in(fs))
	fs.Delete(root + "/a")
	for name, want := range map[string]string{"/new/one": "one", "/new/b/x": "x", "/new/mine": "mine", "/new/two": "", "/new/none": "", "/a/one": ""} {
		text, err := fs.ReadFile(root+name, 100)
		if info, _ := fs.Lstat(root + name); (info.Kind == world.Missing) != (want == "") || string(text) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %v, %q, %v; want %q", name, info.Kind, text, err, want)
		}
		if want != "" && !fs.Made(root+name) {
			t.Errorf("%s was not made by the copy", name)
		}
	}
	entries, err := fs.ReadDir(root+"/new", 10)
	if err != nil || len(entries) != 3 {
		t.Errorf("the copy has %v, %v", entries, err)
	}
	fs.Move(root+"/new", root+"/newer", value.Value{}, false)
	if text, err := fs.ReadFile(root+"/newer/b/x", 100); err != nil || string(text) != "x" {
		t.Errorf("the copy was moved: %q, %v", text, err)
	}
}

// What is copied over a file may leave it: which of the two it is then is not known.
func TestCopyOver(t *testing.T) {
	t.Parallel()
	fs := scenery(t)
	fs.Mkdir(root + "/d")
	fs.Create(root+"/d/c", value.Lit("other"), true)
	fs.Create(root+"/d/new", value.Lit("new"), true)
	fs.Copy(root+"/d", root, in(fs))
	if text, err := fs.ReadFile(root+"/new", 100); err != nil || string(text) != "new" || !fs.Made(root+"/new") {
		t.Errorf("what was not there: %q, %v, made %v", text, err, fs.Made(root+"/new"))
	}
	fs = scenery(t)
	fs.Copy(root+"/a", root+"/a/b", in(fs)) // into itself: nothing
	if fs.CopyOf(root+"/a/b/one") != "" {
		t.Error("a tree was copied into itself")
	}
	fs.Copy(root+"/a/b", root+"/a", in(fs))
	if text, err := fs.ReadFile(root+"/a/x", 100); err != nil || string(text) != "x" {
		t.Errorf("a tree was copied upwards: %q, %v", text, err)
	}
	fs.Copy(root+"/a", root, in(fs))
	fs.Copy(root, "/tmp/all", in(fs))
	if text, err := fs.ReadFile("/tmp/all/a/b/x", 100); err != nil || string(text) != "x" {
		t.Errorf("a copy of a copy: %q, %v", text, err)
	}
	w := scenery(t)
	w.Copy(root+"/a/b", root+"/a", in(w))
	w.Copy(root+"/a", root+"/a2", in(w))
	w.Copy(root+"/a2", root+"/a", in(w))
	if _, err := w.ReadFile(root+"/a/one", 100); !errors.Is(err, world.ErrNotRead) {
		t.Errorf("which of two files it is is told: %v", err)
	}
}
