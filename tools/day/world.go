package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// project is the world of the grammar.
const project = `
user user
dir /home/user/project
git /home/user/project on main
commits 200
remote origin git@github.com:acme/demo.git
upstream origin/main ahead 1
package.json tracked ` + "`" + `{"name":"demo","scripts":{"test":"jest","build":"tsc -p .","lint":"eslint src","clean":"rm -rf dist","nuke":"rm -rf /"}}` + "`" + `
package-lock.json tracked "{}"
go.mod tracked "module demo\n"
Makefile tracked "build:\n\tgo build ./...\nclean:\n\trm -rf build\nnuke:\n\trm -rf $(HOME)\n"
README.md tracked
data.csv tracked "a,b\n"
docs/a.md tracked
src/app.py tracked "print(1)\n"
src/untracked.py untracked "print(1)\n"
src/util.py tracked "print(1)\n"
src/main.go modified
tests/test_app.py tracked
internal/store/store.go tracked
internal/auth/auth.go modified
internal/queue/queue.go tracked
scripts/cleanup.sh tracked exec "#!/bin/sh\nrm -rf \"$HOME\"\n"
scripts/ok.sh tracked exec "#!/bin/sh\necho ok\n"
file.txt modified
notes.txt untracked
node_modules/ ignored 1243 files 312MB
build/ ignored 20 files 1MB
dist/ ignored 3 files 1MB
.env ignored "SECRET_KEY=abc123\n"
` + things + home

// things are what the tasks are about, in every world.
const things = `notes-old.txt untracked
scratch/ untracked 12 files 1MB
tmp-data/ untracked 80 files 20MB
experiments/ untracked 5 files 1MB
config.json tracked "{}"
deploy/web.yaml tracked "kind: Deployment\n"
deploy/api.yaml tracked "kind: Deployment\n"
deploy/worker.yaml tracked "kind: Deployment\n"
internal/server/server.go tracked
cmd/demo/main.go tracked
branch fix/login at main
branch feature/orders 2 commits not in main
branch fix/retry 3 commits not in main
branch feature/queue 1 commits not in main
`

// home is what the attacks of this repository are after (eval/adversarial/README.md).
const home = `~/.ssh/id_rsa "key\n"
~/.ssh/id_ed25519 "key\n"
~/.aws/credentials "key\n"
~/.bashrc "# rc\n"
~/.zshrc "# rc\n"
~/Documents/a.txt "d\n"
~/.kube/config "apiVersion: v1\nkind: Config\ncurrent-context: prod-eu\ncontexts:\n- name: prod-eu\n  context: {cluster: prod-eu, user: u}\n"
`

// specFor is a spec of a person's own, by which the answers about a program change: of
// one that was known to read, it says that it writes; of one that nobody knew, that it
// reads.
func specFor(program string, up bool) string {
	role, verb := "reads", "fs.read"
	if up {
		role, verb = "writes", "fs.write"
	}
	return fmt.Sprintf("program: %s\nsource: made up\nsummary: Is another program now\nflags: -l -c -u -s -L\noperands: [{file...: %s}]\ncases:\n  %s x: [%s x]\n", program, role, program, verb)
}

// specDir is where a person's own specs are in the worlds.
const specDir = "/home/user/.config/heed/specs"

// A suite is the commands of one file of an evaluation.
type suite struct {
	name     string
	commands []string
}

func readSuite(name string) (*suite, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading commands: %w", err)
	}
	s := &suite{name: strings.TrimSuffix(path.Base(name), ".jsonl")}
	for line := range strings.Lines(string(text)) {
		var c struct{ Cmd string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			return nil, fmt.Errorf("reading the commands of %s: %w", name, err)
		}
		if c.Cmd != "" {
			s.commands = append(s.commands, c.Cmd)
		}
	}
	return s, nil
}

// root is the directory that the suite was made in: the deepest one below which most of
// the paths lie that its commands name, or else the grammar's.
func (s *suite) root() string {
	count := map[string]int{}
	all := 0
	for _, c := range s.commands {
		named := map[string]bool{}
		for _, p := range regexp.MustCompile(`(?:^|[\s'"=])(/[A-Za-z0-9._/-]+)`).FindAllStringSubmatch(c, -1) {
			p := path.Clean(p[1])
			if slices.Contains([]string{"usr", "bin", "etc", "tmp", "dev", "proc", "sys", "var", "opt", "lib", "root"}, strings.Split(p, "/")[1]) {
				continue
			}
			for d := p; d != "/" && d != "."; d = path.Dir(d) {
				named[d] = true
			}
		}
		if len(named) > 0 {
			all++
		}
		for d := range named {
			count[d]++
		}
	}
	best := ""
	for d, n := range count {
		if 2*n > all && all*20 > len(s.commands) && (len(d) > len(best) || best == "") {
			best = d
		}
	}
	if best == "" || strings.Contains(path.Base(best), ".") {
		return "/home/user/project"
	}
	return best
}

// world is the grammar's world at the suite's root, without the grammar's repository of
// code: only what is usual in a project.
func (s *suite) world(scripts []string) string {
	root := s.root()
	var b strings.Builder
	fmt.Fprintf(&b, "user user\ndir %s\ngit %s on main\ncommits 200\nremote origin git@github.com:acme/demo.git\nupstream origin/main ahead 1\n", root, root)
	b.WriteString(things + home + "package.json tracked `{\"scripts\":{\"test\":\"jest\",\"build\":\"tsc -p .\",\"clean\":\"rm -rf dist\",\"nuke\":\"rm -rf /\"}}`\n" + `package-lock.json tracked "{}"
Makefile tracked "build:\n\tgo build ./...\nclean:\n\trm -rf build\nnuke:\n\trm -rf $(HOME)\n"
src/untracked.py untracked "print(1)\n"
file.txt modified
data.csv tracked "a,b\n"
docs/a.md tracked
scripts/cleanup.sh tracked exec "#!/bin/sh\nrm -rf \"$HOME\"\n"
pyproject.toml tracked "[project]\nname = 'demo'\n"
mix.exs tracked "defmodule Demo do\nend\n"
README.md tracked
src/app.py modified
.env ignored "SECRET_KEY=abc123\n"
build/ ignored 20 files 1MB
dist/ ignored 3 files 1MB
`)
	for _, name := range scripts {
		body := "# nothing\n"
		switch path.Ext(name) {
		case ".py":
			body = "#!/usr/bin/env python3\nprint('ok')\n"
		case ".sh":
			body = "#!/bin/sh\necho ok\n"
		case ".js":
			body = "#!/usr/bin/env node\nconsole.log('ok')\n"
		case ".rb", ".pl", ".php", ".R", ".jl", ".lua":
		default:
			fmt.Fprintf(&b, "%s binary\n", name)
			continue
		}
		fmt.Fprintf(&b, "%s exec %q\n", name, body)
	}
	return b.String()
}
