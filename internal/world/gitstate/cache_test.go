//go:build linux

package gitstate

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/heedsh/heed/internal/world"
)

// TestReadOnce: what has not changed is not read again, what has changed is.
func TestReadOnce(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(history + mess + `git gc -q; sleep 0.05; touch later`)
	fs := &rangeFS{}
	g := New(fs, l.options())
	ask := func() world.Status {
		r := l.find(g)
		st := r.Status(l.dir, 10_000)
		r.State(filepath.Join(l.dir, "f"))
		r.State(filepath.Join(l.dir, "x.log"))
		r.Head()
		r.Ref("HEAD~1")
		r.Config("core.bare")
		r.Missing([]string{"HEAD"}, []string{"side"}, 10)
		return st
	}
	before := ask()
	ask() // now the listings, which wait for a later change time, are kept too
	files, dirs, ranges := fs.readFiles.Load(), fs.readDirs.Load(), fs.ranges.Load()
	ask()
	if n := fs.readFiles.Load() - files; n != 0 {
		t.Errorf("%d files were read again", n)
	}
	if n := fs.ranges.Load() - ranges; n != 0 {
		t.Errorf("%d parts of packs were read again", n)
	}
	if n := fs.readDirs.Load() - dirs; n > 1 { // the one with the newest file
		t.Errorf("%d directories were listed again", n)
	}
	l.sh("git add new; rm -r build; echo '*' >new/.gitignore")
	after := ask()
	if after.Tracked != before.Tracked+1 || after.Ignored != before.Ignored || after.Untracked != before.Untracked-1 {
		t.Errorf("before %+v\nafter %+v", before, after)
	}
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(history + mess)
	g := New(&rangeFS{}, l.options())
	want := l.find(g).Status(l.dir, 10_000)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				r, err := g.With(&rangeFS{}, l.options()).Find(l.dir)
				if err != nil {
					t.Error(err)
					return
				}
				if st := r.Status(l.dir, 10_000); st.Modified != want.Modified || st.Staged != want.Staged {
					t.Errorf("%+v, want %+v", st, want)
				}
				r.State(filepath.Join(l.dir, "f"))
				r.Missing([]string{"HEAD"}, []string{"v0"}, 10)
				r.Config("user.name")
			}
		})
	}
	wg.Wait()
}

func TestCacheBounds(t *testing.T) {
	t.Parallel()
	c := newCache(10_000)
	for i := range 100 {
		c.put(cacheKey{kindRef, "x", int64(i)}, stamp{}, i, nil, 1000)
	}
	if c.cost > 10_000 || len(c.items) != c.order.Len() || len(c.items) == 0 {
		t.Errorf("cost %d, %d items, %d in order", c.cost, len(c.items), c.order.Len())
	}
	if _, _, ok := c.get(cacheKey{kindRef, "x", 99}, stamp{}); !ok {
		t.Error("the newest item is gone")
	}
	if _, _, ok := c.get(cacheKey{kindRef, "x", 99}, stamp{size: 1}); ok {
		t.Error("an item was found under another stamp")
	}
	c.put(cacheKey{kindRef, "y", 0}, stamp{}, nil, nil, 1<<30)
	if len(c.items) != 1 {
		t.Errorf("%d items beside one above the limit", len(c.items))
	}
}
