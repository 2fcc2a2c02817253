//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/heedsh/heed/internal/witness"
)

// A kind of world is a setup that bash runs in the project of a fresh one.
type kind struct {
	name, setup string
	own         []string // the only commands that are tried in it, if there are any
}

// ofGit reports whether the forms for repositories are tried in a world too.
func (k kind) ofGit() bool {
	switch k.name {
	case "branches", "behind", "detached", "submodules", "packed", "mirror", "diverged", "rebasing", "editing", "merging", "picking", "bisecting", "alternates":
		return true
	}
	return false
}

// kinds are the worlds that commands are held against: what a repository, a
// project or a home can hold that a command may take away.
func kinds() []kind {
	all := []struct{ name, setup string }{
		{"plain", ``},
		{"branches", `
git switch -qc feat; echo feat >feat.txt; git add feat.txt; git commit -qm feat
git switch -qc old main; echo old >old.txt; git add old.txt; git commit -qm old; git tag v1
git switch -q main; git branch merged; git branch -q other feat`},
		{"ahead", `
echo a >ahead.txt; git add ahead.txt; git commit -qm ahead ahead.txt; echo b >>ahead.txt; git commit -qm more ahead.txt`},
		{"behind", `
echo a >theirs.txt; git add theirs.txt; git commit -qm theirs theirs.txt; git push -q; git reset -q --soft HEAD~1; git rm -qf theirs.txt`},
		{"detached", `
git checkout -q --detach; echo d >detached.txt; git add detached.txt; git commit -qm detached detached.txt`},
		{"stashes", `
echo one >>README.md; git stash -q; echo two >src/new.py; git stash -qu; echo 'last' >>README.md`},
		{"conflict", `
git commit -qam notes; git switch -qc feat; echo feat >README.md; git commit -qam feat; git switch -q main; echo main >README.md; git commit -qam main
git rebase feat >/dev/null 2>&1 || true`},
		{"worktrees", `
git worktree add -q ../wt -b wt; echo dirty >>../wt/README.md; echo new >../wt/untracked.txt; git worktree add -q ../clean -b clean`},
		{"submodules", `
git init -q ~/lib; (cd ~/lib; echo lib >lib.txt; git add .; git commit -qm lib)
git -c protocol.file.allow=always submodule add -q ~/lib sub >/dev/null; git commit -qm sub sub .gitmodules; git -C sub switch -qc side; echo side >sub/side.txt; git -C sub add side.txt; git -C sub commit -qm side; git -C sub switch -q --detach HEAD~1; echo off >sub/off.txt; git -C sub add off.txt; git -C sub commit -qm off
echo dirty >>sub/lib.txt; echo new >sub/untracked.txt`},
		{"pointers", `
printf '*.bin filter=lfs diff=lfs merge=lfs -text\n' >.gitattributes
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 12\n' 1 >big.bin; git add .gitattributes big.bin; git commit -qm pointer; echo 'the contents' >big.bin`},
		{"ignored", `
printf 'config/*.key\n*.sqlite3\nlogs/\n*.tfstate\n' >>.gitignore; git commit -qam ignore
mkdir -p config logs; echo k >config/master.key; echo d >dev.sqlite3; echo l >logs/a.log; echo '{"resources":[1]}' >terraform.tfstate; echo pem >build/server.pem`},
		{"links", `
ln -s ~/Documents papers; ln -s ../../Documents/letter.txt letter.txt; ln docs/d1.md hard.md; ln -s src code; ln -s nowhere broken`},
		{"names", `
touch -- '-rf' 'a b.txt' '*.txt' 'ünïcode.txt' $'two\nlines' "it's" '#hash' '$HOME' '~'; mkdir -p 'my dir'; echo x >'my dir/file one'`},
		{"packages", `
mkdir -p packages/a/node_modules/dep packages/a/dist packages/b/src; for p in a b; do printf '{"name":"%s","scripts":{"build":"tsc"}}\n' $p >packages/$p/package.json; done
echo 1 >packages/a/node_modules/dep/i.js; echo 1 >packages/a/dist/i.js; echo 1 >packages/b/src/i.ts; printf 'dist/\n' >>.gitignore; git add .; git commit -qm packages; echo 2 >>packages/b/src/i.ts`},
		{"nested", `
mkdir -p vendor/lib; cd vendor/lib; git init -q; echo v >v.txt; git add v.txt; git commit -qm v; echo new >new.txt; cd ../..; mkdir -p node_modules/some-lib; (cd node_modules/some-lib; git init -q; git add .; git commit -qm own)`},
		{"packed", `
git switch -qc feat; echo feat >feat.txt; git add feat.txt; git commit -qm feat; git tag v1; git commit -q --allow-empty -m more
git switch -qc old main; echo old >old.txt; git add old.txt; git commit -qm old; git switch -q main; git branch merged
git pack-refs --all; git gc -q; rm -rf .git/logs; git config core.logAllRefUpdates false`},
		{"mirror", `
git push -q origin main:stays; git switch -qc feat; echo feat >feat.txt; git add feat.txt; git commit -qm feat; git switch -qc stays main; echo s >s.txt; git add s.txt; git commit -qm stays
git switch -q main; rm -rf .git/logs; git config remote.origin.fetch '+refs/heads/*:refs/heads/*'; git config fetch.prune true`},
		{"diverged", `
git clone -q ../../../remote.git ~/theirs; (cd ~/theirs; echo t >theirs.txt; git add .; git commit -qm theirs; git push -q; git switch -qc feat; echo f >feat.txt; git add .; git commit -qm feat; git push -q origin feat; git tag v9; git push -q origin v9)
git fetch -q; echo mine >mine.txt; git add mine.txt; git commit -qm mine; git switch -qc feat main~1; echo own >own.txt; git add own.txt; git commit -qm own; git switch -q main; echo 'not theirs' >theirs.txt`},
		{"rebasing", `
git commit -qam notes; git switch -qc feat; for i in 1 2 3; do echo $i >f$i.txt; git add f$i.txt; git commit -qm f$i; done; echo feat >README.md; git commit -qam clash; echo last >last.txt; git add last.txt; git commit -qm last
git switch -q main; echo main >README.md; git commit -qam main; git switch -q feat; echo dirty >>data.csv; git rebase --autostash main >/dev/null 2>&1 || true; echo resolved >README.md; echo new >beside.txt`},
		{"editing", `
git commit -qam notes; for i in 1 2 3; do echo $i >f$i.txt; git add f$i.txt; git commit -qm f$i; done
GIT_SEQUENCE_EDITOR='sed -i 2s/pick/edit/' git rebase -qi HEAD~3 >/dev/null 2>&1; echo more >more.txt; git add more.txt; git commit -qm more; echo e >>f2.txt; echo u >u.txt`},
		{"merging", `
git commit -qam notes; git switch -qc feat; echo feat >README.md; echo n >fresh.txt; git add fresh.txt; git commit -qam feat; git switch -q main; echo main >README.md; git commit -qam main; echo d >>data.csv
git merge feat >/dev/null 2>&1 || true; echo resolved >README.md`},
		{"picking", `
git commit -qam notes; git switch -qc feat; echo one >one.txt; git add one.txt; git commit -qm one; echo feat >README.md; git commit -qam feat; git switch -q main; echo main >README.md; git commit -qam main
git cherry-pick feat~1 feat >/dev/null 2>&1 || true; echo resolved >README.md; echo x >x.txt`},
		{"bisecting", `
git commit -qam notes; for i in 1 2 3 4; do echo $i >f.txt; git add f.txt; git commit -qm $i; done; git bisect start -q HEAD HEAD~4 >/dev/null; echo off >off.txt; git add off.txt; git commit -qm off`},
		{"alternates", `
git switch -qc feat; echo feat >feat.txt; git add feat.txt; git commit -qm feat; git switch -q main; git clone -qs . ~/shared; (cd ~/shared; git switch -qc feat origin/feat; git switch -q main)`},
		{"unborn", `rm -rf .git; git init -q`},
		{"without", `rm -rf .git`},
	}
	kinds := make([]kind, len(all))
	for i, k := range all {
		kinds[i] = kind{name: k.name, setup: k.setup}
	}
	return kinds
}

// newWorld makes a world of a kind in a directory that is not there yet.
func newWorld(k kind, dir string) (*witness.World, error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making room: %w", err)
	}
	w, err := witness.New(context.Background(), dir)
	if err == nil {
		err = w.Setup(context.Background(), k.setup)
	}
	if err != nil {
		return nil, fmt.Errorf("world %s: %w", k.name, err)
	}
	return w, nil
}

// eachWorld makes a world of every kind, or of the only one, in a directory, and hands it on
// with the commands that are tried in it: in the first the examples of specs as well.
func eachWorld(dir string, tried []kind, only, specs string, most int, try func(k kind, w *witness.World, all []string) error) error {
	for i, k := range tried {
		if only != "" && only != k.name {
			continue
		}
		w, err := newWorld(k, filepath.Join(dir, k.name))
		if err != nil {
			return err
		}
		with := ""
		if i == 0 {
			with = specs
		}
		all, err := k.commands(w.Project, with, most)
		if err != nil {
			return err
		}
		if err := try(k, w, all); err != nil {
			return err
		}
	}
	return nil
}
