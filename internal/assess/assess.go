package assess

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/detect/heuristic"
	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/engine"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/judge"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/shell/fronts"
	"github.com/heedsh/heed/internal/specs"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Version names the engine in records.
const Version = "0.1.0"

// An Assessor assesses requests. It is safe for concurrent use.
type Assessor struct {
	specs     *specs.Loader
	fronts    *shell.Fronts
	detectors Detectors
	before    *shell.Left // what earlier commands of the session left
}

// New returns an assessor with the embedded catalog. dirs are the absolute
// directories of specs by the person who asks, beside which lie directories of
// pattern rules; they are read through the world of each request, and so are the
// workspace's own.
func New(dirs ...string) *Assessor {
	return &Assessor{specs: specs.New(dirs...), fronts: fronts.All()}
}

// With returns an assessor like a with these detectors.
func (a *Assessor) With(d Detectors) *Assessor {
	return &Assessor{specs: a.specs, fronts: a.fronts, detectors: d, before: a.before}
}

// WithClassifier returns an assessor like a that asks c for the intent of a
// command; digest names c in records.
func (a *Assessor) WithClassifier(c Classifier, digest string) *Assessor {
	d := a.detectors
	d.Classifier, d.ModelDigest = c, digest
	return a.With(d)
}

// Dirs returns the directories of the person's own specs.
func (a *Assessor) Dirs() []string { return a.specs.Dirs() }

// Known is the knowledge of programs, and the pattern rules, that hold in a world
// outside of any workspace.
func (a *Assessor) Known(w *world.World) *specs.Set { return a.specs.Load(w, nil) }

// Detectors returns the detectors that a asks.
func (a *Assessor) Detectors() Detectors { return a.detectors }

// Digest names the embedded catalog.
func Digest() string { return specs.New().Load(nil, nil).Digest }

// A Detail is what `heed explain` shows beside the assessment.
type Detail struct {
	Trace *flow.Trace
	Bands []risk.Band
	Lead  string // the decision-table row that decided
	// Specs are the specs and files of rules that were left out because they
	// are broken.
	Specs []specs.Problem
	// Context is what the detectors saw.
	Context *detect.Context
	// Took is how long each layer took, if there was a clock.
	Took []LayerTime
}

// Assess judges a request in a world. The error is a [*Failure], and set
// exactly if the assessment has one: the session is impossible, ctx was
// cancelled, or there is a fault inside heed, which does not escape. The
// assessment is REVIEW then.
func (a *Assessor) Assess(ctx context.Context, w *world.World, req risk.Request) (out risk.Assessment, d Detail, err error) {
	a.normalize(&req)
	if f := hopeless(ctx, &req); f != nil {
		return fail(&req, f)
	}
	defer func() {
		if value := recover(); value != nil {
			out, d, err = fail(&req, Fault(value))
		}
	}()
	set := a.set(w, &req)
	out, d = a.once(ctx, w, &req, set)
	out.Safer = a.safer(ctx, w, &req, out, set)
	if f := cancelled(ctx); f != nil {
		return fail(&req, f)
	}
	return out, d, nil
}

// set is the catalog that holds for a request.
func (a *Assessor) set(w *world.World, req *risk.Request) *specs.Set {
	if !a.specs.Any(w, req.Dir, home(w, req), req.Workspaces) {
		return a.specs.None()
	}
	return a.specs.Load(w, Roots(w, req))
}

// Roots are the directories that a request's session may work in.
func Roots(w *world.World, req *risk.Request) []string {
	return workspace.New(w, req.Dir, home(w, req), req.Env["TMPDIR"], req.Workspaces).Roots()
}

func home(w *world.World, req *risk.Request) string {
	if h := req.Env["HOME"]; path.IsAbs(h) {
		return h
	}
	return w.User.Home
}

func (a *Assessor) normalize(req *risk.Request) {
	if req.Shell == "" {
		req.Shell = a.fronts.Default()
	}
	if req.Dir != "" && !path.IsAbs(req.Dir) {
		req.Dir = "/" + req.Dir
	}
	if req.Provenance == "" {
		req.Provenance = risk.UnknownOrigin
	}
}

// The longest path and the longest string of an environment with which Linux
// starts a program: PATH_MAX of limits.h, and MAX_ARG_STRLEN of execve(2).
const (
	maxPath   = 4096
	maxString = 128 << 10
)

// impossible says why no program could run in the session of a request. Such
// a session is a caller's fault or an attempt to keep heed busy.
func impossible(req *risk.Request) error {
	if len(req.Dir) > maxPath {
		return fmt.Errorf("the working directory is longer than a path can be (%d bytes, %d allowed)", len(req.Dir), maxPath)
	}
	first, long := "", 0
	for name, text := range req.Env {
		if n := len(name) + len(text) + len("=") + 1; n > maxString && (long == 0 || name < first) {
			first, long = name, n
		}
	}
	if long > 0 {
		return fmt.Errorf("the environment variable %.40q is longer than a program can be given (%d bytes, %d allowed)", first, long, maxString)
	}
	return nil
}

// evaluate finds out what a request would do. What the workspace's own specs
// say comes on top of what holds without them.
func (a *Assessor) evaluate(ctx context.Context, w *world.World, req *risk.Request, set *specs.Set, parts []value.Value) *flow.Trace {
	e := engine.Engine{Catalog: set.Catalog, Fronts: a.fronts, Parts: parts, Before: a.before}
	trace := e.Run(ctx, w, req)
	if set.Tight != nil {
		e.Catalog = set.Tight
		trace.Join(e.Run(ctx, w, req))
	}
	for _, p := range set.Problems[:min(len(set.Problems), maxProblems)] {
		role := risk.RoleSpec
		if p.Rule {
			role = risk.RoleRule
		}
		trace.Unknowns = append(trace.Unknowns, risk.Unknown{What: p.Text, Role: role})
	}
	return trace
}

// maxProblems is how many broken specs an assessment names.
const maxProblems = 5

// evaluateScript is evaluate for each statement of a script.
func (a *Assessor) evaluateScript(ctx context.Context, w *world.World, req *risk.Request, set *specs.Set, parts []value.Value) []engine.Statement {
	e := engine.Engine{Catalog: set.Catalog, Fronts: a.fronts, Parts: parts}
	found := e.Statements(ctx, w, req)
	if set.Tight == nil {
		return found
	}
	e.Catalog = set.Tight
	for _, more := range e.Statements(ctx, w, req) {
		same := func(s engine.Statement) bool { return s.Span == more.Span }
		if i := slices.IndexFunc(found, same); i >= 0 {
			found[i].Trace.Join(more.Trace)
		} else {
			found = append(found, more)
		}
	}
	return found
}

func (a *Assessor) once(ctx context.Context, w *world.World, req *risk.Request, set *specs.Set) (risk.Assessment, Detail) {
	watch := a.detectors.stopwatch()
	trace := a.evaluate(ctx, w, req, set, nil)
	watch.lap("effects")
	out, d, _ := a.conclude(w, req, trace, set, watch)
	return out, d
}

// conclude judges what evaluation found and says it. lead is the index of the
// effect that decided, or -1.
func (a *Assessor) conclude(w *world.World, req *risk.Request, trace *flow.Trace, set *specs.Set, watch *stopwatch) (out risk.Assessment, d Detail, lead int) {
	trace.Effects = group(trace.Effects)
	found := a.detectors.detect(w, req, trace, set, watch)
	j := judge.Judge(&found.ctx, req.Provenance, found.findings, found.opinion)
	j.Apply(trace.Effects)
	bands := j.Bands()
	watch.lap(heuristic.Layer)
	home := req.Env["HOME"]
	if home == "" {
		home = w.User.Home
	}
	in := explain.Input{Effects: trace.Effects, Bands: bands, Dir: req.Dir, Home: home, Command: req.Command, Programs: programs(trace), Acts: acts(trace, req.Dir, home), Told: told(trace), Loops: loops(trace), Refused: refused(trace)}
	switch {
	case len(in.Programs) == 1:
		in.Summary = trace.Processes[0].Summary
	case len(in.Programs) == 0:
		in.Summary = idle(trace)
	}
	out = risk.Assessment{
		ID: req.ID, Tier: j.Band.Tier(), Level: j.Band.Level(), Verdict: j.Band.Verdict(), Score: j.Score,
		Summary: summarize(in, &j, found), Command: req.Command, Shell: req.Shell, Dir: req.Dir, Provenance: req.Provenance,
		Invocations: orEmpty(trace.Invocations), Effects: orEmpty(trace.Effects), Findings: orEmpty(found.findings), Layers: found.all(&j, trace.Spent),
		Unknowns: orEmpty(trace.Unknowns), ATTACK: orEmpty(j.ATTACK), ASI: orEmpty(j.ASI), Reasons: orEmpty(j.Reasons),
		Consequences: explain.Consequences(in), Safer: []risk.Safer{}, NotInspected: orEmpty(trace.NotInspected),
		Inputs: risk.Inputs{Engine: Version, Catalog: set.Digest, Rules: orEmpty(found.rules), Model: a.detectors.modelDigest()},
	}
	d = Detail{Context: &found.ctx, Trace: trace, Bands: bands, Specs: set.Problems, Took: watch.took}
	if len(j.Reasons) > 0 {
		d.Lead = j.Reasons[0]
	}
	return out, d, explain.Lead(trace.Effects, bands)
}

// refused is what the parser says of a command that it does not take, or "".
func refused(trace *flow.Trace) string {
	for i := range trace.Unknowns {
		if u := &trace.Unknowns[i]; u.Role == risk.RoleParse {
			return u.What
		}
	}
	return ""
}

// summarize writes the sentence: about the finding or the opinion that decided,
// where one did.
func summarize(in explain.Input, j *judge.Judgement, found *detected) string {
	text := explain.Summarize(in)
	switch {
	case j.Opinion:
		return explain.Intent(found.intent, text)
	case j.Finding >= 0:
		if f := &found.findings[j.Finding]; f.Layer == detect.Session {
			return explain.Session(f, text)
		}
		return explain.Rule(&found.findings[j.Finding], text)
	}
	return text
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// group tells the targets that one pattern named as one effect, but for those that the
// program leaves what they are.
func group(effects []risk.Effect) []risk.Effect {
	named := func(e *risk.Effect) bool { return e.Pattern != "" && e.Verb != risk.FSRead && !e.By.Refused }
	alone := 0
	for alone < len(effects) && !named(&effects[alone]) {
		alone++
	}
	first := map[string]int{}
	out := effects[:alone]
	for _, e := range effects[alone:] {
		if !named(&e) {
			out = append(out, e)
			continue
		}
		key := string(e.Verb) + "\x00" + e.Pattern + "\x00" + string(e.Scope) + "\x00" + e.Kind.String() + "\x00" + e.Reached.String()
		i, seen := first[key]
		if !seen {
			first[key] = len(out)
			if e.Counts != nil {
				c := *e.Counts
				e.Counts = &c
			}
			out = append(out, e)
			continue
		}
		merge(&out[i], &e)
	}
	for _, i := range first {
		e := &out[i]
		if e.OfAll() && e.Unresolved == "" { // else it is the directory already
			e.Target = path.Dir(e.Target)
		}
	}
	return out
}

func merge(e, f *risk.Effect) {
	both := bringsBack(e) && bringsBack(f)
	remedy := remedies(e.Remedy, f.Remedy)
	if f.LosesMore(e) {
		e.Reversible, e.Remedy = f.Reversible, f.Remedy
	}
	if both {
		e.Remedy = remedy
	}
	e.Recursive = e.Recursive || f.Recursive
	e.Root = e.Root || f.Root
	if f.Certainty == risk.Certain {
		e.Certainty = risk.Certain
	}
	switch {
	case f.Counts == nil:
	case e.Counts == nil:
		c := *f.Counts
		e.Counts = &c
	default:
		e.Counts.Add(f.Counts)
	}
}

// bringsBack reports whether the effect's remedy names what brings its target
// back: git, or a file to build from.
func bringsBack(e *risk.Effect) bool {
	return e.Reversible == risk.Regenerable || e.Reversible == risk.Restorable && e.Remedy == risk.RemedyGit
}

// remedies names two that together bring back what a pattern names; of more, the
// first two.
func remedies(a, b risk.Remedy) risk.Remedy {
	if strings.Contains(a.String(), b.String()) || strings.Contains(a.String(), " and ") {
		return a
	}
	return risk.RemedyMakers(a.String() + " and " + b.String())
}

// weigh judges a request of which nothing is said, in the place of one that out is
// about. It is that command's own words but for an option or two: the intent model is not
// asked of them again, nor are rules none of which fitted.
func (a *Assessor) weigh(ctx context.Context, w *world.World, req *risk.Request, out *risk.Assessment, set *specs.Set) (risk.Band, int) {
	trace := a.evaluate(ctx, w, req, set, nil)
	trace.Effects = group(trace.Effects)
	rules := a.detectors
	rules.Without = append(slices.Clip(rules.Without), semanticLayer)
	if len(out.Findings) == 0 {
		rules.Without = append(rules.Without, pattern.Layer, sigmaLayer)
	}
	found := rules.detect(w, req, trace, set, &stopwatch{})
	j := judge.Judge(&found.ctx, req.Provenance, found.findings, found.opinion)
	return j.Band, j.Score
}

// safer returns the alternatives that are judged no higher than the command itself. At
// level A nobody is asked, and so nobody chooses.
func (a *Assessor) safer(ctx context.Context, w *world.World, req *risk.Request, out risk.Assessment, set *specs.Set) []risk.Safer {
	kept := []risk.Safer{}
	if out.Level == risk.A {
		return kept
	}
	for _, s := range explain.Safer(req.Command, out.Effects) {
		alt := *req
		alt.Command = s.Command
		if band, score := a.weigh(ctx, w, &alt, &out, set); band.Tier() <= out.Tier && score <= out.Score {
			kept = append(kept, s)
		}
	}
	return kept
}
