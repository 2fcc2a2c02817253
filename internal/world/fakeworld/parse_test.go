package fakeworld_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
)

const scene = `
user u home /home/u            # default: user u, uid 1000, home /home/u
dir /home/u/project
env DATABASE_URL=postgres://app@prod.db/main     # a comment
env PS4="a # b"
git /home/u/project on main
remote origin git@github.com:acme/demo.git
upstream origin/main ahead 1 behind 3
branch feature 2 commits not in main
branch old at main~4
tag v1.0
stash 2
hook pre-commit
config core.fsmonitor = ./evil.sh
config alias.st = "!rm -rf /"
worktree ../wt-hotfix dirty
src/app.py            tracked
src/dirty.py          modified
src/new.py            untracked
src/gone.py           deleted
src/next.py           staged
node_modules/         ignored 1243 files 312MB
build/                ignored 214 files
dist/                 ignored missing
scripts/clean.sh      tracked exec "#!/bin/sh\nrm -rf \"$HOME\"\n"
package.json          tracked <<
  {
    "scripts":{"clean":"rm -rf dist"}

  }

link                  -> /
up                    -> ../project/src
./tag                 tracked
"my file"             tracked 12kB
twin                  untracked hardlink src/app.py
secret                untracked unreadable
closed/               mode 0000
closed/inner
pipe                  fifo
/mnt/nas              mount nfs4
/mnt/nas/a/b
/Volumes/Data         mount apfs folds
/Volumes/Data/ReadMe.TXT  "hi"
/usr/bin/mytool       binary
/usr/bin/git          missing
`

func TestParse(t *testing.T) {
	t.Parallel()
	w, dir, env := fakeworld.Must(t, scene)
	if dir != "/home/u/project" {
		t.Errorf("dir = %q", dir)
	}
	wantEnv := map[string]string{
		"DATABASE_URL": "postgres://app@prod.db/main", "PS4": "a # b",
		"HOME": "/home/u", "USER": "u", "LANG": "en_US.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin",
	}
	if diff := cmp.Diff(wantEnv, env); diff != "" {
		t.Errorf("env (-want +got):\n%s", diff)
	}
	user := world.User{UID: 1000, Name: "u", Home: "/home/u", Homes: map[string]string{"root": "/root", "u": "/home/u"}}
	if diff := cmp.Diff(user, w.User); diff != "" {
		t.Errorf("User (-want +got):\n%s", diff)
	}
	if w.OS != "linux" || w.Host != "box" {
		t.Errorf("OS, Host = %q, %q", w.OS, w.Host)
	}
}

// TestDocExample holds the package documentation to the language it describes.
func TestDocExample(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(doc), "//\n//\tuser u ")
	example, _, _ = strings.Cut(example, "// # Lines")
	example = "user u " + strings.ReplaceAll(strings.ReplaceAll(example, "//\t", ""), "//\n", "\n")
	w, dir, env := fakeworld.Must(t, example)
	if dir != project || env["DATABASE_URL"] == "" {
		t.Errorf("dir %q, env %v", dir, env)
	}
	if got := find(t, w, dir).Status(dir, 10_000); got.Ignored != 1243 || got.Tracked != 4 || got.Modified != 1 {
		t.Errorf("the example's status is %+v", got)
	}
}

func TestParseMachine(t *testing.T) {
	t.Parallel()
	w, dir, env := fakeworld.Must(t, `
		os darwin
		host mac
		user ann uid 501
		account bob home /data/bob
		unset LANG USER
		env EMPTY=
		env A = spaced value   # comment
		env B = x#y`)
	if w.OS != "darwin" || w.Host != "mac" || dir != "/Users/ann/project" {
		t.Errorf("OS, Host, dir = %q, %q, %q", w.OS, w.Host, dir)
	}
	wantEnv := map[string]string{
		"HOME": "/Users/ann", "PATH": "/usr/local/bin:/usr/bin:/bin",
		"EMPTY": "", "A": "spaced value", "B": "x#y",
	}
	if diff := cmp.Diff(wantEnv, env); diff != "" {
		t.Errorf("env (-want +got):\n%s", diff)
	}
	homes := map[string]string{"root": "/var/root", "ann": "/Users/ann", "bob": "/data/bob"}
	if diff := cmp.Diff(homes, w.User.Homes); diff != "" {
		t.Errorf("Homes (-want +got):\n%s", diff)
	}
	for path, want := range map[string]world.Kind{
		"/bin/rm": world.Regular, "/usr/bin/rm": world.Missing, "/usr/bin/git": world.Regular,
		"/tmp": world.Symlink, "/private/etc/hosts": world.Regular, "/etc/HOSTS": world.Regular,
		"/data/bob": world.Dir, "/users/ANN/project": world.Dir, "/proc": world.Missing,
	} {
		if info, err := w.FS.Lstat(path); err != nil || info.Kind != want {
			t.Errorf("Lstat(%q) = %v, %v; want %v", path, info.Kind, err, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"\nfoo bar", `line 2: foo: does not understand "bar"`},
		{"os windows", "line 1: os: want linux or darwin"},
		{"dir", "line 1: dir: wants a value"},
		{"user a:b", "is no user name"},
		{"env X", "line 1: env wants NAME=VALUE"},
		{"env =x", "env wants NAME=VALUE"},
		{`env X="a" b`, "more after the value of X"},
		{`x "open`, "quotes are not closed"},
		{`x "a"b`, "wants a blank after"},
		{"x <<", `"<<" wants`},
		{"x <<\ny", `"<<" wants`},
		{"<<\n y", `"<<" wants`},
		{"x tracked", "in no repository"},
		{"git\nx tracked modified", "two states"},
		{"x fifo block", "two kinds"},
		{"x/ \"content\"", "two kinds"},
		{"x binary \"content\"", "content does not go with binary"},
		{"x 2B \"content\"", "content is longer"},
		{"x/ 12MB", "wants a count of files"},
		{"x 100000001 files", "want a number up to"},
		{"x/ 99999999 files\ny/ 99999999 files", "line 2: y/: more than 100000000 files"},
		{"x mode 9", "not octal"},
		{"x owner nobody", "neither an account nor a number"},
		{"x hardlink y", "not a file that was described above"},
		{"x\nx/y", "line 2: x/y: cannot be made"},
		{"loop -> loop\nloop/x", "line 2: loop/x: cannot be made"},
		{"x -> \"\"", "points nowhere"},
		{"x folds", "folds wants a mount"},
		{"x missing \"a\"", "what is missing"},
		{"/ mode 0700", "the root can only be a mount"},
		{"\"a\\x00b\"", "NUL byte"},
		{"branch x", "belongs below a git line"},
		{"git\ngit", "line 2: git: /home/u/project is a repository already"},
		{"git\nbranch x at nowhere", "line 2: branch: \"nowhere\" names no commit yet"},
		{"git\nbranch x 2 commits in main", `wants "not in"`},
		{"git\nbranch main", "is the current branch"},
		{"git\nref heads/x", "does not begin with refs/"},
		{"git\nupstream origin/main", "a remote line is missing"},
		{"git\nremote o u\nupstream o/main ahead 100", "has no 101 commits"},
		{"git\ncommits 9999999", "want a number up to"},
		{"git\nconfig x = 1", "no section"},
		{"git\nhook a/b", "is no name of a hook"},
		{strings.Repeat("x", 1<<20+1), "larger than"},
		{strings.Repeat("d/", 2100) + "x", "no path"},
	} {
		_, _, _, err := fakeworld.Parse(tt.text)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("Parse(%.40q) = %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, "\ta <<\n\t\tone\n\n\t\t  two # kept\n\n\tb <<\n\t   three\n\t  four\n\tc \"x\"\n")
	for name, want := range map[string]string{"a": "one\n\n  two # kept\n", "b": "three\nfour\n", "c": "x"} {
		if got, err := w.FS.ReadFile("/home/u/project/"+name, 100); string(got) != want {
			t.Errorf("%s holds %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestBuilder(t *testing.T) {
	t.Parallel()
	w, dir, env, err := fakeworld.New().
		Add("dir /srv/app\ngit").
		File("tag", "content\x00", "tracked", "exec").
		Dir("build", "ignored").
		Link("a b", "to here").
		Env("X", "# y").
		Build()
	if err != nil {
		t.Fatal(err)
	}
	content, err := w.FS.ReadFile("/srv/app/tag", 100)
	target, err2 := w.FS.Readlink("/srv/app/a b")
	if string(content) != "content\x00" || target != "to here" || env["X"] != "# y" || dir != "/srv/app" || err != nil || err2 != nil {
		t.Errorf("content %q, target %q, X %q, dir %q, %v, %v", content, target, env["X"], dir, err, err2)
	}
	repo, err := w.Git.Find(dir)
	if err != nil || repo.State("/srv/app/build") != world.Ignored || repo.State("/srv/app/tag") != world.Clean {
		t.Errorf("states %v %v, %v", repo.State("/srv/app/build"), repo.State("/srv/app/tag"), err)
	}
	if _, _, _, err := fakeworld.New().Add("x\ny").Dir("d", "bogus").Build(); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("a wrong attribute gives %v, want line 3", err)
	}
}

func TestSameTextSameWorld(t *testing.T) {
	t.Parallel()
	a, dir, _ := fakeworld.Must(t, scene)
	b, _, _ := fakeworld.Must(t, scene)
	if diff := cmp.Diff(facts(t, a, dir), facts(t, b, dir)); diff != "" {
		t.Errorf("two worlds of one text differ:\n%s", diff)
	}
}

// facts walks all that the user can see and asks what there is to ask.
func facts(t *testing.T, w *world.World, dir string) map[string]any {
	t.Helper()
	all := make(map[string]any)
	var visit func(path string, depth int)
	visit = func(path string, depth int) {
		info, err := w.FS.Lstat(path)
		if err != nil || depth > 8 {
			return
		}
		all[path] = info
		if info.Kind != world.Dir {
			return
		}
		entries, _ := w.FS.ReadDir(path, 20)
		all[path+"/"] = entries
		for _, e := range entries {
			visit(strings.TrimSuffix(path, "/")+"/"+e.Name, depth+1)
		}
	}
	visit("/", 0)
	if repo, _ := w.Git.Find(dir); repo != nil {
		all["refs"], _ = repo.Refs("", 100)
		all["status"] = repo.Status(dir, 100_000)
	}
	return all
}

func FuzzParse(f *testing.F) {
	f.Add(scene)
	f.Add("os darwin\nx -> y/../z\nz -> x\nx/a/b\n/mnt mount fuse.x folds\n/MNT/a 3 files 1kB")
	f.Add("git bare\nworktree ../w on b\ndetached at HEAD~3\nx/ missing\n\"\\xff\" <<\n  z")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		w, dir, _, err := fakeworld.Parse(text)
		if err != nil {
			return
		}
		all := facts(t, w, dir)
		for path := range all {
			if _, err := w.FS.Mount(path); err != nil && strings.HasPrefix(path, "/") && !strings.HasSuffix(path, "/") {
				t.Fatalf("Mount(%q): %v", path, err)
			}
			if repo, err := w.Git.Find(path); err == nil && repo != nil {
				repo.State(path)
				repo.Ref(path)
				repo.Hooks()
				repo.Worktrees()
			}
		}
	})
}
