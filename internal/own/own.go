package own

import (
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/heedsh/heed/internal/service"
)

// Options are those of a service with all that the person of an environment
// (NAME=VALUE) has added. Nothing is opened before a command is assessed.
func Options(env []string) service.Options {
	return service.Options{Specs: SpecDirs(env), Policy: Policy(env), Detectors: service.Detectors{
		Clock: monotonic(),
		Sets: sync.OnceValues(func() ([]*service.RuleSet, error) {
			c, err := OpenCache(env)
			if c == nil {
				return nil, err
			}
			return []*service.RuleSet{c.RuleSet()}, nil
		}),
	}}
}

// Getenv looks a variable of an environment (NAME=VALUE) up; "" if it is not set.
func Getenv(env []string) func(string) string {
	return func(name string) string {
		for _, kv := range env {
			if n, val, ok := strings.Cut(kv, "="); ok && n == name {
				return val
			}
		}
		return ""
	}
}

// monotonic returns a clock that counts nanoseconds from now on.
func monotonic() func() int64 {
	start := time.Now()
	return func() int64 { return int64(time.Since(start)) }
}

// SpecDirs returns the directory of a person's own specs: heed/specs in
// $XDG_CONFIG_HOME or else in ~/.config, on every system. Source: XDG Base
// Directory Specification 0.8, which has relative paths ignored.
func SpecDirs(env []string) []string {
	if dir := below(env, "XDG_CONFIG_HOME", ".config"); dir != "" {
		return []string{filepath.Join(dir, "specs")}
	}
	return nil
}

// CacheName is the file of the person's Sigma rules: heed/sigma.bin in
// $XDG_DATA_HOME or else in ~/.local/share; "" if there is no home. Source: as for
// SpecDirs.
func CacheName(env []string) string {
	dir := below(env, "XDG_DATA_HOME", filepath.Join(".local", "share"))
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "sigma.bin")
}

// below returns heed's directory below the one that a variable names, or else
// below the home; "" if neither is there.
func below(env []string, variable, inHome string) string {
	dir, home := "", ""
	for _, kv := range env {
		switch name, val, _ := strings.Cut(kv, "="); name {
		case variable:
			dir = val
		case "HOME":
			home = val
		}
	}
	if !filepath.IsAbs(dir) {
		if !filepath.IsAbs(home) {
			return ""
		}
		dir = filepath.Join(home, inHome)
	}
	return filepath.Join(dir, "heed")
}
