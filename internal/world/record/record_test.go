package record_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/record"
)

const scene = `
git
remote origin https://example.com/x
upstream origin/main ahead 1 behind 3
branch topic 2 commits not in main
tag v1
stash 1
hook pre-commit
config alias.x = "a\xffb"
worktree ../other dirty
a/one        tracked "text"
a/two        modified "\x00\xff"
"a/\xfe"     untracked
b/           ignored 50 files 1MB
link         -> "to/\xff"
here         -> a
secret       mode 0000
/mnt/nas     mount nfs4
`

var paths = []string{
	"/home/u/project", "/home/u/project/a", "/home/u/project/a/one", "/home/u/project/a/two",
	"/home/u/project/a/\xfe", "/home/u/project/b", "/home/u/project/b/file0001", "/home/u/project/link",
	"/home/u/project/here", "/home/u/project/secret", "/home/u/project/none", "/home/u/other",
	"/home/u/project/.git", "/home/u", "/etc/shadow", "/mnt/nas", "/mnt/nas/x", "/proc", "/", "relative", "",
}

var names = []string{"", "HEAD", "main", "topic", "origin/main", "@{u}", "refs/", "refs/heads/", "core.", "core.bare", "alias.x", "a\xff"}

// A question is a call that any world can be asked.
type question struct {
	kind         int
	path, name   string
	limit        int
	other, third string
}

func questions() *rapid.Generator[question] {
	return rapid.Custom(func(t *rapid.T) question {
		return question{
			kind:  rapid.IntRange(0, 22).Draw(t, "kind"),
			path:  rapid.SampledFrom(paths).Draw(t, "path"),
			name:  rapid.SampledFrom(names).Draw(t, "name"),
			limit: rapid.SampledFrom([]int{-1, 0, 1, 3, 10, 100, 10_000}).Draw(t, "limit"),
			other: rapid.SampledFrom(paths).Draw(t, "other"),
			third: rapid.SampledFrom(names).Draw(t, "third"),
		}
	})
}

// An outcome is the answer to a question.
type outcome struct {
	Values []any
	Err    string
	Is     [4]bool
	err    error
}

func outcomeOf(err error, values ...any) outcome {
	o := outcome{Values: values, err: err}
	if err != nil {
		o.Err = err.Error()
		for i, is := range []error{world.ErrNotExist, fs.ErrPermission, world.ErrTooLarge, world.ErrNotRead} {
			o.Is[i] = errors.Is(err, is)
		}
	}
	return o
}

func (q question) ask(w *world.World) outcome {
	switch q.kind {
	case 0:
		v, err := w.FS.Lstat(q.path)
		return outcomeOf(err, v)
	case 1:
		v, err := w.FS.Readlink(q.path)
		return outcomeOf(err, v)
	case 2:
		v, err := w.FS.ReadDir(q.path, q.limit)
		return outcomeOf(err, v)
	case 3:
		v, err := w.FS.ReadFile(q.path, int64(q.limit))
		return outcomeOf(err, v)
	case 4:
		v, err := w.FS.Mount(q.path)
		return outcomeOf(err, v)
	case 19:
		v, err := w.FS.Lines(q.path, q.name)
		return outcomeOf(err, v)
	}
	repo, err := w.Git.Find(q.path)
	if err != nil || repo == nil {
		return outcomeOf(err, repo == nil)
	}
	return q.askRepo(repo)
}

func (q question) askRepo(repo world.Repo) outcome {
	switch q.kind {
	case 5:
		return outcomeOf(nil, repo.Root())
	case 6:
		return outcomeOf(nil, repo.GitDir(), repo.CommonDir())
	case 7:
		branch, commit := repo.Head()
		return outcomeOf(nil, branch, commit)
	case 8:
		return outcomeOf(nil, repo.Ref(q.name))
	case 9:
		refs, err := repo.Refs(q.name, q.limit)
		return outcomeOf(err, refs)
	case 10:
		return outcomeOf(nil, repo.State(q.other))
	case 11:
		return outcomeOf(nil, repo.Status(q.other, q.limit))
	case 12:
		return outcomeOf(nil, repo.Config(q.name))
	case 13:
		return outcomeOf(nil, repo.ConfigKeys(q.name, q.limit))
	case 14:
		return outcomeOf(nil, repo.Hooks())
	case 15:
		n, complete := repo.Missing([]string{repo.Ref(q.name)}, []string{repo.Ref(q.third)}, q.limit)
		return outcomeOf(nil, n, complete)
	case 16:
		return outcomeOf(nil, repo.Stashes())
	case 17:
		ids, complete := repo.Logged(q.limit)
		n, all := repo.Unkept(q.limit)
		return outcomeOf(nil, ids, complete, n, all, repo.Worktrees())
	case 18:
		return outcomeOf(nil, repo.Part(q.other, q.limit, world.WantModified), repo.MayHold(q.name))
	case 20:
		return outcomeOf(nil, repo.Own(q.name))
	case 21:
		return outcomeOf(nil, repo.Links(q.limit))
	case 22:
		paths, complete := repo.Changes(repo.Ref(q.name), repo.Ref(q.third), q.limit)
		return outcomeOf(nil, paths, complete)
	}
	return outcomeOf(nil)
}

func diff(a, b outcome) string {
	return cmp.Diff(a, b, cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "err" }, cmp.Ignore()), cmp.AllowUnexported(outcome{}))
}

// throughJSON writes a Log and reads it again.
func throughJSON(t interface{ Fatal(...any) }, l *record.Log) *record.Log {
	data, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	var again record.Log
	if err := json.Unmarshal(data, &again); err != nil {
		t.Fatal(err)
	}
	data2, err := json.Marshal(&again)
	if err != nil {
		t.Fatal(err)
	}
	if string(data) != string(data2) {
		t.Fatal("a Log is not the same after reading and writing it:", cmp.Diff(string(data), string(data2)))
	}
	return &again
}

func TestReplayEqualsRecord(t *testing.T) {
	t.Parallel()
	real, _, _ := fakeworld.Must(t, scene)
	rapid.Check(t, func(t *rapid.T) {
		asked := rapid.SliceOfN(questions(), 1, 40).Draw(t, "questions")
		recorded, log := record.New(real)
		var answers []outcome
		for _, q := range asked {
			got := q.ask(recorded)
			if d := diff(q.ask(real), got); d != "" {
				t.Fatalf("%+v recorded (-real +recorded):\n%s", q, d)
			}
			answers = append(answers, got)
		}
		n := log.Len()
		for _, log := range []*record.Log{log, throughJSON(t, log)} {
			replayed := record.Replay(log)
			for i, q := range slices.Backward(asked) {
				if d := diff(answers[i], q.ask(replayed)); d != "" {
					t.Fatalf("%+v (-recorded +replayed):\n%s", q, d)
				}
			}
			if missed := log.Missed(); len(missed) > 0 || log.Len() != n {
				t.Fatalf("the replay missed %q and has %d answers of %d", missed, log.Len(), n)
			}
		}
	})
}

func TestReplayAnswersNothingElse(t *testing.T) {
	t.Parallel()
	real, _, _ := fakeworld.Must(t, scene)
	rapid.Check(t, func(t *rapid.T) {
		recorded, log := record.New(real)
		known, other := questions().Draw(t, "known"), questions().Draw(t, "other")
		known.ask(recorded)
		before := log.Len()
		other.ask(recorded)
		same := log.Len() == before
		recorded, log = record.New(real)
		known.ask(recorded)
		got := other.ask(record.Replay(log))
		if missed := len(log.Missed()) > 0; missed == same {
			t.Fatalf("missed %q, although the question was asked: %v", log.Missed(), same)
		}
		if other.kind <= 4 && !same && !errors.Is(got.err, record.ErrNotRecorded) {
			t.Fatalf("%+v answers %+v, want ErrNotRecorded", other, got)
		}
	})
}

func TestWorld(t *testing.T) {
	t.Parallel()
	real, dir, _ := fakeworld.Must(t, scene)
	real.User.Homes["odd"] = "/home/\xff"
	_, log := record.New(real)
	w := record.Replay(throughJSON(t, log))
	if d := cmp.Diff(real.User, w.User); d != "" || w.OS != real.OS || w.Host != real.Host {
		t.Errorf("user, system or host differ: %q %q\n%s", w.OS, w.Host, d)
	}
	if _, err := w.FS.Lstat(dir); !errors.Is(err, record.ErrNotRecorded) {
		t.Errorf("Lstat = %v, want ErrNotRecorded", err)
	}
	if _, err := w.Git.Find(dir); !errors.Is(err, record.ErrNotRecorded) {
		t.Errorf("Find = %v, want ErrNotRecorded", err)
	}
	if missed := log.Missed(); len(missed) != 0 {
		t.Errorf("the replay of a copy made the original miss %q", missed)
	}
}

// changing is a file system whose answers change from call to call.
type changing struct {
	world.FS
	mu sync.Mutex
	n  int64
}

func (c *changing) Lstat(string) (world.Info, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return world.Info{Kind: world.Regular, Size: c.n}, nil
}

func TestFirstAnswerStays(t *testing.T) {
	t.Parallel()
	fsys := &changing{}
	w, log := record.New(&world.World{FS: fsys})
	var wg sync.WaitGroup
	sizes := make([]int64, 20)
	for i := range sizes {
		wg.Go(func() {
			info, _ := w.FS.Lstat("/x")
			sizes[i] = info.Size
		})
	}
	wg.Wait()
	if slices.Min(sizes) != slices.Max(sizes) || log.Len() != 1 {
		t.Errorf("one question was answered with %v in %d entries", sizes, log.Len())
	}
}

func TestDamagedLogs(t *testing.T) {
	t.Parallel()
	var l record.Log
	for _, bad := range []string{`{`, `[]`, `{"answers":{"x":{"err":{"text":"\u0000bad"}}}}`, `{"host":"\u0000bad"}`, `{"answers":{"x":{}}}`} {
		if err := json.Unmarshal([]byte(bad), &l); err == nil {
			t.Errorf("Unmarshal(%s) succeeded", bad)
		}
	}
	text := `{"answers":{"lstat \"/x\"":{"v":"text"},"readlink \"/x\"":{"v":"\u0000bad"},"list \"/x\" 1":{"v":[1]}}}`
	if err := json.Unmarshal([]byte(text), &l); err != nil {
		t.Fatal(err)
	}
	w := record.Replay(&l)
	_, err1 := w.FS.Lstat("/x")
	_, err2 := w.FS.Readlink("/x")
	_, err3 := w.FS.ReadDir("/x", 1)
	for i, err := range []error{err1, err2, err3} {
		if err == nil || errors.Is(err, record.ErrNotRecorded) || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("damaged answer %d gives %v", i, err)
		}
	}
}

// TestRepoIsComplete fails if world.Repo grows a method that the property above
// does not ask.
func TestRepoIsComplete(t *testing.T) {
	t.Parallel()
	if n := reflect.TypeFor[world.Repo]().NumMethod(); n != 21 {
		t.Errorf("world.Repo has %d methods, askRepo knows 21", n)
	}
}

func FuzzUnmarshal(f *testing.F) {
	real, _, _ := fakeworld.Must(f, scene)
	w, log := record.New(real)
	for _, p := range paths {
		for kind := range 20 {
			question{kind: kind, path: p, other: p, limit: 3}.ask(w)
		}
	}
	data, err := json.Marshal(log)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, "/etc/shadow")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		var l record.Log
		if json.Unmarshal(data, &l) != nil {
			return
		}
		w := record.Replay(&l)
		for kind := range 20 {
			question{kind: kind, path: path, other: path, limit: 3}.ask(w)
		}
	})
}

func ExampleNew() {
	real, dir, _, _ := fakeworld.Parse("README tracked \"hello\"\ngit")
	w, log := record.New(real)
	_, _ = w.FS.ReadFile(dir+"/README", 100)
	again := record.Replay(log)
	text, err := again.FS.ReadFile(dir+"/README", 100)
	fmt.Printf("%s %v\n", text, err)
	_, err = again.FS.ReadFile(dir+"/LICENSE", 100)
	fmt.Println(err)
	// Output:
	// hello <nil>
	// not recorded: read "/home/u/project/LICENSE" 100
}
