package hooks_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
	"github.com/heedsh/heed/internal/world/osworld"
)

// Listings are held against the programs themselves, in worlds and with words that
// are made up: what a program prints is among what was said, and where nothing was
// left open it is exactly that.

// A lister is a program that lists, and words for it.
type lister struct {
	program string // as the catalog knows it
	command string // as it is called here
	// words are choices of words, of which each command gets some, in this order.
	words [][]string
	loose bool // more may be said than is printed
	exact bool // the order counts too
}

var listers = []lister{
	{
		program: "find", command: "find", loose: true,
		words: [][]string{
			{"."},
			{"sub"},
			{"-maxdepth", "2"},
			{"-mindepth", "1"},
			{"-name", "*.py"},
			{"!", "-name", "a*"},
			{"-type", "f"},
			{"-path", "./sub/*"},
			{"-regex", ".*\\.py"},
			{"-regex", "\\./[a-c]+\\.py"},
			{"-regextype", "posix-extended"},
			{"-regex", ".*/(a|b)\\.(py|txt)"},
			{"-iregex", ".*\\.txt"},
			{"-regex", ".*b.*\\|.*z.*"},
			{"-regextype", "sed"},
			{"-regex", ".*/[a-z]\\{1,3\\}\\.py"},
			{"-size", "-1k"},
			{"-empty"},
			{"-o"},
			{"-perm", "-100"},
			{"-newer", "a.py"},
			{"-print0"},
			{"-links", "1"},
			{"-printf", `%f\n`},
			{"-printf", `%P%%\0`},
			{"-printf", `%h: %p\n`},
		},
	},
	{
		program: "stat", command: "stat", exact: true,
		words: [][]string{
			{"-c", "%n"},
			{"--format=%n:%n"},
			{"--printf", `%n\n`},
			{"a.py"},
			{"broken"},
			{"sub", "./c d.txt"},
			{"-L"},
		},
	},
	{
		program: "fd", command: "fdfind", loose: true,
		words: [][]string{
			{"-H"},
			{"-I"},
			{"-u"},
			{"-e", "py"},
			{"-e", "TXT"},
			{"-t", "f"},
			{"-td"},
			{"-t", "l"},
			{"-tx"},
			{"-te"},
			{"-d", "1"},
			{"--max-depth=2"},
			{"--min-depth", "2"},
			{"--exact-depth", "2"},
			{"-E", "sub"},
			{"-E", "*.py"},
			{"--exclude=build/"},
			{"-g"},
			{"-F"},
			{"-i"},
			{"-s"},
			{"-p"},
			{"-0"},
			{"-a"},
			{"-L"},
			{"--no-ignore-vcs"},
			{"--no-ignore-parent"},
			{"."},
			{"py$"},
			{"a"},
			{"*.py"},
			{"A"},
			{"^[a-c]"},
			{"c d"},
			{"sub"},
			{"\\.txt"},
			{"x|y"},
		},
	},
	{
		program: "rg", command: "rg", loose: true,
		words: [][]string{
			{"--hidden"},
			{"-uu"},
			{"--no-ignore"},
			{"-i"},
			{"-S"},
			{"-w"},
			{"-x"},
			{"-F"},
			{"-0"},
			{"-g", "*.py"},
			{"-g", "!*.py"},
			{"-g", "sub/**"},
			{"-g!sub"},
			{"-d", "2"},
			{"--follow"},
			{"--no-ignore-vcs"},
			{"--no-ignore-dot"},
			{"-v"},
			{"-l"},
			{"--files-without-match"},
		},
	},
	{
		program: "grep", command: "grep", loose: true,
		words: [][]string{
			{"-i"},
			{"-w"},
			{"-x"},
			{"-E"},
			{"-F"},
			{"-v"},
			{"-s"},
			{"-Z"},
			{"-I"},
			{"--include=*.py"},
			{"--include", "*.txt"},
			{"--exclude=a*"},
			{"--exclude-dir=sub"},
			{"--exclude-dir", ".git"},
			{"-R"},
			{"-rl"},
			{"-rL"},
		},
	},
	{
		program: "git", command: "git", exact: true,
		words: [][]string{
			{"branch"}, {"-r"}, {"-a"}, {"--merged"}, {"--no-merged", "main"}, {"--contains", "main~1"}, {"--no-contains"}, {"--list"}, {"--format=%(refname:short)"}, {"--format", "%(refname)"}, {"--sort=-committerdate"}, {"--color"}, {"--column"}, {"-v"}, {"f*"},
		},
	},
	{
		program: "git", command: "git", exact: true, loose: true,
		words: [][]string{{"ls-files"}, {"-z"}, {"-m"}, {"-o", "--exclude-standard"}, {"-d"}, {"-c"}, {"-o"}, {"--full-name"}, {"-t"}, {"*.py"}, {"sub"}, {"."}},
	},
	{
		program: "git", command: "git", exact: true, loose: true,
		words: [][]string{{"status"}, {"--porcelain"}, {"-s"}, {"-z"}, {"-uall"}, {"-uno"}, {"--untracked-files=normal"}, {"-b"}, {"--ignored"}, {"sub"}},
	},
	{
		program: "git", command: "git", loose: true,
		words: [][]string{{"diff"}, {"--name-only"}, {"-z"}, {"--diff-filter=M"}, {"--cached"}, {"HEAD"}, {"main~1"}, {"main~1..main"}, {"main.."}, {"..feat"}, {"main...feat"}, {"--", "sub"}, {"--", "*.py"}},
	},
}

const listScene = `
git init -q -b main . && git config user.email a@b.c && git config user.name a && git config commit.gpgsign false
printf '*.o\nbuild/\n!keep.o\n/top.txt\n' >.gitignore; mkdir -p sub/deep .hid build 'sp ace' new/in
printf 'foo\nbar baz\n' >a.py; printf 'Foo bar\n' >'c d.txt'; printf 'x\n' >sub/b.py; printf 'foo_x\nfoo\n' >sub/deep/c.TXT; printf 'bar\n' >.hid/h.py
: >sub/empty; printf 'foo' >'sp ace/é.txt'; printf 'y\n' >'q"t.py'; printf 'sub2\n' >sub/.ignore; printf 'a\0foo\n' >bin.dat; ln -s sub/b.py ln; ln -s sub dirln; ln -s nowhere broken
git add -A; git commit -qm one; printf 'more\n' >>a.py; git commit -qam two; git branch old HEAD~1; git branch feat
git checkout -q feat; printf 'z\n' >f.py; git add f.py; git commit -qm three; git checkout -q main; git branch fix/x; git worktree add -q ../wt fix/x
git update-ref refs/remotes/origin/main main; git update-ref refs/remotes/origin/feat feat; git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main
printf 'foo\n' >u.py; printf 'foo\n' >o.o; printf 'foo\n' >build/z.py; printf 'k\n' >keep.o; printf 't\n' >top.txt; printf 'n\n' >new/in/n.py; printf 'sub2\n' >sub/sub2; chmod +x u.py; printf 'w\n' >'new/w w'
`

// scenes change the world, each in its own way.
var listScenes = []string{
	"true",
	"printf 'changed\n' >>a.py; rm sub/b.py",
	"printf 'changed\n' >>a.py; git add a.py",
	"git config core.quotePath false; printf 'x\n' >>'sp ace/é.txt'",
	"git config color.ui always",
	"git checkout -q --detach",
	"git config column.ui always; git config branch.sort -committerdate",
	"git pack-refs --all; printf 'new\n' >'new é'",
	"git config status.showUntrackedFiles all; printf 'q\n' >>'q\"t.py'",
	"(cd ../wt && git checkout -q --detach)",
	"rm -rf .git",
	"printf '{a,b}*\n' >>.gitignore; printf 'c*\n' >.fdignore; printf 'a*\n' >sub/.rgignore",
}

func TestListings(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	r := rand.New(rand.NewPCG(1, 2))
	each := 10
	if testing.Short() {
		each = 2
	}
	for n, scene := range listScenes {
		work := filepath.Join(dir, string(rune('a'+n)), "w")
		if err := os.MkdirAll(work, 0o755); err != nil {
			t.Fatal(err)
		}
		l := listing{t: t, dir: work, catalog: catalog.New(hooks.Find), world: osworld.New(osworld.Options{Git: func(fs world.FS) world.Git {
			return gitstate.New(fs, gitstate.Options{Env: map[string]string{"HOME": work, "GIT_CONFIG_NOSYSTEM": "1"}})
		}})}
		if out, err := l.command("sh", "-euc", listScene+scene).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", scene, err, out)
		}
		for i := range listers {
			for range each {
				l.try(&listers[i], r)
			}
		}
		t.Logf("%s: %d lists compared, %d not told", scene, l.told, l.open)
	}
}

// A listing compares in one world.
type listing struct {
	t          *testing.T
	dir        string
	catalog    *catalog.Catalog
	world      *world.World
	told, open int
}

func (l *listing) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = l.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + l.dir, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C.UTF-8", "GIT_AUTHOR_DATE=2001-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2001-01-01T00:00:00Z"}
	return cmd
}

// try compares one command.
func (l *listing) try(of *lister, r *rand.Rand) {
	if _, err := exec.LookPath(of.command); err != nil {
		return
	}
	var args []string
	for i, w := range of.words {
		if of.command == "git" && i == 0 || r.IntN(len(of.words)) < 3 {
			args = append(args, w...)
		}
	}
	switch of.program { // what they look for, and where
	case "rg":
		args = append(args, [][]string{{"--files"}, {"foo"}, {"-l", "foo"}, {"-l", "Foo|x$"}, {"-l", "^bar"}, {"-l", `\bfoo\b`}, {"-le", "b.r"}}[r.IntN(7)]...)
	case "grep":
		args = append(args, []string{"foo", "^bar", "b.r\\|x", "x$", "-e"}[r.IntN(5)])
	}
	if of.command != "git" && of.command != "find" {
		if n := r.IntN(6); n < 4 {
			args = append(args, [][]string{{"."}, {"sub"}, {"./sub/", "build"}, {"sub", ".hid"}}[n]...)
		}
	}
	site := &catalog.Site{World: l.world, Dir: l.dir, Name: of.program, Read: func(name string) ([]byte, error) { return l.world.FS.ReadFile(name, 64<<10) }}
	words := make([]value.Value, len(args))
	for i, a := range args {
		words[i] = value.Lit(a)
	}
	p, ok := l.catalog.Lookup(of.program)
	if !ok {
		l.t.Fatalf("no spec for %s", of.program)
	}
	res := l.catalog.Describe(p, words, site)
	cmd := l.command(of.command, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, _ := cmd.Output()
	if res.Stdout == nil {
		l.open++
		return
	}
	said, known := res.Stdout.Known()
	if !known {
		if none := len(res.Stdout.Holes()) == 1 && res.Stdout.Holes()[0].None; none && len(out) > 0 && stderr.Len() == 0 {
			l.t.Errorf("%s %q: nothing was said to be there\nprints %q", of.command, args, out)
		}
		return
	}
	l.told++
	end := "\n"
	if strings.Contains(said, "\x00") {
		end = "\x00"
	}
	got, want := strings.Split(said, end), strings.Split(string(out), end)
	if stderr.Len() > 0 || of.exact && !of.loose && said == string(out) {
		return
	}
	for _, w := range want {
		if !slices.Contains(got, w) {
			l.t.Errorf("%s %q: %q was not said\nsaid   %q\nprints %q", of.command, args, w, said, out)
			return
		}
	}
	if !of.loose {
		l.t.Errorf("%s %q\nsaid   %q\nprints %q", of.command, args, said, out)
	}
}
