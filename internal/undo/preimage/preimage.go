// Package preimage keeps what a command is about to destroy, before it runs.
//
// In go the assessment of a command and where it runs; out comes the entry of the
// account's store for undo ([undo.Store]), or nothing where nothing is lost. Of git it
// keeps the files of the work tree that the command takes, the index and the refs, and
// holds the commits that they name. Then a process of its own waits for the command's end,
// to tell what the command did from what is done later.
//
// It may not stop a command, change anything that the command sees, but for refs of its
// own, or keep secrets.
package preimage

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/undo"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
	"github.com/heedsh/heed/internal/world/osworld"
	"github.com/heedsh/heed/risk"
)

// limit is how long a command waits for what is kept of it.
const limit = 5 * time.Second

// A Command is what is about to run.
type Command struct {
	Assessment *risk.Assessment
	Text       string            // as it is shown, secrets masked
	Dir        string            // where it runs
	Env        map[string]string // its environment, and heed's
}

// Keep keeps what a command destroys and nothing else can bring back; the entry is nil
// where that is nothing. It returns in a few seconds, whatever the disk does; then, and on
// every error, nothing is kept.
func Keep(c *Command) (*undo.Entry, error) {
	type result struct {
		entry *undo.Entry
		err   error
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	done := make(chan result, 1)
	go func() {
		defer func() { // the command runs whatever is wrong here
			if what := recover(); what != nil {
				done <- result{err: fmt.Errorf("heed has a fault: %v", what)}
			}
		}()
		e, err := keep(ctx, c)
		done <- result{e, err}
	}()
	select {
	case r := <-done:
		return r.entry, r.err
	case <-ctx.Done():
		return nil, errors.New("it takes longer than " + limit.String())
	}
}

func keep(ctx context.Context, c *Command) (*undo.Entry, error) {
	o := Order(c)
	if len(o.Targets) == 0 {
		return nil, nil
	}
	s, err := undo.Open(func(name string) string { return c.Env[name] })
	if err != nil {
		return nil, err
	}
	defer func() { _ = s.Close() }() // a directory: nothing is buffered
	s.Secret = func(path string) bool { return workspace.Secret(path, c.Env["HOME"]) }
	e, err := s.Keep(ctx, *o)
	if err != nil || e == nil {
		return nil, err
	}
	if err := watch(ctx, s, c, e.ID); err != nil {
		// What is kept is kept; without the end of the command, it is only told less well
		// what was changed later.
		e.Open = append(e.Open, fmt.Sprintf("its end is not seen: %v", err))
	}
	return e, nil
}

// Order is what has to be kept before a command.
func Order(c *Command) *undo.Order {
	o := &undo.Order{Dir: c.Dir, Command: c.Text}
	o.Targets, o.Open = targets(c.Assessment)
	var found *repositories
	for i := range c.Assessment.Effects {
		e := &c.Assessment.Effects[i]
		switch {
		case e.Verb == risk.VCSDiscard, e.Verb == risk.VCSRewrite, e.Verb == risk.VCSLocal && (e.Kind == risk.KindRebase || e.Kind == risk.KindBranchDelete || e.Kind == risk.KindTagDelete):
			if found == nil {
				found = &repositories{git: git(c), a: c.Assessment, o: o, have: map[string]bool{}}
			}
			found.keep(e)
		case e.Scope == risk.IsAgentConfig, e.Scope == risk.IsStartup:
			o.Guarded = true
		}
	}
	for i := range o.Open { // targets may be addresses with passwords in them
		o.Open[i] = mask.Text(o.Open[i])
	}
	return o
}

// git reads the repositories of this machine as the command's git would.
func git(c *Command) world.Git {
	home := c.Env["HOME"]
	w := osworld.New(osworld.Options{Home: home, Name: c.Env["USER"], Near: []string{c.Dir}, Git: func(fs world.FS) world.Git {
		return gitstate.New(fs, gitstate.Options{Home: home, Env: c.Env, SystemConfig: "/etc/gitconfig"})
	}})
	return w.Git
}
