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
	a    *risk.Assessment
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
	if reachesFurther(r.words(e)) {
		r.open(e, "repositories in the work tree are not kept")
	}
	r.data(repo, e)
	if root := repo.Root(); root != "" {
		r.files(repo, e)
	}
}

// reachesFurther reports whether the words of a git command take it into repositories that
// lie in the work tree: git clean with two -f, and what follows submodules.
func reachesFurther(words []string) bool {
	forced := 0
	for _, w := range words {
		switch {
		case strings.HasPrefix(w, "--recurse-submodules"), w == "submodule":
			return true
		case w == "--force":
			forced++
		case len(w) > 1 && w[0] == '-' && w[1] != '-':
			forced += strings.Count(w, "f")
		}
	}
	return len(words) > 0 && words[0] == "clean" && forced > 1
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
	at, written := repo.Root(), true
	part := &part{repo: repo, states: []world.FileState{world.MaybeModified, world.Staged}}
	switch e.Kind {
	case risk.KindStash, risk.KindBranch, risk.KindBranchDelete, risk.KindTag, risk.KindTagDelete, risk.KindUncommit, risk.KindGc, risk.KindReflog:
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
	case risk.KindWorktree, risk.KindPath, risk.KindReset:
		part.others(r.words(e), e.By.Dir)
	case risk.KindRebase, risk.KindHistory:
		part.any()
	default:
		r.open(e, "what it takes is not kept apart yet")
		return
	}
	if e.Target != "" && e.Unresolved == "" && e.Verb == risk.VCSDiscard {
		name := e.Target
		if !filepath.IsAbs(name) {
			name = filepath.Join(e.By.Dir, name)
		}
		if _, err := os.Lstat(name); err == nil { // else a pattern, or what only the repository knows
			at = name
		}
	}
	r.o.Targets = append(r.o.Targets, undo.Target{Path: at, Written: written, Part: part})
}

// words are those behind the subcommand of an effect's program, or nil where they are not
// known.
func (r *repositories) words(e *risk.Effect) []string {
	i := e.By.Process
	if i < 0 || i >= len(r.a.Invocations) {
		return nil
	}
	inv := &r.a.Invocations[i]
	if len(inv.Subcommand) == 0 {
		return nil
	}
	if at := slices.Index(inv.Argv, inv.Subcommand[0]); at >= 0 {
		return inv.Argv[at:]
	}
	return nil
}

// A part is the files of a work tree that git has in these states.
type part struct {
	repo    world.Repo
	states  []world.FileState
	changed []string // files that the command changes besides, sorted
}

// any adds whatever another commit may change: what is committed, and what lies where that
// has a file.
func (p *part) any() { p.states = append(p.states, world.Clean, world.Untracked) }

// others adds what differs between what is checked out and the commits that the words of a
// command name, files that git does not know yet too: it writes over them. The first word
// is the subcommand.
func (p *part) others(words []string, dir string) {
	if len(words) == 0 || words[0] == "rebase" {
		p.any()
		return
	}
	for _, w := range words[1:] {
		if w == "--" {
			break
		}
		if long, ok := strings.CutPrefix(w, "--source="); ok {
			w = long
		} else if short, ok := strings.CutPrefix(w, "-s"); ok {
			w = short
		}
		if w == "" || w[0] == '-' {
			continue
		}
		if p.repo.Ref(w) == "" {
			if _, err := os.Lstat(filepath.Join(dir, w)); err != nil {
				p.any() // a commit that is not known, or no commit
			}
			continue
		}
		paths, complete := p.repo.Changes(world.HEAD, w, maxChanged)
		if !complete {
			p.any()
		}
		for _, name := range paths {
			p.changed = append(p.changed, filepath.Join(p.repo.Root(), name))
		}
	}
	slices.Sort(p.changed)
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
