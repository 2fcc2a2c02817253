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
	refs map[string]string
	has  string // the commits that it has
}

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

func (l line) Config(string) []string { return nil }

func (l line) Missing(from, by []string, _ int) (n int, complete bool) {
	for _, f := range from {
		if !strings.Contains(l.has, f) {
			return 0, false
		}
		n = max(n, int(f[0])-int(slices.Max(by)[0]))
	}
	return n, true
}

// TestForce: what a forced push takes from the remote is told of the revision that is
// pushed, where that is known.
func TestForce(t *testing.T) {
	for name, c := range map[string]struct {
		target, rev string
		stale       bool
		lost        int // -1: not known
	}{
		"as it is there":       {"origin/main", "HEAD", false, 0},
		"another branch":       {"origin/main", "feat", false, 2},
		"not known what":       {"origin/main", "", false, -1},
		"no such branch here":  {"origin/main", "nosuch", false, -1},
		"no such branch there": {"origin/feat", "feat", false, 0},
		"a tag":                {"origin/v1", "v1", false, -1},
		"all of them":          {"origin/*", "refs/heads/*", false, -1},
		"what it was before":   {"origin/main", "HEAD", true, -1},
		"another as it was":    {"origin/main", "feat", true, -1},
	} {
		w := Work{Rev: c.rev, Stale: c.stale, Repo: line{
			has:  "123",
			refs: map[string]string{"refs/heads/main": "3", "refs/heads/feat": "1", "refs/remotes/origin/main": "3", "refs/tags/v1": "1"},
		}}
		e := risk.Effect{Verb: risk.VCSForce, Target: c.target}
		w.LookUp(&e)
		lost := -1
		if e.Counts != nil {
			lost = e.Counts.Commits
		}
		if lost != c.lost {
			t.Errorf("%s: %d lost, want %d", name, lost, c.lost)
		}
	}
}
