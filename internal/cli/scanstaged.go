package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/scan"
	"github.com/heedsh/heed/internal/scan/drive"
	"github.com/heedsh/heed/internal/service"
)

// checkStaged refuses what --staged does not go together with.
func (o *scanOptions) checkStaged(paths []string) error {
	switch {
	case !o.staged:
		return nil
	case slices.Contains(paths, "-"):
		return errors.New("--staged and -: standard input is not staged")
	case o.writeBaseline != "":
		return errors.New("--staged and --write-baseline: a baseline is of whole files: write it without --staged")
	}
	return nil
}

// collect finds the files of a scan.
func collect(s Streams, o *scanOptions, with *service.Service, paths []string) ([]drive.File, error) {
	if !o.staged {
		return drive.Collect(s.Dir, drive.Input{Reader: s.In, Name: o.name}, paths, scan.Kind(o.kind))
	}
	// A hook is told by variables which index git is about to commit.
	env := map[string]string{}
	for _, kv := range s.Env {
		if name, val, ok := strings.Cut(kv, "="); ok {
			env[name] = val
		}
	}
	// Git goes by where a directory really is, whatever link led there.
	dir := s.Dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	in, err := with.Staged(dir, env)
	if err != nil {
		return nil, fmt.Errorf("--staged: %w", err)
	}
	files, err := drive.Staged(in, dir, paths, scan.Kind(o.kind))
	if err != nil {
		return nil, fmt.Errorf("--staged: %w", err)
	}
	return files, nil
}
