package specs

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/world"
)

// How much is read. A workspace is held shorter: its specs are compiled
// whenever something is run in it.
const (
	maxOwnFiles   = 500
	maxOwnBytes   = 1 << 20
	maxTheirFiles = 32
	maxTheirBytes = 64 << 10
)

// readDir reads the spec files of a directory in the order of their names.
func readDir(fs world.FS, dir string, own bool) (files []source, problems []Problem) {
	fail := func(name string, err error) {
		problems = append(problems, Problem{Text: oneLine(fmt.Errorf("%s: %w", name, err)), Own: own})
	}
	maxFiles, maxBytes := maxTheirFiles, int64(maxTheirBytes)
	if own {
		maxFiles, maxBytes = maxOwnFiles, maxOwnBytes
	} else if err := plain(fs, dir, world.Dir); err != nil {
		fail(dir, err)
		return nil, problems
	}
	entries, err := fs.ReadDir(dir, 4*maxFiles)
	if err != nil {
		fail(dir, fmt.Errorf("listing specs: %w", err))
		if !errors.Is(err, world.ErrTooLarge) {
			return nil, problems
		}
	}
	for _, e := range entries {
		if ext := path.Ext(e.Name); ext != ".yaml" && ext != ".yml" || strings.HasPrefix(e.Name, ".") {
			continue
		}
		name := path.Join(dir, e.Name)
		if len(files) == maxFiles {
			fail(name, fmt.Errorf("not read: more than %d files of specs", maxFiles))
			break
		}
		if !own && e.Kind != world.Regular {
			fail(name, errLink)
			continue
		}
		text, err := fs.ReadFile(name, maxBytes)
		if err != nil {
			fail(name, fmt.Errorf("reading a spec: %w", err))
			continue
		}
		files = append(files, source{name, text, own})
	}
	return files, problems
}

// plain refuses what is reached through a link: the directory of a workspace's
// specs and the one above it.
func plain(fs world.FS, name string, want world.Kind) error {
	for _, p := range []string{path.Dir(name), name} {
		i, err := fs.Lstat(p)
		if err != nil {
			return fmt.Errorf("looking for specs: %w", err)
		}
		if i.Kind != want {
			return errLink
		}
	}
	return nil
}

// programs compiles a file. Its cases are not run: that is for whoever writes
// it, with heed catalog check.
func (f *source) programs() ([]*catalog.Program, error) {
	compiled, err := compile.File(f.name, f.text)
	if err != nil {
		return nil, err
	}
	var programs []*catalog.Program
	for _, s := range compiled {
		if f.own {
			err = compile.CheckHooks(s, hooks.Find)
		} else {
			err = confine(f.name, s.Program)
		}
		if err != nil {
			return nil, err
		}
		programs = append(programs, s.Program)
	}
	return programs, nil
}
