//go:build linux

package main

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/compile"
	"mvdan.cc/sh/v3/syntax"
)

// What is done to one file ({}), to one directory, and to a project as a whole:
// the plain ways, of many programs, in which work is lost or is not.
const (
	fileForms = `rm {}|rm -f {}|unlink {}|shred -u {}|mv {} moved.txt|mv {} /tmp/away|mv README.md {}|cp /dev/null {}|cp README.md {}|cp -n README.md {}
: >{}|echo x >{}|echo x >>{}|truncate -s 0 {}|truncate -s +5 {}|truncate -s 100 {}|dd if=/dev/null of={} status=none|tee {} </dev/null|tee -a {} </dev/null
sed -i s/e/a/ {}|sed -n 1p {}|perl -i -pe s/e/a/ {}|awk 1 {}|sort -o {} {}|sort {}|ln -sf /etc/hosts {}|ln {} /tmp/hard|install /dev/null {}|gzip -c {}|gzip {}|xz -k {}
cat {}|head -n 2 {}|wc -l {}|stat {}|file {}|md5sum {}|cmp {} README.md|diff {} README.md|grep -n e {}|od -c {}|nl {}|tac {}|rev {}|cut -c1-3 {}|base64 {}
chmod 600 {}|chmod +x {}|touch {}|git checkout -- {}|git restore {}|git restore --staged {}|git rm -qf {}|git rm -q --cached {}|git add {}|git stash push -q {}|git diff {}|git log --oneline {}
git blame {}|git checkout HEAD~0 {}|git reset -q {}|git mv {} renamed|git clean -fd {}|git update-index --assume-unchanged {}|rsync -a README.md {}|patch {} </dev/null
python3 -c "import os,sys; os.remove(sys.argv[1])" {}|perl -e "unlink shift" {}|ex -sc '%d|x' {}|find . -samefile {} -delete|tar cf /tmp/a.tar --remove-files {}|split -l 1 {} part-|csplit -s {} 1|fallocate -l 10 {}|cp {} {}.bak|mv -n README.md {}|mv -b README.md {}|rm -i {} </dev/null|test -f {} && rm {}|test -f {} || rm {}|[ -s {} ] && : >{}|xargs rm <<<{}|echo {} \| xargs rm -f`

	dirForms = `rm -r {}|rm -rf {}|rm -rf {}/*|rm -rf {}/.[!.]*|rm -d {}|rmdir {}|mv {} /tmp/d|mv {} moved|mv docs {}|find {} -delete|find {} -type f -delete|find {} -name '*.o' -delete|find {} -empty -delete
find {} -type f -name '*.txt' -exec rm {} +|find {} -mindepth 1 -maxdepth 1 -exec rm -rf {} +|find {} -newer README.md -delete|find {} -type l -delete|find {} -type f|find {} -type f \| xargs rm -f|find {} -type f -print0 \| xargs -0 rm -f|ls {} \| xargs rm|ls -d {}/* \| xargs rm -rf
rm -rf {} && mkdir {}|mkdir -p {}/new|cp -r docs/. {}|cp -r {} /tmp/copy|cp -a {} copy|rsync -a --delete docs/ {}/|rsync -a {}/ /tmp/copy/|tar cf /tmp/a.tar {}|tar cf a.tar --remove-files {}|tar czf {}.tgz {}|zip -qrm a.zip {}
ls {}|ls -la {}|du -sh {}|tree {}|grep -rn e {}|wc -c {}/*|cat {}/*|chmod -R 700 {}|touch {}/new|git clean -fd {}|git clean -fdx {}|git clean -nd {}|git checkout -- {}|git restore {}|git rm -rqf {}|git rm -rq --cached {}|git add {}|git stash push -qu {}|git diff {}
cd {} && rm -rf *|cd {}; rm -f *.md|(cd {} && git clean -fdxq)|for f in {}/*; do rm -r "$f"; done|for f in {}/*; do : >"$f"; done|for f in {}/*; do mv "$f" /tmp/; done|sed -i s/e/a/ {}/*|rm -rf -- {}/|shopt -s dotglob; rm -rf {}/*|python3 -c "import shutil,sys; shutil.rmtree(sys.argv[1])" {}|perl -MFile::Path -e "rmtree shift" {}|cp /dev/null {}/*|mv {}/* /tmp/|mv {}/* .|ln -sfn /etc {}|rename s/a/b/ {}/*`

	wholeForms = `git status|git log --oneline|git diff|git branch -a|git stash list|git reflog|git show HEAD|git ls-files|git fsck --no-dangling|git count-objects|git describe --always|git tag|git remote -v|git worktree list|git submodule status|git blame README.md|git shortlog -s HEAD|git rev-parse HEAD|git cat-file -p HEAD|git grep -n e
git clean -fd|git clean -fdx|git clean -fX|git clean -fdn|git clean -ffdx|git reset --hard|git reset --hard HEAD~1|git reset --soft HEAD~1|git reset --mixed HEAD~1|git reset --keep HEAD~1|git reset --merge|git reset|git reset --hard origin/main
git checkout .|git checkout main|git checkout -f main|git checkout feat|git checkout -q -f feat|git checkout -B main feat|git checkout --orphan fresh|git checkout -|git switch feat|git switch -f feat|git switch -C main feat|git switch --discard-changes main|git switch -c fresh|git restore .|git restore --staged .|git restore --source=HEAD~1 .|git restore -SW .
git stash|git stash -u|git stash -a|git stash drop|git stash drop stash@{1}|git stash clear|git stash pop|git stash apply|git stash branch fromstash|git stash show -p
git branch -D feat|git branch -d feat|git branch -d merged|git branch -D old|git branch -D other|git branch -m main trunk|git branch -f feat main|git branch -f old main|git branch --merged \| grep -v main \| xargs git branch -d|git branch \| grep -v main \| xargs git branch -D|git tag -d v1|git tag v2|git for-each-ref --format='%(refname:short)' refs/heads \| grep -v main \| xargs git branch -D
git rebase feat|git rebase --abort|git rebase --skip|git rebase --continue|git rebase -X theirs feat|git merge feat|git merge --abort|git merge -X theirs feat|git merge --squash feat|git merge --ff-only origin/main|git cherry-pick feat|git cherry-pick --abort|git revert --no-edit HEAD|git commit -qam work|git commit -q --amend -m new|git commit -q --allow-empty -m empty|git add -A|git rm -rqf .|git rm -rq --cached .|git mv README.md READ.md
git gc -q --prune=now|git prune|git reflog expire --expire=now --all|git reflog expire --expire=now --all && git gc -q --prune=now|git reflog delete HEAD@{0}|git repack -adq|git pack-refs --all|git update-ref -d refs/heads/feat|git update-ref -d HEAD|git update-ref refs/heads/main feat|git symbolic-ref HEAD refs/heads/fresh|git read-tree -u --reset HEAD|git read-tree -m -u HEAD|git checkout-index -fa|git checkout-index -f README.md|git sparse-checkout set docs|git sparse-checkout disable
git worktree remove ../wt|git worktree remove -f ../wt|git worktree remove ../clean|git worktree prune|git worktree add ../more|git worktree move ../clean ../tidy|git submodule deinit -f --all|git submodule deinit sub|git submodule update -f|git submodule foreach git clean -fdx|git submodule foreach 'git reset --hard'|git submodule sync
git fetch|git fetch --prune|git fetch origin +main:feat|git pull|git pull --rebase|git pull --rebase --autostash|git pull -f|git push|git push -f|git push --force-with-lease|git push origin :main|git push origin HEAD:fresh|git push --mirror|git push --all|git remote remove origin|git remote prune origin|git init -q|git init -q fresh|git config user.name b|git archive -o /tmp/a.tar HEAD|git bundle create /tmp/a.bundle --all|git diff >/tmp/p.patch|git apply -R --index <(git diff HEAD)|git diff \| git apply -R|git format-patch -1 -o /tmp/out|git notes add -m n|git bisect start|git filter-branch -f --tree-filter true HEAD|git replace -d HEAD|git rerere clear|git update-index --refresh|git lfs prune
rm *|rm -f *|rm -rf *|rm -rf .*|rm -rf .git|rm -rf ./*|rm -rf "$PWD"|rm -f *.txt|rm -f -- *.txt|rm -rf nothere|rm -rf "$UNSET"|rm -rf $UNSET/src|rm -rf ${UNSET:-src}|rm -rf ${UNSET:+src}|rm -rf {build,dist,out}|rm -v *.md|rm README.md nothere|rm -rf node_modules package-lock.json|rm -rf build node_modules|rm -f .git/index|rm -f .git/index.lock|rm -rf /tmp/nothere|rm -rf ../wt|rm -rf ~/Documents/*|rm ~/Documents/letter.txt
find . -name '*.txt' -delete|find . -type f -mtime -1 -delete|find . -maxdepth 1 -type f -delete|find . -name .git -prune -o -type f -name '*.md' -delete|find . -type f ! -name '*.md' -delete|find . -name '*.pyc' -delete|find . -name node_modules -prune -exec rm -rf {} +|find . -type d -empty -delete|find . -size -1k -delete|find . -perm 644 -name '*.csv' -exec rm {} \;|find . -path ./src -prune -o -print|find src docs -type f -exec cat {} +|find . -regex '.*\.o' -delete|find . -iname 'readme*' -delete|find / -maxdepth 1 -name nothere -delete|find ~ -name '*.txt' -delete
ls \| xargs rm -f|ls *.md \| xargs rm|ls -1 docs \| xargs -I{} rm docs/{}|ls -t docs \| tail -n +2 \| xargs rm|echo src \| xargs rm -rf|printf '%s\n' docs src \| xargs rm -rf|git ls-files \| xargs rm|git ls-files -o --exclude-standard \| xargs rm|git ls-files -m \| xargs git checkout --|git diff --name-only \| xargs rm|git status --porcelain \| awk '{print $2}' \| xargs rm -rf|grep -rl new src \| xargs rm|grep -rl e . \| xargs sed -i s/e/a/|du -a \| sort -n \| tail -1|cat README.md \| xargs rm -f
for f in *.txt; do rm "$f"; done|for f in $(ls docs); do rm docs/$f; done|for d in */; do rm -rf "$d"; done|while read -r f; do rm -f "$f"; done < <(git ls-files docs)|for i in 1 2 3; do rm docs/d$i.md; done|for i in {1..3}; do : >docs/d$i.md; done|f=README.md; rm $f|d=src; cd $d && rm -rf *|cd nothere && rm -rf *|cd nothere; rm -rf *|cd docs && rm * && cd ..|[ -d build ] && rm -rf build|test -d nothere && rm -rf src|if [ -f README.md ]; then rm README.md; fi|case x in y) rm -rf src;; esac|true \|\| rm -rf src|false && rm -rf src|false \|\| rm -rf docs|! true && rm -rf docs|set -e; false; rm -rf src|exit 0; rm -rf src|return; rm -rf src|(exit 1) && rm -rf src|x=$(rm -rf docs)|echo $(rm README.md)|echo "$(cat README.md)"|f() { rm -rf docs; }; f|f() { rm -rf docs; }|trap 'rm -rf docs' EXIT|trap 'rm -rf docs' EXIT; trap - EXIT|alias x='rm -rf docs'|eval 'rm -rf docs'|bash -c 'rm -rf docs'|sh -c 'rm -rf "$0"' docs|env rm -rf docs|command rm -rf docs|nohup rm -rf docs|timeout 2 rm -rf docs|nice rm -rf docs|time rm -rf docs|exec rm -rf docs|xargs -a .gitignore rm -rf|sudo -n rm -rf docs|setsid rm -rf docs|rm -rf docs &|stdbuf -o0 rm -rf docs
mv * /tmp/|mv src docs /tmp/|mv notes.txt data.csv|mv -f docs/* src|mv nothere x|mv README.md README.md|cp notes.txt data.csv|cp -r src docs|cp src/*|cp docs/* data.csv|cp nothere x|cat docs/*.md >all.md|cat README.md >README.md|sort notes.txt >notes.txt|tar cf a.tar .|tar cf docs.tar docs && rm -rf docs|tar xf nothere.tar|tar cf - docs \| tar xf - -C /tmp|zip -q a.zip README.md|dd if=README.md of=copy.md|tee a b c <README.md|install -d new/dir|mkdir -p a/b/c|mktemp|touch a b|ln -s src link|ln -sf src docs|make|make clean|make -n clean|make build/demo|npm run build|npm run|npm ls|python3 -m compileall -q src|python3 src/app.py|node -e 1|go build ./...|go vet ./...|cc -o build/demo src/demo.c|date >notes.txt|printf x >notes.txt|: >notes.txt|>notes.txt|cat >notes.txt </dev/null|exec 3>notes.txt|exec 3<>notes.txt|echo x \| tee notes.txt|sponge notes.txt </dev/null|sed -i d notes.txt|sed -i.bak s/p/q/ notes.txt|sed -n w\ notes.txt README.md|awk '{print >"notes.txt"}' README.md|perl -pi -e s/p/q/ notes.txt data.csv|python3 -c 'open("notes.txt","w")'|python3 -c 'import os; os.unlink("notes.txt")'|python3 -c 'import shutil; shutil.rmtree("src")'|python3 -c 'print(open("README.md").read())'|node -e 'require("fs").rmSync("src",{recursive:true})'|node -e 'console.log(1)'|perl -e 'unlink glob "*.txt"'|ruby -e 'File.delete("notes.txt")'|printenv|env|id|uname -a|date|df -h|free|ps|uptime|whoami|hostname|ls|pwd|which git|type git|history`

	// What is done to repositories that are in the middle of something, share their
	// objects, or are told by their settings where what they fetch goes.
	gitForms = `git pull origin main|git pull origin feat|git pull origin feat:main|git pull origin +feat:feat|git pull origin feat:feat|git pull origin main:fresh|git pull origin +main:old|git pull --ff-only|git pull --no-rebase --no-edit|git pull --rebase origin feat|git pull -X theirs --no-rebase --no-edit|git pull --force origin main|git pull --all|git pull --tags origin main
git fetch origin|git fetch --all|git fetch --all --prune|git fetch -p origin|git fetch origin '+refs/heads/*:refs/heads/*'|git fetch -u origin '+refs/heads/*:refs/heads/*'|git fetch -u origin 'refs/heads/*:refs/heads/*'|git fetch origin 'refs/heads/*:refs/remotes/other/*'|git fetch origin +feat:feat|git fetch -f origin feat:feat|git fetch origin feat:feat|git fetch -u -f origin main:main|git fetch origin '+refs/tags/*:refs/tags/*'|git fetch --prune --prune-tags origin|git fetch origin main:refs/heads/old -f|git fetch . +feat:main|git fetch . feat:old|git fetch . +feat:old|git fetch -u . +feat:main|git remote update|git remote update -p|git remote prune origin|git remote rename origin up|git remote remove origin|git remote set-head origin -d|git remote set-url origin ../x
git push origin +feat:main|git push origin feat:main|git push origin --delete feat|git push origin :feat|git push --prune origin 'refs/heads/*'|git push --mirror|git push -f origin HEAD:main|git push --tags|git push origin 'refs/heads/*:refs/heads/*'|git push --force-with-lease origin HEAD:main|git push --force-with-lease=main origin main|git push --force-with-lease=main:HEAD origin main|git push origin HEAD:main
git rebase --abort|git rebase --quit|git rebase --skip|git rebase --continue|git rebase main|git rebase feat|git rebase --onto main HEAD~1|git rebase --root|git rebase -f HEAD~1|git rebase --autostash main|git am --abort|git am --quit|git merge --abort|git merge --quit|git merge --continue|git merge feat|git cherry-pick --abort|git cherry-pick --quit|git cherry-pick --skip|git cherry-pick --continue|git revert --abort|git reset --hard|git reset --merge|git reset --hard ORIG_HEAD|git reset --hard HEAD~1|git reset --hard origin/main|git reset --hard feat|git reset --keep HEAD~1|git reset --soft ORIG_HEAD|git checkout -f|git checkout -f main|git checkout main|git checkout feat|git checkout --ours README.md|git checkout --theirs .|git checkout HEAD~1|git switch main|git switch --detach HEAD~1|git switch -f main|git switch -C feat main|git switch --discard-changes feat|git bisect reset|git bisect good|git bisect bad|git bisect reset HEAD|git commit -qam work --no-edit|git commit -q --amend --no-edit|git stash|git stash -u|git stash pop|git stash drop|git stash clear|git stash create
git branch -D feat|git branch -D old|git branch -D merged|git branch -d merged|git branch -D feat old|git branch -f feat main|git branch -f old feat|git branch -M feat old|git branch -m feat other|git branch -c feat other|git branch -C feat old|git branch -rd origin/main|git branch -rD origin/feat|git tag -d v1|git tag -d v9|git tag -f v1 main|git tag -f v9 HEAD|git update-ref -d refs/heads/feat|git update-ref -d refs/heads/old|git update-ref refs/heads/feat main|git update-ref -d refs/tags/v1|git update-ref -d ORIG_HEAD|git update-ref --no-deref -d HEAD|printf 'delete refs/heads/feat\n' \| git update-ref --stdin|printf 'update refs/heads/feat main\n' \| git update-ref --stdin|git symbolic-ref HEAD refs/heads/feat|git symbolic-ref -d HEAD|rm .git/packed-refs|rm -f .git/packed-refs|rm .git/refs/heads/feat|rm -rf .git/refs/heads|rm -rf .git/logs|rm -f .git/ORIG_HEAD|rm -rf .git/rebase-merge|rm -f .git/MERGE_HEAD|rm -f .git/HEAD|echo ref: refs/heads/feat >.git/HEAD|: >.git/packed-refs|git rev-parse main >.git/refs/heads/feat
git reflog expire --expire=now --all|git reflog expire --expire=now refs/heads/feat|git reflog delete --rewrite HEAD@{0}|git reflog delete feat@{0}|git gc -q|git gc -q --prune=now|git gc -q --aggressive|git prune --expire=now|git repack -Adq|git repack -adq|git prune-packed -q|git pack-refs --all --prune|git maintenance run --quiet|git reflog expire --expire-unreachable=now --all && git gc --prune=now -q|git -c gc.reflogExpireUnreachable=now -c gc.pruneExpire=now gc -q|git filter-branch -f --index-filter 'git rm -q --cached --ignore-unmatch data.csv' HEAD|git filter-branch -f --tree-filter 'rm -f data.csv' -- --all|git replace HEAD HEAD~1|git fsck --lost-found|git worktree add -f ../again feat|git worktree add -B feat ../again main|git worktree add --detach ../again|git clone -q . ../copy|git clone -q --mirror . ../copy.git|git init -q --bare ../bare.git
git submodule update|git submodule update --init|git submodule update --init --recursive --force|git submodule update --remote|git submodule update --checkout sub|git submodule update --rebase|git submodule update --merge|git submodule deinit sub|git submodule deinit -f sub|git submodule deinit --all|git submodule absorbgitdirs|git submodule sync --recursive|git submodule foreach 'git checkout -q -f HEAD~0'|git submodule foreach 'git clean -fdq'|git submodule foreach 'git reset -q --hard HEAD~1'|git submodule foreach 'git stash -u'|git submodule foreach git status|git rm -q sub|git rm -qf sub|git rm -q --cached sub|rm -rf sub|rm -rf .git/modules|rm -rf .git/modules/sub|git -C sub reset -q --hard|git -C sub clean -fdq|git -C sub checkout -q .|git -C sub checkout -q HEAD~1|git -C sub commit -qam x|git -C sub gc -q --prune=now|git -C sub branch -D side|git -C sub reflog expire --expire=now --all|git mv sub sub2|git checkout --recurse-submodules -f HEAD~1|git reset --hard --recurse-submodules|git switch --recurse-submodules -f feat|git checkout -f HEAD~1|git clean -ffdx|git stash -u|git read-tree -u --reset --recurse-submodules HEAD|git pull --recurse-submodules
git -C ~/shared branch -D feat|git -C ~/shared gc -q --prune=now|rm -rf ~/shared|git -C ~/theirs reset -q --hard HEAD~1|git -C ~/theirs clean -fdx`
)

// split takes a list of forms apart: one a line or between bars, of which \| is
// one that belongs to the command.
func split(forms string) (all []string) {
	for line := range strings.Lines(forms) {
		line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, "\x00")
		for form := range strings.SplitSeq(line, "|") {
			if form == "" { // of ||
				continue
			}
			all = append(all, strings.ReplaceAll(form, "\x00", "|"))
		}
	}
	return all
}

// commands are those that are tried in a world of this kind: its own if it has any, or
// every form, and the examples of the specs in a directory, if one is given.
func (k kind) commands(project, specs string, most int) (all []string, err error) {
	if k.own != nil {
		return k.own, nil
	}
	if all, err = k.forms(project, most); err != nil {
		return nil, err
	}
	if specs != "" {
		more, err := examples(specs)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// forms are the commands of every form, with files and directories of the project in the
// place of {}, at most that many of each.
func (k kind) forms(project string, most int) (all []string, err error) {
	var files, dirs []string
	err = filepath.WalkDir(project, func(name string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(project, name)
		switch {
		case err != nil || rel == ".":
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir():
			dirs = append(dirs, rel)
		default:
			files = append(files, rel)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for form, names := range map[string][]string{fileForms: spread(files, most), dirForms: spread(dirs, most)} {
		for _, f := range split(form) {
			for _, name := range names {
				quoted, err := syntax.Quote(name, syntax.LangBash)
				if err != nil {
					continue
				}
				if strings.HasPrefix(name, "-") {
					quoted = "./" + quoted
				}
				// find's own {} stands behind -exec
				before, after, exec := strings.Cut(f, " -exec ")
				command := strings.ReplaceAll(before, "{}", quoted)
				if exec {
					command += " -exec " + after
				}
				all = append(all, command)
			}
		}
	}
	if k.ofGit() {
		all = append(all, split(gitForms)...)
	}
	return append(all, split(wholeForms)...), nil
}

// spread picks at most n names, evenly.
func spread(names []string, n int) []string {
	if len(names) <= n {
		return names
	}
	out := make([]string, n)
	for i := range out {
		out[i] = names[i*len(names)/n]
	}
	return out
}

// examples are the command lines of the specs in a directory.
func examples(dir string) (all []string, err error) {
	specs, err := compile.Dir(dir, "*.yaml")
	if err != nil {
		return nil, err
	}
	for _, s := range specs {
		for _, c := range s.Cases {
			all = append(all, c.Run)
		}
	}
	return all, nil
}
