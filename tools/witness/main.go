//go:build linux

// Command witness runs commands for real and holds heed's word against what
// happened: each command runs in a throwaway layer over this machine's files
// (overlayfs), without a network, the machine's devices or anybody else's
// processes, and every file that changed must lie where an effect of the
// assessment says.
//
//	bash world.sh /tmp/heed-world
//	sudo go run ./tools/witness -world /tmp/heed-world suites/*.jsonl
//
// The rows are those of heed eval. Only commands of the asked tiers run, and of
// them only those of which heed claims to know all: what it names as not
// inspected, a network's or a service's is not held against files. It needs
// root and Linux.
//
//	go run ./tools/witness -worlds -preview -specs internal/catalog/specs
//
// runs commands of its own and the specs' examples in previews instead, as anybody, and
// counts by verb what was done and not said, and what was said for certain and not done.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/internal/eval"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/throwaway"
)

func main() {
	throwaway.Inside(os.Args)
	if preview.IsInside(os.Args[1:]) {
		os.Exit(preview.Inside())
	}
	var o options
	flag.StringVar(&o.world, "world", filepath.Join(os.TempDir(), "heed-world"), "`DIR` of the fixture world")
	flag.StringVar(&o.tiers, "tiers", "SAFE", "`TIERS` whose commands run, joined by commas: SAFE, CAUTION")
	flag.IntVar(&o.every, "every", 1, "run every `N`th command only")
	worlds := flag.Bool("worlds", false, "hold answers to commands of its own against worlds of many kinds, instead of suites")
	only := flag.String("kind", "", "with -worlds: only the `KIND` of world")
	specs := flag.String("specs", "", "with -worlds: the `DIR` of specs whose examples run too")
	previewed := flag.Bool("preview", false, "with -worlds: run them in previews, and hold every effect against what they did and the other way round, by verb")
	own := flag.String("pairs", "", "with -worlds: a `FILE` of worlds and commands to try instead (see pairs.go)")
	most := flag.Int("most", 6, "with -worlds: how `MANY` files and directories of a world every form is tried on")
	flag.Parse()
	if *worlds {
		tried := kinds()
		if *own != "" {
			var err error
			tried, err = pairs(*own)
			fail(err)
		}
		try := judge
		if *previewed {
			try = foresee
		}
		faults, err := try(os.Stdout, tried, *only, *specs, *most, o.every)
		fail(err)
		if faults > 0 {
			os.Exit(1)
		}
		return
	}
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	o.suites = flag.Args()
	unsaid, err := o.run(os.Stdout)
	fail(err)
	if unsaid > 0 {
		os.Exit(1)
	}
}

// claimsAll reports whether an assessment says of every part of a command what
// it does to files: nothing of it was left uninspected, or is done by a service.
func claimsAll(effects []risk.Effect) bool {
	return !slices.ContainsFunc(effects, func(e risk.Effect) bool {
		family, _, _ := strings.Cut(string(e.Verb), ".")
		switch family {
		case "fs", "vcs", "db", "secret", "persist", "agent":
			return e.Verb == risk.VCSPush || e.Verb == risk.VCSForce
		}
		return true
	})
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "witness:", err)
		os.Exit(2)
	}
}

type options struct {
	world, tiers string
	every        int
	suites       []string
}

// run answers how many commands changed a file that heed had not told of.
func (o *options) run(out *os.File) (unsaid int, err error) {
	for t := range strings.SplitSeq(o.tiers, ",") {
		if t != risk.Safe.String() && t != risk.Caution.String() { // what REVIEW says is the worst, not all
			return 0, fmt.Errorf("-tiers %q: want SAFE, CAUTION or both", o.tiers)
		}
	}
	cases, err := read(o.suites)
	if err != nil {
		return 0, err
	}
	home := filepath.Join(o.world, "home", "user")
	env := map[string]string{"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin", "USER": "user", "LANG": "C.UTF-8"}
	engine := heed.New(heed.Options{Home: home, User: "user"})
	l, err := throwaway.NewLayer()
	if err != nil {
		return 0, err
	}
	defer l.Close()
	counts := map[witness.Outcome]int{}
	for i := range cases {
		c := &cases[i]
		req := risk.Request{Command: c.Cmd, Shell: c.Shell, Dir: filepath.Join(home, "project"), Env: env}
		if c.Dir != nil {
			req.Dir = *c.Dir
		}
		if i%o.every != 0 || !isDir(req.Dir) || c.Shell != "" && c.Shell != "bash" && c.Shell != "sh" {
			continue
		}
		a, err := engine.Assess(context.Background(), req)
		if err != nil {
			return unsaid, err
		}
		if !slices.Contains(strings.Split(o.tiers, ","), a.Tier.String()) || !claimsAll(a.Effects) {
			continue
		}
		trial, err := l.Try(&req)
		if err != nil {
			return unsaid, fmt.Errorf("%s: %w", c.ID, err)
		}
		if trial.Stopped { // what it would have taken away itself
			trial.Changes = slices.DeleteFunc(trial.Changes, func(c witness.Change) bool {
				return strings.HasPrefix(c.Path, "/tmp/") && !strings.HasPrefix(c.Path, o.world+"/")
			})
		}
		what, surprises := witness.Compare(a.Effects, trial.Changes, home)
		counts[what]++
		if what == witness.NotTold {
			unsaid++
			fmt.Fprintf(out, "[%s] %s\n    says: %s\n    did:  %s\n", a.Tier, explain.Cut(explain.Visible(c.Cmd), 160), a.Summary, explain.Visible(strings.Join(surprises[:min(len(surprises), 4)], ", ")))
		}
	}
	fmt.Fprintf(out, "\n%d commands ran: %d changed nothing, %d what heed told of, %d only their programs' own caches and histories, %d something else\n",
		counts[witness.Nothing]+counts[witness.Told]+counts[witness.OwnRecords]+counts[witness.NotTold], counts[witness.Nothing], counts[witness.Told], counts[witness.OwnRecords], counts[witness.NotTold])
	return unsaid, nil
}

func read(suites []string) (all []eval.Case, err error) {
	for _, name := range suites {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("opening a suite: %w", err)
		}
		cases, err := eval.Read(f, name)
		f.Close()
		if err != nil {
			return nil, err
		}
		all = append(all, cases...)
	}
	return all, nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
