package preimage_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/undo"
	"github.com/heedsh/heed/internal/undo/preimage"
	"github.com/heedsh/heed/risk"
)

// A scene is a tree and what commands can be aimed at.
type scene struct {
	r           *rand.Rand
	root        string
	files, dirs []string // from the root, quoted for a shell
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func quote(name string) string { return "'" + name + "'" }

// newScene makes a tree of files, directories, links and hard links.
func newScene(t *testing.T, seed int64) *scene {
	t.Helper()
	top, err := os.MkdirTemp("", "preimage-test-") // t.TempDir lets no other account in
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(top) }) // a temp directory
	s := &scene{r: rand.New(rand.NewSource(seed)), root: filepath.Join(top, "tree")}
	must(t, errors.Join(os.Chmod(top, 0o755), os.Mkdir(s.root, 0o755)))
	dirs, files := []string{"."}, []string{}
	for i := range 4 + s.r.Intn(12) {
		name := filepath.Join(dirs[s.r.Intn(len(dirs))], fmt.Sprintf([]string{"f%d", "with space %d", "é%d", "[%d].ts"}[s.r.Intn(4)], i))
		path := filepath.Join(s.root, name)
		switch k := s.r.Intn(16); {
		case k < 2:
			must(t, os.Mkdir(path, 0o750))
			dirs = append(dirs, name)
			s.dirs = append(s.dirs, quote(name))
			continue
		case k == 2 && len(files) > 0:
			must(t, os.Link(filepath.Join(s.root, files[s.r.Intn(len(files))]), path))
		case k < 5 && len(files) > 0:
			must(t, os.Symlink(filepath.Join(s.root, files[0]), path))
			continue
		default:
			text := strings.Repeat(fmt.Sprintf("line %d\n", i), 1+s.r.Intn(200))
			must(t, os.WriteFile(path, []byte(text), []fs.FileMode{0o600, 0o644, 0o755}[s.r.Intn(3)]))
			at := time.Unix(1_500_000_000+s.r.Int63n(100_000_000), s.r.Int63n(1e9))
			must(t, os.Chtimes(path, at, at))
		}
		files = append(files, name)
		s.files = append(s.files, quote(name))
	}
	if os.Geteuid() == 0 {
		must(t, filepath.WalkDir(s.root, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, nobody, nobody))
		}))
	}
	return s
}

// nobody is the account that commands run as where root runs the tests: they destroy
// nothing but the tree.
const nobody = 4711

// run runs a command in the tree.
func (s *scene) run(command string) string {
	c := exec.Command("bash", "-c", command)
	c.Dir, c.Env = s.root, []string{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"}
	if os.Geteuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}, Unshareflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWNET}
	}
	out, _ := c.CombinedOutput() // some fail, which destroys less
	return string(out)
}

func (s *scene) file() string { return s.files[s.r.Intn(len(s.files))] }
func (s *scene) dir() string {
	if len(s.dirs) == 0 {
		return s.file()
	}
	return s.dirs[s.r.Intn(len(s.dirs))]
}

// deeds are commands that destroy, each with what it is aimed at in the place of F, G
// (files) and D (a directory).
var deeds = []string{
	"rm -f F", "rm -rf D", "rm -f F G", "unlink F", "rm -rf D F", "rm -f -- ./*",
	"cp -f F G", "cat F >G", "echo x >F", "echo y >>F", ": >F", "printf z | tee F >/dev/null",
	"sed -i s/line/word/ F", "sed -i.bak 1d F", "truncate -s 3 F", "dd if=/dev/null of=F status=none", "perl -i -pe s/l/k/ F",
	"find D -type f -delete", "find . -name 'f*' -type f -delete", "find D -mindepth 1 -delete",
	"chmod 700 F", "chmod -R u+x D", "chmod 000 F", "ln -f F G", "ln -sf no/where F",
	"mv -f F G", "install -m 600 F G", "sort -o F F", "gzip -f F",
	"for f in F G; do rm -f \"$f\"; done", "cd D && rm -rf ./*", "rm -f -- */*", "sed -i s/line/word/ ./*/*", "for f in ./*; do rm -rf \"$f\"; done",
	"find . -type f | xargs -d '\\n' rm -f", "find . -type f -size -1 -delete", "chmod 600 ./f*", "cp -r D /tmp/nothing/there; rm -rf D", "cd D && for f in *; do echo x >\"$f\"; done",
}

func (s *scene) command() string {
	var all []string
	for range 1 + s.r.Intn(2) {
		text := deeds[s.r.Intn(len(deeds))]
		text = strings.NewReplacer(" F", " "+s.file(), ">F", ">"+s.file(), " G", " "+s.file(), ">G", ">"+s.file(), " D", " "+s.dir(), "=F", "="+s.file()).Replace(text)
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// look is what is below the root that must come back, a line a name.
func (s *scene) look(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrPermission) { // as if nothing were there
			return nil
		}
		if err != nil {
			return err
		}
		i, err := d.Info()
		if errors.Is(err, fs.ErrPermission) {
			return nil
		}
		if err != nil {
			return err
		}
		switch text := fmt.Sprint(i.Mode(), i.Sys().(*syscall.Stat_t).Uid); {
		case i.IsDir():
			all[path] = text
		case i.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			all[path] = text + " " + to
			return err
		default:
			content, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrPermission) { // its mode says that it is another one
				err = nil
			}
			all[path] = fmt.Sprintf("%s %d %q", text, i.ModTime().UnixNano(), content)
			return err
		}
		return nil
	}))
	return all
}

// TestWhatIsPromisedComesBack generates commands that destroy, lets heed keep what they
// will, runs them, and undoes them.
func TestWhatIsPromisedComesBack(t *testing.T) {
	t.Parallel()
	n := 300
	if testing.Short() {
		n = 40
	}
	for _, tool := range []string{"bash", "perl", "gzip"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	const groups = 5 // they mostly wait for the disk
	var promised, destroyed atomic.Int32
	t.Run("seeds", func(t *testing.T) {
		for group := range groups {
			t.Run(strconv.Itoa(group), func(t *testing.T) {
				t.Parallel()
				for seed := group; seed < n; seed += groups {
					was, is := scenario(t, int64(seed))
					if was {
						destroyed.Add(1)
					}
					if is {
						promised.Add(1)
					}
				}
			})
		}
	})
	t.Logf("%d commands destroyed something, %d with a promise", destroyed.Load(), promised.Load())
	if d := int(destroyed.Load()); d < n/2 || int(promised.Load()) < d*8/10 {
		t.Errorf("%d of %d commands that destroyed something could be undone", promised.Load(), d)
	}
}

// scenario runs one command, and says whether it destroyed something, and whether it was
// promised that this can be undone.
func scenario(t *testing.T, seed int64) (destroyed, promised bool) {
	t.Helper()
	s := newScene(t, seed)
	if len(s.files) == 0 {
		return false, false
	}
	state := filepath.Join(t.TempDir(), "state")
	env := map[string]string{"HOME": filepath.Dir(s.root), "PATH": "/usr/bin:/bin", "XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"}
	command := s.command()
	a, err := service.New(service.Options{}).At(env["HOME"], "u", s.root).Look().Assess(context.Background(), risk.Request{Command: command, Shell: "bash", Dir: s.root, Env: env, Workspaces: []string{s.root}})
	must(t, err)
	was := s.look(t)
	store, err := undo.Open(func(name string) string { return env[name] })
	must(t, err)
	defer store.Close()
	o := preimage.Order(&preimage.Command{Assessment: &a.Assessment, Text: command, Dir: s.root, Env: env})
	e, err := store.Keep(context.Background(), *o)
	must(t, err)
	out := s.run(command)
	now := s.look(t)
	switch {
	case lost(was, now) == "":
		return false, false
	case e == nil && len(o.Open) == 0 && lostFiles(was, now) == "":
		return false, false // an empty directory is made again
	case e == nil && len(o.Open) == 0:
		t.Errorf("seed %d: %s: nothing is kept: %s\n%s", seed, command, lost(was, now), out)
		return true, false
	case e == nil:
		t.Logf("seed %d: %s: no promise: %v", seed, command, o.Open)
		return true, false
	case len(e.Open) > 0:
		t.Logf("seed %d: %s: no promise: %v", seed, command, e.Open)
		return true, false
	}
	must(t, store.Seal(context.Background(), e.ID, func() error { return nil }))
	if _, err := store.Restore(context.Background(), e.ID, nil, false); err != nil {
		t.Errorf("seed %d: %s: %v\n%s", seed, command, err, out)
	}
	if what := lost(was, s.look(t)); what != "" {
		t.Errorf("seed %d: %s: %s\n%s", seed, command, what, out)
	}
	return true, true
}

// lostFiles is lost without directories.
func lostFiles(was, now map[string]string) string {
	files := maps.Clone(was)
	maps.DeleteFunc(files, func(_, text string) bool { return text[0] == 'd' })
	return lost(files, now)
}

// lost is what is not as it was; names that are new do not count.
func lost(was, now map[string]string) string {
	for path, text := range was {
		if now[path] != text {
			return fmt.Sprintf("%s was\n%.200s\nand is\n%.200s", path, text, now[path])
		}
	}
	return ""
}
