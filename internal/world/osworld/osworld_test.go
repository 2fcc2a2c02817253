//go:build linux || darwin

package osworld_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/osworld"
)

// tempDir is t.TempDir without links on the way (/tmp is one on macOS).
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// populate makes one of everything below dir.
func populate(t *testing.T, dir string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, "file"), []byte("hello"), 0o640))
	must(t, os.Chmod(filepath.Join(dir, "file"), 0o640|fs.ModeSetuid))
	must(t, os.Link(filepath.Join(dir, "file"), filepath.Join(dir, "twin")))
	must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, "sub", "deep"), nil, 0o600))
	must(t, os.Symlink("file", filepath.Join(dir, "link")))
	must(t, os.Symlink("sub", filepath.Join(dir, "dirlink")))
	must(t, os.Symlink("loop", filepath.Join(dir, "loop")))
	must(t, os.Symlink("nowhere", filepath.Join(dir, "dangling")))
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
}

func TestLstatKinds(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	populate(t, dir)
	files := osworld.New(osworld.Options{Home: dir, Name: "u"}).FS
	for name, want := range map[string]world.Kind{
		"file":                     world.Regular,
		"sub":                      world.Dir,
		"sub/deep":                 world.Regular,
		"dirlink/deep":             world.Regular,
		"link":                     world.Symlink,
		"dangling":                 world.Symlink,
		"loop":                     world.Symlink,
		"fifo":                     world.Other,
		"none":                     world.Missing,
		"none/below":               world.Missing,
		"file/below":               world.Missing, // ENOTDIR
		"loop/below":               world.Missing, // ELOOP
		strings.Repeat("n", 300):   world.Missing, // ENAMETOOLONG
		strings.Repeat("d/", 9000): world.Missing,
		"nul\x00byte":              world.Missing,
	} {
		info, err := files.Lstat(filepath.Join(dir, name))
		if err != nil || info.Kind != want {
			t.Errorf("Lstat(%.20q) = kind %v, %v; want %v", name, info.Kind, err, want)
		}
	}
	null, err := files.Lstat("/dev/null")
	if err != nil || null.Kind != world.CharDevice {
		t.Errorf("Lstat(/dev/null) = %v, %v; want a character device", null.Kind, err)
	}
}

func TestLstatFacts(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	populate(t, dir)
	files := osworld.New(osworld.Options{Home: dir, Name: "u"}).FS
	file, err := files.Lstat(filepath.Join(dir, "file"))
	must(t, err)
	want, err := os.Lstat(filepath.Join(dir, "file"))
	must(t, err)
	if file.Size != 5 || file.Links != 2 || file.Mode != 0o640|fs.ModeSetuid ||
		file.MTime != want.ModTime().UnixNano() || file.UID != os.Getuid() || file.CTime == 0 {
		t.Errorf("Lstat(file) = %+v", file)
	}
	twin, _ := files.Lstat(filepath.Join(dir, "twin"))
	sub, _ := files.Lstat(filepath.Join(dir, "sub"))
	if !file.Same(twin) || file.Same(sub) {
		t.Errorf("hard links: Same(twin) = %v, Same(sub) = %v; want true, false", file.Same(twin), file.Same(sub))
	}
}

func TestPathRules(t *testing.T) {
	t.Parallel()
	files := osworld.New(osworld.Options{Home: "/", Name: "u"}).FS
	for _, path := range []string{"", "x", "./x", "/a/../b", "/a/", "//a"} {
		if _, err := files.Lstat(path); err == nil {
			t.Errorf("Lstat(%q) took a path that is not absolute and clean", path)
		}
		if _, err := files.ReadFile(path, 1); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("ReadFile(%q) = %v, want a refusal", path, err)
		}
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	populate(t, dir)
	files := osworld.New(osworld.Options{Home: dir, Name: "u"}).FS
	for _, tt := range []struct {
		name  string
		limit int64
		want  string
		err   error
	}{
		{"file", 100, "hello", nil},
		{"file", 5, "hello", nil},
		{"file", 4, "", world.ErrTooLarge},
		{"link", 100, "hello", nil},
		{"sub/deep", 0, "", nil},
		{"none", 100, "", world.ErrNotExist},
		{"dangling", 100, "", world.ErrNotExist},
		{"sub", 100, "", world.ErrNotRead},
		{"fifo", 100, "", world.ErrNotRead}, // must not block
		{"loop", 100, "", syscall.ELOOP},
		{"/dev/zero", 100, "", world.ErrNotRead},
	} {
		path := tt.name
		if path[0] != '/' {
			path = filepath.Join(dir, path)
		}
		got, err := files.ReadFile(path, tt.limit)
		if string(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("ReadFile(%q, %d) = %q, %v; want %q, %v", tt.name, tt.limit, got, err, tt.want, tt.err)
		}
	}
	if target, err := files.Readlink(filepath.Join(dir, "link")); target != "file" || err != nil {
		t.Errorf("Readlink(link) = %q, %v", target, err)
	}
	if _, err := files.Readlink(filepath.Join(dir, "file")); err == nil {
		t.Error("Readlink of a regular file succeeded")
	}
}

func TestReadDir(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	populate(t, dir)
	files := osworld.New(osworld.Options{Home: dir, Name: "u"}).FS
	got, err := files.ReadDir(dir, 100)
	must(t, err)
	want := []world.Entry{
		{Name: "dangling", Kind: world.Symlink},
		{Name: "dirlink", Kind: world.Symlink},
		{Name: "fifo", Kind: world.Other},
		{Name: "file", Kind: world.Regular},
		{Name: "link", Kind: world.Symlink},
		{Name: "loop", Kind: world.Symlink},
		{Name: "sub", Kind: world.Dir},
		{Name: "twin", Kind: world.Regular},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ReadDir (-want +got):\n%s", diff)
	}
	if got, err := files.ReadDir(filepath.Join(dir, "dirlink"), 1); err != nil || len(got) != 1 {
		t.Errorf("ReadDir through a link = %v, %v; want one entry", got, err)
	}
	if _, err := files.ReadDir(filepath.Join(dir, "none"), 1); !errors.Is(err, world.ErrNotExist) {
		t.Errorf("ReadDir(none) = %v, want ErrNotExist", err)
	}
	if _, err := files.ReadDir(filepath.Join(dir, "fifo"), 1); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("ReadDir(fifo) = %v, want ENOTDIR", err)
	}
}

func TestReadDirBig(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	const n = 1500
	for i := range n {
		must(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%04d", i)), nil, 0o600))
	}
	files := osworld.New(osworld.Options{Home: dir, Name: "u"}).FS
	for _, tt := range []struct {
		limit, want int
		err         error
	}{
		{n + 1, n, nil},
		{n, n, nil},
		{n - 1, n - 1, world.ErrTooLarge},
		{10, 10, world.ErrTooLarge},
		{0, 0, world.ErrTooLarge},
		{-1, 0, world.ErrTooLarge},
		{int(^uint(0) >> 1), n, nil},
	} {
		got, err := files.ReadDir(dir, tt.limit)
		if len(got) != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("ReadDir(limit %d) = %d entries, %v; want %d, %v", tt.limit, len(got), err, tt.want, tt.err)
		}
		if !slices.IsSortedFunc(got, func(a, b world.Entry) int { return strings.Compare(a.Name, b.Name) }) {
			t.Errorf("ReadDir(limit %d) is not sorted", tt.limit)
		}
	}
}

func TestKernelDataIsNotRead(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	dir := tempDir(t)
	must(t, os.Symlink("/proc/self/status", filepath.Join(dir, "status")))
	must(t, os.Symlink("/proc/self", filepath.Join(dir, "self")))
	files := osworld.New(osworld.Options{Home: dir, Name: "u"}).FS
	for _, path := range []string{"/proc/self/status", filepath.Join(dir, "status"), filepath.Join(dir, "self/status")} {
		if _, err := files.ReadFile(path, 1<<20); !errors.Is(err, world.ErrNotRead) {
			t.Errorf("ReadFile(%q) = %v, want ErrNotRead", path, err)
		}
	}
	for _, path := range []string{"/proc", "/proc/self/fd", filepath.Join(dir, "self")} {
		if _, err := files.ReadDir(path, 10); !errors.Is(err, world.ErrNotRead) {
			t.Errorf("ReadDir(%q) = %v, want ErrNotRead", path, err)
		}
	}
	if info, err := files.Lstat("/proc/self/status"); err != nil || info.Kind != world.Regular {
		t.Errorf("Lstat(/proc/self/status) = %v, %v; want a regular file", info.Kind, err)
	}
	if m, err := files.Mount("/proc/self/status"); err != nil || m.Type != "proc" || !m.Remote {
		t.Errorf("Mount(/proc/self/status) = %+v, %v; want proc, never walked", m, err)
	}
	if m, err := files.Mount("/"); err != nil || m.Point != "/" || m.Remote {
		t.Errorf("Mount(/) = %+v, %v; want a local root", m, err)
	}
}

func TestUser(t *testing.T) {
	t.Parallel()
	w := osworld.New(osworld.Options{Home: "/elsewhere", Name: "me"})
	if diff := cmp.Diff(world.User{UID: os.Getuid(), Name: "me", Home: "/elsewhere"}, w.User); diff != "" {
		t.Errorf("User (-want +got):\n%s", diff)
	}
	if w.OS != runtime.GOOS {
		t.Errorf("OS = %q", w.OS)
	}
	if repo, err := w.Git.Find("/"); repo != nil || err != nil {
		t.Errorf("without a reader of repositories Find = %v, %v; want nil, nil", repo, err)
	}
	if w := osworld.New(osworld.Options{Homes: true}); runtime.GOOS == "linux" {
		if w.User.Homes["root"] == "" || w.User.Home == "" || w.User.Name == "" {
			t.Errorf("with Homes: %+v; want root's home and my own name", w.User)
		}
	}
}

func TestGitIsInjected(t *testing.T) {
	t.Parallel()
	var given world.FS
	w := osworld.New(osworld.Options{Home: "/", Name: "u", Git: func(f world.FS) world.Git {
		given = f
		return nil
	}})
	if given != w.FS || w.Git != nil {
		t.Error("Options.Git was not given the world's own FS, or its answer was not used")
	}
}

func TestRandomBytesInNames(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("needs a file system without rules for names")
	}
	dir := tempDir(t)
	name := "a\xff\n \x01"
	must(t, os.WriteFile(filepath.Join(dir, name), []byte{0, 1, 255}, 0o600))
	files := osworld.New(osworld.Options{Home: dir, Name: "u"}).FS
	entries, err := files.ReadDir(dir, 10)
	if err != nil || len(entries) != 1 || entries[0].Name != name {
		t.Errorf("ReadDir = %q, %v", entries, err)
	}
	got, err := files.ReadFile(filepath.Join(dir, name), 10)
	if err != nil || !bytes.Equal(got, []byte{0, 1, 255}) {
		t.Errorf("ReadFile = %q, %v", got, err)
	}
}
