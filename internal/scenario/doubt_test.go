package scenario_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

var each = flag.Int("each", 5, "doubt every Nth fact of an answer; 1 for all")

// TestDoubt holds that a reassurance is about what was looked at: for every
// scenario, each fact that the answer was made from is replaced by "not known"
// in its turn, and the answer must rise or stay.
func TestDoubt(t *testing.T) {
	t.Parallel()
	assessor := assess.New()
	for _, f := range load(t) {
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			for i := range f.Cases {
				c := &f.Cases[i]
				all := doubt{}
				before, err := c.AssessIn(assessor, all.world)
				if err != nil {
					t.Fatal(err)
				}
				for n, fact := range all.asked {
					if (n+i)%*each != 0 {
						continue
					}
					one := doubt{fact: fact}
					after, err := c.AssessIn(assessor, one.world)
					if err != nil {
						t.Fatal(err)
					}
					if grade(&after) < grade(&before) && !unseen(&before, &after) {
						t.Errorf("%s:%d: $ %s\n%s/%s %s\nwithout %q:\n%s/%s %s", f.Name, c.Line, c.Request.Command, before.Tier, before.Level, before.Summary, fact, after.Tier, after.Level, after.Summary)
					}
				}
			}
		})
	}
}

// unseen reports whether the answer fell because code, or the file that is
// shown, was not looked at: then it still asks, and says so.
func unseen(before, after *risk.Assessment) bool {
	code := func(e risk.Effect) bool {
		return e.Verb == risk.ExecUnknown || e.Verb == risk.ExecProject || e.Kind == risk.KindNotLookedAt
	}
	return grade(after) == 2 && slices.ContainsFunc(after.Effects, func(e risk.Effect) bool {
		return code(e) && !slices.ContainsFunc(before.Effects, func(b risk.Effect) bool { return code(b) && b.Target == e.Target && b.Kind == e.Kind })
	})
}

// grade orders answers as people do who are asked or not.
func grade(a *risk.Assessment) int {
	switch {
	case a.Tier == risk.Review:
		return 3
	case a.Level != risk.A:
		return 2
	case a.Tier == risk.Caution:
		return 1
	}
	return 0
}

// errDoubt is what a question is answered with whose answer is not known.
var errDoubt = errors.New("not known")

// A doubt is a world of which one fact is not known.
type doubt struct {
	fact  string
	asked []string // every question, in order
	seen  map[string]bool
}

// world is w without that fact.
func (d *doubt) world(w *world.World) *world.World {
	d.seen = map[string]bool{}
	in := *w
	in.FS = doubtFS{w.FS, d}
	if w.Git != nil {
		in.Git = doubtGit{w.Git, d}
	}
	return &in
}

// has notes a question, and answers whether it is the one.
func (d *doubt) has(method string, args ...any) bool {
	key := fmt.Sprint(append([]any{method}, args...)...)
	if !d.seen[key] {
		d.seen[key] = true
		d.asked = append(d.asked, key)
	}
	return key == d.fact
}

type doubtFS struct {
	world.FS
	d *doubt
}

func (f doubtFS) Lstat(path string) (world.Info, error) {
	if f.d.has("lstat ", path) {
		return world.Info{}, errDoubt
	}
	return f.FS.Lstat(path)
}

func (f doubtFS) Readlink(path string) (string, error) {
	if f.d.has("readlink ", path) {
		return "", errDoubt
	}
	return f.FS.Readlink(path)
}

func (f doubtFS) ReadDir(path string, limit int) ([]world.Entry, error) {
	if f.d.has("list ", path) {
		return nil, errDoubt
	}
	return f.FS.ReadDir(path, limit)
}

type doubtGit struct {
	world.Git
	d *doubt
}

func (g doubtGit) Find(dir string) (world.Repo, error) {
	if g.d.has("git ", dir) {
		return nil, errDoubt
	}
	r, err := g.Git.Find(dir)
	if err != nil || r == nil {
		return r, err
	}
	return doubtRepo{r, g.d}, nil
}

type doubtRepo struct {
	world.Repo
	d *doubt
}

func (r doubtRepo) Refs(prefix string, limit int) ([]world.Ref, error) {
	if r.d.has("refs ", prefix) {
		return nil, errDoubt
	}
	return r.Repo.Refs(prefix, limit)
}

func (r doubtRepo) Status(dir string, budget int) world.Status {
	s := r.Repo.Status(dir, budget)
	if r.d.has("status ", dir) {
		return world.Status{}
	}
	return s
}

func (r doubtRepo) Part(dir string, budget int, want world.Want) world.Status {
	if r.d.has("part ", dir) {
		return world.Status{}
	}
	return r.Repo.Part(dir, budget, want)
}

func (r doubtRepo) Missing(from, by []string, limit int) (int, bool) {
	if r.d.has("missing ", from, by) {
		return 0, false
	}
	return r.Repo.Missing(from, by, limit)
}

func (r doubtRepo) Changes(from, to string, limit int) ([]string, bool) {
	if r.d.has("changes ", from, " ", to) {
		return nil, false
	}
	return r.Repo.Changes(from, to, limit)
}
