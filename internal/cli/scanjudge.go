package cli

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/internal/scan"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A fileJudge judges the commands of files. It is safe for concurrent use.
type fileJudge struct {
	base       string
	env        map[string]string // of the session, and --env
	given      map[string]string // --env alone
	provenance risk.Provenance
	whole      bool // whether results keep their whole assessment
	assessor   *assess.Assessor
	host       *host.Host

	mu       sync.Mutex
	projects map[string]string // by directory
}

func newFileJudge(s Streams, o *scanOptions, given map[string]string) *fileJudge {
	env := map[string]string{}
	for _, kv := range s.Env {
		// All else that is set here says nothing about where the files run.
		if name, val, ok := strings.Cut(kv, "="); ok && (name == "HOME" || name == "USER") {
			env[name] = val
		}
	}
	maps.Copy(env, given)
	return &fileJudge{
		base: s.Dir, env: env, given: given, provenance: risk.Provenance(o.provenance), whole: o.json,
		assessor: newAssessor(s), host: host.New(env["HOME"], env["USER"], s.Dir), projects: map[string]string{},
	}
}

// files judges files on all processors and returns the results in their order.
func (j *fileJudge) files(files []scanFile, progress func(done int)) []scan.Result {
	results := make([][]scan.Result, len(files))
	todo := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		wg.Go(func() {
			for i := range todo {
				results[i] = j.file(&files[i])
				mu.Lock()
				done++
				progress(done)
				mu.Unlock()
			}
		})
	}
	for i := range files {
		todo <- i
	}
	close(todo)
	wg.Wait()
	var all []scan.Result
	for _, r := range results {
		all = append(all, r...)
	}
	return all
}

func (j *fileJudge) file(f *scanFile) []scan.Result {
	text, problem, ok := f.read()
	if !ok {
		return nil
	}
	one := fileScan{fileJudge: j, file: f, text: text, lines: scan.NewLines(text), look: j.host.Look()}
	one.dir, one.project = j.place(f)
	switch {
	case problem != "":
		one.unread(scan.Problem{Why: problem})
		return one.results
	case !utf8.ValidString(text):
		one.unread(scan.Problem{Why: "it is not valid UTF-8"})
		return one.results
	}
	found := scan.Extract(f.kind, f.path, text)
	for i := range found.Commands {
		one.command(&found.Commands[i])
	}
	for _, p := range found.Problems {
		one.unread(p)
	}
	return one.results
}

// place returns a file's directory and the top of its project: the git work
// tree around it, or else the current directory if the file is below, or else
// its own.
func (j *fileJudge) place(f *scanFile) (dir, project string) {
	if f.path == "" {
		return j.base, j.project(j.base)
	}
	dir = filepath.Dir(f.path)
	return dir, j.project(dir)
}

func (j *fileJudge) project(dir string) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if p, ok := j.projects[dir]; ok {
		return p
	}
	p := dir
	if rel, err := filepath.Rel(j.base, dir); err == nil && filepath.IsLocal(rel) {
		p = j.base
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
	*fileJudge
	file         *scanFile
	text         string
	lines        *scan.Lines
	look         *host.Look
	dir, project string
	results      []scan.Result
}

// command judges one command of the file.
func (f *fileScan) command(c *scan.Command) {
	req := f.request(c)
	var w *world.World
	if c.Place == scan.Image {
		w = scan.ImageWorld()
	} else {
		w = f.look.View(&req)
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
	for _, s := range f.assessor.Script(w, req, !c.Steps, given) {
		if s.Span.Start < c.Skip && s.Span.End <= c.Skip {
			continue // what sets up the session is judged where it stands
		}
		f.result(c, &s)
	}
}

// request is the request for one command.
func (f *fileScan) request(c *scan.Command) risk.Request {
	req := risk.Request{
		Command: c.Text, Shell: c.Shell, Provenance: f.provenance, OpenEnv: true, InImage: c.Place == scan.Image,
		Env: maps.Clone(f.env), Workspaces: []string{f.project},
	}
	switch {
	case c.Place == scan.Image:
		req.Env, req.Workspaces, req.Dir = maps.Clone(f.given), []string{"/"}, c.Dir
	case c.Place == scan.Beside:
		req.Dir = path.Join(filepath.ToSlash(f.dir), c.Dir)
	case path.IsAbs(c.Dir):
		req.Dir = c.Dir
	default:
		req.Dir = path.Join(filepath.ToSlash(f.project), c.Dir)
	}
	switch f.file.kind {
	case scan.Makefile:
		req.Env["CURDIR"] = req.Dir
	case scan.Workflow:
		req.Env["GITHUB_WORKSPACE"], req.Env["github_workspace"], req.Env["runner_temp"] = f.project, f.project, "/tmp"
	case scan.GitLab:
		req.Env["CI_PROJECT_DIR"] = f.project
	}
	maps.Copy(req.Env, c.Env)
	maps.Copy(req.Env, f.given)
	if c.AnyDir {
		req.Dir = ""
	}
	if c.Script && f.file.path != "" {
		req.Script = filepath.ToSlash(f.file.path)
	}
	return req
}

// result adds what came of one command, or of one statement of a script.
func (f *fileScan) result(c *scan.Command, s *assess.Statement) {
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
	a := assess.Failed(risk.Request{Provenance: f.provenance, Shell: "bash", Dir: f.dir}, errorText(p.Why))
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
	if !f.whole { // a large tree has many, and they are large
		r.Assessment = risk.Assessment{ATTACK: r.Assessment.ATTACK, ASI: r.Assessment.ASI}
	}
	f.results = append(f.results, r)
}

// errorText is an error that is only its text.
type errorText string

func (e errorText) Error() string { return string(e) }
