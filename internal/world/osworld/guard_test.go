//go:build linux || darwin

package osworld

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/osworld/mountinfo"
)

// withMounts is the machine, had it these mounts.
func withMounts(near []string, mounts ...mountinfo.Mount) *files {
	f := &files{near: near}
	f.once.Do(func() {
		for _, m := range mounts {
			f.table.Add(m)
		}
		for _, dir := range near {
			f.table.Trust(dir)
		}
	})
	return f
}

// nasDir makes a directory with an nfs4 "mount" in it and ways to it:
//
//	nas/sub/file   straight -> nas   deep -> nas/sub   up -> ok/../nas/sub/file
//	ok/in -> ../nas/sub   ok/file   abs -> DIR/nas/sub
func nasDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, sub := range []string{"nas/sub", "ok"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"nas/sub/file", "ok/file"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"straight": "nas", "deep": "nas/sub", "up": "ok/../nas/sub/file",
		"ok/in": "../nas/sub", "abs": dir + "/nas/sub", "fine": "ok", "loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestGuard(t *testing.T) {
	t.Parallel()
	dir := nasDir(t)
	root := mountinfo.New("/", "ext4", "", 1)
	nas := mountinfo.New(filepath.Join(dir, "nas"), "nfs4", "", 77)
	f := withMounts(nil, root, nas)
	type want struct {
		lstat, read, list error
		kind              world.Kind
	}
	no := world.ErrNotRead
	for path, want := range map[string]want{
		"nas":           {read: no, list: no, kind: world.Dir},
		"nas/sub":       {lstat: no, read: no, list: no},
		"nas/sub/file":  {lstat: no, read: no, list: no},
		"nas/none":      {lstat: no, read: no, list: no},
		"straight":      {read: no, list: no, kind: world.Symlink},
		"straight/sub":  {lstat: no, read: no, list: no},
		"deep":          {read: no, list: no, kind: world.Symlink},
		"deep/file":     {lstat: no, read: no, list: no},
		"abs/file":      {lstat: no, read: no, list: no},
		"up":            {read: no, list: no, kind: world.Symlink},
		"ok/in/file":    {lstat: no, read: no, list: no},
		"fine/in/file":  {lstat: no, read: no, list: no},
		"ok":            {read: no, kind: world.Dir},
		"ok/file":       {list: errAny, kind: world.Regular},
		"fine/file":     {list: errAny, kind: world.Regular},
		"loop/x":        {read: errAny, list: errAny},
		"ok/none/below": {read: world.ErrNotExist, list: world.ErrNotExist},
	} {
		path := filepath.Join(dir, path)
		for range 2 { // the second time with what the guard remembers
			info, err := f.Lstat(path)
			if !matches(err, want.lstat) || info.Kind != want.kind {
				t.Errorf("Lstat(%q) = %v, %v; want %v, %v", path, info.Kind, err, want.kind, want.lstat)
			}
			if _, err := f.ReadFile(path, 10); !matches(err, want.read) {
				t.Errorf("ReadFile(%q) = %v; want %v", path, err, want.read)
			}
			if _, err := f.ReadDir(path, 10); !matches(err, want.list) {
				t.Errorf("ReadDir(%q) = %v; want %v", path, err, want.list)
			}
		}
	}
	if info, err := f.Lstat(nas.Point); err != nil || info.Dev != 77 || info.Ino != 0 {
		t.Errorf("Lstat of the mount point = %+v, %v; want device 77 and no inode: it is not looked at", info, err)
	}
	if _, err := f.Readlink(filepath.Join(dir, "deep/x")); !errors.Is(err, no) {
		t.Errorf("Readlink inside = %v, want ErrNotRead", err)
	}
}

var errAny = errors.New("any error")

func matches(got, want error) bool {
	if errors.Is(want, errAny) {
		return got != nil && !errors.Is(got, world.ErrNotRead)
	}
	return errors.Is(got, want)
}

func TestGuardNear(t *testing.T) {
	t.Parallel()
	dir := nasDir(t)
	point := filepath.Join(dir, "nas")
	f := withMounts([]string{filepath.Join(point, "sub")}, mountinfo.New("/", "ext4", "", 1), mountinfo.New(point, "nfs4", "", 77))
	if got, err := f.ReadFile(filepath.Join(point, "sub/file"), 10); err != nil || string(got) != "x" {
		t.Errorf("ReadFile on the mount the session stands in = %q, %v; want its content", got, err)
	}
	if m, err := f.Mount(point); err != nil || m.Remote || m.Type != "nfs4" {
		t.Errorf("Mount = %+v, %v; want nfs4, walked", m, err)
	}
}

func TestGuardFailsClosed(t *testing.T) {
	t.Parallel()
	f := &files{}
	f.once.Do(func() { f.mountE = mountinfo.ErrMalformed })
	if _, err := f.Lstat("/"); !errors.Is(err, mountinfo.ErrMalformed) {
		t.Errorf("Lstat without a table of mounts = %v, want the reason", err)
	}
	if _, err := f.ReadDir("/", 1); !errors.Is(err, mountinfo.ErrMalformed) {
		t.Errorf("ReadDir without a table of mounts = %v, want the reason", err)
	}
}

func TestGuardLongLinks(t *testing.T) {
	t.Parallel()
	dir := nasDir(t)
	f := withMounts(nil, mountinfo.New("/", "ext4", "", 1), mountinfo.New(filepath.Join(dir, "nas"), "fuse.x", "", 2))
	// Every link doubles what is left to walk; none may hang or overflow.
	target := strings.Repeat("./", 1500) + "grow"
	if err := os.Symlink(target, filepath.Join(dir, "grow")); err != nil {
		t.Fatal(err)
	}
	info, err := f.Lstat(filepath.Join(dir, "grow/x"))
	if err != nil || info.Kind != world.Missing {
		t.Errorf("Lstat below a link to itself = %v, %v; want nothing there", info.Kind, err)
	}
}

func TestParsePasswd(t *testing.T) {
	t.Parallel()
	got := parsePasswd("root:x:0:0:root:/root:/bin/bash\n# c:x:1:1::/c:/bin/sh\nbad:x:z:0::/b:/bin/sh\n" +
		"short:x:1\nrelative:x:1:1::home:/bin/sh\nu:x:1000:1000:U,,,:/home/u:/bin/zsh")
	want := []account{{"root", 0, "/root"}, {"u", 1000, "/home/u"}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(account{})); diff != "" {
		t.Errorf("parsePasswd (-want +got):\n%s", diff)
	}
}

func BenchmarkLstatGuarded(b *testing.B) {
	dir := b.TempDir()
	path := filepath.Join(dir, "x")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		b.Fatal(err)
	}
	f := withMounts(nil, mountinfo.New("/", "ext4", "", 1), mountinfo.New("/nas", "nfs", "", 2))
	for b.Loop() {
		if _, err := f.Lstat(path); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewAndFirstLstat(b *testing.B) {
	for b.Loop() {
		w := New(Options{Home: "/root", Name: "root"})
		if _, err := w.FS.Lstat("/etc"); err != nil {
			b.Fatal(err)
		}
	}
}
