package assess

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/detect/heuristic"
	"github.com/heedsh/heed/internal/detect/intent"
	"github.com/heedsh/heed/internal/judge"
	"github.com/heedsh/heed/risk"
)

// semanticLayer names the layer of the intent model.
const semanticLayer = "semantic"

// A Classifier guesses an intent from the text of a command.
type Classifier interface {
	// Intent returns the probability of each intent. An error means that the
	// rules of [intent.Fallback] answer.
	Intent(text string) ([intent.Count]float32, error)
}

// IntentInput is what the intent model sees of a request, in training as in use.
func IntentInput(ctx *detect.Context) intent.Input {
	in := intent.Input{Text: ctx.Text(), Tokens: intent.Tokens(nil, ctx.Effects, ctx.Unknowns)}
	for i := range ctx.Processes {
		in.Argv = append(in.Argv, ctx.Processes[i].Argv)
		in.Depth = max(in.Depth, ctx.Depth(i))
	}
	return in
}

// scratches are reused from request to request.
var scratches = sync.Pool{New: func() any { return new(intent.Scratch) }}

// semantic adds the layer of syntax and intent, and its opinion.
func (d *Detectors) semantic(req *risk.Request, out *detected) {
	in := IntentInput(&out.ctx)
	scratch := scratches.Get().(*intent.Scratch)
	defer scratches.Put(scratch)
	layer := risk.Layer{Name: semanticLayer}
	result := d.model().Score(&in, scratch)
	if d.Classifier != nil {
		var err error
		if result, err = d.classify(&in); err != nil {
			layer.Error = err.Error()
		}
	}
	syntax := 0
	for _, f := range scratch.Syntax(nil) {
		layer.Parts = append(layer.Parts, risk.Part{Kind: "syntax", What: f.Name, Points: f.Points})
		syntax += f.Points
	}
	syntax = min(syntax, 100)
	layer.Intent = result.Intent.String()
	out.intent = noun(result.Intent)
	layer.Confidence = round(result.Confidence)
	layer.Score = intent.Risk(syntax, result)
	layer.Verdict = heuristic.Verdict(layer.Score)
	out.findings = append(out.findings, injections(&out.ctx)...)
	for i := range out.findings {
		if out.findings[i].Layer == semanticLayer {
			layer.Score, layer.Verdict = max(layer.Score, 90), risk.Block
		}
	}
	out.layers = append(out.layers, layer)
	if !req.InImage { // nothing there is anybody's
		out.opinion = opinion(&out.ctx, &result, req.OpenEnv)
	}
}

// round keeps two digits, so that records are alike on every machine.
func round(p float32) float64 { return float64(int(p*100+0.5)) / 100 }

func (d *Detectors) model() *intent.Model {
	if d.Model != nil {
		return d.Model
	}
	return intent.Default()
}

// classify asks the classifier that was plugged in.
func (d *Detectors) classify(in *intent.Input) (intent.Result, error) {
	p, err := d.Classifier.Intent(in.Text)
	if err != nil {
		return intent.Fallback(in), fmt.Errorf("the model that was named cannot answer, the rules do: %w", err)
	}
	r := intent.Result{Probabilities: p}
	for i := range p {
		if p[i] > p[r.Intent] {
			r.Intent = intent.Intent(i)
		}
	}
	r.Confidence = p[r.Intent]
	r.Harm = p[intent.Destructive] + p[intent.Exfiltration] + p[intent.Persistence]
	r.Alarm = r.Harm > classifierAlarm
	return r, nil
}

// classifierAlarm is the probability of harm from which on a classifier that
// was plugged in may raise: heed cannot know its rate of false alarms.
const classifierAlarm = 0.9

// opinion is what the model may make of a request: SAFE becomes CAUTION, and
// REVIEW only where a hole or an unknown program is involved (DESIGN section 8).
// In a file that may run anywhere (open) holes are everywhere and say nothing.
func opinion(ctx *detect.Context, r *intent.Result, open bool) judge.Opinion {
	if !r.Alarm || r.Fallback {
		return judge.Opinion{}
	}
	o := judge.Opinion{
		Band:   risk.BandCautionB,
		Reason: fmt.Sprintf("semantic: it looks like %s to the intent model (%d %%)", noun(r.Intent), int(100*r.Confidence+0.5)),
	}
	if dim(ctx, open) {
		o.Band = risk.BandReview
	}
	switch r.Intent {
	case intent.Exfiltration:
		o.ATTACK, o.ASI = []string{"T1048"}, []string{"ASI02"}
	case intent.Persistence:
		o.ATTACK, o.ASI = []string{"T1546"}, []string{"ASI02"}
	default: // an alarm is about harm, and this is what is left of it
		o.ATTACK, o.ASI = []string{"T1485"}, []string{"ASI02"}
	}
	return o
}

// noun is an intent in a sentence.
func noun(i intent.Intent) string {
	if i == intent.Destructive {
		return "destruction"
	}
	return strings.ToLower(i.String())
}

// dim reports whether heed does not see all: a program or code that it does not
// know, or a hole in what changes; a new name below the temp directory is none.
func dim(ctx *detect.Context, open bool) bool {
	return slices.ContainsFunc(ctx.Effects, func(e risk.Effect) bool {
		switch e.Verb {
		case risk.ExecUnknown:
			return e.Kind != risk.KindHelp
		case risk.FSRead:
			return false
		}
		if e.Verb == risk.FSDelete && e.Many && e.Reversible == risk.NothingThere && (e.Cause == risk.CauseMatch || e.Cause == risk.CauseWord) {
			return false // what is found was looked for, and there is none
		}
		return !open && e.Unresolved != "" && e.Scope != risk.InTemp && e.Cause != risk.CauseUnset
	})
}

// maxOrders is how many bytes of one request are searched for orders.
const maxOrders = 16 << 10

// injections finds text that gives orders to a language model where a model
// would obey it: in command position, and in what is written to the files that
// instruct coding agents.
func injections(ctx *detect.Context) []risk.Finding {
	left := maxOrders
	find := func(text string, at risk.Span, where string) []risk.Finding {
		text = text[:min(len(text), left)]
		left -= len(text)
		span, ok := intent.Injection(text)
		if !ok {
			return nil
		}
		return injection(where, text[span[0]:span[1]], at)
	}
	for i := range ctx.Processes {
		p := &ctx.Processes[i]
		known := p.Program != ""
		if known && len(p.Data) > 0 || p.Host != "" {
			continue
		}
		if !known {
			if f := find(p.Line(), p.Span, "as a command"); f != nil {
				return f
			}
		}
		if orders(p.Argv, known) {
			return injection("as a command", p.Line(), p.Span)
		}
	}
	for i := range ctx.Effects {
		e := &ctx.Effects[i]
		switch {
		case e.Verb == risk.Blind, instructs(e):
			return find(ctx.Command, e.Span, "where one reads it")
		}
	}
	return nil
}

func injection(where, evidence string, at risk.Span) []risk.Finding {
	return []risk.Finding{{
		ID: "heed.injection", Layer: semanticLayer, Title: "Gives orders to a language model, " + where, Severity: risk.Critical,
		ATTACK: []string{"T1059"}, ASI: []string{"ASI01"}, Span: at, Evidence: detect.Evidence(evidence),
	}}
}

// instructs reports whether an effect writes a file that coding agents read as
// instructions. Sources: the agents' own documentation, as of November 2026.
func instructs(e *risk.Effect) bool {
	switch e.Verb {
	case risk.FSWrite, risk.FSCreate:
	default:
		return false
	}
	name := strings.ToLower(e.Target[strings.LastIndexByte(e.Target, '/')+1:])
	switch name {
	case "claude.md", "claude.local.md", "agents.md", "agent.md", "gemini.md", "qwen.md", "codex.md", "warp.md", ".cursorrules", ".windsurfrules",
		".clinerules", ".roorules", ".goosehints", "copilot-instructions.md", "conventions.md", ".aider.conf.yml", "memory.md", "soul.md", "skill.md":
		return true
	}
	for _, d := range []string{"/.cursor/rules/", "/.windsurf/rules/", "/.clinerules/", "/.roo/rules", "/.github/instructions/", "/.github/prompts/", "/.claude/", "/.codex/", "/.gemini/", "/.amazonq/rules/", "/.kiro/steering/", "/.junie/", "/.augment/rules/"} {
		if strings.Contains(e.Target, d) {
			return true
		}
	}
	return false
}

// modelDigest names the model that answers, for the record.
func (d *Detectors) modelDigest() string {
	if d.Classifier != nil {
		return d.ModelDigest
	}
	return d.model().Digest()
}
