package assess

import (
	"slices"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/detect/intent"
	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/judge"
	"github.com/heedsh/heed/internal/specs"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Detectors are the layers above the effects, as far as they can be chosen.
// The zero value is heed's own rules and model.
type Detectors struct {
	// Patterns are rules beside [pattern.Builtin] and those that are found where
	// specs are.
	Patterns []pattern.Rule
	// Sets, if set, gives the Sigma rules beside the starter pack when they are
	// first needed. Its error is told by every assessment.
	Sets func() ([]*RuleSet, error)
	// Model replaces heed's own intent model, and Classifier both.
	Model      *intent.Model
	Classifier Classifier
	// ModelDigest names the classifier, for the record.
	ModelDigest string
	// Without names layers that are not asked, to measure what they add.
	Without []string
	// Clock, if set, is asked how late it is, in nanoseconds, to say in
	// [Detail] how long each layer took. No answer depends on it.
	Clock func() int64
	// also are findings of other commands of the session (see [Assessor.Also]).
	also []risk.Finding
}

// A LayerTime is how long a layer took.
type LayerTime struct {
	Layer       string
	Nanoseconds int64
}

// A stopwatch notes how long the layers of one request take.
type stopwatch struct {
	clock func() int64
	last  int64
	took  []LayerTime
}

func (d *Detectors) stopwatch() *stopwatch {
	if d.Clock == nil {
		return &stopwatch{}
	}
	return &stopwatch{clock: d.Clock, last: d.Clock(), took: make([]LayerTime, 0, 5)}
}

// lap notes the time since the last lap as that of a layer.
func (s *stopwatch) lap(layer string) {
	if s.clock == nil {
		return
	}
	now := s.clock()
	s.took = append(s.took, LayerTime{layer, now - s.last})
	s.last = now
}

// detected is what the layers found in one request.
type detected struct {
	ctx      detect.Context
	findings []risk.Finding
	layers   []risk.Layer // the first is that of the effects, set last
	opinion  judge.Opinion
	intent   string   // what the semantic layer takes the command for
	rules    []string // digests of the rules that are no part of heed
	specs    *trouble // why some specs of the person are not in force
}

// detect runs the detectors over what evaluation found.
func (d *Detectors) detect(w *world.World, req *risk.Request, trace *flow.Trace, own *specs.Set, watch *stopwatch) *detected {
	out := &detected{ctx: detect.Context{
		Command: req.Command, Shell: req.Shell, User: w.User.Name, OS: w.OS, Processes: trace.Processes, Effects: trace.Effects,
		Unknowns: trace.Unknowns, NotInspected: len(trace.NotInspected) > 0,
	}, layers: make([]risk.Layer, 1, maxLayers)}
	if own.PatternDigest != "" {
		out.rules = append(out.rules, own.PatternDigest)
	}
	if out.specs = broken(own, false, "A spec of yours is broken"); out.specs != nil {
		out.findings = append(out.findings, out.specs.finding(effectsLayer))
	}
	if d.asks(pattern.Layer) {
		found := pattern.Find(&out.ctx, pattern.Builtin())
		found = append(found, pattern.Find(&out.ctx, d.Patterns)...)
		found = append(found, pattern.Find(&out.ctx, own.Patterns)...)
		wrong := broken(own, true, "A file of pattern rules of yours is broken")
		out.add(pattern.Layer, append(found, pattern.Net(&out.ctx)...), wrong)
		watch.lap(pattern.Layer)
	}
	if d.asks(sigmaLayer) {
		found, err := d.sigma(out)
		var wrong *trouble
		if err != nil {
			wrong = &trouble{"The sigma layer cannot work", err.Error()}
		}
		for i := range d.also {
			if d.also[i].Layer != detect.Session {
				found = append(found, d.also[i])
			}
		}
		out.add(sigmaLayer, found, wrong)
		watch.lap(sigmaLayer)
	}
	if before := slices.DeleteFunc(slices.Clone(d.also), func(f risk.Finding) bool { return f.Layer != detect.Session }); len(before) > 0 {
		out.add(detect.Session, before, nil)
	}
	if d.asks(semanticLayer) {
		d.semantic(req, out)
		watch.lap(semanticLayer)
	}
	return out
}

// A trouble is why a layer cannot do all of its work.
type trouble struct{ title, text string }

// finding is what a layer says of its trouble: who breaks it gains nothing.
func (t *trouble) finding(layer string) risk.Finding {
	return risk.Finding{
		ID: "heed.layer-failed", Layer: layer, Title: t.title, Severity: risk.High,
		ATTACK: []string{"T1685"}, ASI: []string{"ASI02"}, Evidence: detect.Evidence(t.text),
	}
}

// broken is the trouble with the first of the person's own specs, or files of
// rules, that are not in force because something is wrong with them: what they
// would have said is not known. A workspace that says something broken might as
// well have said nothing.
func broken(own *specs.Set, rule bool, title string) *trouble {
	for _, p := range own.Problems {
		if p.Own && p.Rule == rule {
			return &trouble{title, p.Text}
		}
	}
	return nil
}

// maxLayers is how many layers speak: that of the effects, those that detect asks and
// the heuristic.
const maxLayers = 6

// effectsLayer names the layer of the effects themselves.
const effectsLayer = "effects"

func (d *Detectors) asks(layer string) bool { return !slices.Contains(d.Without, layer) }

// add takes what a layer of rules found, and its trouble if it has any.
func (o *detected) add(layer string, found []risk.Finding, wrong *trouble) {
	if wrong != nil {
		found = append(found, wrong.finding(layer))
	}
	o.findings = append(o.findings, found...)
	band := risk.BandSafe
	for i := range found {
		band = max(band, judge.Raises(found[i].Severity))
	}
	l := risk.Layer{Name: layer, Verdict: band.Verdict(), Score: worst(band), Confidence: 1}
	if wrong != nil {
		l.Error = wrong.text
	}
	o.layers = append(o.layers, l)
}

// worst is the score of a layer that knows bands only: the top of the band, and
// nothing where it has nothing to say.
func worst(b risk.Band) int {
	if b == risk.BandSafe {
		return 0
	}
	_, top := b.Scores()
	return top
}

// all lists the layers in the order in which they speak.
func (o *detected) all(j *judge.Judgement, blind bool) []risk.Layer {
	confidence := 1.0
	if blind || o.ctx.NotInspected || len(o.ctx.Unknowns) > 0 {
		confidence = 0.7 // a part of it is not known
	}
	first := risk.Layer{Name: effectsLayer, Confidence: confidence}
	band := j.Effects
	if o.specs != nil {
		first.Error, band = o.specs.text, max(band, judge.Raises(risk.High))
	}
	first.Verdict, first.Score = band.Verdict(), worst(band)
	o.layers[0] = first
	return append(o.layers, j.Heuristic)
}
