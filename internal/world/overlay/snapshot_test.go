package overlay_test

import (
	"fmt"
	"path"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/wire"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/overlay"
	"pgregory.net/rapid"
)

var whole = cmp.Exporter(func(reflect.Type) bool { return true })

// keep keeps so many changes, and contents of so many bytes.
type keep struct{ changes, content int }

func (k *keep) Change(...string) bool { k.changes--; return k.changes >= 0 }

func (k *keep) Content(_ string, v value.Value) (value.Value, bool) {
	if v.Len() > k.content {
		return value.Unknown(1, "cut").With(v.Taint()), false
	}
	return v, true
}

func rewritten(t interface{ Errorf(string, ...any) }, fs *overlay.FS, base world.FS, k keep) *overlay.FS {
	var w wire.Writer
	fs.Write(&w, &k)
	r := wire.NewReader(w.Bytes())
	got := overlay.Read(r, base)
	if err := r.End(); err != nil {
		t.Errorf("changes cannot be read back: %v", err)
	}
	return got
}

// changed is an overlay with every sort of change.
func changed(base world.FS) *overlay.FS {
	fs := overlay.New(base)
	fs.Create(path.Join(root, "new"), value.Lit("text").With(value.Network), true)
	fs.Create(path.Join(root, "unknown"), value.Value{}, false)
	fs.Chmod(path.Join(root, "new"))
	fs.Mkdir(path.Join(root, "d"))
	fs.Fetch(path.Join(root, "d/got"))
	fs.Link(path.Join(root, "l"), "/etc")
	fs.Delete(path.Join(root, "a"))
	fs.Move(path.Join(root, "c"), path.Join(root, "d/c"), value.Lit("c"), true)
	fs.Came(path.Join(root, "d/c"), path.Join(root, "c"))
	fs.Adopt(path.Join(root, "d/c"))
	return fs
}

func TestChangesAreKept(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	fs := changed(w.FS)
	if diff := cmp.Diff(fs, rewritten(t, fs, w.FS, keep{99, 99}), whole); diff != "" {
		t.Error(diff)
	}
	if none := rewritten(t, overlay.New(w.FS), w.FS, keep{}); !none.Untouched() || none.Missed() {
		t.Error("nothing is kept as something")
	}
}

// TestLostChanges: who asks below the directory of a change that was lost is told,
// and nobody else.
func TestLostChanges(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	lossy := func() *overlay.FS {
		fs := overlay.New(w.FS)
		fs.Mkdir("/a")
		fs.Create("/a/b", value.Value{}, true)
		fs.Create("/x/y/z", value.Lit("z"), true)
		return rewritten(t, fs, w.FS, keep{2, 99})
	}
	asks := func(name string) []func(*overlay.FS) {
		return []func(*overlay.FS){
			func(fs *overlay.FS) { _, _ = fs.Lstat(name) }, func(fs *overlay.FS) { _, _ = fs.ReadDir(name, 9) }, func(fs *overlay.FS) { _, _ = fs.ReadFile(name, 9) }, func(fs *overlay.FS) { _, _ = fs.Readlink(name) },
			func(fs *overlay.FS) { _, _ = fs.Lines(name, "") }, func(fs *overlay.FS) { fs.Content(name) }, func(fs *overlay.FS) { fs.Made(name) }, func(fs *overlay.FS) { fs.Touched(name) }, func(fs *overlay.FS) { fs.Fetched(name) },
			func(fs *overlay.FS) { fs.Origin(name) }, func(fs *overlay.FS) { fs.Move(name, "/q", value.Value{}, false) }, func(fs *overlay.FS) { fs.Chmod(name) }, func(fs *overlay.FS) { fs.Adopt(name) }, func(fs *overlay.FS) { fs.Came("/q", name) }, func(fs *overlay.FS) { fs.Inside(name, 9) },
		}
	}
	for i := range asks("") {
		for _, name := range []string{"/x/y", "/x/y/z", "/x/y/other/deep"} {
			fs := lossy()
			other := fs.Clone()
			if asks(name)[i](fs); !fs.Missed() || !other.Missed() {
				t.Errorf("%d: who asks for %s is not told", i, name)
			}
			if again := rewritten(t, fs, w.FS, keep{99, 99}); !again.Missed() {
				t.Errorf("%d: that somebody asked is forgotten", i)
			}
		}
		for _, name := range []string{"/a", "/a/b", "/x/yy", "/"} {
			fs := lossy()
			below := i == 10 || i == 14 // of all that lies there
			if asks(name)[i](fs); fs.Missed() != (below && name == "/") {
				t.Errorf("%d: who asks for %s: %v", i, name, fs.Missed())
			}
		}
	}
	if lossy().Untouched() {
		t.Error("what was changed is untouched")
	}
}

func TestLostContents(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	fs := overlay.New(w.FS)
	fs.Create("/f", value.Lit("long").With(value.Network), true)
	fs.Create("/g", value.Lit("s"), true)
	fs = rewritten(t, rewritten(t, fs, w.FS, keep{9, 3}), w.FS, keep{9, 9})
	if _, err := fs.Lstat("/f"); err != nil || fs.Missed() {
		t.Error("that a file is there is not lost")
	}
	if _, _ = fs.ReadFile("/g", 9); fs.Missed() {
		t.Error("what is kept is lost")
	}
	fs.Move("/f", "/h", value.Value{}, false)
	if v, _, _ := fs.Content("/h"); !fs.Missed() || v.IsKnown() || !v.Taint().Has(value.Network) {
		t.Errorf("a content that is lost: %v", v)
	}
}

// TestManyLost: however many changes are lost, whoever asks for one is told.
func TestManyLost(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	for _, form := range []string{"/a/%d/f", "/%d/a/f", "%d/f", "%d", "/a/b/c/d/%d/e/f"} {
		fs := overlay.New(w.FS)
		var all []string
		for i := range 200 {
			name := fmt.Sprintf(form, i)
			all = append(all, name)
			fs.Create(name, value.Value{}, true)
		}
		for _, name := range all {
			lost := rewritten(t, fs, w.FS, keep{})
			if _, _ = lost.Lstat(name); !lost.Missed() {
				t.Errorf("%s is not lost", name)
			}
		}
	}
}

func TestLostIsLost(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	rapid.Check(t, func(t *rapid.T) {
		dirs := rapid.SliceOfN(rapid.StringMatching(`(/[ab]){1,5}`), 1, 60).Draw(t, "names")
		fs := overlay.New(w.FS)
		for _, d := range dirs {
			fs.Create(d, value.Value{}, true)
		}
		n := rapid.IntRange(0, len(dirs)).Draw(t, "kept")
		slices.Sort(dirs)
		dirs = slices.Compact(dirs)
		for _, d := range dirs[min(n, len(dirs)):] {
			lost := rewritten(t, fs, w.FS, keep{n, 9})
			if _, _ = lost.Lstat(d); !lost.Missed() {
				t.Errorf("%s of %v is not lost", d, dirs)
			}
		}
	})
}

// FuzzRead: any bytes are an error or changes, which can be asked for and written
// again.
func FuzzRead(f *testing.F) {
	w, _, _ := fakeworld.Must(f, scene)
	for _, k := range []keep{{99, 99}, {2, 1}} {
		var out wire.Writer
		changed(w.FS).Write(&out, &k)
		f.Add(out.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := wire.NewReader(data)
		fs := overlay.Read(r, w.FS)
		if r.End() != nil {
			return
		}
		again := rewritten(t, fs, w.FS, keep{1 << 20, 1 << 20})
		if diff := cmp.Diff(fs, again, whole); diff != "" {
			t.Error(diff)
		}
		fs.Contents(func(name string, _ value.Value) {
			_, _ = fs.ReadFile(name, 9)
			fs.Move(name, root+"/moved", value.Value{}, false)
		})
		_, _ = fs.ReadDir(root, 9)
		rewritten(t, fs, w.FS, keep{1, 1})
	})
}
