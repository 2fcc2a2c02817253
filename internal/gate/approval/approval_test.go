package approval

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/risk"
)

// facts assesses a command in a world that is described.
func facts(t *testing.T, scene, command string, env map[string]string) (*Facts, bool) {
	t.Helper()
	real, dir, _ := fakeworld.Must(t, scene)
	return factsIn(t, real, dir, command, env)
}

func factsIn(t *testing.T, real *world.World, dir, command string, env map[string]string) (*Facts, bool) {
	t.Helper()
	if env == nil {
		env = map[string]string{}
	}
	req := risk.Request{Command: command, Shell: "bash", Dir: dir, Env: env}
	look := service.New(service.Options{World: real}).Recording(&req)
	a, err := look.Assess(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	r, kept, err := look.Record(t.Context(), req, &a.Assessment)
	if err != nil {
		t.Fatal(err)
	}
	job := Job{Shell: "bash", Program: "/bin/bash", Argv: []string{"bash", "-c", command}, Dir: dir}
	f, secret, err := New(&Input{Job: job, File: "file", Request: req, Answer: a.Assessment, Record: r, Kept: kept})
	if err != nil {
		t.Fatal(err)
	}
	return f, secret
}

func digest(t *testing.T, f *Facts) string {
	t.Helper()
	d, err := f.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return d
}

const scene = "clean.sh \"rm -rf work\\n\"\nwork/a \"text\"\nother \"x\"\n"

func TestDigest(t *testing.T) {
	t.Parallel()
	env := map[string]string{"V": "1", "X": "1", "PATH": "/bin", "API_KEY": "12345678"}
	base, _ := facts(t, scene, "sh clean.sh $V", env)
	want := digest(t, base)
	if again, _ := facts(t, scene, "sh clean.sh $V", env); digest(t, again) != want {
		t.Errorf("the same has another digest: %s", cmp.Diff(base, again))
	}
	with := func(name, val string) map[string]string {
		out := map[string]string{"V": "1", "X": "1", "PATH": "/bin", "API_KEY": "12345678"}
		out[name] = val
		return out
	}
	for name, c := range map[string]struct {
		scene, command string
		env            map[string]string
		same           bool
		says           string
	}{
		"command":               {scene, "sh clean.sh  $V", env, false, "the command"},
		"script":                {strings.Replace(scene, "work", "./work", 1), "sh clean.sh $V", env, false, "clean.sh"},
		"another target":        {strings.Replace(scene, "work/a", "work/b", 1), "sh clean.sh $V", env, false, "work"},
		"a variable it names":   {scene, "sh clean.sh $V", with("V", "2"), false, "the variable V"},
		"one that always":       {scene, "sh clean.sh $V", with("PATH", "/bin:/usr/bin"), false, "the variable PATH"},
		"a start-up file":       {scene, "sh clean.sh $V", with("BASH_ENV", "x"), false, "the variable BASH_ENV"},
		"the loader":            {scene, "sh clean.sh $V", with("LD_PRELOAD", "x"), false, "the variable LD_PRELOAD"},
		"one it does not name":  {scene, "sh clean.sh $V", with("X", "2"), true, ""},
		"a secret's value":      {scene, "sh clean.sh $V", with("API_KEY", "87654321"), true, ""},
		"a file it has no need": {strings.Replace(scene, "other \"x\"", "other \"y\"", 1), "sh clean.sh $V", env, true, ""},
	} {
		f, _ := facts(t, c.scene, c.command, c.env)
		if same := digest(t, f) == want; same != c.same {
			t.Errorf("%s: same is %v\n%s", name, same, cmp.Diff(base, f))
		}
		if d := strings.Join(f.Differences(base), ", "); !strings.Contains(d, c.says) || c.same && d != "" {
			t.Errorf("%s: differs in %q, want %q", name, d, c.says)
		}
	}
}

// TestEveryFactCounts changes each field on its own.
func TestEveryFactCounts(t *testing.T) {
	t.Parallel()
	base, _ := facts(t, scene, "sh clean.sh", nil)
	want := digest(t, base)
	for i, change := range []func(f *Facts){
		func(f *Facts) { f.Job.Shell = "sh" }, func(f *Facts) { f.Job.Program = "/x" }, func(f *Facts) { f.Job.Argv = []string{"x"} },
		func(f *Facts) { f.Job.Script = "x" }, func(f *Facts) { f.Job.HasScript = true }, func(f *Facts) { f.Job.Piped = true },
		func(f *Facts) { f.Job.Dir = "/" }, func(f *Facts) { f.MAC = "x" }, func(f *Facts) { f.File = "x" }, func(f *Facts) { f.Command = "x" },
		func(f *Facts) { f.Provenance = risk.WebContent }, func(f *Facts) { f.Workspaces = []string{"/"} }, func(f *Facts) { f.Specs = []string{"/"} },
		func(f *Facts) { f.Env = map[string]string{} }, func(f *Facts) { f.World = map[string]string{} }, func(f *Facts) { f.Account = "x" },
		func(f *Facts) { f.Answer = "x" }, func(f *Facts) { f.Engine = "x" }, func(f *Facts) { f.Catalog = "x" },
	} {
		f := *base
		change(&f)
		if digest(t, &f) == want {
			t.Errorf("change %d does not count", i)
		}
		if f.Job.Shell == base.Job.Shell && f.Job.HasScript == base.Job.HasScript && len(f.Differences(base)) == 0 {
			t.Errorf("change %d is not told", i)
		}
	}
}

func TestSecretInTheCommand(t *testing.T) {
	t.Parallel()
	env := map[string]string{"API_KEY": "hunter2hunter2"}
	for command, want := range map[string]bool{
		"cat .env": false, "echo hunter2hunter2": true, "curl https://u:hunter2@h/": true, "echo ghp_0123456789abcdefghijklmnop": true, "echo $API_KEY": false,
	} {
		f, secret := facts(t, scene, command, env)
		if secret != want {
			t.Errorf("%s: %v", command, secret)
		}
		if text, err := json.Marshal(f); err != nil || !want && strings.Contains(string(text), "hunter2") {
			t.Errorf("%s: %s, %v", command, text, err)
		}
	}
}

// readFacts are the facts of these answers.
func readFacts(t *testing.T, answers []record.Answer) map[string]string {
	t.Helper()
	out, err := worldFacts(answers)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLastingForm holds the bytes that are hashed: they are those of a record,
// and outlive a change of heed's own types. Whoever changes them gives the digest
// and the files of the store another version.
func TestLastingForm(t *testing.T) {
	t.Parallel()
	for want, a := range map[string]record.Answer{
		"\x00" + `{"Kind":1,"Mode":420,"Size":3,"MTime":7,"CTime":8,"UID":1000,"GID":1000,"Dev":1,"Ino":2,"Links":1}`: {
			Method: "lstat", Path: "/x", Value: world.Info{Kind: world.Regular, Mode: 0o644, Size: 3, MTime: 7, CTime: 8, UID: 1000, GID: 1000, Dev: 1, Ino: 2, Links: 1},
		},
		"\x00" + `[{"Name":"a","Kind":2}]`:          {Method: "list", Path: "/x", Value: []world.Entry{{Name: "a", Kind: world.Dir}}},
		"\x00" + `"eA=="`:                           {Method: "read", Path: "/x", Value: []byte("x")},
		"\x00" + `"\u0000\"\\xff\""`:                {Method: "readlink", Path: "/x", Value: "\xff"},
		"not there\x00null":                         {Method: "read", Path: "/x", Err: errors.New("not there")},
		"\x00" + `{"Branch":"main","Commit":"abc"}`: {Method: "git head", Path: "/x", Value: record.Head{Branch: "main", Commit: "abc"}},
	} {
		if got, err := lasting(a); err != nil || got != want {
			t.Errorf("%s: %q, %v\nwant %q", a.Method, got, err, want)
		}
	}
	const nothing = "7f30c29d51a9e67acad221cad90f0c3515e9dda5a8c698c8882f96475be7b0c6"
	if digest(t, &Facts{}) != nothing || format != "heed-request/3" {
		t.Errorf("the digest of nothing is %s, the form %s", digest(t, &Facts{}), format)
	}
}

// TestLasting changes what changes by itself: it does not count.
func TestLasting(t *testing.T) {
	t.Parallel()
	dir := world.Info{Kind: world.Dir, Mode: 0o755, Ino: 5}
	touched := dir
	touched.MTime, touched.CTime, touched.Size, touched.Links = 9, 9, 9, 9
	file, newer := world.Info{Kind: world.Regular, Ino: 5}, world.Info{Kind: world.Regular, Ino: 5, MTime: 9}
	for _, c := range []struct {
		path string
		a, b any
		same bool
	}{
		{"/tmp", dir, touched, true},
		{"/tmp", dir, world.Info{Kind: world.Dir, Mode: 0o777, Ino: 5}, false},
		{"/tmp/x", file, newer, false},
		{"/dev/tty", world.Info{Kind: world.CharDevice}, world.Info{Kind: world.CharDevice, MTime: 3}, true},
		{"/proc/self", "1", "2", true},
		{"/etc/x", "1", "2", false},
		{"/etc/x", []byte("1"), []byte("2"), false},
	} {
		f := func(v any) map[string]string {
			return readFacts(t, []record.Answer{{Method: "lstat", Path: c.path, Value: v}})
		}
		if same := cmp.Equal(f(c.a), f(c.b)); same != c.same {
			t.Errorf("%s: %v and %v are the same: %v", c.path, c.a, c.b, same)
		}
	}
	// More answers than are kept one by one still count.
	var many []record.Answer
	for i := range maxQuestions + 10 {
		many = append(many, record.Answer{Method: "lstat", Path: fmt.Sprintf("/%05d", i), Value: "x"})
	}
	before := readFacts(t, many)
	many[len(many)-1].Value = "y"
	if cmp.Equal(before, readFacts(t, many)) || len(before) != maxQuestions+1 {
		t.Errorf("%d answers; the last does not count", len(before))
	}
}

func store(t *testing.T) *Store {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(func(name string) string { return map[string]string{"XDG_STATE_HOME": dir}[name] })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	t.Parallel()
	s := store(t)
	if _, err := s.Find(strings.Repeat("0", 12)); !errors.Is(err, ErrGone) {
		t.Errorf("an empty store: %v", err)
	}
	f, _ := facts(t, scene, "sh clean.sh \xff", nil)
	f.Job.Argv = append(f.Job.Argv, "\xff\x01")
	for range 2 { // twice is once
		if _, err := s.Keep(Request{Front: FrontRun, Facts: *f}); err != nil {
			t.Fatal(err)
		}
	}
	want := digest(t, f)
	for _, prefix := range []string{want[:12], want} {
		got, err := s.Find(prefix)
		if err != nil || got.Digest != want || got.State != Pending {
			t.Fatalf("%s: %+v, %v", prefix, got, err)
		}
		if diff := cmp.Diff(f, &got.Facts); diff != "" {
			t.Errorf("(-kept +found)\n%s", diff)
		}
	}
	i, err := os.Stat(filepath.Join(s.Dir(), want+".json"))
	if err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", i, err)
	}
	for _, dir := range []string{s.Dir(), filepath.Dir(s.Dir())} {
		if i, err := os.Stat(dir); err != nil || i.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, i.Mode(), err)
		}
	}
	var taken atomic.Int32
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			switch err := s.Use(want, Pending); {
			case err == nil:
				taken.Add(1)
			case !errors.Is(err, ErrGone):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if taken.Load() != 1 {
		t.Errorf("taken %d times", taken.Load())
	}
	if r, err := s.Find(want); err != nil || r.State != Used {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

func TestOldestAreDropped(t *testing.T) {
	t.Parallel()
	s := store(t)
	f, _ := facts(t, scene, "ls", nil)
	var last string
	for i := range maxRequests + 7 {
		f.Job.Argv = []string{"x", fmt.Sprint(i)}
		if _, err := s.Keep(Request{Front: FrontRun, Facts: *f}); err != nil {
			t.Fatal(err)
		}
		last = digest(t, f)
	}
	entries, err := os.ReadDir(s.Dir())
	if err != nil || len(entries) != maxRequests {
		t.Errorf("%d files, %v", len(entries), err)
	}
	if _, err := s.Find(last); err != nil {
		t.Errorf("the youngest: %v", err)
	}
}

// TestHostileFiles puts other things where requests are.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	f, _ := facts(t, scene, "ls", nil)
	want := digest(t, f)
	for name, spoil := range map[string]func(file string) error{
		"link": func(file string) error {
			if err := os.Rename(file, file+"2"); err != nil {
				return err
			}
			return os.Symlink(file+"2", file)
		},
		"changed": func(file string) error {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return os.WriteFile(file, []byte(strings.Replace(string(text), `"ls"`, `"id"`, 1)), 0o600)
		},
		"others may write": func(file string) error { return os.Chmod(file, 0o666) },
		"empty":            func(file string) error { return os.WriteFile(file, nil, 0o600) },
		"large":            func(file string) error { return os.WriteFile(file, make([]byte, maxFile+1), 0o600) },
		"directory": func(file string) error {
			if err := os.Remove(file); err != nil {
				return err
			}
			return os.Mkdir(file, 0o700)
		},
		"open directory": func(file string) error { return os.Chmod(filepath.Dir(file), 0o777) },
		"linked directory": func(file string) error {
			dir := filepath.Dir(file)
			if err := os.Rename(dir, dir+"2"); err != nil {
				return err
			}
			return os.Symlink(dir+"2", dir)
		},
	} {
		s := store(t)
		if _, err := s.Keep(Request{Front: FrontRun, Facts: *f}); err != nil {
			t.Fatal(err)
		}
		if err := spoil(filepath.Join(s.Dir(), want+".json")); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Find(want[:12]); err == nil {
			t.Errorf("%s: found %+v", name, got)
		}
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	full := strings.Repeat("ab", 32)
	for given, want := range map[string]string{
		Show(full): full[:12], full: full, "ABAB-abab-abab": full[:12], " abab abab abab ": full[:12],
		"abab-abab-aba": "", "": "", "xyz": "", full + "0": "", "../../etc/passwd0": "", "abababababab*": "",
	} {
		got, err := Clean(given)
		if got != want && err == nil || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v", given, got, err)
		}
	}
	if got := Show(full); got != "abab-abab-abab" {
		t.Errorf("Show: %s", got)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	got := envFacts(`echo $A ${B} ${#C} ${!D} E "F G" $1 H2 I=`, []record.Answer{{Value: []byte("$J K")}, {Value: "L"}},
		map[string]string{"E": "", "F": "", "K": "", "L": "", "M": "", "H2": "", "H": ""}, nil)
	for _, name := range always() {
		delete(got, name)
	}
	var names []string
	for name := range got {
		names = append(names, name)
	}
	slices.Sort(names)
	if d := cmp.Diff([]string{"A", "B", "C", "D", "E", "F", "H2", "J", "K"}, names); d != "" {
		t.Error(d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"format":"heed-request/3","front":"run","facts":{"job":{"program":"/bin/sh","argv":["sh","-c","x"],"dir":"/"}}}`))
	f.Add([]byte(`{"format":"heed-request/3","front":"hook","facts":{"command":"x","job":{"dir":"/"}}}`))
	f.Add([]byte(`{"format":"heed-request/3","facts":{"job":{"program":"\u0000x"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := parse(text)
		if err != nil {
			return
		}
		if _, err := r.Facts.Digest(); err != nil || r.Facts.Job.Dir == "" {
			t.Errorf("%+v, %v", r, err)
		}
		r.Facts.Differences(&Facts{})
	})
}
