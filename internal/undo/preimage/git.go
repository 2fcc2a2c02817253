package preimage

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/undo"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

const (
	maxRefs    = 500  // branches, and tags
	maxChanged = 5000 // files in which two commits differ
)

// repositories adds to an order what has to be kept of git.
type repositories struct {
	git  world.Git
	o    *undo.Order
	have map[string]bool // what was added already
}

// open says that something is not undone.
func (r *repositories) open(e *risk.Effect, what string) {
	name := e.Target
	if name == "" {
		name = string(e.Verb)
	}
	r.o.Open = append(r.o.Open, (&undo.Incomplete{Path: name, What: what}).Error())
}

// keep adds what one effect takes.
func (r *repositories) keep(e *risk.Effect) {
	if e.Reversible == risk.NothingThere || e.Verb == risk.VCSDiscard && e.Reversible == risk.Restorable {
		return // nothing is lost
	}
	if e.Host != "" || e.By.Dir == "" || e.Scope == risk.InImage {
		r.open(e, "which repository it is is not known beforehand")
		return
	}
	if e.Privileged {
		r.open(e, "the command changes it with rights that heed does not have")
		return
	}
	repo, err := r.git.Find(e.By.Dir)
	if err != nil || repo == nil {
		r.open(e, "its repository cannot be read")
		return
	}
	r.data(repo, e)
	if root := repo.Root(); root != "" {
		r.files(repo, e)
	}
}

// once reports whether something is to be added for the first time.
func (r *repositories) once(what string) bool {
	was := r.have[what]
	r.have[what] = true
	return !was
}

// heads are the files of a git directory that say where its work tree stands, and
// whether git makes them again without being asked. Source: gitrepository-layout(5).
var heads = []struct {
	name   string
	yields bool
}{
	{"HEAD", false},
	{"index", true},
	{"ORIG_HEAD", true},
	{"MERGE_HEAD", false},
	{"MERGE_MSG", true},
	{"MERGE_MODE", true},
	{"CHERRY_PICK_HEAD", false},
	{"REVERT_HEAD", false},
	{"AUTO_MERGE", true},
	{"rebase-merge", false},
	{"rebase-apply", false},
	{"sequencer", false},
}

// data keeps refs, index and settings, and holds the commits of branches and stashes.
func (r *repositories) data(repo world.Repo, e *risk.Effect) {
	common, own := repo.CommonDir(), repo.GitDir()
	add := func(path string, yields bool) {
		r.o.Targets = append(r.o.Targets, undo.Target{Path: path, Written: true, Yields: yields})
	}
	if r.once(own) {
		if _, err := os.Lstat(filepath.Join(common, "reftable")); err == nil {
			r.open(e, "its refs are kept in tables")
			return
		}
		for _, h := range heads {
			add(filepath.Join(own, h.name), h.yields)
		}
		r.refs(repo)
	}
	switch e.Kind {
	case risk.KindStash:
		add(filepath.Join(common, "logs/refs/stash"), false)
	case risk.KindHistory, risk.KindGc, risk.KindReflog:
		// Objects themselves go. They are never written in place.
		if r.once(common + "/objects") {
			r.o.Targets = append(r.o.Targets, undo.Target{Path: filepath.Join(common, "objects")})
			add(filepath.Join(common, "logs"), false)
			add(filepath.Join(common, "config"), false)
		}
	case risk.KindBranch, risk.KindBranchDelete:
		add(filepath.Join(common, "config"), false) // it has a section for each branch
		if e.Target != "" && e.Unresolved == "" {
			add(filepath.Join(common, "logs/refs/heads", filepath.Clean("/"+e.Target)), true)
		}
	}
}

// refs keeps what branches, tags and the stash name, and makes refs that keep it when
// nothing else names it any more: git removes what no ref and no log leads to.
func (r *repositories) refs(repo world.Repo) {
	common := repo.CommonDir()
	var ids []string
	if _, commit := repo.Head(); commit != "" {
		ids = append(ids, commit)
	}
	for _, prefix := range []string{"refs/heads/", "refs/tags/", "refs/stash"} {
		refs, err := repo.Refs(prefix, maxRefs)
		if err != nil || len(refs) == maxRefs {
			r.o.Open = append(r.o.Open, "there are too many refs to keep all")
		}
		for _, ref := range refs {
			ids = append(ids, ref.ID)
			r.o.Targets = append(r.o.Targets, undo.Target{Path: filepath.Join(common, ref.Name), Ref: ref.ID, Packed: filepath.Join(common, "packed-refs")})
		}
	}
	text, err := os.ReadFile(filepath.Join(common, "logs/refs/stash"))
	if err == nil { // without a stash there is none
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) > 1 {
				ids = append(ids, words[1])
			}
		}
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if strings.Trim(id, "0123456789abcdef") == "" {
			r.o.Holds = append(r.o.Holds, undo.Hold{Dir: common, ID: id})
		}
	}
}

// files keeps the files of the work tree that an effect takes.
func (r *repositories) files(repo world.Repo, e *risk.Effect) {
	top, at := repo.Root(), repo.Root()
	part := &part{repo: repo, states: []world.FileState{world.MaybeModified, world.Staged}}
	written := true
	switch e.Kind {
	case risk.KindStash, risk.KindBranch, risk.KindBranchDelete, risk.KindTag, risk.KindTagDelete, risk.KindUncommit, risk.KindGc, risk.KindReflog, risk.KindUpdateRef, risk.KindSymbolicRef:
		return // no file of the work tree
	case risk.KindUntracked, risk.KindIgnored, risk.KindUntrackedAndIgnored:
		part.states, written = nil, false
		if e.Kind != risk.KindIgnored {
			part.states = append(part.states, world.Untracked)
		}
		if e.Kind != risk.KindUntracked {
			part.states = append(part.states, world.Ignored)
		}
		at = e.By.Dir
	case risk.KindReset:
		part.also(e.Target)
	case risk.KindRebase, risk.KindHistory:
		part.states = append(part.states, world.Clean)
	}
	if e.Target != "" && e.Unresolved == "" && e.Verb == risk.VCSDiscard {
		if at = e.Target; !filepath.IsAbs(at) {
			at = filepath.Join(e.By.Dir, at)
		}
		if _, err := os.Lstat(at); err != nil {
			at = top // a pattern, or what only the repository knows
		}
	}
	r.o.Targets = append(r.o.Targets, undo.Target{Path: at, Written: written, Part: part})
}

// A part is the files of a work tree that git has in these states.
type part struct {
	repo    world.Repo
	states  []world.FileState
	changed []string // files that the command changes besides, sorted
}

// also adds what differs between what is checked out and another commit, files that git
// does not know yet too: it writes over them.
func (p *part) also(commit string) {
	paths, complete := p.repo.Changes(world.HEAD, commit, maxChanged)
	if !complete {
		p.states = append(p.states, world.Clean, world.Untracked)
		return
	}
	for _, name := range paths {
		p.changed = append(p.changed, filepath.Join(p.repo.Root(), name))
	}
}

// Has implements [undo.Part].
func (p *part) Has(path string, dir bool) bool {
	state := p.repo.State(path)
	switch {
	case state == world.NotInRepo, state == world.InGitDir:
		return false
	case slices.Contains(p.states, state):
		return true
	case !dir:
		_, changed := slices.BinarySearch(p.changed, path)
		return changed
	case state == world.MaybeModified: // something below it is tracked
		return true
	case state == world.Untracked && slices.Contains(p.states, world.Ignored):
		return true
	}
	i, _ := slices.BinarySearch(p.changed, path+"/")
	return i < len(p.changed) && strings.HasPrefix(p.changed[i], path+"/")
}
