package git_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/catalog/hooks"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// gitIn describes a command line of plain words in a described world.
func gitIn(t *testing.T, c *catalog.Catalog, scene, line string) []string {
	t.Helper()
	w, dir, env := fakeworld.Must(t, scene)
	var args []value.Value
	for _, word := range strings.Fields(line)[1:] {
		args = append(args, value.Lit(word))
	}
	p, ok := c.Lookup("git")
	if !ok {
		t.Fatal("no spec for git")
	}
	r := c.Describe(p, args, &catalog.Site{World: w, Dir: dir, Name: "git", Env: func(n string) (value.Value, bool, bool) {
		v, ok := env[n]
		return value.Lit(v), ok, false
	}})
	lines := compile.Lines(r)
	if r.Stdout != nil {
		lines = append(lines, "prints "+strings.TrimSuffix(r.Stdout.String(), "\n"))
	}
	slices.Sort(lines)
	return lines
}

func gitCatalog(t *testing.T) *catalog.Catalog {
	t.Helper()
	specs, err := compile.Dir("../../specs", "*git*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var programs []*catalog.Program
	for _, s := range specs {
		programs = append(programs, s.Program)
	}
	return catalog.FromPrograms(programs, hooks.Find)
}

const plainRepo = `
git . on work
remote origin git@github.com:acme/demo.git
upstream origin/main ahead 2
branch old 3 commits not in work~5
tag v1
a.txt tracked
sub/b.txt tracked
junk.txt untracked
`

func TestGitInRepository(t *testing.T) {
	t.Parallel()
	c := gitCatalog(t)
	for _, k := range []struct {
		line string
		want []string
	}{
		{"git status", nil},
		{"git push", []string{"vcs.push origin/work"}},
		{"git push origin HEAD", []string{"vcs.push origin/work"}},
		{"git push -f origin", []string{"vcs.force origin/work"}},
		{"git fetch", []string{"net.fetch git@github.com:acme/demo.git", "vcs.local (fetch)"}},
		{"git checkout a.txt", []string{"vcs.discard a.txt (path)"}},
		{"git checkout old", []string{"vcs.local old (checkout)"}},
		{"git checkout old a.txt", []string{"vcs.discard a.txt (path)"}},
		{"git checkout a.txt sub", []string{"vcs.discard a.txt (path)", "vcs.discard sub (path)"}},
		{"git checkout nothing", []string{"vcs.local nothing (checkout)"}},
		{"git checkout -B new", []string{"vcs.local new (checkout)"}},
		{"git checkout -B old", []string{"vcs.local old (checkout)", "vcs.rewrite old (branch)"}},
		{"git branch -M work", []string{"vcs.local work (branch)"}},
		{"git branch -M old", []string{"vcs.rewrite old (branch)"}},
		{"git branch -f fresh", []string{"vcs.local fresh (branch)"}},
		{"git tag -f v2", []string{"vcs.local v2 (tag)"}},
		{"git tag -f v1", []string{"vcs.rewrite v1 (tag)"}},
		{"git reset a.txt", []string{"vcs.local (unstage)"}},
		{"git reset old", []string{"vcs.local (reset)", "vcs.rewrite old (uncommit)"}},
		{"git reset --hard work", []string{"vcs.discard (worktree)"}},
		{"git reset --hard origin/dev", []string{"vcs.discard (worktree)", "vcs.rewrite origin/dev (reset)"}},
		{"git diff a.txt", []string{"fs.read a.txt shown"}},
		{"git diff old", nil},
		{"git rev-parse --show-toplevel", []string{"prints /home/u/project"}},
		{"git branch --show-current", []string{"prints work"}},
		{"git config --get remote.origin.url", []string{"prints git@github.com:acme/demo.git"}},
		{"git remote get-url origin", []string{"prints git@github.com:acme/demo.git"}},
		{"git commit -m x", []string{"vcs.local (commit)"}},
	} {
		if diff := cmp.Diff(k.want, gitIn(t, c, plainRepo, k.line), cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
			t.Errorf("%s (-want +got)\n%s", k.line, diff)
		}
	}
}

const hostileRepo = `
git .
config core.fsmonitor = ./watch.sh
config diff.external = ./diff.sh
config diff.x.textconv = ./conv.sh
config filter.x.clean = ./clean.sh
config filter.lfs.clean = git-lfs clean -- %f
config core.sshCommand = ./ssh.sh
config remote.origin.url = ext::sh -c id
config merge.x.driver = ./drive.sh %O
config alias.st = status -sb
config alias.wipe = reset --hard
config alias.pwn = !sh -c id
config alias.loop = loop
config alias.undo = !sh -c id
config alias.commit = !sh -c id
config alias.quoted = commit -m 'a b'
hook pre-commit
hook pre-push
hook post-checkout
.gitattributes tracked
a.txt tracked
`

func TestGitInHostileRepository(t *testing.T) {
	t.Parallel()
	c := gitCatalog(t)
	watch, clean := "exec.project ./watch.sh (core.fsmonitor)", "exec.project ./clean.sh (filter)"
	hook := func(name string) string { return "exec.project /home/u/project/.git/hooks/" + name + " (hook)" }
	for _, k := range []struct {
		line string
		want []string
	}{
		{"git status", []string{clean, watch}},
		{"git st", []string{clean, watch}},
		{"git -c core.fsmonitor=false status", []string{clean}},
		{"git log", []string{}},
		{"git log -p", []string{"exec.project ./conv.sh (diff.*.textconv)"}},
		{"git diff", []string{clean, "exec.project ./conv.sh (diff.*.textconv)", "exec.project ./diff.sh (diff.external)", watch}},
		{"git diff --no-ext-diff --no-textconv", []string{clean, watch}},
		{"git commit -m x", []string{clean, hook("pre-commit"), watch, "vcs.local (commit)"}},
		{"git quoted", []string{clean, hook("pre-commit"), watch, "vcs.local (commit)"}},
		{"git commit --no-verify -m x", []string{clean, watch, "vcs.local (commit)"}},
		{"git -c core.hooksPath=/dev/null commit -m x", []string{clean, watch, "vcs.local (commit)"}},
		{"git push origin main", []string{hook("pre-push"), "exec.project ./ssh.sh (core.sshCommand)", "exec.project ext::sh -c id (remote helper)", "vcs.push origin/main"}},
		{"git fetch", []string{"exec.project ./ssh.sh (core.sshCommand)", "exec.project ext::sh -c id (remote helper)", "vcs.local (fetch)"}},
		{"git wipe", []string{clean, watch, "vcs.discard (worktree)"}},
		{"git merge old", []string{clean, "exec.project ./drive.sh %O (merge.*.driver)", watch, "vcs.local (merge)"}},
		{"git pwn", []string{"run shell: sh -c id"}},
		{"git loop", []string{"unknown git loop"}},
		{"git undo", []string{"run shell: sh -c id", "vcs.local (reset)"}}, // git-undo may be installed, or not
		{"git switch main", []string{clean, hook("post-checkout"), watch, "vcs.local main (switch)"}},
	} {
		got := gitIn(t, c, hostileRepo, k.line)
		slices.Sort(k.want)
		if diff := cmp.Diff(k.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", k.line, diff)
		}
	}
}

// FuzzGit holds that no words make the hooks of version control fail, known or not.
func FuzzGit(f *testing.F) {
	for _, s := range []string{
		"push\n--force\norigin\n+:x", "-c\nalias.x=!f\nx", "-C\na\nclone\next::sh -c% x", "checkout\n--\na", "show\n:0:a\nHEAD:b",
		"config\nurl.x.insteadOf\ny", "reset\n--hard\n?", "submodule\nforeach\na", "-c\n?\nstatus", "pwn\na", "branch\n-D\n?", "fetch\n?\n+?:?",
	} {
		f.Add(s, uint8(0))
	}
	specs, err := compile.Dir("../../specs", "git*.yaml")
	if err != nil {
		f.Fatal(err)
	}
	c := catalog.FromPrograms([]*catalog.Program{specs[0].Program}, hooks.Find)
	w, dir, _ := fakeworld.Must(f, hostileRepo)
	f.Fuzz(func(t *testing.T, text string, mask uint8) {
		var args []value.Value
		for i, word := range strings.Split(text, "\n") {
			v := value.Lit(word)
			switch {
			case word == "?":
				v = value.Unknown(risk.CauseUnknown, "x")
			case mask>>(i%8)&1 == 1:
				v = value.Concat(value.Lit(word), value.Unknown(risk.CauseOutput, "y"))
			}
			args = append(args, v)
		}
		c.Describe(specs[0].Program, args, &catalog.Site{World: w, Dir: dir, Name: "git", Env: func(string) (value.Value, bool, bool) {
			return value.Lit(text), len(text)%2 == 0, len(text)%4 == 0
		}})
	})
}
