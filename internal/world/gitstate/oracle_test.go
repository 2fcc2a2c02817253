//go:build linux

package gitstate

import (
	"bytes"
	"cmp"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/world"
)

// A lab is a directory with a home, in which real git makes what we read.
type lab struct {
	t    testing.TB
	home string
	dir  string // of the repository
	env  map[string]string
	tick int
}

func newLab(t testing.TB) *lab {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{t: t, home: filepath.Join(top, "home"), dir: filepath.Join(top, "repo"), env: map[string]string{}}
	for _, d := range []string{l.home, l.dir} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func (l *lab) cmd(name string, args ...string) *exec.Cmd {
	l.tick++
	cmd := exec.Command(name, args...)
	cmd.Dir = l.dir
	date := strconv.Itoa(1_700_000_000+60*l.tick) + " +0000"
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + l.home, "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=" + date,
		"GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.com", "GIT_COMMITTER_DATE=" + date,
		"GIT_OPTIONAL_LOCKS=0", "GIT_ALLOW_PROTOCOL=file", "TOP=" + filepath.Dir(l.dir),
		"GIT_ADVICE=0", "GIT_TERMINAL_PROMPT=0",
	}
	for k, v := range l.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return cmd
}

// sh runs a script in the repository.
func (l *lab) sh(script string) {
	l.t.Helper()
	if out, err := l.cmd("sh", "-euc", script).CombinedOutput(); err != nil {
		l.t.Fatalf("%s\n%v\n%s", script, err, out)
	}
}

// git returns a command's output, and whether it succeeded.
func (l *lab) git(args ...string) (string, bool) {
	var stderr bytes.Buffer
	cmd := l.cmd("git", args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	return strings.TrimSuffix(string(out), "\n"), err == nil
}

func (l *lab) must(args ...string) string {
	l.t.Helper()
	out, ok := l.git(args...)
	if !ok {
		l.t.Fatalf("git %s failed", args)
	}
	return out
}

func (l *lab) options() Options {
	env := maps.Clone(l.env)
	env["GIT_CONFIG_NOSYSTEM"] = "1"
	return Options{Home: l.home, Env: env, SystemConfig: "/etc/gitconfig"}
}

func (l *lab) open(fs world.FS) world.Repo {
	l.t.Helper()
	return l.find(New(fs, l.options()))
}

func (l *lab) find(g *Git) world.Repo {
	l.t.Helper()
	r, err := g.Find(l.dir)
	if err != nil || r == nil {
		l.t.Fatalf("Find(%s) = %v, %v", l.dir, r, err)
	}
	return r
}

// A truth is what git says about a work tree.
type truth struct {
	status world.Status
	states map[string]world.FileState
}

// truth asks git status. Names lists are left out.
func (l *lab) truth() truth {
	l.t.Helper()
	tr := truth{states: map[string]world.FileState{}, status: world.Status{Complete: true}}
	for _, line := range strings.Split(l.must("ls-files", "-t", "-z"), "\x00") {
		if tag, name, ok := strings.Cut(line, " "); ok && !strings.HasSuffix(name, "/") {
			if _, seen := tr.states[name]; !seen && tag != "S" {
				tr.status.Tracked++
			}
			tr.states[name] = world.Clean
		}
	}
	out := l.must("status", "--porcelain=v2", "-uall", "--ignored", "--no-renames", "-z", "--ignore-submodules=none")
	for _, line := range strings.Split(out, "\x00") {
		if len(line) < 3 {
			continue
		}
		name := line[2:]
		switch line[0] {
		case '?':
			tr.status.Untracked++
			tr.states[name] = world.Untracked
		case '!':
			tr.status.Ignored++
			tr.states[name] = world.Ignored
		case 'u':
			tr.status.Modified++
			tr.states[strings.SplitN(line, " ", 11)[10]] = world.MaybeModified
		case '1':
			f := strings.SplitN(line, " ", 9)
			tr.ordinary(f[1], f[2], f[8])
		}
	}
	return tr
}

// behindLink reports whether a tracked file's directory has become a link: git calls
// the file deleted, for us the name is another place.
func (l *lab) behindLink(name string) bool {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if fi, err := os.Lstat(filepath.Join(l.dir, dir)); err == nil && fi.Mode()&os.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

func (tr *truth) ordinary(xy, sub, name string) {
	_, inIndex := tr.states[name]
	state := world.Clean
	if xy[0] != '.' {
		tr.status.Staged++
		state = world.Staged
	}
	if xy[1] != '.' && (sub[0] == 'N' || sub[1] == 'C') {
		tr.status.Modified++
		state = world.MaybeModified
	}
	if inIndex {
		tr.states[name] = state
	}
}

// check compares everything we say about the repository with git.
func (l *lab) check(r world.Repo) {
	l.t.Helper()
	l.checkStatus(r)
	l.checkRefs(r)
	l.checkConfig(r)
	l.checkPlaces(r)
}

func (l *lab) checkStatus(r world.Repo) {
	l.t.Helper()
	if r.Root() == "" {
		return
	}
	tr := l.truth()
	got := r.Status(r.Root(), 1_000_000)
	some := got
	got.Bytes, got.Hidden, got.SomeModified, got.SomeUntracked = 0, 0, nil, nil
	if d := gocmp.Diff(tr.status, got); d != "" {
		l.t.Errorf("status (-git +ours):\n%s\nmodified %q untracked %q\n%s", d, some.SomeModified, some.SomeUntracked,
			l.must("status", "--porcelain=v2", "-uall", "--ignored", "--no-renames"))
	}
	l.checkParts(r, some)
	l.checkClean(r)
	for _, name := range slices.Sorted(maps.Keys(tr.states)) {
		want := tr.states[name]
		if strings.HasSuffix(name, "/") || l.behindLink(name) {
			continue // a nested repository, or nowhere
		}
		if st := r.State(filepath.Join(r.Root(), name)); st != want {
			l.t.Errorf("State(%q) = %v, git says %v", name, st, want)
		}
	}
	for _, name := range some.SomeUntracked {
		if tr.states[name] != world.Untracked {
			l.t.Errorf("SomeUntracked has %q, which git says is %v", name, tr.states[name])
		}
	}
	for _, name := range some.SomeModified {
		if st, ok := tr.states[name]; ok && st != world.MaybeModified {
			l.t.Errorf("SomeModified has %q, which git says is %v", name, st)
		}
	}
}

// checkParts compares the parts of a status with the whole, below the top and
// below each directory of it.
func (l *lab) checkParts(r world.Repo, whole world.Status) {
	l.t.Helper()
	for _, dir := range append([]string{r.Root()}, l.dirs(r.Root())...) {
		if dir != r.Root() {
			whole = r.Status(dir, 1_000_000)
		}
		modified, untracked := r.Part(dir, 1_000_000, world.WantModified), r.Part(dir, 1_000_000, world.WantUntracked)
		ignored := r.Part(dir, 1_000_000, world.WantUntracked|world.WantIgnored)
		got := world.Status{
			Modified: modified.Modified, Hidden: modified.Hidden, Staged: modified.Staged, SomeModified: modified.SomeModified, Untracked: untracked.Untracked, SomeUntracked: untracked.SomeUntracked, Ignored: ignored.Ignored,
			Complete: modified.Complete && untracked.Complete && ignored.Complete,
		}
		want := whole
		want.Tracked, want.Bytes = 0, 0
		if d := gocmp.Diff(want, got); d != "" {
			l.t.Errorf("parts of the status of %s (-whole +parts):\n%s", dir, d)
		}
	}
}

// checkClean compares what git clean without -d would take with what is counted for it:
// in half of the states ignored files only, in the others all that git does not have.
func (l *lab) checkClean(r world.Repo) {
	l.t.Helper()
	s := r.Part(r.Root(), 1_000_000, world.WantIgnored|world.WantShallow)
	flags, got := "-nX", s.Ignored
	if s.Ignored%2 == 0 {
		s = r.Part(r.Root(), 1_000_000, world.WantIgnored|world.WantUntracked|world.WantShallow)
		flags, got = "-nx", s.Ignored+s.Untracked
	}
	said, files := l.must("clean", flags), 0
	for line := range strings.Lines(said) {
		if name, takes := strings.CutPrefix(strings.TrimRight(line, "\n"), "Would remove "); takes && !strings.HasSuffix(name, "/") {
			files++
		}
	}
	if got != files {
		l.t.Errorf("git clean %s takes %d files, counted %d:\n%s", flags, files, got, said)
	}
}

// dirs are the directories in one.
func (l *lab) dirs(top string) []string {
	l.t.Helper()
	entries, err := os.ReadDir(top)
	if err != nil {
		l.t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != ".git" {
			out = append(out, filepath.Join(top, e.Name()))
		}
	}
	return out
}

func (l *lab) checkRefs(r world.Repo) {
	l.t.Helper()
	var want []world.Ref
	for _, line := range strings.Split(l.must("for-each-ref", "--format=%(objectname) %(refname)"), "\n") {
		if id, name, ok := strings.Cut(line, " "); ok {
			want = append(want, world.Ref{Name: name, ID: id})
		}
	}
	got, err := r.Refs("refs/", 1_000_000)
	if err != nil {
		l.t.Errorf("Refs: %v", err)
	}
	if d := gocmp.Diff(want, got); d != "" {
		l.t.Errorf("refs (-git +ours):\n%s", d)
	}
	branch, _ := l.git("symbolic-ref", "-q", "--short", "HEAD")
	commit, ok := l.git("rev-parse", "--verify", "-q", "HEAD")
	if !ok {
		commit = ""
	}
	if b, c := r.Head(); b != branch || c != commit {
		l.t.Errorf("Head() = %q, %q, want %q, %q", b, c, branch, commit)
	}
	if r.Root() != "" {
		stashes := strings.Count(l.must("stash", "list")+"\n", "\n")
		if l.must("stash", "list") == "" {
			stashes = 0
		}
		if n := r.Stashes(); n != stashes {
			l.t.Errorf("Stashes() = %d, want %d", n, stashes)
		}
	}
	l.checkRevs(r, l.revisions(want))
	l.checkCounts(r, want)
}

// revisions makes up what to ask about these refs.
func (l *lab) revisions(refs []world.Ref) []string {
	revs := []string{
		"HEAD", "@", "HEAD~1", "HEAD~3", "HEAD^", "HEAD^2", "HEAD^^", "HEAD~2^1", "HEAD^0", "@~1", "HEAD^{commit}",
		"HEAD^{}", "HEAD^{tree}", "@{u}", "@{upstream}", "HEAD@{0}", "HEAD@{1}", "@{0}", "@{1}", "@{2}", "@{-1}", "@{-1}~1",
		"HEAD@{100000}", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "nothing", "nothing~1", "HEAD~1000", "stash", "stash@{1}",
		"refs/stash@{0}", "HEAD:f", "HEAD..HEAD", "", "~", "@{", "HEAD@{u}", "heads/main", "main@{u}~1",
		"0000000", strings.Repeat("0", 40), "HEAD^{nonsense}", "HEAD^{commit}~1", "v1^{}", "v1^{tag}",
		"origin", "origin/HEAD", "HEAD~00", "HEAD^00", "HEAD~99999999999999999999",
	}
	for _, ref := range refs {
		short := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(ref.Name, "refs/"), "heads/"), "tags/")
		revs = append(revs, ref.Name, short, short+"~1", short+"@{0}", short+"@{1}", short+"@{u}",
			ref.ID, ref.ID[:7], ref.ID[:4], strings.ToUpper(ref.ID[:9]), "v1-3-g"+ref.ID[:8])
	}
	return revs
}

func (l *lab) checkRevs(r world.Repo, revs []string) {
	l.t.Helper()
	answers := l.answers(revs)
	for i, rev := range revs {
		want, ok := strings.CutSuffix(answers[i], " commit")
		if !ok || rev == "" {
			want = ""
		}
		if got := r.Ref(rev); got != want {
			l.t.Errorf("Ref(%q) = %q, want %q", rev, got, want)
		}
	}
}

// answers resolves revisions with one git for all, and another behind each that
// makes it give up.
func (l *lab) answers(revs []string) []string {
	var answers []string
	for len(answers) < len(revs) {
		cmd := l.cmd("git", "cat-file", "--batch-check=%(objectname) commit")
		cmd.Stdin = strings.NewReader(strings.Join(revs[len(answers):], "^{commit}\n") + "^{commit}\n")
		out, err := cmd.Output()
		lines := strings.Split(string(out), "\n")
		answers = append(answers, lines[:len(lines)-1]...)
		if err != nil {
			answers = append(answers, "fatal")
		}
	}
	return answers
}

func (l *lab) checkCounts(r world.Repo, refs []world.Ref) {
	l.t.Helper()
	refs = slices.Clone(refs[:min(len(refs), 4)])
	for _, from := range refs {
		for _, by := range refs {
			out, ok := l.git("rev-list", "--count", from.ID, "--not", by.ID)
			if !ok || r.Ref(from.ID) == "" || r.Ref(by.ID) == "" {
				continue
			}
			want, _ := strconv.Atoi(out)
			if n, complete := r.Missing([]string{from.ID}, []string{by.ID}, 1000); n != want || !complete {
				l.t.Errorf("Missing(%s, %s) = %d, %v, want %d", from.Name, by.Name, n, complete, want)
			}
		}
	}
}

func (l *lab) checkConfig(r world.Repo) {
	l.t.Helper()
	want := map[string][]string{}
	for _, item := range strings.Split(l.must("config", "--list", "--includes", "-z"), "\x00") {
		key, value, ok := strings.Cut(item, "\n")
		if key == "" {
			continue
		}
		if !ok {
			value = "true"
		}
		want[key] = append(want[key], value)
	}
	got := map[string][]string{}
	for _, k := range r.ConfigKeys("", 1_000_000) {
		got[k] = r.Config(k)
	}
	if d := gocmp.Diff(want, got); d != "" {
		l.t.Errorf("config (-git +ours):\n%s", d)
	}
}

func (l *lab) checkPlaces(r world.Repo) {
	l.t.Helper()
	top, _ := l.git("rev-parse", "--show-toplevel")
	if r.Root() != top {
		l.t.Errorf("Root() = %q, want %q", r.Root(), top)
	}
	if want := l.must("rev-parse", "--path-format=absolute", "--git-dir"); r.GitDir() != want {
		l.t.Errorf("GitDir() = %q, want %q", r.GitDir(), want)
	}
	if want := l.must("rev-parse", "--path-format=absolute", "--git-common-dir"); r.CommonDir() != want {
		l.t.Errorf("CommonDir() = %q, want %q", r.CommonDir(), want)
	}
	var trees []string
	bare := false
	for _, block := range strings.Split(l.must("worktree", "list", "--porcelain"), "\n\n") {
		name, rest, _ := strings.Cut(strings.TrimPrefix(block, "worktree "), "\n")
		bare = bare || strings.HasPrefix(rest, "bare")
		if name != "" && !strings.HasPrefix(rest, "bare") {
			trees = append(trees, name)
		}
	}
	got := r.Worktrees()
	if len(trees) > 0 && len(got) > 0 && trees[0] != got[0] && !bare {
		l.t.Errorf("the main work tree is %s, not %s", trees[0], got[0])
	}
	slices.Sort(trees)
	slices.Sort(got)
	if d := gocmp.Diff(trees, got); d != "" {
		l.t.Errorf("worktrees (-git +ours):\n%s", d)
	}
}

// checkIgnore compares our verdict about names, there or not, with git check-ignore.
func (l *lab) checkIgnore(r world.Repo, names []string) {
	l.t.Helper()
	names = slices.DeleteFunc(slices.Clone(names), l.behindLink) // git refuses them
	cmd := l.cmd("git", "check-ignore", "-z", "--stdin")
	cmd.Stdin = strings.NewReader(strings.Join(names, "\x00") + "\x00")
	out, err := cmd.Output()
	if err != nil && cmp.Or(cmd.ProcessState.ExitCode(), 1) != 1 {
		l.t.Fatalf("git check-ignore: %v", err)
	}
	hit := map[string]bool{}
	for _, name := range strings.Split(string(out), "\x00") {
		hit[name] = true
	}
	for _, name := range names {
		st := r.State(filepath.Join(r.Root(), name))
		if (st == world.Ignored) != hit[name] && st != world.NotInRepo {
			l.t.Errorf("State(%q) = %v, git check-ignore says %v", name, st, hit[name])
		}
	}
}
