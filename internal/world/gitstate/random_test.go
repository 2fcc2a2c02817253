//go:build linux

package gitstate

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// A mutator changes a repository at random; the same seed makes the same changes.
type mutator struct {
	*lab
	rnd *rand.Rand
	n   int
}

func (m *mutator) pick(list ...string) string { return list[m.rnd.IntN(len(list))] }

// name makes a path of few distinct parts, so that paths often meet.
func (m *mutator) name() string {
	parts := []string{m.pick("a", "b", "a-b", "a.b", "build", "x y", "ü", "src", "A", "log", "f", "f.o", "keep.o", "f.txt")}
	for m.rnd.IntN(3) == 0 && len(parts) < 4 {
		parts = append(parts, m.pick("a", "b", "build", "f", "g.o", "keep.o", "in", ".hid"))
	}
	return strings.Join(parts, "/")
}

func (m *mutator) write(name, data string) {
	file := filepath.Join(m.dir, name)
	if os.MkdirAll(filepath.Dir(file), 0o755) != nil {
		return
	}
	if fi, err := os.Lstat(file); err == nil && fi.IsDir() {
		return
	}
	os.Remove(file)
	mode := os.FileMode(0o644)
	if m.rnd.IntN(8) == 0 {
		mode = 0o755
	}
	if m.rnd.IntN(10) == 0 {
		_ = os.Symlink(data, file)
		return
	}
	_ = os.WriteFile(file, []byte(data), mode)
}

// edit changes a file in place, often without changing its size.
func (m *mutator) edit(name string) {
	file := filepath.Join(m.dir, name)
	if fi, err := os.Lstat(file); err == nil && fi.Mode().IsRegular() {
		_ = os.WriteFile(file, []byte(m.pick("1", "2", "3", "longer")), 0o644)
	}
}

// step makes one change. Commands may fail: then nothing has changed.
func (m *mutator) step() string {
	m.n++
	name := m.name()
	var args []string
	switch m.rnd.IntN(22) {
	case 0, 1, 2, 3:
		m.write(name, m.pick("1", "2", "3", "44"))
		return "write " + name
	case 4, 5:
		m.edit(name)
		return "edit " + name
	case 6:
		_ = os.RemoveAll(filepath.Join(m.dir, name))
		return "remove " + name
	case 7:
		m.write(m.pick("", "a/", "src/", "build/")+".gitignore",
			m.pick("*.o\n!keep.o\n", "build/\n", "/a\n", "a/b\n", "**/f\n", "log\n!log/\n", "x*\n*y\n!/x y\n", "[af].txt\n"))
		return "ignore"
	case 8, 9:
		args = []string{"add", "--", name}
	case 10:
		args = []string{"add", "-A"}
	case 11:
		args = []string{"rm", "-r", "-q", "--cached", "--", name}
	case 12, 13:
		args = []string{"commit", "-q", "-m", fmt.Sprint("commit ", m.n), "--allow-empty"}
	case 14:
		args = []string{"checkout", "-q", "-B", m.pick("main", "side", "top/ic")}
	case 15:
		args = []string{"checkout", "-q", m.pick("main", "side", "top/ic", "HEAD~1", "-")}
	case 16:
		args = []string{"merge", "-q", "-m", "merge", m.pick("main", "side", "top/ic")}
	case 17:
		args = []string{"update-index", m.pick("--split-index", "--no-split-index", "--index-version=4", "--index-version=2", "--refresh", "--untracked-cache")}
	case 18:
		args = strings.Fields(m.pick("gc -q --prune=now", "repack -qd", "pack-refs --all", "reset -q", "reset -q --hard", "reset -q --soft HEAD~1"))
	case 19:
		args = strings.Fields(m.pick("stash -q", "stash -q -u", "stash pop -q", "tag -f t1", "tag -f -a -m t t2", "branch -D side"))
	case 20:
		args = []string{"add", "-N", "--", name}
	case 21:
		args = []string{"rm", "-q", "-f", "--", name}
	}
	m.git(args...)
	return "git " + strings.Join(args, " ")
}

func TestRandomRepositories(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	seeds, steps := 3, 48 // more with GITSTATE_SEEDS
	if s := os.Getenv("GITSTATE_SEEDS"); s != "" {
		_, _ = fmt.Sscan(s, &seeds)
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := &mutator{lab: newLab(t), rnd: rand.New(rand.NewPCG(uint64(seed), 7))}
			m.sh("git init -q -b main .; git config splitIndex.maxPercentChange 100; git config advice.detachedHead false")
			g := New(&rangeFS{}, m.options())
			var log []string
			for i := range steps {
				log = append(log, m.step())
				if i%6 != 5 {
					continue
				}
				m.check(m.find(g))
				m.checkIgnore(m.find(g), []string{m.name(), m.name(), m.name(), "new.o", "build/x", "keep.o"})
				if t.Failed() {
					t.Fatalf("after\n%s", strings.Join(log, "\n"))
				}
			}
		})
	}
}

// patternBits and nameBits are put together to patterns and names that meet.
var (
	patternBits = []string{"a", "b", "f.o", "*", "**", "/", "/", "?", "[ab]", "[!a]", "[[:alpha:]]", `\*`, "**/", "/**", "[a-c]", "!", ".", "[]-a]", `\`, "[", " ", "ab", "A"}
	nameBits    = []string{"a", "b", "f.o", "c", ".", "/", "/", "ab", "*", "A", " ", "-", "]", "x", "!"}
)

func joinBits(rnd *rand.Rand, bits []string) string {
	var b strings.Builder
	for range 1 + rnd.IntN(6) {
		b.WriteString(bits[rnd.IntN(len(bits))])
	}
	return b.String()
}

func TestRandomIgnores(t *testing.T) {
	t.Parallel()
	for _, fold := range []bool{false, true} {
		l := newLab(t)
		l.sh(fmt.Sprintf("git init -q -b main .; mkdir -p a/b b/a ab; git config core.ignoreCase %v", fold))
		rnd := rand.New(rand.NewPCG(1, 2))
		g := New(&rangeFS{}, l.options())
		rounds := 25
		if os.Getenv("GITSTATE_SEEDS") != "" {
			rounds = 1500
		}
		for range rounds {
			for _, file := range []string{".gitignore", "a/.gitignore", ".git/info/exclude"} {
				var lines []string
				for range 1 + rnd.IntN(4) {
					lines = append(lines, joinBits(rnd, patternBits))
				}
				if err := os.WriteFile(filepath.Join(l.dir, file), []byte(strings.Join(lines, "\n")), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var names []string
			for range 40 {
				if n := joinBits(rnd, nameBits); filepath.IsLocal(n) && filepath.Clean(n) == n && n != "." {
					names = append(names, n, "a/"+n, "a/b/"+n)
				}
			}
			names = slices.DeleteFunc(names, func(n string) bool { return strings.HasPrefix(n, ":") })
			l.checkIgnore(l.find(g), names)
			if t.Failed() {
				for _, file := range []string{".gitignore", "a/.gitignore", ".git/info/exclude"} {
					data, _ := os.ReadFile(filepath.Join(l.dir, file))
					t.Logf("%s:\n%s", file, data)
				}
				return
			}
		}
	}
}

func TestRandomConfigs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh("git init -q -b main .")
	rnd := rand.New(rand.NewPCG(3, 4))
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	bits := func(n int) string {
		var b strings.Builder
		for range rnd.IntN(n) {
			b.WriteString(configBits[rnd.IntN(len(configBits))])
		}
		return b.String()
	}
	good := 0
	g := New(&rangeFS{}, l.options())
	rounds := 150
	if os.Getenv("GITSTATE_SEEDS") != "" {
		rounds = 3000
	}
	for range rounds {
		write(filepath.Join(l.dir, ".git/config"), "[core]\nbare=false\n"+bits(10))
		write(filepath.Join(l.home, ".gitconfig"), bits(6))
		for _, name := range []string{"other", "third", "fourth", "fifth"} {
			write(filepath.Join(l.dir, ".git", name), bits(3))
			write(filepath.Join(l.home, name), "[home]\n"+name+"=1\n")
		}
		write(filepath.Join(l.home, "more"), "[more]\nm=1\n")
		if _, ok := l.git("config", "--list", "--includes", "-z"); !ok {
			continue // a line that git refuses, or an endless include
		}
		good++
		l.checkConfig(l.find(g))
		if t.Failed() {
			data, _ := os.ReadFile(filepath.Join(l.dir, ".git/config"))
			home, _ := os.ReadFile(filepath.Join(l.home, ".gitconfig"))
			t.Fatalf("config:\n%s\nhome:\n%s", data, home)
		}
	}
	if good < rounds/10 {
		t.Errorf("only %d of %d configurations were accepted by git", good, rounds)
	}
}

func TestConfigFromEnvironment(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh("git init -q -b main .; git config a.b local")
	l.env["GIT_CONFIG_COUNT"] = "2"
	l.env["GIT_CONFIG_KEY_0"], l.env["GIT_CONFIG_VALUE_0"] = "A.B", "env"
	l.env["GIT_CONFIG_KEY_1"], l.env["GIT_CONFIG_VALUE_1"] = "sub.Sec.K", "v=1"
	l.env["GIT_CONFIG_PARAMETERS"] = `'alias.x'='!it'\''s' 'c.d=e f' 'flag.on'`
	l.env["GIT_CONFIG_GLOBAL"] = filepath.Join(l.home, "elsewhere")
	if err := os.WriteFile(l.env["GIT_CONFIG_GLOBAL"], []byte("[g]\nh=1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := l.open(&rangeFS{})
	l.checkConfig(r)
	if d := gocmp.Diff([]string{"local", "env"}, r.Config("a.B")); d != "" {
		t.Error(d)
	}
}
