package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/rules"
)

// newAssessor returns the assessor of this process: heed's own knowledge and
// what the person has added to it.
func newAssessor(s Streams) *assess.Assessor {
	return assess.New(specDirs(s.Env)...).With(detectors(s))
}

// detectors are heed's own and the rules that the person has imported. Nothing
// is opened before a command is assessed.
func detectors(s Streams) assess.Detectors {
	return assess.Detectors{Clock: monotonic(), Sets: sync.OnceValues(func() ([]*assess.RuleSet, error) {
		c, err := openCache(s.Env)
		if c == nil {
			return nil, err
		}
		return []*assess.RuleSet{c.RuleSet()}, nil
	})}
}

// cacheName is the file of the person's Sigma rules: heed/sigma.bin in
// $XDG_DATA_HOME or else in ~/.local/share; "" if there is no home. env is heed's
// own environment. Source: XDG Base Directory Specification 0.8.
func cacheName(env []string) string {
	dir := ownDir(env, "XDG_DATA_HOME", filepath.Join(".local", "share"))
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "sigma.bin")
}

// openCache opens the person's Sigma rules; nil if there are none.
func openCache(env []string) (*rules.Cache, error) {
	name := cacheName(env)
	if name == "" {
		return nil, nil
	}
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err == nil && !info.Mode().IsRegular() { // opening a FIFO would wait
		err = fmt.Errorf("%s is no ordinary file", name)
	}
	if err == nil && info.Size() > rules.MaxCache {
		err = fmt.Errorf("%s is longer than %d bytes", name, rules.MaxCache)
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, fmt.Errorf("your Sigma rules cannot be read: %w: %w", err, rules.ErrCache)
	}
	c, err := rules.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("your Sigma rules cannot be used: %w: %s", err, name)
	}
	return c, nil
}

// monotonic returns a clock that counts nanoseconds from now on.
func monotonic() func() int64 {
	start := time.Now()
	return func() int64 { return int64(time.Since(start)) }
}
