package own

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/rules"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wholefile"
)

// OpenCache opens the Sigma rules that the person has imported; nil if there are
// none.
func OpenCache(env []string) (*rules.Cache, error) {
	name := CacheName(env)
	if name == "" {
		return nil, nil
	}
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	data, err := readCache(name)
	if err != nil {
		return nil, fmt.Errorf("your Sigma rules cannot be read: %w: %w", err, rules.ErrCache)
	}
	c, err := rules.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("your Sigma rules cannot be used: %w: %s", err, name)
	}
	return c, nil
}

// KeepCache writes imported rules where only their owner reads and writes.
func KeepCache(name string, c *rules.Cache) error {
	data, err := c.Encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("keeping the rules: %w", err)
	}
	if err := wholefile.Write(name, data, 0o600, nil); err != nil {
		return fmt.Errorf("keeping the rules: %w", err)
	}
	return nil
}

// readCache reads a file that may be a cache of rules.
func readCache(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // opening a FIFO would wait
		return nil, fmt.Errorf("%s is no ordinary file", name)
	case info.Size() > rules.MaxCache:
		return nil, fmt.Errorf("%s is longer than %d bytes", name, rules.MaxCache)
	}
	return os.ReadFile(name)
}

// Rules are the Sigma rules of these files and directories, each of rules or what
// heed rules import wrote, read when they are first asked for. A rule of them that
// cannot be used is an error, which every answer tells: who names rules expects
// them to be in force.
func Rules(names []string) func() ([]*service.RuleSet, error) {
	return sync.OnceValues(func() (sets []*service.RuleSet, err error) {
		for _, name := range names {
			c, wrong := open(name)
			if wrong != nil {
				err = errors.Join(err, fmt.Errorf("the Sigma rules %s: %w", name, wrong))
			}
			if c != nil && c.Set.Len() > 0 {
				sets = append(sets, c.RuleSet())
			}
		}
		return sets, err
	})
}

// open reads a cache, or imports a file or a directory.
func open(name string) (*rules.Cache, error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		data, err := readCache(name)
		if err != nil {
			return nil, err
		}
		if rules.IsCache(data) {
			return rules.Decode(data)
		}
	}
	source, root, err := Source(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }() // it was only read through
	c, report, err := rules.Import(context.Background(), []rules.Source{source}, sigma.Options{}, func(string, int, int) {})
	switch {
	case err != nil:
		return nil, err
	case len(report.Refused) > 0:
		err = fmt.Errorf("%d of them cannot be used, the first: %w", len(report.Refused), report.Refused[0])
	case report.Links > 0:
		err = fmt.Errorf("%d links in it are not followed", report.Links)
	case c.Set.Len() == 0:
		err = errors.New("there is none about programs that are started")
	}
	if _, encErr := c.Encode(); encErr != nil { // which completes the digest
		return nil, encErr
	}
	return c, err
}

// Source opens a directory of rules, or the one that holds a file of them.
// Nothing outside is read through it. Whoever opens it closes root.
func Source(name string) (source rules.Source, root *os.Root, err error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return rules.Source{}, nil, err
	}
	info, err := os.Stat(real)
	if err != nil {
		return rules.Source{}, nil, err
	}
	dir, below, shown := real, ".", name
	if !info.IsDir() {
		dir, below = filepath.Split(real)
		shown = filepath.Dir(name)
	}
	root, err = os.OpenRoot(cmp.Or(dir, "."))
	if err != nil {
		return rules.Source{}, nil, err
	}
	return rules.Source{Name: filepath.ToSlash(shown), FS: root.FS(), Path: below}, root, nil
}
