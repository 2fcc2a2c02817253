// Package heedtest makes worlds for tests of programs that use heed.
//
// In goes a description of a machine in a few lines of text; out come the world, to
// be given to heed.Options, and a request that has its directory and environment.
// Nothing outside the text is looked at, and the same text always makes the same
// world, down to inode numbers and commit ids:
//
//	world, req, err := heedtest.World(`
//	    git .  on main
//	    src/app.py     tracked
//	    notes.txt      untracked
//	    node_modules/  ignored 1243 files 312MB
//	    package.json   tracked "{}"
//	`)
//	req.Command = "rm -rf node_modules"
//	a, err := heed.New(heed.Options{World: world}).Assess(ctx, req)
//
// A statement is a line of words. It names a path, which is relative to
// /home/u/project unless it says otherwise, and what git says of it (tracked,
// modified, deleted, staged, untracked, ignored), what it is (dir, -> TARGET, exec,
// binary, missing, mount TYPE), how big it is (12kB, 40 files 2MB) and what it
// holds (a Go string, always last); or it begins with a keyword: os, user, dir,
// env, git, commits, remote, upstream, branch, tag, stash, hook, config, worktree.
// There is a usual machine around it: programs in /usr/bin, accounts, shell
// start-up files, keys in the home.
package heedtest

import (
	"fmt"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// World makes the world that a text describes, and a request in it without a
// command. Errors name the line.
func World(text string) (*heed.World, risk.Request, error) {
	w, dir, env, err := fakeworld.Parse(text)
	if err != nil {
		return nil, risk.Request{}, fmt.Errorf("reading the description of a world: %w", err)
	}
	return w, risk.Request{Dir: dir, Env: env}, nil
}
