package drive

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/scan"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// A Judge judges the commands of files. It is safe for concurrent use.
type Judge struct {
	Service *service.Service
	Dir     string // the current directory
	// Env are the variables of the session, and Given those that the commands
	// would surely find set.
	Env, Given map[string]string
	Provenance risk.Provenance
	// Whole says that results keep their whole assessment.
	Whole bool

	mu       sync.Mutex
	projects map[string]string // by directory
}

// Files judges files on all processors and returns the results in their order, of
// what is staged those of the change. It ends with an error when ctx is cancelled.
func (j *Judge) Files(ctx context.Context, files []File, progress func(done int)) ([]scan.Result, error) {
	all, _, err := j.Changes(ctx, files, progress)
	return all, err
}

// Changes is like [Judge.Files], and returns the other results of what is staged too:
// left stood there before, and were as bad.
func (j *Judge) Changes(ctx context.Context, files []File, progress func(done int)) (changed, left []scan.Result, err error) {
	results := make([]struct{ changed, left []scan.Result }, len(files))
	todo := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			for i := range todo {
				results[i].changed, results[i].left = j.file(ctx, &files[i])
				mu.Lock()
				done++
				progress(done)
				mu.Unlock()
			}
		})
	}
	for i := range files {
		if ctx.Err() != nil {
			break
		}
		todo <- i
	}
	close(todo)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, fmt.Errorf("scanning: %w", err)
	}
	for _, r := range results {
		changed, left = append(changed, r.changed...), append(left, r.left...)
	}
	return changed, left, nil
}

// file judges a file, and what it was before if something else of it is staged.
func (j *Judge) file(ctx context.Context, f *File) (changed, left []scan.Result) {
	before := *f // its kind is not read yet
	text, all := j.whole(ctx, f)
	if f.was == "" {
		return all, nil
	}
	before.given, before.size = &before.was, int64(len(before.was))
	return scan.Diff(f.was, text).Divide(all, func() []scan.Result {
		_, all := j.whole(ctx, &before)
		return all
	})
}

// whole judges all that a file holds.
func (j *Judge) whole(ctx context.Context, f *File) (text string, all []scan.Result) {
	text, problem, ok := f.read()
	if !ok {
		return "", nil
	}
	one := fileScan{Judge: j, file: f, text: text, lines: scan.NewLines(text), look: j.Service.Look(), image: j.Service.In(scan.ImageWorld()).Look()}
	one.dir, one.project = j.place(f)
	switch {
	case problem != "":
		one.unread(scan.Problem{Why: problem})
		return text, one.results
	case !utf8.ValidString(text):
		one.unread(scan.Problem{Why: "it is not valid UTF-8"})
		return text, one.results
	}
	found := scan.Extract(one.source())
	for i := range found.Commands {
		one.command(ctx, &found.Commands[i])
	}
	for _, p := range found.Problems {
		one.unread(p)
	}
	return text, one.results
}

// place returns a file's directory and the top of its project: the git work
// tree around it, or else the current directory if the file is below, or else
// its own.
func (j *Judge) place(f *File) (dir, project string) {
	if f.path == "" {
		return j.Dir, j.project(j.Dir)
	}
	dir = filepath.Dir(f.path)
	return dir, j.project(dir)
}

func (j *Judge) project(dir string) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.projects == nil {
		j.projects = map[string]string{}
	}
	if p, ok := j.projects[dir]; ok {
		return p
	}
	p := dir
	if rel, err := filepath.Rel(j.Dir, dir); err == nil && filepath.IsLocal(rel) {
		p = j.Dir
	}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			p = d
			break
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	j.projects[dir] = p
	return p
}

// A fileScan is one file on its way.
type fileScan struct {
	*Judge
	file         *File
	text         string
	lines        *scan.Lines
	look, image  *service.Look // at this machine, and at a container image
	dir, project string
	results      []scan.Result
}

// source is the file with what surrounds it.
func (f *fileScan) source() scan.File {
	w := f.look.World(&risk.Request{Dir: f.dir, Env: f.Env, Workspaces: []string{f.project}})
	return scan.File{
		Kind: f.file.kind, Name: filepath.ToSlash(f.file.path), Text: f.text,
		Dir: filepath.ToSlash(f.dir), Project: filepath.ToSlash(f.project), OS: w.OS, FS: w.FS,
	}
}

// command judges one command of the file.
func (f *fileScan) command(ctx context.Context, c *scan.Command) {
	req := f.request(c)
	look := f.look
	if c.Place == scan.Image {
		look = f.image
	}
	var given []risk.Effect
	for _, o := range c.Others {
		given = append(given, risk.Effect{
			Verb: risk.ExecRemote, Target: o.Name, Kind: risk.KindExpression, Certainty: risk.Certain, Span: risk.Span{Start: o.Start, End: o.End},
		})
	}
	if c.Insecure {
		given = append(given, risk.Effect{Verb: risk.PrivGain, Kind: risk.KindPrivileged, Certainty: risk.Certain, Span: risk.Span{Start: c.Skip, End: len(c.Text)}})
	}
	all, _ := look.Script(ctx, req, service.Around{Whole: !c.Steps, Effects: given, Parts: c.Parts}) // a failure is a statement like another: it says so
	for _, s := range all {
		if s.Span.Start < c.Skip && s.Span.End <= c.Skip {
			continue // what sets up the session is judged where it stands
		}
		f.result(c, &s)
	}
}

// request is the request for one command.
func (f *fileScan) request(c *scan.Command) risk.Request {
	req := risk.Request{
		Command: c.Text, Shell: c.Shell, Provenance: f.Provenance, OpenEnv: true, InImage: c.Place == scan.Image,
		Env: maps.Clone(f.Env), Workspaces: []string{f.project},
	}
	switch {
	case c.Place == scan.Image:
		req.Env, req.Workspaces, req.Dir = map[string]string{}, []string{"/"}, c.Dir
	case c.Place == scan.Beside && path.IsAbs(c.Dir):
		req.Dir = c.Dir
	case c.Place == scan.Beside:
		req.Dir = path.Join(filepath.ToSlash(f.dir), c.Dir)
	case path.IsAbs(c.Dir):
		req.Dir = c.Dir
	default:
		req.Dir = path.Join(filepath.ToSlash(f.project), c.Dir)
	}
	switch f.file.kind {
	case scan.Workflow:
		req.Env["GITHUB_WORKSPACE"] = f.project
	case scan.GitLab:
		req.Env["CI_PROJECT_DIR"] = f.project
	}
	maps.Copy(req.Env, c.Env)
	maps.Copy(req.Env, f.Given)
	if c.AnyDir {
		req.Dir = ""
	}
	if c.Script && f.file.path != "" {
		req.Script = filepath.ToSlash(f.file.path)
	}
	return req
}

// result adds what came of one command, or of one statement of a script.
func (f *fileScan) result(c *scan.Command, s *service.Statement) {
	shown := c.Shown(max(s.Span.Start, c.Skip), max(s.Span.End, c.Skip))
	r := scan.Result{
		File: f.file.name, Kind: f.file.kind, Name: c.Name,
		Tier: s.Tier, Level: s.Level, Verdict: s.Verdict, Score: s.Score, Summary: s.Summary, Command: shown,
		Rule: s.Row, Fingerprint: scan.Fingerprint(f.file.name, f.file.kind, shown), Assessment: s.Assessment,
	}
	start := c.Offset(max(s.Span.Start, c.Skip))
	r.Line, r.Column = f.lines.At(start)
	r.EndLine, _ = f.lines.At(max(start, c.Offset(max(s.Span.End-1, s.Span.Start))))
	r.Decided = scan.Position{Line: r.Line, Column: r.Column}
	if s.Decided.Start >= c.Skip {
		r.Decided.Line, r.Decided.Column = f.lines.At(c.Offset(s.Decided.Start))
	}
	f.add(r)
}

// unread adds a part of the file that could not be read.
func (f *fileScan) unread(p scan.Problem) {
	a := service.Failed(risk.Request{Provenance: f.Provenance, Shell: "bash", Dir: f.dir}, errors.New(p.Why)).Assessment
	a.Summary = "Not inspected: " + p.Why + "."
	a.NotInspected = []string{f.file.name}
	line, column := f.lines.At(p.Offset)
	f.add(scan.Result{
		File: f.file.name, Line: line, Column: column, EndLine: line, Decided: scan.Position{Line: line, Column: column},
		Kind: f.file.kind, Name: p.Name, Tier: a.Tier, Level: a.Level, Verdict: a.Verdict, Score: a.Score, Summary: a.Summary,
		Rule: scan.NotInspected, Fingerprint: scan.Fingerprint(f.file.name, f.file.kind, "not inspected: "+p.Name+p.Why), Assessment: a,
	})
}

func (f *fileScan) add(r scan.Result) {
	if !f.Whole { // a large tree has many, and they are large
		r.Assessment = risk.Assessment{ATTACK: r.Assessment.ATTACK, ASI: r.Assessment.ASI}
	}
	f.results = append(f.results, r)
}
