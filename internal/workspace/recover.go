package workspace

import (
	"path"
	"slices"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// Budgets of a walk, in directory entries; past them the sentence says "more
// than". Outside the workspace the tier does not depend on the count, so that
// little is enough for the sentence.
const (
	walkBudget   = 10000
	glanceBudget = 1000
	totalBudget  = 20000 // of all walks for one request
)

// A Recovery says whether a target could be brought back, and what is at
// stake if not.
type Recovery struct {
	Reversible risk.Reversible
	Remedy     risk.Remedy
	Counts     risk.Counts
}

// Add adds what another target would lose: the worse of both counts.
func (r *Recovery) Add(other Recovery) {
	r.Counts.Add(&other.Counts)
	weak := r.Remedy.IsZero() || r.Remedy == risk.RemedyMade
	if other.Reversible.Worse(r.Reversible) || weak && r.Reversible == other.Reversible {
		r.Reversible, r.Remedy = other.Reversible, other.Remedy
	}
}

// Recover works out what deleting or replacing a place would lose.
func (s *Space) Recover(fs *overlay.FS, p Place, recursive bool) Recovery {
	switch {
	case p.Link:
		return Recovery{Reversible: risk.Restorable, Remedy: risk.RemedyLink, Counts: risk.Counts{Files: 1}}
	case fs.Made(p.Path):
		return Recovery{Reversible: risk.Restorable, Remedy: risk.RemedyMade}
	case p.Missing:
		return Recovery{Reversible: risk.NothingThere, Remedy: s.remedy(fs, p.Path).Remedy}
	case p.Unread:
		return Recovery{Reversible: risk.Lost}
	}
	if from := fs.Origin(p.Path); from != "" && from != p.Path { // it is lost where it was
		base := fs.Base()
		return s.Recover(base, s.Locate(base, from, false), recursive)
	}
	repo := s.repo(p.Path)
	if p.Info.Kind != world.Dir {
		repo = s.repo(path.Dir(p.Path))
	}
	if repo != nil && gone(fs, repo) { // before this, by the same command
		repo = nil
	}
	if p.Info.Kind == world.Dir {
		return s.recoverDir(fs, repo, p.Path, recursive)
	}
	return s.recoverFile(fs, repo, p)
}

// gone reports whether a repository surely is no more.
func gone(fs *overlay.FS, repo world.Repo) bool {
	i, err := fs.Lstat(repo.CommonDir())
	return err == nil && i.Kind == world.Missing
}

func (s *Space) recoverFile(fs *overlay.FS, repo world.Repo, p Place) Recovery {
	r := Recovery{Reversible: risk.Lost, Counts: risk.Counts{Files: 1, Bytes: p.Info.Size}}
	if repo == nil {
		if p.Info.Size == 0 {
			r.Reversible = risk.Restorable
			r.Remedy = risk.RemedyEmpty
		}
		return r
	}
	switch repo.State(p.Path) {
	case world.Clean:
		r.Reversible, r.Remedy = risk.Restorable, risk.RemedyGit
	case world.MaybeModified, world.Staged:
		r.Counts.Modified = 1
	case world.Untracked:
		r.Counts.Untracked = 1
		if p.Info.Size == 0 {
			r.Reversible, r.Remedy = risk.Restorable, risk.RemedyEmpty
		}
	case world.Ignored:
		if how := s.remedy(fs, p.Path); !how.IsZero() && (how.own || !s.isPrecious(p.Path)) {
			r.Reversible, r.Remedy = risk.Regenerable, how.Remedy
		}
	}
	r.Counts.Name("/", []string{p.Path})
	return r
}

func (s *Space) recoverDir(fs *overlay.FS, repo world.Repo, dir string, recursive bool) Recovery {
	if !recursive {
		return Recovery{Reversible: risk.Restorable, Remedy: risk.RemedyDir}
	}
	if dir == "/" { // a count of its first files would only make it small
		return Recovery{Reversible: risk.Lost, Counts: risk.Counts{AtLeast: true}}
	}
	how := s.remedy(fs, dir)
	if !how.IsZero() && s.holdsPrecious(fs, dir, how.own) {
		how = maker{}
	}
	if repo == nil || repo.Root() == "" {
		files, bytes, complete := s.count(fs, dir)
		r := Recovery{Reversible: risk.Lost, Counts: risk.Counts{Files: files, Bytes: bytes, AtLeast: !complete}}
		switch {
		case !how.IsZero() && how.own:
			r.Reversible, r.Remedy = risk.Regenerable, how.Remedy
		case files == 0 && complete:
			r.Reversible, r.Remedy = risk.Restorable, risk.RemedyEmpty
		}
		return r
	}
	if Inside(dir, repo.GitDir()) {
		return Recovery{Reversible: risk.Lost, Counts: risk.Counts{Files: 1, AtLeast: true}}
	}
	st := repo.Status(dir, walkBudget)
	r := Recovery{Counts: risk.Counts{
		Files: st.Tracked + st.Untracked + st.Ignored, Bytes: st.Bytes,
		Untracked: st.Untracked, Modified: st.Modified, Ignored: st.Ignored, AtLeast: !st.Complete,
	}}
	switch n, bytes, repos := s.nested(fs, dir, &st); {
	case n > 0 && repos:
		r.Counts.Files, r.Counts.Bytes = n, bytes
		if st.Untracked > 0 {
			r.Counts.Untracked = max(n-st.Tracked-st.Ignored, st.Untracked)
		} else {
			r.Counts.Ignored = max(n-st.Tracked, st.Ignored)
		}
	case n > 0 && n == r.Counts.Files: // git tells of no sizes of what it ignores
		r.Counts.Bytes = bytes
	case st.Ignored > 0 && st.Tracked+st.Untracked > 0:
		r.Counts.Bytes = 0 // a part of it only
	}
	r.Counts.Name(repo.Root(), slices.Concat(st.SomeModified, st.SomeUntracked))
	switch {
	case Inside(repo.Root(), dir): // the repository itself goes, its history included
		r.Reversible = risk.Lost
	case st.Ignored > 0 && st.Tracked+st.Untracked == 0:
		r.Reversible = risk.Lost
		if !how.IsZero() {
			r.Reversible, r.Remedy = risk.Regenerable, how.Remedy
		}
	case !how.IsZero() && st.Modified == 0 && (how.own || st.Untracked == 0 && st.Complete):
		r.Reversible, r.Remedy = risk.Regenerable, how.Remedy
	case st.Untracked+st.Modified+st.Ignored == 0 && st.Complete:
		r.Reversible, r.Remedy = risk.Restorable, risk.RemedyGit
	case st.Tracked > st.Modified:
		r.Reversible = risk.Partly
	default:
		r.Reversible = risk.Lost
	}
	if r.Counts.Files == 0 && st.Complete {
		r.Reversible, r.Remedy = risk.Restorable, risk.RemedyEmpty
	}
	return r
}

// nested counts the files below a directory where git does not know them all; 0 if it does,
// or there is too much to look at. It may hold repositories of its own, which git takes for
// one file each (repos). What the repositories consist of counts nowhere.
func (s *Space) nested(fs *overlay.FS, dir string, st *world.Status) (files int, bytes int64, repos bool) {
	if st.Untracked+st.Ignored == 0 || !st.Complete || s.left < glanceBudget {
		return 0, 0, false
	}
	budget := glanceBudget
	defer func() { s.left -= glanceBudget - max(budget, 0) }()
	for todo := []string{dir}; len(todo) > 0; {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		entries, err := fs.ReadDir(d, budget)
		if budget -= len(entries) + 1; err != nil || budget <= 0 {
			return 0, 0, false
		}
		for _, e := range entries {
			switch name := path.Join(d, e.Name); {
			case e.Name == ".git":
				repos = repos || d != dir
			case e.Kind == world.Dir:
				todo = append(todo, name)
			default:
				files++
				if i, err := fs.Lstat(name); err == nil && e.Kind == world.Regular {
					bytes += i.Size
				}
			}
		}
	}
	return files, bytes, repos
}

// count walks a directory that is in no repository.
func (s *Space) count(fs *overlay.FS, dir string) (files int, bytes int64, complete bool) {
	budget := walkBudget
	if !s.inRoots(dir) {
		budget = glanceBudget
	}
	budget = min(budget, s.left)
	defer func(had int) { s.left -= had - max(budget, 0) }(budget)
	todo := []string{dir}
	for len(todo) > 0 {
		d := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if m, err := fs.Mount(d); err != nil || m.Remote {
			return files, bytes, false
		}
		entries, err := fs.ReadDir(d, budget)
		if err != nil {
			complete = false
			if len(entries) == 0 {
				return files, bytes, false
			}
		}
		if budget -= len(entries) + 1; budget <= 0 {
			return files + len(entries), bytes, false
		}
		for _, e := range entries {
			if e.Kind == world.Dir {
				todo = append(todo, path.Join(d, e.Name))
				continue
			}
			files++
		}
	}
	return files, bytes, true
}

func (s *Space) inRoots(p string) bool {
	return slices.ContainsFunc(s.Roots(), func(r string) bool { return Inside(p, r) })
}
