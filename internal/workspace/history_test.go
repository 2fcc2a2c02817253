package workspace

import (
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A line is a repository whose commits are numbered, each on top of the one before.
type line struct {
	world.Repo
	dir    string
	refs   map[string]string
	config map[string]string
	has    string // the commits that it has
}

func (l line) Root() string           { return "" }
func (l line) GitDir() string         { return l.dir }
func (l line) Head() (string, string) { return "main", l.refs["refs/heads/main"] }
func (l line) Ref(rev string) string  { return l.refs[rev] }

func (l line) Refs(prefix string, _ int) (all []world.Ref, err error) {
	for name, id := range l.refs {
		if strings.HasPrefix(name, prefix) {
			all = append(all, world.Ref{Name: name, ID: id})
		}
	}
	return all, nil
}

func (l line) Config(key string) []string {
	if v, ok := l.config[key]; ok {
		return []string{v}
	}
	return nil
}

func (l line) ConfigKeys(prefix string, _ int) (keys []string) {
	for k := range l.config {
		if strings.HasPrefix(k, prefix) {
			keys = append(keys, k)
		}
	}
	return keys
}

func (l line) Missing(from, by []string, _ int) (n int, complete bool) {
	for _, f := range from {
		if !strings.Contains(l.has, f) {
			return 0, false
		}
		n = max(n, int(f[0])-int(slices.Max(by)[0]))
	}
	return n, true
}

// repos are repositories by their directories.
type repos map[string]line

func (r repos) Find(dir string) (world.Repo, error) {
	if l, ok := r[dir]; ok {
		return l, nil
	}
	return nil, nil
}

// TestForce: by force is only what takes a commit from the remote, as far as it was
// looked at.
func TestForce(t *testing.T) {
	for name, c := range map[string]struct {
		remote string // the commit of the branch there
		rev    string
		set    func(w *Work, mine line)
		want   risk.Verb
		lost   int // -1: not known
	}{
		"as it is there":          {remote: "3", rev: "HEAD", want: risk.VCSPush},
		"on top of it":            {remote: "2", rev: "HEAD", want: risk.VCSPush},
		"another branch":          {remote: "3", rev: "feat", want: risk.VCSForce, lost: 2},
		"somebody has pushed":     {remote: "4", rev: "HEAD", want: risk.VCSForce},
		"no such branch there":    {rev: "HEAD", want: risk.VCSForce},
		"not known what":          {remote: "3", want: risk.VCSForce, lost: -1},
		"changed before":          {remote: "3", rev: "HEAD", set: func(w *Work, _ line) { w.Stale = true }, want: risk.VCSForce, lost: -1},
		"pushed elsewhere":        {remote: "3", rev: "HEAD", set: func(_ *Work, l line) { l.config["remote.origin.pushurl"] = "/other" }, want: risk.VCSForce},
		"addresses are rewritten": {remote: "3", rev: "HEAD", set: func(_ *Work, l line) { l.config["url.x.insteadOf"] = "/r" }, want: risk.VCSForce},
		"a host":                  {remote: "3", rev: "HEAD", set: func(_ *Work, l line) { l.config["remote.origin.url"] = "git@h:r" }, want: risk.VCSForce},
	} {
		mine := line{
			has: "123", refs: map[string]string{"refs/heads/main": "3", "refs/heads/feat": "1", "refs/remotes/origin/main": "3"},
			config: map[string]string{"remote.origin.url": "/r.git"},
		}
		there := line{dir: "/r.git", refs: map[string]string{"refs/heads/main": c.remote}}
		w := Work{Repo: mine, Rev: c.rev, Git: repos{"/r.git": there}}
		if c.set != nil {
			c.set(&w, mine)
		}
		e := risk.Effect{Verb: risk.VCSForce, Target: "origin/main"}
		w.LookUp(&e)
		lost := -1
		if e.Counts != nil {
			lost = e.Counts.Commits
		}
		if e.Verb != c.want || lost != c.lost {
			t.Errorf("%s: %s, %d lost, want %s, %d", name, e.Verb, lost, c.want, c.lost)
		}
	}
}
