//go:build linux

package main

// A kind of world is a setup that bash runs in the project of a fresh one.
type kind struct{ name, setup string }

// kinds are the worlds that commands are held against: what a repository, a
// project or a home can hold that a command may take away.
func kinds() []kind {
	return []kind{
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
git -c protocol.file.allow=always submodule add -q ~/lib sub >/dev/null; git commit -qm sub sub .gitmodules; echo dirty >>sub/lib.txt; echo new >sub/untracked.txt`},
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
		{"unborn", `rm -rf .git; git init -q`},
		{"without", `rm -rf .git`},
	}
}
