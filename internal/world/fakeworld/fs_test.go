package fakeworld_test

import (
	"errors"
	"io/fs"
	"path"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
)

const project = "/home/u/project"

// in makes a path of a test absolute.
func in(name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(project, name)
}

func TestLstat(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	for _, tt := range []struct {
		path string
		kind world.Kind
		mode fs.FileMode
		size int64
		err  error
	}{
		{"src/app.py", world.Regular, 0o644, 9, nil},
		{"src/none", world.Missing, 0, 0, nil},
		{"src/gone.py", world.Missing, 0, 0, nil},
		{"src/app.py/x", world.Missing, 0, 0, nil},
		{"scripts/clean.sh", world.Regular, 0o755, 25, nil},
		{"my file", world.Regular, 0o644, 12_000, nil},
		{"node_modules", world.Dir, 0o755, 4096, nil},
		{"node_modules/file0001", world.Regular, 0o644, 251_006, nil},
		{"node_modules/file1243", world.Regular, 0o644, 251_005, nil},
		{"node_modules/file1244", world.Missing, 0, 0, nil},
		{"node_modules/file01", world.Missing, 0, 0, nil},
		{"dist", world.Missing, 0, 0, nil},
		{"link", world.Symlink, 0o777, 1, nil},
		{"link/etc/hosts", world.Regular, 0o644, 20, nil},
		{"up/app.py", world.Regular, 0o644, 9, nil},
		{"tag", world.Regular, 0o644, 6, nil},
		{"pipe", world.Other, 0o644, 0, nil},
		{"closed", world.Dir, 0, 4096, nil},
		{"closed/inner", world.Missing, 0, 0, fs.ErrPermission},
		{"/", world.Dir, 0o755, 4096, nil},
		{"/bin/bash", world.Regular, 0o755, 35840, nil},
		{"/usr/bin/sudo", world.Regular, 0o755 | fs.ModeSetuid, 35840, nil},
		{"/usr/bin/mytool", world.Regular, 0o755, 35840, nil},
		{"/usr/bin/git", world.Missing, 0, 0, nil},
		{"/tmp", world.Dir, 0o777 | fs.ModeSticky, 4096, nil},
		{"/dev/sda", world.BlockDevice, 0o660, 0, nil},
		{"/dev/null", world.CharDevice, 0o666, 0, nil},
		{"/root/x", world.Missing, 0, 0, fs.ErrPermission},
		{"/mnt/nas", world.Dir, 0o755, 4096, nil},
		{"/mnt/nas/a", world.Missing, 0, 0, world.ErrNotRead},
		{"/proc/x", world.Missing, 0, 0, nil},
		{"/Volumes/Data/readme.txt", world.Regular, 0o644, 2, nil},
		{"/volumes/Data", world.Missing, 0, 0, nil},
		{"/home/u/.ssh/id_rsa", world.Regular, 0o600, 28, nil},
		{".git/hooks/pre-commit", world.Regular, 0o755, 23, nil},
		{".git/refs/heads/feature", world.Regular, 0o644, 41, nil},
	} {
		got, err := w.FS.Lstat(in(tt.path))
		if got.Kind != tt.kind || got.Mode != tt.mode && tt.kind != world.Missing ||
			(tt.kind == world.Dir) != (got.Kind == world.Dir) || got.Size != tt.size || !errors.Is(err, tt.err) {
			t.Errorf("Lstat(%q) = %v %v size %d, %v; want %v %v size %d, %v",
				tt.path, got.Kind, got.Mode, got.Size, err, tt.kind, tt.mode, tt.size, tt.err)
		}
	}
}

func TestSameInode(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"src/app.py", "twin", true},
		{"src/app.py", "up/app.py", true},
		{"src/app.py", "link/home/u/project/src/app.py", true},
		{"src/app.py", "src/new.py", false},
		{"/Volumes/Data/ReadMe.TXT", "/Volumes/Data/README.txt", true},
		{"/bin/ls", "/usr/bin/ls", true},
		{"node_modules/file0007", "node_modules/file0007", true},
		{"node_modules/file0007", "node_modules/file0008", false},
		{"node_modules/file1243", "build/file0001", false},
		{"src/none", "src/none", false},
	} {
		a, errA := w.FS.Lstat(in(tt.a))
		b, errB := w.FS.Lstat(in(tt.b))
		if a.Same(b) != tt.same || errA != nil || errB != nil {
			t.Errorf("Same(%q, %q) = %v, %v, %v; want %v", tt.a, tt.b, a.Same(b), errA, errB, tt.same)
		}
	}
	twin, _ := w.FS.Lstat(in("twin"))
	if data, _ := w.FS.Lstat("/Volumes/Data"); twin.Links != 2 || data.Dev == twin.Dev {
		t.Errorf("links %d, devices %d and %d; want 2, and two devices", twin.Links, twin.Dev, data.Dev)
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	for _, tt := range []struct {
		path  string
		limit int64
		want  string
		err   error
	}{
		{"src/app.py", 100, "# app.py\n", nil},
		{"src/app.py", 8, "", world.ErrTooLarge},
		{"package.json", 100, "{\n  \"scripts\":{\"clean\":\"rm -rf dist\"}\n\n}\n", nil},
		{"link/etc/hosts", 100, "127.0.0.1 localhost\n", nil},
		{"none", 100, "", fs.ErrNotExist},
		{"secret", 100, "", fs.ErrPermission},
		{"/etc/shadow", 100, "", fs.ErrPermission},
		{"pipe", 100, "", world.ErrNotRead},
		{"src", 100, "", world.ErrNotRead},
		{"/dev/zero", 100, "", world.ErrNotRead},
		{"/mnt/nas/a/b", 100, "", world.ErrNotRead},
		{".git/config", 1000, "[core]\n\trepositoryformatversion = 0\n\tbare = false\n" +
			"[remote \"origin\"]\n\turl = git@github.com:acme/demo.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n" +
			"[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n" +
			"[core]\n\tfsmonitor = ./evil.sh\n[alias]\n\tst = !rm -rf /\n", nil},
		{"/home/u/wt-hotfix/.git", 100, "gitdir: /home/u/project/.git/worktrees/wt-hotfix\n", nil},
		{"/etc/passwd", 1000, "u:x:1000:1000::/home/u:/bin/bash\nroot:x:0:0::/root:/bin/bash\n", nil},
	} {
		got, err := w.FS.ReadFile(in(tt.path), tt.limit)
		if diff := cmp.Diff(tt.want, string(got)); diff != "" || !errors.Is(err, tt.err) {
			t.Errorf("ReadFile(%q, %d): %v, want %v (-want +got):\n%s", tt.path, tt.limit, err, tt.err, diff)
		}
	}
	if got, err := w.FS.ReadFile("/bin/bash", 1<<20); err != nil || string(got[:4]) != "\x7fELF" {
		t.Errorf("/bin/bash begins with %q, %v; want an ELF header", got[:4], err)
	}
}

func TestReadDir(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	got, err := w.FS.ReadDir(in("src"), 10)
	want := []world.Entry{
		{Name: "app.py", Kind: world.Regular},
		{Name: "dirty.py", Kind: world.Regular},
		{Name: "new.py", Kind: world.Regular},
		{Name: "next.py", Kind: world.Regular},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("ReadDir(src): %v (-want +got):\n%s", err, diff)
	}
	for _, tt := range []struct {
		path  string
		limit int
		n     int
		err   error
	}{
		{"node_modules", 2000, 1243, nil},
		{"node_modules", 1243, 1243, nil},
		{"node_modules", 1242, 1242, world.ErrTooLarge},
		{"node_modules", 0, 0, world.ErrTooLarge},
		{"node_modules", -1, 0, world.ErrTooLarge},
		{"up", 10, 4, nil},
		{"none", 10, 0, fs.ErrNotExist},
		{"closed", 10, 0, fs.ErrPermission},
		{"package.json", 10, 0, syscall.ENOTDIR},
		{"/mnt/nas", 10, 0, world.ErrNotRead},
		{"/proc", 10, 0, world.ErrNotRead},
	} {
		got, err := w.FS.ReadDir(in(tt.path), tt.limit)
		if len(got) != tt.n || !errors.Is(err, tt.err) {
			t.Errorf("ReadDir(%q, %d) = %d entries, %v; want %d, %v", tt.path, tt.limit, len(got), err, tt.n, tt.err)
		}
	}
}

func TestMount(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene+"/home mount nfs4\n/other mount fuse.sshfs\n/other/x")
	for path, want := range map[string]world.Mount{
		"/etc/hosts":      {Point: "/", Type: "ext4"},
		"/mnt/nas/a":      {Point: "/mnt/nas", Type: "nfs4", Remote: true},
		"/Volumes/Data/x": {Point: "/Volumes/Data", Type: "apfs", Folds: true},
		"/proc/1":         {Point: "/proc", Type: "proc", Remote: true},
		"/home/u":         {Point: "/home", Type: "nfs4"}, // the session stands there
		"/other":          {Point: "/other", Type: "fuse.sshfs", Remote: true},
	} {
		if got, err := w.FS.Mount(path); err != nil || got != want {
			t.Errorf("Mount(%q) = %+v, %v; want %+v", path, got, err, want)
		}
	}
	if _, err := w.FS.ReadFile(in("src/app.py"), 100); err != nil {
		t.Errorf("the mount that the session stands in is not looked into: %v", err)
	}
	if _, err := w.FS.Lstat("/other/x"); !errors.Is(err, world.ErrNotRead) {
		t.Errorf("Lstat on FUSE = %v, want ErrNotRead", err)
	}
}

func TestRootMayDoAll(t *testing.T) {
	t.Parallel()
	w, dir, env := fakeworld.Must(t, "user root")
	if dir != "/root/project" || env["HOME"] != "/root" || w.User.UID != 0 {
		t.Errorf("dir %q, HOME %q, uid %d", dir, env["HOME"], w.User.UID)
	}
	if _, err := w.FS.ReadFile("/etc/shadow", 100); err != nil {
		t.Errorf("root cannot read /etc/shadow: %v", err)
	}
}

func TestPathRules(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, "")
	for _, path := range []string{"", "x", "/a/../b", "/a/"} {
		if _, err := w.FS.Lstat(path); err == nil {
			t.Errorf("Lstat(%q) took a path that is not absolute and clean", path)
		}
		if _, err := w.FS.Mount(path); err == nil {
			t.Errorf("Mount(%q) took a path that is not absolute and clean", path)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, _, _, err := fakeworld.Parse(scene); err != nil {
			b.Fatal(err)
		}
	}
}
