package gitstate

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/heedsh/heed/internal/world"
)

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// addCommit stores a commit as a loose object.
func (m memFS) addCommit(t interface{ Fatal(...any) }, parents []string, date int) string {
	body := "tree " + emptyTree + "\n"
	for _, p := range parents {
		body += "parent " + p + "\n"
	}
	body += fmt.Sprintf("author A <a> %d +0000\ncommitter C <c> %d +0000\n\nm\n", date, date)
	return m.addObject(t, "commit", body)
}

func (m memFS) addObject(t interface{ Fatal(...any) }, kind, body string) string {
	id := hex.EncodeToString([]byte(sha1Algo.objectID(kind, []byte(body))))
	var buf bytes.Buffer
	w := zlib.NewWriter(&buf)
	if _, err := fmt.Fprintf(w, "%s %d\x00%s", kind, len(body), body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	m["/r/.git/objects/"+id[:2]+"/"+id[2:]] = buf.String()
	return id
}

func memRepo() memFS {
	return memFS{
		"/r/.git/HEAD": "ref: refs/heads/main\n", "/r/.git/config": "[core]\nbare=false\n",
		"/r/.git/objects/pack/x": "", "/r/.git/refs/x": "",
	}
}

func (m memFS) open(t interface{ Fatal(...any) }) world.Repo {
	r, err := New(m, Options{}).Find("/r")
	if err != nil || r == nil {
		t.Fatal("no repository", err)
	}
	return r
}

// TestMissingInRandomHistories compares with what reachability means. Dates may be
// out of order within bounds; where they are in order the count is exact, and it is
// never too low.
func TestMissingInRandomHistories(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fs := memRepo()
		n := rapid.IntRange(1, 40).Draw(t, "commits")
		skew := rapid.SampledFrom([]int{0, 0, 3, 1000}).Draw(t, "skew")
		ids, parents := make([]string, n), make([][]int, n)
		for i := range n {
			var up []string
			if i > 0 {
				parents[i] = rapid.SliceOfNDistinct(rapid.IntRange(0, i-1), 0, min(i, 3), rapid.ID).Draw(t, "parents")
			}
			for _, p := range parents[i] {
				up = append(up, ids[p])
			}
			ids[i] = fs.addCommit(t, up, 1000+i+rapid.IntRange(-skew, skew).Draw(t, "date"))
		}
		reachable := func(from []int) map[string]bool {
			seen := map[string]bool{}
			for len(from) > 0 {
				i := from[0]
				from = from[1:]
				if !seen[ids[i]] {
					seen[ids[i]] = true
					from = append(from, parents[i]...)
				}
			}
			return seen
		}
		some := rapid.SliceOfN(rapid.IntRange(0, n-1), 1, 3)
		from, by := some.Draw(t, "from"), some.Draw(t, "by")
		want := 0
		have := reachable(by)
		for id := range reachable(from) {
			if !have[id] {
				want++
			}
		}
		names := func(list []int) (out []string) {
			for _, i := range list {
				out = append(out, ids[i])
			}
			return out
		}
		got, complete := fs.open(t).Missing(names(from), names(by), 1000)
		if !complete || got < want || (skew == 0 && got != want) {
			t.Fatalf("Missing = %d, %v, want %d", got, complete, want)
		}
	})
}

func TestMissingLimits(t *testing.T) {
	t.Parallel()
	fs := memRepo()
	id, all := "", []string{}
	for i := range 20 {
		var up []string
		if id != "" {
			up = []string{id}
		}
		id = fs.addCommit(t, up, i)
		all = append(all, id)
	}
	check := func(what string, r world.Repo, from, by []string, limit, want int, wantComplete bool) {
		t.Helper()
		if n, complete := r.Missing(from, by, limit); n != want || complete != wantComplete {
			t.Errorf("%s: %d, %v, want %d, %v", what, n, complete, want, wantComplete)
		}
	}
	tip := []string{id}
	check("all", fs.open(t), tip, nil, 100, 20, true)
	check("exactly", fs.open(t), tip, nil, 20, 20, true)
	check("limit", fs.open(t), tip, nil, 19, 19, false)
	check("no limit at all", fs.open(t), tip, nil, -1, 0, false)
	check("unknown name", fs.open(t), tip, []string{"nothing"}, 100, 20, false)
	fs["/r/.git/shallow"] = all[10] + "\n"
	check("shallow", fs.open(t), tip, nil, 100, 10, false)
	delete(fs, "/r/.git/shallow")
	delete(fs, "/r/.git/objects/"+all[5][:2]+"/"+all[5][2:])
	check("an object is gone", fs.open(t), tip, nil, 100, 14, false)
}

func TestTagsAndLoops(t *testing.T) {
	t.Parallel()
	fs := memRepo()
	c := fs.addCommit(t, nil, 1)
	tag := c
	for i := range maxTagDepth + 2 {
		kind := "tag"
		if i == 0 {
			kind = "commit"
		}
		tag = fs.addObject(t, "tag", fmt.Sprintf("object %s\ntype %s\ntag t%d\n\n", tag, kind, i))
		if got, want := fs.open(t).Ref(tag), c; i < maxTagDepth-1 && got != want || i >= maxTagDepth && got != "" {
			t.Errorf("tag of depth %d: %q", i+1, got)
		}
	}
	fs["/r/.git/refs/heads/main"] = "ref: refs/heads/other\n"
	fs["/r/.git/refs/heads/other"] = "ref: refs/heads/main\n"
	if id := fs.open(t).Ref("HEAD"); id != "" {
		t.Errorf("a loop of symbolic refs: %q", id)
	}
	fs["/r/.git/refs/heads/main"] = "ref: ../../../etc/passwd\n"
	if id := fs.open(t).Ref("main"); id != "" {
		t.Errorf("a ref out of the repository: %q", id)
	}
	// A branch whose commit cannot be read is still known by its id.
	gone := "1234567890123456789012345678901234567890"
	fs["/r/.git/refs/heads/main"] = gone + "\n"
	if id := fs.open(t).Ref("main"); id != gone {
		t.Errorf("a branch without its object: %q", id)
	}
	if id := fs.open(t).Ref(gone); id != "" {
		t.Errorf("an id without its object: %q", id)
	}
}
