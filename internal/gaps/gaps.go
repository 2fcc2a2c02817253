// Package gaps counts what heed does not know of the commands in a corpus:
// programs, options, subcommands and constructs of the shell.
//
// In go lines of a corpus and a service; out comes a list by frequency. The
// commands are judged in a world that is made up (package madeup), so that
// nothing of this machine decides what counts as unknown.
package gaps

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/world/madeup"
	"github.com/heedsh/heed/risk"
)

// A Kind says what is not known.
type Kind string

// The kinds.
const (
	Program    Kind = "program"
	Option     Kind = "option"
	Subcommand Kind = "subcommand"
	Shell      Kind = "shell"
)

// Kinds lists every kind in the order in which they are shown.
func Kinds() []Kind { return []Kind{Program, Subcommand, Option, Shell} }

// A Gap is one thing that heed does not know.
type Gap struct {
	Kind    Kind   `json:"kind"`
	Name    string `json:"name"`  // "frob", "git frob", "ls --frob", or what the shell could not be read for
	Count   int    `json:"count"` // of the corpus's commands
	Example string `json:"example"`
}

// A Line is one command of a corpus.
type Line struct {
	Command string
	Shell   string
	Count   int // how often it stands for
}

// scene is the world that commands are judged in.
func scene() []madeup.Statement {
	return []madeup.Statement{
		madeup.Say("git"), madeup.Say("remote", "origin", "git@example.com:x/y.git"),
		madeup.Say("README.md", "tracked"), madeup.Say("src/", "tracked", "5", "files"),
	}
}

// Find judges every line and returns what is not known, the most frequent
// first.
func Find(ctx context.Context, lines []Line, with *service.Service) ([]Gap, error) {
	w, dir, env, err := madeup.Make(scene())
	if err != nil {
		return nil, fmt.Errorf("making the world to judge in: %w", err)
	}
	with = with.In(w)
	base := risk.Request{Dir: dir, Env: env}
	found := make([][]key, len(lines))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				req := base
				req.Command, req.Shell = lines[i].Command, lines[i].Shell
				found[i] = unknown(ctx, with, req)
			}
		})
	}
	for i := range lines {
		next <- i
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("looking for gaps: %w", err)
	}
	return count(lines, found), nil
}

type key struct {
	kind Kind
	name string
}

func count(lines []Line, found [][]key) []Gap {
	at := map[key]*Gap{}
	var order []*Gap
	for i, keys := range found {
		for _, k := range keys {
			g := at[k]
			if g == nil {
				g = &Gap{Kind: k.kind, Name: k.name, Example: lines[i].Command}
				at[k] = g
				order = append(order, g)
			}
			g.Count += max(lines[i].Count, 1)
		}
	}
	slices.SortStableFunc(order, func(a, b *Gap) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(slices.Index(Kinds(), a.Kind), slices.Index(Kinds(), b.Kind)), strings.Compare(a.Name, b.Name))
	})
	all := make([]Gap, len(order))
	for i, g := range order {
		all[i] = *g
	}
	return all
}

// unknown lists what heed does not know of one command, each thing once.
func unknown(ctx context.Context, with *service.Service, req risk.Request) []key {
	out, _ := with.Assess(ctx, req) // what cannot be assessed has no gap that could be filled
	roles := map[string]risk.Role{}
	var keys []key
	add := func(kind Kind, name string) {
		if k := (key{kind, name}); !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, u := range out.Unknowns {
		roles[u.What] = u.Role
		switch u.Role {
		case risk.RoleParse:
			add(Shell, "cannot be parsed: "+general(u.What))
		case risk.RoleBudget:
			add(Shell, u.What)
		case risk.RoleCode:
			// These are heed's own words; others are text of the command. What
			// cannot be parsed is told by its parse error.
			own := strings.HasPrefix(u.What, "a ") || strings.HasPrefix(u.What, "an ") || strings.HasPrefix(u.What, "it ")
			if own && !strings.Contains(u.What, "cannot be parsed") {
				add(Shell, u.What)
			}
		}
	}
	for i := range out.Effects {
		e := &out.Effects[i]
		switch {
		case e.Verb == risk.ExecKnown && e.Kind == risk.KindNotUnderstood && roles[e.Target] == risk.RoleSubcommand:
			add(Subcommand, e.Target)
		case e.Verb == risk.ExecKnown && e.Kind == risk.KindNotUnderstood:
			add(Option, e.Program+" "+e.Target)
		case e.Verb == risk.ExecUnknown && e.Program != "" && e.Target == e.Program && (e.Kind == risk.KindProgram || e.Kind == risk.KindMissing || e.Kind == risk.KindHelp):
			add(Program, e.Program)
		case e.Verb == risk.RemoteDestroy && e.Kind == risk.KindUnlistedProgram:
			add(Program, e.Program)
		case e.Kind == risk.KindUnlistedSubcommand:
			add(Subcommand, e.Program+" "+e.Target)
		}
	}
	return keys
}

// places are what makes two messages of a parser different that say the same.
var places = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp {
	return regexp.MustCompile("^(?:parsing as [a-z]+: )?(?:[0-9]+:[0-9]+: )?|`[^`]*`|\"[^\"]*\"|[0-9]+")
}}

func general(message string) string {
	return places.Get().ReplaceAllStringFunc(message, func(s string) string {
		if s == "" || strings.HasSuffix(s, ": ") {
			return ""
		}
		return "…"
	})
}
