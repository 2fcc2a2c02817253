//go:build linux

package main

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
)

// answered is a command whose input says yes to whatever it is asked, and is something
// where it is read.
func answered(command string) string { return "yes | head -n 100 | {\n" + command + "\n}" }

// came reports whether anything came of what made an answer REVIEW, or could have and
// cannot be seen here: what runs in a shell that gets no input, what is done to
// processes, devices and services, of which a layer has none, and to the memory of the
// shell itself, which ends.
func came(a *risk.Assessment, t *trialIn, home string) bool {
	if !idle(t.lost) {
		return true
	}
	changed := slices.ContainsFunc(t.Changes, func(c witness.Change) bool { return !witness.IsRecord(c, home) && !ofGit(c) })
	for i := range a.Effects {
		e := &a.Effects[i]
		if e.Tier != risk.Review {
			continue
		}
		family, _, _ := strings.Cut(string(e.Verb), ".")
		switch {
		case family == "exec" || family == "proc" || family == "resource" || e.Verb == risk.SysPower, unseen(e):
			return true
		case family == "secret" && (len(t.Output) > 0 || len(t.Received) > 0), (family == "net" || family == "remote") && len(t.Received) > 0:
			return true
		}
	}
	return changed
}

// unseen reports whether what is changed cannot be seen: it is kept in the shell's own
// memory (bash(1), "hash" and "history"), its name is to come from the input, or the
// layer has its own.
func unseen(e *risk.Effect) bool {
	return e.Kind == risk.KindCommandTable || e.Kind == risk.KindHistory || e.Cause == risk.CauseInput || e.Target == "/etc/hosts"
}

// ofGit reports whether a change is of how a repository keeps its objects and refs, and
// what it notes of a fetch; which of them are gone is looked at by itself.
func ofGit(c witness.Change) bool {
	_, name, ok := strings.Cut(c.Path, ".git/")
	return ok && slices.ContainsFunc([]string{"objects", "refs", "packed-refs", "info/refs", "FETCH_HEAD", "gc.pid", "index", "logs/HEAD.lock"}, func(part string) bool {
		return name == part || strings.HasPrefix(name, part+"/")
	})
}
