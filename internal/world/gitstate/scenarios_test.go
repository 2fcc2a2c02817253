//go:build linux

package gitstate

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/world"
)

// history makes a small history with a merge, tags and a deep directory.
const history = `
git init -q -b main .
mkdir -p src/deep/er lib "a-b" a
echo one >f; echo two >src/g; echo three >src/deep/er/h; echo x >lib/x.txt; echo y >a-b/y; echo z >a/z; echo 1 >a.txt
ln -s f link; printf '#!/bin/sh\n' >run.sh; chmod +x run.sh
git add . ; git commit -qm one
git tag v0
git checkout -q -b side; echo side >s; git add s; git commit -qm side; echo side2 >>s; git commit -qam side2
git checkout -q main; echo more >>f; git commit -qam two
git merge -q -m merge side
git tag -a -m annotated v1; git tag -a -m nested v2 v1
echo last >>f; git commit -qam three
`

// mess makes one of every kind of change.
const mess = `
echo changed >>f; rm src/g; echo new >untracked; mkdir -p new/dir; echo n >new/dir/n; echo st >staged; git add staged
echo st2 >>lib/x.txt; git add lib/x.txt; echo both >>lib/x.txt; git rm -q --cached a/z
printf 'ignored*\n*.log\n!keep.log\n/build/\nsub/only\n' >.gitignore
echo i >ignored1; mkdir -p build/in src/build; echo b >build/in/b; echo b >src/build/b; echo l >x.log; echo k >keep.log
chmod -x run.sh; touch a.txt
`

var scenarios = []struct{ name, script string }{
	{"empty", `git init -q -b main .`},
	{"unborn with files", `git init -q -b trunk/x . ; echo a >a; echo b >b; git add a`},
	{"clean", history},
	{"mess", history + mess},
	{"index v3", history + mess + `git add -N untracked`},
	{"index v4", history + `git update-index --index-version 4; git checkout -q -f side; git checkout -q main` + mess},
	{"index v4 after changes", history + mess + `git update-index --index-version 4; mkdir -p src/deep2; for i in 1 2 3 4 5 6 7 8 9; do echo $i >src/deep2/file$i; done; git add src/deep2`},
	{"split index", history + `git update-index --split-index; echo q >q; git add q; git rm -q src/g; echo w >>f; git add f` + `
echo zz >zz; git add zz`},
	{"split index with mess", history + `git config splitIndex.maxPercentChange 100; git update-index --split-index` + mess + `git rm -q -f lib/x.txt; git add new`},
	{"split index v4", history + `git config splitIndex.maxPercentChange 100; git update-index --index-version 4; git update-index --split-index` + mess + `git add src; git add new`},
	{"untracked cache", history + mess + `git update-index --untracked-cache; git -c core.untrackedCache=true status >/dev/null`},
	{"detached", history + `git checkout -q HEAD~1` + mess},
	{"packed", history + `git pack-refs --all; git gc -q --prune=now` + mess},
	{"packed, then new refs", history + `git pack-refs --all; git branch extra; git commit -q --allow-empty -m more; git tag v3; git branch -D side`},
	{"pack index v1", history + `git config pack.indexVersion 1; git repack -qadf`},
	{"ref deltas", history + `for i in 1 2 3 4 5 6; do seq $i 2000 >big; git add big; git commit -qm b$i; done; git config repack.useDeltaBaseOffset false; git repack -qadf --depth=50 --window=50`},
	{"deltas", history + `for i in 1 2 3 4 5 6; do for j in 1 2 3 4 5 6 7 8 9; do echo $i >src/file-$j; done; git add .; git commit -qm b$i; done; git gc -q --aggressive --prune=now; echo r >src/file-3; git add src/file-3; rm .git/index; git reset -q; echo q >src/file-4`},
	{"no cache tree", history + mess + `git add -A; git rm -q -r --cached src; rm .git/index; git read-tree HEAD~1`},
	{"stat unknown", history + `rm .git/index; git read-tree HEAD; echo x >>f`},
	{"stashes", history + `echo 1 >>f; git stash -q; echo 2 >>f; echo u >u; git stash -q -u; echo 3 >>f`},
	{"conflict", history + `git checkout -q -b other HEAD~2; echo conflict >>f; git rm -q --cached s || true; git commit -qam other; git merge main || true`},
	{"reset and reflog", history + `git reset -q --hard HEAD~1; git checkout -q side; git checkout -q main; git commit -q --amend -m amended`},
	{"submodule", history + `
git init -q -b main ../other; (cd ../other; echo s >s; git add s; git commit -qm s; echo t >>s; git commit -qam t)
git -c protocol.file.allow=always submodule --quiet add ../other sub; git commit -qm sub; echo dirt >sub/dirt`},
	{"submodule moved", history + `
git init -q -b main ../other; (cd ../other; echo s >s; git add s; git commit -qm s; echo t >>s; git commit -qam t)
git -c protocol.file.allow=always submodule --quiet add ../other sub; git commit -qm sub; (cd sub; git checkout -q HEAD~1)`},
	{"submodule not there", history + `
git init -q -b main ../other; (cd ../other; echo s >s; git add s; git commit -qm s)
git -c protocol.file.allow=always submodule --quiet add ../other sub; git commit -qm sub; git submodule --quiet deinit -f sub`},
	{"nested repository", history + `git init -q in; echo x >in/x; git init -q -b m a/in; echo y >a/in/y; mkdir -p fake/.git; echo n >fake/n; echo /ign >.gitignore; mkdir ign; git init -q ign/in; echo 1 >ign/in/1; echo 2 >ign/2`},
	{"type changes", history + `rm f; mkdir f; echo in >f/in; rm link; echo file >link; rm -r src; echo src >src; rm a.txt; ln -s f a.txt; mkfifo pipe`},
	{"dir became link", history + `mv src ../moved; ln -s ../moved src`},
	{"force added in ignored", history + `echo /out/ >.gitignore; mkdir -p out/d; echo k >out/kept; echo l >out/lost; echo d >out/d/d; git add -f out/kept; git commit -qm out; echo 2 >>out/kept`},
	{"sparse", history + `git sparse-checkout init --cone; git sparse-checkout set lib` + "\n" + `echo c >>lib/x.txt`},
	{"sparse index", history + `git sparse-checkout init --cone --sparse-index; git sparse-checkout set lib a` + "\n" + `echo c >>lib/x.txt; echo u >lib/u`},
	{"sparse index staged", history + `git sparse-checkout init --cone --sparse-index; git sparse-checkout set lib` + "\n" + `echo c >>lib/x.txt; git add lib; git reset -q --soft HEAD~1`},
	{"sparse index, other tree", history + `echo 4 >src/new; echo 5 >>src/deep/er/h; git rm -q src/g; git add src; git commit -qm src; git sparse-checkout init --cone --sparse-index; git sparse-checkout set lib; git reset -q --soft HEAD~1`},
	{"sparse index, directory there", history + `git sparse-checkout init --cone --sparse-index; git sparse-checkout set lib; git config sparse.expectFilesOutsideOfPatterns false; mkdir -p a; echo z >a/z; echo u >a/u`},
	{"many files", history + `for d in p q r; do mkdir -p $d/1 $d/2; for i in $(seq 450); do echo $d $i >$d/1/f$i; echo $d $i 2 >$d/2/g$i; done; done
git add .; git commit -qm many; head -c 200000 /dev/urandom >big; git add big; git commit -qm big; git gc -q --prune=now
for i in $(seq 7 50 400); do echo x >>p/1/f$i; rm q/2/g$i; echo y >r/1/f$i; echo n >r/1/n$i; done; git add r`},
	{"64-bit offsets", history + `git gc -q --prune=now; cd .git/objects/pack; for p in *.pack; do rm -f "${p%.pack}".idx "${p%.pack}".rev; git index-pack --index-version=2,0x40 "$p" >/dev/null; done`},
	{"HEAD is a link", history + `rm .git/HEAD; ln -s refs/heads/side .git/HEAD; git reset -q`},
	{"stat settings", history + `git config core.checkStat minimal; git config core.trustctime false; cp -p f f2; mv f2 f; echo longer >>a.txt`},
	{"sparse no cone", history + `git sparse-checkout init --no-cone; git sparse-checkout set --no-cone '/*' '!/src/deep/' `},
	{"sha256", `git init -q -b main --object-format=sha256 .; echo 1 >f; mkdir d; echo 2 >d/g; git add .; git commit -qm 1; git tag -a -m t v1; echo 2 >>f; git commit -qam 2; git gc -q; echo 3 >>f; echo u >u; echo s >d/g; git add d`},
	{"clone with upstream", history + `cd ..; mv repo origin; git clone -q origin repo; cd repo; echo l >>f; git commit -qam local; (cd ../origin; git checkout -q -b feat; git commit -q --allow-empty -m r; git checkout -q main; git commit -q --allow-empty -m r2); git fetch -q; git checkout -q -b topic origin/side; git checkout -q main`},
	{"alternates", history + `cd ..; mv repo origin; git clone -q --shared origin repo; cd repo; echo l >>f; git commit -qam local; git clone -q --shared . ../third; mv ../repo ../second; mv ../third ../repo; echo ../../../second/.git/objects >../repo/.git/objects/info/alternates; cd ../repo; git commit -q --allow-empty -m more`},
	{"shared odb by env of hooks", history + `git config core.hooksPath hooks; mkdir hooks`},
	{"file mode off", history + `git config core.fileMode false; chmod -x run.sh; chmod +x f`},
	{"octopus", history + `for b in x y z; do git checkout -q -b $b v0; echo $b >$b; git add $b; git commit -qm $b; done; git checkout -q main; git merge -q -m octopus x y z`},
	{"many names", `git init -q -b main .; for i in a a-b a.b a0 aB Ab 'sp ace' 'q"uote' 'ü'; do mkdir -p "$i/sub"; echo 1 >"$i/sub/f"; echo 1 >"$i/x"; done; git add .; git commit -qm 1; rm -r a.b; echo 2 >>a/x; echo n >a-b/n; rm -r a0/sub; echo f >a0/sub`},
	{"deep ignore", history + `
mkdir -p p/q/r p/keep; printf '*\n!*/\n!*.c\n' >p/.gitignore; echo c >p/q/r/a.c; echo o >p/q/r/a.o; printf '!a.o\n' >p/q/.gitignore
printf 'excluded-by-info\n' >.git/info/exclude; mkdir -p "$HOME/.config/git"; printf '*.global\n' >"$HOME/.config/git/ignore"
echo 1 >excluded-by-info; echo 2 >x.global; mkdir d.global; echo 3 >d.global/f; printf '!x.global\n' >>.gitignore`},
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	for _, sc := range scenarios {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			l.sh(sc.script)
			l.check(l.open(&rangeFS{}))
			if strings.Contains(sc.script, "gc -q") || strings.Contains(sc.script, "repack") {
				// Without ranges whole packs are read; the answers are the same.
				l.checkRefs(l.open(&diskFS{}))
			}
		})
	}
}

// TestLongLived asks one Git before and after each change.
func TestLongLived(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	g := New(&rangeFS{}, l.options())
	for _, step := range []string{
		history, mess, "git commit -qam x; rm a/z", "git checkout -q -f side", "git gc -q --prune=now", "echo y >>s", "git add s",
		"git stash -q", "git config a.b c", "echo s >.gitignore", "git update-index --index-version 4", "git pack-refs --all",
		"git branch -q -D main", "git reset -q --hard HEAD~1", "git update-index --split-index", "echo 1 >n; git add n",
		"git stash pop -q || true", "git reset -q --hard", "echo x >>a.txt", "git checkout -q .",
	} {
		l.sh(step)
		l.check(l.find(g))
		if t.Failed() {
			t.Fatalf("after %q", step)
		}
	}
}

func TestWorktrees(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(history + `git worktree add -q ../linked side; git worktree add -q --detach ../linked2 v0
cd ../linked; echo w >>s; git bisect start -q >/dev/null; git bisect bad HEAD; git update-ref refs/worktree/own HEAD; git config extensions.worktreeConfig true; git config --worktree x.y z`)
	g := New(&rangeFS{}, l.options())
	l.check(l.find(g))
	for _, dir := range []string{"linked", "linked2"} {
		l.dir = filepath.Join(filepath.Dir(l.dir), dir)
		l.check(l.find(g))
	}
	r := l.find(g)
	l.checkRevs(r, []string{"main-worktree/HEAD", "worktrees/linked/HEAD", "worktrees/linked/refs/worktree/own", "worktrees/nope/HEAD"})
}

// TestThroughLink opens a repository by a name with a link in it.
func TestThroughLink(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(`git init -q -b main .; ln -s repo ../via; for f in 1 2 3 4; do printf "[f$f]\nx=1\n" >../f$f; done
cat >>.git/config <<EOF
[includeIf "gitdir:$TOP/repo/.git"]
	path = ../../f1
[includeIf "gitdir:$TOP/via/"]
	path = ../../f2
[includeIf "gitdir:./"]
	path = ../../f3
[includeIf "gitdir:nothing/"]
	path = ../../f4
EOF`)
	l.dir = filepath.Join(filepath.Dir(l.dir), "via")
	l.env["PWD"] = l.dir
	r := l.open(&rangeFS{})
	l.checkConfig(r)
	if len(r.Config("f1.x")) != 1 || len(r.Config("f2.x")) != 1 || len(r.Config("f4.x")) != 0 {
		t.Errorf("keys: %q", r.ConfigKeys("f", 100))
	}
}

// TestStagedAt: one path looked up by itself gives what the whole comparison gives.
func TestStagedAt(t *testing.T) {
	t.Parallel()
	for _, script := range []string{history + mess, "git init -q .; echo a >a; git add a"} {
		l := newLab(t)
		l.sh(script)
		r := l.open(&rangeFS{}).(*repo)
		x, _, err := r.index()
		if err != nil {
			t.Fatal(err)
		}
		all := r.staged(x)
		for i := range x.entries {
			e := &x.entries[i]
			differs, known := r.stagedAt(e)
			if !known || differs != all.has(e.path) {
				t.Errorf("stagedAt(%s) = %v, %v, want %v", e.path, differs, known, all.has(e.path))
			}
		}
	}
}

func TestBare(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.sh(history + `cd ..; git clone -q --bare repo bare.git; git -C bare.git worktree add -q ../fromBare side; git -C bare.git worktree add -q inside v0`)
	g := New(&rangeFS{}, l.options())
	top := filepath.Dir(l.dir)
	for _, dir := range []string{"bare.git", "fromBare", "bare.git/inside"} {
		l.dir = filepath.Join(top, dir)
		l.check(l.find(g))
	}
	r := l.find(g)
	if st := r.State(filepath.Join(top, "bare.git/HEAD")); st != world.InGitDir {
		t.Errorf("HEAD of the bare repository: %v", st)
	}
}
