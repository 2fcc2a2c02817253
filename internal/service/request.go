package service

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell/fronts"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Dialects are the names of the shells whose language is read.
func Dialects() []string { return fronts.All().Dialects() }

// DefaultDialect is the shell of a request that names none.
func DefaultDialect() string { return fronts.All().Default() }

// CheckShell refuses the name of a shell whose language is not read.
func CheckShell(name string) error {
	shells := fronts.All()
	if _, ok := shells.Dialect(name); !ok {
		return fmt.Errorf("%q: want one of %s", name, strings.Join(shells.Dialects(), ", "))
	}
	return nil
}

// Unfinished reports whether a shell that reads lines would wait for more of them after
// a text, and would run nothing of it yet.
func Unfinished(text, shell string) bool {
	shells := fronts.All()
	dialect, ok := shells.Dialect(shell)
	return ok && shells.Unfinished(text, dialect)
}

// CheckProvenance refuses a word for who asked that is none. Empty is not known.
func CheckProvenance(p string) error {
	all := risk.Provenances()
	if p == "" || slices.Contains(all, risk.Provenance(p)) {
		return nil
	}
	words := make([]string, len(all))
	for i, w := range all {
		words[i] = string(w)
	}
	return fmt.Errorf("%q: want one of %s", p, strings.Join(words, ", "))
}

// Absolute resolves a directory against the current one. Without a name it is
// the current one, which is "" when that is gone.
func Absolute(current, name string) (string, error) {
	switch {
	case name == "":
		return current, nil
	case filepath.IsAbs(name):
		return filepath.Clean(name), nil
	case current == "":
		return "", fmt.Errorf("%q is relative and the current directory is gone: give an absolute path", name)
	}
	return filepath.Join(current, name), nil
}

// NoDir reports whether the directory of a request is surely none: its command is
// then judged by its text alone.
func (s *Service) NoDir(req *risk.Request) bool {
	i, err := world.Stat(s.Look().World(req).FS, req.Dir)
	return err == nil && i.Kind != world.Dir
}
