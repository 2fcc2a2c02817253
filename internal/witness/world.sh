# A small project in git with dirty, ignored, untracked and committed files, and
# a home with secrets. Nothing in it is true.
mkdir -p "$1/home/user/project" "$1/remote.git"
cd "$HOME/project"
git config --global user.email a@example.net
git config --global user.name a
git config --global init.defaultBranch main
git config --global commit.gpgsign false
git init -q .
mkdir -p src tests build node_modules/some-lib scripts docs bin
printf '{"name":"demo","version":"1.0.0","scripts":{"test":"node --test","build":"tsc -p ."}}\n' >package.json
echo '{"lockfileVersion":3}' >package-lock.json
printf 'module demo\n\ngo 1.22\n' >go.mod
echo 'print("demo")' >src/app.py
printf 'all:\n\tcc -o build/demo src/demo.c\nclean:\n\trm -rf build\n' >Makefile
printf '#!/bin/sh\necho fine\n' >scripts/fine.sh
chmod +x scripts/fine.sh
echo '# demo' >README.md
echo 'a,b' >data.csv
echo plain >notes.txt
printf 'node_modules/\nbuild/\n.env\n' >.gitignore
for i in 1 2 3; do echo "text $i" >docs/d$i.md && echo "x $i" >build/o$i.o; done
echo 'module.exports = 1' >node_modules/some-lib/index.js
echo 'API_TOKEN=not-a-token' >.env
git add -A
git commit -qm first
git init -q --bare "$1/remote.git"
git remote add origin "$1/remote.git"
git push -q -u origin main
echo changed >>notes.txt
echo new >src/untracked.py
mkdir -p "$HOME/.ssh" "$HOME/.aws" "$HOME/Documents" "$HOME/.config"
echo key >"$HOME/.ssh/id_ed25519"
printf '[default]\naws_secret_access_key = none\n' >"$HOME/.aws/credentials"
echo '# rc' >"$HOME/.bashrc"
echo letter >"$HOME/Documents/letter.txt"
