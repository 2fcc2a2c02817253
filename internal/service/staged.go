package service

import (
	"errors"
	"fmt"
	"path"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
	"github.com/heedsh/heed/risk"
)

// A StagedFile is a file that the next commit of a repository adds or changes.
type StagedFile struct {
	Path string // absolute
	// Text is the content in the index. Of one that is larger than was asked for
	// only the beginning is there, and Large is set.
	Text  string
	Large bool
	// Was is the content in HEAD; nothing where the file is new there, was no
	// regular file, or was larger than was asked for.
	Was string
	// Problem says why the content is not known; Text and Was are then nothing.
	Problem string
}

// Staged is what the next commit of a repository would hold.
type Staged struct {
	Top  string // of the work tree, absolute
	repo world.Repo
}

// Staged finds the git repository that a directory is in. env are the variables that
// git would see.
func (s *Service) Staged(dir string, env map[string]string) (*Staged, error) {
	git := s.Look().World(&risk.Request{Dir: dir, Env: env}).Git
	if git == nil {
		return nil, errors.New("there is no git here")
	}
	r, err := git.Find(dir)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, fmt.Errorf("%s is in no git repository", dir)
	case r.Root() == "":
		return nil, fmt.Errorf("the git repository of %s has no work tree", dir)
	}
	return &Staged{Top: r.Root(), repo: r}, nil
}

// Files returns the files that are staged, by their path. limit is how large a
// content may be, and want picks files by their absolute path. The error says why it
// is not known which they are.
func (s *Staged) Files(limit int, want func(path string) bool) ([]StagedFile, error) {
	found, err := gitstate.StagedFiles(s.repo, limit, func(p string) bool { return want(path.Join(s.Top, p)) })
	if err != nil {
		return nil, fmt.Errorf("reading what is staged in %s: %w", s.Top, err)
	}
	files := make([]StagedFile, len(found))
	for i, f := range found {
		files[i] = StagedFile{Path: path.Join(s.Top, f.Path), Text: string(f.Text), Large: f.Large, Was: string(f.Was), Problem: f.Problem}
	}
	return files, nil
}
