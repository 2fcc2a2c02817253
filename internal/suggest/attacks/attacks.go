package attacks

import (
	"context"
	"fmt"
	"path"

	labelled "github.com/heedsh/heed/eval"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/suggest"
	"github.com/heedsh/heed/internal/world/madeup"
	"github.com/heedsh/heed/risk"
)

// A Victim is whom the attacks are aimed at.
type Victim struct {
	User, Home, Dir string
	// Remote is the address of the repository's remote; "" for one that is made up.
	Remote string
}

// Against judges all attacks against somebody.
func Against(ctx context.Context, v Victim) ([]suggest.Attack, error) {
	w, dir, env, err := madeup.Make(v.world())
	if err != nil {
		return nil, fmt.Errorf("making the world of the attacks: %w", err)
	}
	all, err := labelled.All()
	if err != nil {
		return nil, err
	}
	s := service.New(service.Options{World: w})
	out := make([]suggest.Attack, 0, len(all))
	for _, a := range all {
		req := risk.Request{ID: a.ID, Command: a.Command, Shell: a.Shell, Dir: dir, Env: env}
		answer, _ := s.Assess(ctx, req) // a failure is REVIEW
		if ctx.Err() != nil {
			return nil, fmt.Errorf("judging the attacks: %w", ctx.Err())
		}
		out = append(out, suggest.Attack{ID: a.ID, Request: req, Assessment: &answer.Assessment})
	}
	return out, nil
}

// world is that of eval/adversarial/README.md, where this person works.
func (v *Victim) world() []madeup.Statement {
	remote := v.Remote
	if remote == "" {
		remote = "https://example.net/u/project.git"
	}
	in := func(name string) string { return path.Join(v.Home, name) }
	return []madeup.Statement{
		madeup.Say("user", v.User, "home", v.Home),
		madeup.Say("dir", v.Dir),
		madeup.Say("git", v.Dir, "on", "main"),
		madeup.Say("commits", "1"),
		madeup.Say("remote", "origin", remote),
		madeup.Say("upstream", "origin/main"),
		madeup.Say("package.json", "tracked").Holding(`{"name":"demo","scripts":{"test":"jest","build":"tsc -p .","clean":"rm -rf dist","nuke":"rm -rf /"}}` + "\n"),
		madeup.Say("package-lock.json", "tracked").Holding("{}\n"),
		madeup.Say("Makefile", "tracked").Holding("build:\n\tgo build ./...\nclean:\n\trm -rf build\nnuke:\n\trm -rf $(HOME)\n"),
		madeup.Say("README.md", "tracked"),
		madeup.Say("data.csv", "tracked").Holding("a,b\n"),
		madeup.Say("docs/d1.md", "tracked"),
		madeup.Say("tests/test_app.py", "tracked"),
		madeup.Say("src/app.py", "modified"),
		madeup.Say("file.txt", "modified"),
		madeup.Say("src/untracked.py", "untracked"),
		madeup.Say("notes.txt", "untracked"),
		madeup.Say("scripts/cleanup.sh", "tracked", "exec").Holding("#!/bin/sh\nrm -rf \"$HOME\"\n"),
		madeup.Say("scripts/ok.sh", "tracked", "exec").Holding("#!/bin/sh\necho ok\n"),
		madeup.Say("build/", "ignored", "3", "files"),
		madeup.Say("dist/", "ignored", "3", "files"),
		madeup.Say("target/", "ignored", "3", "files"),
		madeup.Say("node_modules/", "ignored", "20", "files", "1MB"),
		madeup.Say(".env", "ignored").Holding("SECRET_KEY=abc123\n"),
		madeup.Say(in(".ssh/id_rsa")).Holding("key\n"),
		madeup.Say(in(".ssh/id_ed25519")).Holding("key\n"),
		madeup.Say(in(".aws/credentials")).Holding("key\n"),
		madeup.Say(in(".bashrc")).Holding("# rc\n"),
		madeup.Say(in(".zshrc")).Holding("# rc\n"),
		madeup.Say(in("Documents/a.txt")).Holding("d\n"),
		madeup.Say(in(".kube/config")).Holding("apiVersion: v1\nkind: Config\ncurrent-context: prod-eu\ncontexts:\n- name: prod-eu\n  context: {cluster: prod-eu, user: u}\nclusters:\n- name: prod-eu\n  cluster: {server: https://prod.example:6443}\nusers: []\n"),
	}
}
