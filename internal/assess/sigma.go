package assess

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/attack"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/detect/rules"
	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/risk"
)

// sigmaLayer names the layer of Sigma rules.
const sigmaLayer = "sigma"

// A RuleSet is a compiled set of Sigma rules.
type RuleSet struct {
	Name   string // for people: "starter pack"
	Digest string // for the record
	// Quiet are the labels ([sigma.Meta.Label]) of rules that only annotate, whatever their level,
	// because they fire on ordinary commands.
	Quiet map[string]bool
	set   *sigma.Set
	pool  sync.Pool
}

// NewRuleSet returns a set of rules to assess with.
func NewRuleSet(name, digest string, set *sigma.Set, quiet map[string]bool) *RuleSet {
	return &RuleSet{Name: name, Digest: digest, Quiet: quiet, set: set, pool: sync.Pool{New: func() any { return new(sigma.Matcher) }}}
}

// pack is heed's own rules.
var pack = once.Value[opened]{Make: func() opened {
	set, err := rules.Pack()
	if err != nil {
		return opened{err: fmt.Errorf("opening heed's own Sigma rules: %w", err)}
	}
	return opened{set: NewRuleSet("starter pack", "", set, nil)}
}}

type opened struct {
	set *RuleSet
	err error
}

// maxEvents is how many processes of one command are shown to Sigma rules.
const maxEvents = 100

// sets returns the rule sets that hold, and why some of them cannot be used.
func (d *Detectors) sets() ([]*RuleSet, error) {
	var all []*RuleSet
	own, err := pack.Get().set, pack.Get().err
	if err == nil {
		all = append(all, own)
	}
	if d.Sets != nil {
		more, wrong := d.Sets()
		all = append(all, more...)
		err = errors.Join(err, wrong)
	}
	return all, err
}

// sigma runs the rule sets over the processes of a request.
func (d *Detectors) sigma(out *detected) (found []risk.Finding, problem error) {
	sets, problem := d.sets()
	for _, s := range sets {
		if s.Digest != "" {
			out.rules = append(out.rules, s.Digest)
		}
	}
	if len(out.ctx.Processes) == 0 {
		return nil, problem
	}
	source := sigma.ProcessCreation(product(out.ctx.OS))
	events := Events(&out.ctx)
	for _, s := range sets {
		m := s.pool.Get().(*sigma.Matcher)
		seen := map[int]bool{}
		for i, ev := range events {
			for _, hit := range s.set.Match(m, source, ev) {
				if hit.Silent || seen[hit.Rule] {
					continue
				}
				seen[hit.Rule] = true
				found = append(found, s.finding(s.set.Meta(hit.Rule), &out.ctx.Processes[i]))
			}
			if len(m.Faults()) > 0 && problem == nil {
				problem = fmt.Errorf("the rules of the %s are damaged: import them anew (heed rules import)", s.Name)
			}
		}
		s.pool.Put(m)
	}
	return found, problem
}

// product is the Sigma name of an operating system.
func product(os string) string {
	switch os {
	case "darwin":
		return "macos"
	case "windows":
		return "windows"
	}
	return "linux"
}

// Events are the processes of a request as process_creation events.
func Events(ctx *detect.Context) []sigma.Event {
	events := make([]sigma.Event, 0, min(len(ctx.Processes), maxEvents))
	for i := range ctx.Processes[:min(len(ctx.Processes), maxEvents)] {
		p := &ctx.Processes[i]
		parent, line := "/bin/"+ctx.Shell, ctx.Shell
		if p.Parent >= 0 && p.Parent < i {
			parent, line = image(&ctx.Processes[p.Parent]), ctx.Processes[p.Parent].Line()
		}
		user := ctx.User
		if p.Privileged {
			user = "root"
		}
		events = append(events, sigma.Event{
			{Name: "Image", Value: image(p)},
			{Name: "CommandLine", Value: p.Line()},
			{Name: "CurrentDirectory", Value: p.Dir},
			{Name: "User", Value: user},
			{Name: "ParentImage", Value: parent},
			{Name: "ParentCommandLine", Value: line},
		})
	}
	return events
}

// image is the full path of a process's program: where it was found, or where
// such programs are.
func image(p *detect.Process) string {
	switch {
	case path.IsAbs(p.Path):
		return p.Path
	case strings.Contains(p.Path, "/"):
		return path.Join("/", p.Dir, p.Path)
	}
	return "/usr/bin/" + p.Path
}

// finding is what a rule says about a process.
func (s *RuleSet) finding(m *sigma.Meta, p *detect.Process) risk.Finding {
	return s.findingAt(m, p.Span, p.Line())
}

// findingAt is what a rule says about a command line.
func (s *RuleSet) findingAt(m *sigma.Meta, at risk.Span, line string) risk.Finding {
	f := risk.Finding{
		ID: m.Label(), Layer: sigmaLayer, Title: m.Title, Severity: severity(m.Level), Span: at,
		Evidence: detect.Evidence(line),
	}
	f.ATTACK, f.ASI = Techniques(m.Tags)
	if len(f.ATTACK) == 0 {
		f.ATTACK = []string{"T1059"} // a program that is run, at least
	}
	if len(f.ASI) == 0 {
		f.ASI = []string{"ASI02"}
	}
	if s.Quiet[m.Label()] && (f.Severity == risk.High || f.Severity == risk.Critical) {
		f.Severity = risk.Medium
	}
	return f
}

// Techniques returns the current ATT&CK techniques and the ASI ids that the tags
// of a Sigma rule name.
func Techniques(tags []string) (techniques, asi []string) {
	for _, t := range tags {
		switch {
		case strings.HasPrefix(t, "attack.t"):
			if id, ok := attack.Current(strings.ToUpper(strings.TrimPrefix(t, "attack."))); ok {
				techniques = append(techniques, id)
			}
		case strings.HasPrefix(t, "owasp."):
			id := strings.ToUpper(strings.TrimPrefix(t, "owasp."))
			if _, ok := attack.ASI(id); ok {
				asi = append(asi, id)
			}
		}
	}
	return techniques, asi
}

// severity is the severity of a Sigma level.
func severity(level string) risk.Severity {
	switch level {
	case "critical":
		return risk.Critical
	case "high":
		return risk.High
	case "medium":
		return risk.Medium
	}
	return risk.Low
}
