package osworld

import (
	"errors"
	"testing"

	"github.com/heedsh/heed/internal/world"
)

// TestUnread: where files cannot be read, no answer is one that something could
// be concluded from. Being absent would be.
func TestUnread(t *testing.T) {
	t.Parallel()
	var f unread
	const path = "/x"
	for name, ask := range map[string]func() (any, error){
		"lstat":    func() (any, error) { return f.Lstat(path) },
		"readlink": func() (any, error) { return f.Readlink(path) },
		"dir":      func() (any, error) { return f.ReadDir(path, 1) },
		"file":     func() (any, error) { return f.ReadFile(path, 1) },
		"range":    func() (any, error) { return f.ReadRange(path, 0, 1) },
		"lines":    func() (any, error) { return f.Lines(path, "") },
		"mount":    func() (any, error) { return f.Mount(path) },
	} {
		if got, err := ask(); !errors.Is(err, errors.ErrUnsupported) || errors.Is(err, world.ErrNotExist) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
