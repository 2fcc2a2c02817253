package tell

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/madeup"
	"github.com/heedsh/heed/internal/world/record"
)

// A repository is what was read of one git repository.
type repository struct {
	dir, root string
	rooted    bool // the root is known, "" for a bare one
	head      *record.Head
	refs      map[string]string // full names to ids
	names     map[string]string // ids to a name that a scenario can use
	lacks     map[[2]string]int // how many commits of the first are not in the second
	config    map[string][]string
	hooks     []string
	stashes   int
	trees     []string
	status    []status
}

// A status is how many files are in which state below a directory.
type status struct {
	dir string
	world.Status
}

func (t *teller) repo(dir string) *repository {
	r := t.repos[dir]
	if r == nil {
		r = &repository{dir: dir, refs: map[string]string{}, names: map[string]string{}, lacks: map[[2]string]int{}, config: map[string][]string{}}
		t.repos[dir] = r
	}
	return r
}

// git takes an answer about a repository in.
func (t *teller) git(a *record.Answer) {
	if at, ok := a.Value.(record.Found); ok {
		if at.Dir != "" {
			t.repo(at.Dir)
		}
		return
	}
	r := t.repo(a.Path)
	switch v := a.Value.(type) {
	case record.Head:
		r.head = &v
	case record.Missing:
		if len(a.From) == 1 && len(a.By) == 1 {
			r.lacks[[2]string{a.From[0], a.By[0]}] = v.N
		} else if len(a.From) == 1 {
			r.lacks[[2]string{a.From[0], ""}] = v.N
		}
		if !v.Complete {
			t.unsaid("commits that could not be counted to the end")
		}
	case []world.Ref:
		for _, ref := range v {
			r.refs[ref.Name] = ref.ID
		}
	case world.FileState:
		f := t.at(a.Name)
		f.state, f.stated = v, true
	case world.Status:
		r.status = append(r.status, status{a.Name, v})
		if !v.Complete && a.Method == "git status" {
			t.unsaid("that the files below %s were not counted to the end", a.Name)
		}
	case int:
		r.stashes = v
	case string:
		t.gitText(r, a, v)
	case []string:
		switch a.Method {
		case "git config":
			r.config[a.Name] = v
		case "git hooks":
			r.hooks = v
		case "git worktrees":
			r.trees = v
		}
	}
}

// branches are revisions that can only be the names of refs.
var branches = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile(`^(refs/(heads|remotes|tags)/)?[A-Za-z][A-Za-z0-9_.-]*(/[A-Za-z0-9_.-]+)*$`)
}}

func (t *teller) gitText(r *repository, a *record.Answer, v string) {
	switch {
	case a.Method == "git root":
		r.root, r.rooted = v, true
	case a.Method != "git ref" || v == "" || a.Name == "HEAD" || !branches.Get().MatchString(a.Name):
	case strings.HasPrefix(a.Name, "refs/"):
		r.refs[a.Name] = v
	case strings.Contains(a.Name, "/") && !strings.HasPrefix(a.Name, "heads/"):
		r.refs["refs/remotes/"+a.Name] = v
	default:
		r.refs["refs/heads/"+a.Name] = v
	}
}

// insideGit reports whether a path is a repository's own data, which its
// lines tell.
func (t *teller) insideGit(p string) bool {
	for dir := range t.repos {
		if p == dir || strings.HasPrefix(p, dir+"/") {
			return true
		}
	}
	return false
}

// gitLines says the repositories.
func (t *teller) gitLines() []madeup.Statement {
	var out []madeup.Statement
	for _, dir := range slices.Sorted(maps.Keys(t.repos)) {
		r := t.repos[dir]
		if !r.rooted {
			r.root = strings.TrimSuffix(dir, "/.git")
		}
		if path.Base(dir) != ".git" && r.root != "" {
			t.unsaid("that the git directory of %s is %s", r.root, dir)
		}
		out = append(out, r.statements(t)...)
	}
	return out
}

// statements says one repository.
func (r *repository) statements(t *teller) []madeup.Statement {
	branch := "main"
	words := []string{"git", cmp.Or(r.root, r.dir)}
	if r.head != nil && r.head.Branch != "" {
		branch = r.head.Branch
		words = append(words, "on", branch)
	}
	if r.root == "" {
		words = append(words, "bare")
	}
	out := []madeup.Statement{madeup.Say(words...)}
	if r.head != nil && r.head.Commit == "" {
		return append(out, madeup.Say("commits", "0"))
	}
	if r.head != nil {
		r.names[r.head.Commit] = "HEAD"
		r.refs["refs/heads/"+branch] = r.head.Commit
	} else if id := r.refs["refs/heads/"+branch]; id != "" {
		r.names[id] = "HEAD"
	}
	out = slices.Concat(out, r.remotes(branch), r.placed(t, branch))
	if r.head != nil && r.head.Branch == "" {
		out = append(out, madeup.Say("detached"))
	}
	if r.stashes > 0 {
		out = append(out, madeup.Say("stash", strconv.Itoa(r.stashes)))
	}
	for _, h := range r.hooks {
		hook := madeup.Say("hook", h)
		if f := t.files[path.Join(r.dir, "hooks", h)]; f != nil {
			hook.Block = f.text
		}
		out = append(out, hook)
	}
	for _, tree := range r.trees {
		if tree != r.root {
			out = append(out, madeup.Say("worktree", tree))
		}
	}
	return out
}

// remotes says remotes, configuration and what the current branch follows.
func (r *repository) remotes(branch string) []madeup.Statement {
	var out []madeup.Statement
	remotes := map[string]bool{}
	for _, key := range slices.Sorted(maps.Keys(r.config)) {
		values := r.config[key]
		name, isURL := strings.CutSuffix(strings.TrimPrefix(key, "remote."), ".url")
		switch {
		case len(values) == 0, strings.HasPrefix(key, "branch."), slices.Contains([]string{"core.bare", "core.repositoryformatversion", "core.filemode", "core.logallrefupdates"}, strings.ToLower(key)):
		case isURL && strings.HasPrefix(key, "remote."):
			out = append(out, madeup.Say("remote", name, last(values)))
			remotes[name] = true
		case strings.HasPrefix(key, "remote."):
		default:
			for _, v := range values {
				out = append(out, madeup.Set("config", key, v))
			}
		}
	}
	return append(out, r.follows(branch, remotes)...)
}

// follows says what the current branch follows. remotes are those that were told.
func (r *repository) follows(branch string, remotes map[string]bool) (out []madeup.Statement) {
	remote, merge := last(r.config["branch."+branch+".remote"]), last(r.config["branch."+branch+".merge"])
	upstream := path.Join(remote, strings.TrimPrefix(merge, "refs/heads/"))
	if remote == "" || merge == "" {
		upstream = path.Join("origin", branch)
		if _, ok := r.refs["refs/remotes/"+upstream]; !ok {
			return nil
		}
		remote = "origin"
	}
	if !remotes[remote] && remote != "." {
		out = append(out, madeup.Say("remote", remote, "https://remote.invalid/x"))
	}
	there, here := r.refs["refs/remotes/"+upstream], r.refs["refs/heads/"+branch]
	words := []string{"upstream", upstream}
	if there != here {
		for _, side := range []struct{ word, from, by string }{{"ahead", here, there}, {"behind", there, here}} {
			if n := r.lacks[[2]string{side.from, side.by}]; n > 0 {
				words = append(words, side.word, strconv.Itoa(n))
			}
		}
	}
	if there != "" && r.names[there] == "" {
		r.names[there] = upstream
	}
	delete(r.refs, "refs/remotes/"+upstream)
	return append(out, madeup.Say(words...))
}

func last(s []string) string {
	if len(s) == 0 {
		return ""
	}
	return s[len(s)-1]
}

// placed says where the other refs point.
func (r *repository) placed(t *teller, branch string) []madeup.Statement {
	var out []madeup.Statement
	for _, full := range slices.Sorted(maps.Keys(r.refs)) {
		id := r.refs[full]
		name, isBranch := strings.CutPrefix(full, "refs/heads/")
		if isBranch && name == branch || full == "refs/stash" || strings.HasSuffix(full, "/HEAD") {
			continue
		}
		words := []string{"ref", full}
		if isBranch {
			words = []string{"branch", name}
		} else if tag, ok := strings.CutPrefix(full, "refs/tags/"); ok {
			words = []string{"tag", tag}
		}
		out = append(out, madeup.Say(append(words, r.place(t, full, id)...)...))
		if r.names[id] == "" {
			r.names[id] = strings.TrimPrefix(strings.TrimPrefix(full, "refs/heads/"), "refs/remotes/")
		}
	}
	return out
}

// place says which commit it is, as far as anybody asked.
func (r *repository) place(t *teller, full, id string) []string {
	if at := r.names[id]; at != "" {
		return []string{"at", at}
	}
	for _, by := range slices.Sorted(maps.Keys(r.names)) {
		if n, ok := r.lacks[[2]string{id, by}]; ok && n == 0 {
			return []string{"at", "HEAD~1"}
		} else if ok {
			return []string{strconv.Itoa(n), "commits", "not", "in", r.names[by]}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(r.lacks), func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) }) {
		if n := r.lacks[k]; k[0] == id && n > 0 {
			return []string{strconv.Itoa(n), "commits", "not", "in", "HEAD"}
		}
	}
	t.unsaid("where %s points; it is told as one of the last commits", full)
	return []string{"at", "HEAD~1"}
}

// rest says as many files as a work tree had in each state and as no other
// line tells.
func (t *teller) rest() []*statement {
	var out []*statement
	for _, dir := range slices.Sorted(maps.Keys(t.repos)) {
		for i := range t.repos[dir].status {
			s := &t.repos[dir].status[i]
			more := t.uncounted(t.repos[dir].root, s, len(out))
			t.sizes(s, more)
			out = append(out, more...)
		}
	}
	return out
}

// uncounted says the files that one status counted and no line tells: those
// that it names, and a directory for the others in each state. done tells
// those directories apart.
func (t *teller) uncounted(root string, s *status, done int) []*statement {
	var out []*statement
	for _, group := range []struct {
		word  string
		count int
		some  []string
		state world.FileState
	}{
		{"modified", s.Modified, s.SomeModified, world.MaybeModified},
		{"staged", s.Staged, nil, world.Staged},
		{"untracked", s.Untracked, s.SomeUntracked, world.Untracked},
		{"ignored", s.Ignored, nil, world.Ignored},
		{"tracked", s.Tracked - s.Modified - s.Staged, nil, world.Clean},
	} {
		left := group.count - t.told(s.dir, group.state)
		for _, name := range group.some {
			p := path.Join(root, name)
			if f := t.at(p); !f.stated && left > 0 {
				f.state, f.stated, left = group.state, true, left-1
				out = append(out, &statement{path: p, words: []string{group.word}})
			}
		}
		if left > 0 {
			if !s.Complete { // there were more than the budget
				s.Bytes += s.Bytes / int64(left)
				left, s.Complete = left+1, true
			}
			p := path.Join(s.dir, fmt.Sprintf("heed-more-%d", done+len(out)+1))
			t.at(p).state, t.at(p).stated, t.at(p).more = group.state, true, left
			out = append(out, &statement{path: p + "/", words: []string{group.word, strconv.Itoa(left), "files"}})
		}
	}
	return out
}

// sizes gives the files that are told only because they were counted the bytes
// that were counted: the last of them all that no other file has.
func (t *teller) sizes(s *status, more []*statement) {
	if s.Bytes <= 0 {
		return
	}
	left := s.Bytes
	for p, size := range t.counted {
		if strings.HasPrefix(p, s.dir+"/") {
			left -= size
		}
	}
	for _, p := range t.below(s.dir) {
		if i := t.files[p].info; i != nil && i.Kind == world.Regular {
			left -= i.Size
		}
	}
	for i, m := range more {
		size := int64(0)
		if i == len(more)-1 && left > 0 {
			size = left
			t.counted[m.path] = left
		}
		if f := t.files[m.path]; f == nil || f.info == nil {
			m.words = append(m.words, fmt.Sprintf("%dB", size))
		}
	}
}

// told counts the files below a directory that are told in a state already.
func (t *teller) told(dir string, state world.FileState) int {
	n := 0
	for _, p := range t.below(dir) {
		switch f := t.files[p]; {
		case !f.stated || f.state != state:
		case f.more > 0:
			n += f.more
		case f.info == nil || f.info.Kind != world.Dir:
			n++
		}
	}
	return n
}
