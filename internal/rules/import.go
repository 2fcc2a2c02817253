package rules

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/detect/sigma"
)

// A Source is a directory of Sigma rules, or one file of it.
type Source struct {
	Name string // for messages, before the path in FS
	FS   fs.FS
	Path string // "." or the file's name
}

// An ImportReport says what came of an import.
type ImportReport struct {
	Files     int // that hold rules
	Links     int // that were not followed
	Elsewhere int // rules for other log sources, which no command gives events for
	Loaded    []sigma.Meta
	Refused   []sigma.Problem
	Quiet     []Fired // of level high or critical, and often right about ordinary commands
	Ordinary  int     // how many ordinary commands were tried
}

// Import reads the Sigma rules of the sources and compiles those that are about
// the programs that are started, and the correlations over them. Each is tried
// on heed's list of ordinary commands. tell is called as work goes on.
func Import(ctx context.Context, sources []Source, opts sigma.Options, tell func(what string, done, total int)) (*Cache, ImportReport, error) {
	var r ImportReport
	files, err := walk(sources, &r)
	if err != nil {
		return nil, r, err
	}
	all, err := parse(files, &r, tell)
	if err != nil {
		return nil, r, err
	}
	set, problems := sigma.Compile(choose(all, &r), opts)
	r.Refused = append(r.Refused, problems...)
	slices.SortStableFunc(r.Refused, func(a, b sigma.Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	for _, m := range set.Rules() {
		r.Loaded = append(r.Loaded, *m)
	}
	c := &Cache{Set: set}
	if set.Len() == 0 {
		return c, r, nil
	}
	fired, total, err := try(ctx, set, func(done, total int) { tell("ordinary commands", done, total) })
	if err != nil {
		return nil, r, err
	}
	r.Ordinary = total
	for _, f := range fired {
		if f.loud() && f.often() {
			r.Quiet = append(r.Quiet, f)
			c.Quiet = append(c.Quiet, f.Label)
		}
	}
	slices.Sort(c.Quiet)
	c.Quiet = slices.Compact(c.Quiet)
	return c, r, nil
}

// A ruleFile is one file to read.
type ruleFile struct {
	fs   fs.FS
	path string
	name string // for messages
}

// walk lists the files of the sources in the order of their names.
func walk(sources []Source, r *ImportReport) (files []ruleFile, err error) {
	for _, s := range sources {
		err := fs.WalkDir(s.FS, s.Path, func(p string, d fs.DirEntry, err error) error {
			base := path.Base(p)
			ext := path.Ext(base)
			switch {
			case err != nil:
				return err
			case d.IsDir():
				if p != "." && strings.HasPrefix(base, ".") {
					return fs.SkipDir
				}
				if strings.Count(p, "/") >= maxDepth {
					return fmt.Errorf("%s: more than %d directories deep", p, maxDepth)
				}
				return nil
			case ext != ".yml" && ext != ".yaml", strings.HasPrefix(base, "."), strings.HasSuffix(base, ".tests.yml"), base == "events.yaml":
				return nil
			case d.Type()&fs.ModeSymlink != 0:
				r.Links++
				return nil
			case !d.Type().IsRegular():
				return nil
			case len(files) == maxFiles:
				return fmt.Errorf("more than %d files", maxFiles)
			}
			files = append(files, ruleFile{s.FS, p, path.Join(s.Name, p)})
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking for rules in %s: %w", s.Name, err)
		}
	}
	return files, nil
}

// A parsed file is what one of them holds.
type parsed struct {
	rules    []sigma.Rule
	problems []sigma.Problem
	bytes    int
	holds    bool
	err      error
}

// parse reads files on all processors.
func parse(files []ruleFile, r *ImportReport, tell func(string, int, int)) (all []sigma.Rule, err error) {
	results := make([]parsed, len(files))
	inParallel(len(files), func(i int) { results[i] = files[i].parse() }, func(done int) { tell("files", done, len(files)) })
	size := 0
	for i := range results {
		p := &results[i]
		if p.err != nil {
			return nil, fmt.Errorf("reading %s: %w", files[i].name, p.err)
		}
		if size += p.bytes; size > maxBytes {
			return nil, fmt.Errorf("reading rules: more than %d MiB", maxBytes>>20)
		}
		if p.holds {
			r.Files++
		}
		all = append(all, p.rules...)
		r.Refused = append(r.Refused, p.problems...)
	}
	return all, nil
}

func (f *ruleFile) parse() (p parsed) {
	file, err := f.fs.Open(f.path)
	if err != nil {
		p.err = err
		return p
	}
	defer func() { _ = file.Close() }() // it was only read
	text, err := readLimited(file, MaxFile)
	if err != nil {
		p.err = err
		return p
	}
	p.bytes = len(text)
	if len(text) > MaxFile {
		p.problems = []sigma.Problem{{File: f.name, Severity: sigma.Refused, Message: fmt.Sprintf("the file has more than %d bytes", MaxFile)}}
		return p
	}
	if p.holds = KindOf(text) == Sigma; p.holds {
		p.rules, p.problems = sigma.Parse(text, f.name)
	}
	return p
}

// choose keeps the rules that a command can match, each id once.
func choose(all []sigma.Rule, r *ImportReport) (kept []sigma.Rule) {
	known := map[string]bool{} // by id and name: whether it is kept
	ids := map[string]string{} // the file of each id
	var correlations []sigma.Rule
	for _, rule := range all {
		if id := rule.ID; id != "" {
			if other, taken := ids[id]; taken {
				r.Refused = append(r.Refused, sigma.Problem{
					File: rule.File, Line: rule.Line, Rule: id, Severity: sigma.Refused, Message: "the id is that of a rule in " + other,
				})
				continue
			}
			ids[id] = rule.File
		}
		switch {
		case rule.Correlation:
			correlations = append(correlations, rule)
			continue
		case rule.Source.Category == sigma.ProcessCreation("").Category:
			kept = append(kept, rule)
			known[rule.ID], known[rule.Name] = true, true
		default:
			r.Elsewhere++
			for _, name := range []string{rule.ID, rule.Name} {
				if !known[name] {
					known[name] = false
				}
			}
		}
	}
	delete(known, "")
	return append(kept, reachable(correlations, known, r)...)
}

// reachable leaves out the correlations over rules for other log sources, and
// those over such correlations.
func reachable(correlations []sigma.Rule, known map[string]bool, r *ImportReport) (kept []sigma.Rule) {
	elsewhere := func(c sigma.Rule) bool {
		return slices.ContainsFunc(c.Refers(), func(name string) bool {
			ours, there := known[name]
			return there && !ours
		})
	}
	for again := true; again; {
		again = false
		correlations = slices.DeleteFunc(correlations, func(c sigma.Rule) bool {
			if !elsewhere(c) {
				return false
			}
			again = true
			r.Elsewhere++
			for _, name := range []string{c.ID, c.Name} {
				if name != "" && !known[name] {
					known[name] = false
				}
			}
			return true
		})
	}
	return correlations
}

// inParallel calls work with every number below n, on all processors, and tell
// after each.
func inParallel(n int, work func(i int), tell func(done int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := range next {
				work(i)
				mu.Lock()
				done++
				tell(done)
				mu.Unlock()
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}
