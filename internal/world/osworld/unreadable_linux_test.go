package osworld_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/osworld"
)

// TestUnreadable looks as an ordinary user. As root it gives up its rights in
// its own thread, which is thrown away with the goroutine.
func TestUnreadable(t *testing.T) {
	dir := tempDir(t)
	closed := filepath.Join(dir, "closed")
	must(t, os.Mkdir(closed, 0o755))
	must(t, os.WriteFile(filepath.Join(closed, "file"), []byte("x"), 0o000))
	must(t, os.Chmod(closed, 0o000))
	must(t, os.Chmod(dir, 0o755))
	must(t, os.Chmod(filepath.Dir(dir), 0o755))
	t.Cleanup(func() { _ = os.Chmod(closed, 0o755) })
	done := make(chan struct{})
	go func() {
		defer close(done)
		if os.Getuid() == 0 {
			runtime.LockOSThread()
			if err := syscall.Setfsuid(65534); err != nil {
				t.Errorf("setfsuid: %v", err)
				return
			}
		}
		files := osworld.New(osworld.Options{Home: dir, Name: "u"}).FS
		if info, err := files.Lstat(closed); err != nil || info.Kind != world.Dir || info.Mode != 0 {
			t.Errorf("Lstat(closed) = %v, %v; want a directory", info, err)
		}
		if _, err := files.Lstat(filepath.Join(closed, "file")); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("Lstat(closed/file) = %v, want a permission error: whether it exists is not known", err)
		}
		if _, err := files.ReadDir(closed, 10); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("ReadDir(closed) = %v, want a permission error", err)
		}
		if _, err := files.ReadFile(filepath.Join(closed, "file"), 10); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("ReadFile(closed/file) = %v, want a permission error", err)
		}
	}()
	<-done
}
