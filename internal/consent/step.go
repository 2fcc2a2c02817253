package consent

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/shell/fronts"
	"github.com/heedsh/heed/risk"
)

// A Step is one command of the top level of a line: what stands between ;, && and line
// ends. A person can agree to the first of them only.
type Step struct {
	Command string    `json:"command"`
	After   string    `json:"after,omitempty"` // what joins it to the one before: && or ;
	Span    risk.Span `json:"span"`            // where it stands, in the command as it is shown
	Tier    risk.Tier `json:"tier"`
	Does    []string  `json:"does"` // its effects, the worst first
	// Irreversible are the things that nothing known brings back of it.
	Irreversible []string `json:"irreversible"`
	// Together says why nobody can agree to the steps up to this one without the next;
	// "" if that is possible.
	Together string `json:"together,omitempty"`
	// Confirm is what a yes to the steps up to this one takes.
	Confirm Confirm `json:"confirm"`
}

// Text is the step with what joins it to the one before.
func (s *Step) Text() string { return strings.TrimSpace(s.After + " " + s.Command) }

// errNoSteps says that a line is one.
var errNoSteps = errors.New("it has no steps that can be told apart: it runs as a whole, or not")

// Halves are the first n steps of a line as a command of their own, and what remains of
// it. joined is what stands between them. With an error, for people, it cannot be divided
// there.
func Halves(command, dialect string, n int) (first, rest, joined string, err error) {
	steps := stepsOf(command, dialect)
	switch {
	case len(steps) == 0:
		return "", "", "", errNoSteps
	case n < 1 || n > len(steps):
		return "", "", "", fmt.Errorf("it has the steps 1 to %d", len(steps))
	case n == len(steps):
		return "", "", "", fmt.Errorf("step %d is its last: agree to all of it", n)
	case steps[n-1].Together != "":
		return "", "", "", fmt.Errorf("it cannot be divided behind step %d: %s", n, steps[n-1].Together)
	}
	return steps[n-1].First, steps[n-1].Rest, steps[n].After, nil
}

// Count is how many steps a line has; 0 where they cannot be told apart.
func Count(command, dialect string) int { return len(stepsOf(command, dialect)) }

func stepsOf(command, name string) []shell.Step {
	all := fronts.All()
	dialect, _ := all.Dialect(name)
	return all.Steps(command, dialect)
}

// Up is what a person is asked to agree to of the first n steps only. It fails where that
// is not possible.
func (c *Consent) Up(n int) (*Consent, error) {
	switch {
	case len(c.Steps) == 0:
		return nil, errNoSteps
	case n < 1 || n >= len(c.Steps):
		return nil, fmt.Errorf("it has %d steps: name one of the first %d, or agree to all of it", len(c.Steps), len(c.Steps)-1)
	case c.Steps[n-1].Together != "":
		return nil, fmt.Errorf("it cannot be divided behind step %d: %s", n, c.Steps[n-1].Together)
	}
	out := *c
	out.Steps = slices.Clone(c.Steps[:n])
	last := &out.Steps[n-1]
	out.Command, out.Confirm, out.RequiresPin = c.first(n), last.Confirm, last.Confirm.By == ByPin
	out.Tier, out.Irreversible, out.Parts = risk.Safe, []string{}, []Part{}
	for i := range out.Steps {
		s := &out.Steps[i]
		out.Tier = max(out.Tier, s.Tier)
		out.Irreversible = append(out.Irreversible, s.Irreversible...)
	}
	if out.Confirm.By == ByClick {
		out.ReviewLevel = risk.B
	}
	first := "first"
	if n > 1 {
		first = fmt.Sprintf("first %d", n)
	}
	out.Explanation = fmt.Sprintf("Only the %s of %d steps of a line; what follows waits for another yes.", first, len(c.Steps))
	// What was said of the whole is not said of a part.
	out.Why, out.Safer, out.Spans, out.Narrow = []string{}, []risk.Safer{}, []risk.Span{}, nil
	out.Consequences = risk.Consequences{Direct: []string{}, Indirect: []string{}}
	return &out, nil
}

// first are the first n steps as they stand in the command, or, where that holds them inside
// of something else, joined as they are there.
func (c *Consent) first(n int) string {
	joined := ""
	there := true
	for i := range c.Steps[:n] {
		s := &c.Steps[i]
		there = there && s.Span.Start >= 0 && s.Span.Start <= s.Span.End && s.Span.End <= len(c.Command) && c.Command[s.Span.Start:s.Span.End] == s.Command
		switch s.After {
		case "&&":
			joined += " && "
		case ";":
			joined += "; "
		}
		joined += s.Command
	}
	if there {
		return c.Command[:c.Steps[n-1].Span.End]
	}
	return joined
}

// Fits reports whether the steps that a request shows are those of a line.
func (c *Consent) Fits(line, dialect string) bool {
	if len(c.Steps) == 0 {
		return true
	}
	return slices.EqualFunc(stepsOf(line, dialect), c.Steps, func(is shell.Step, told Step) bool {
		return explain.Visible(line[is.Span.Start:is.Span.End]) == told.Command && is.After == told.After && (is.Together == "") == (told.Together == "")
	})
}

// A stepping finds the step that something stands in; what stands in none is of each.
type stepping struct {
	steps []shell.Step
	a     *risk.Assessment
}

// in are the steps of a process, or of an effect of the shell's own.
func (s *stepping) in(process int, at risk.Span) (from, to int) {
	if process >= 0 && process < len(s.a.Invocations) {
		at = s.a.Invocations[process].Span
	}
	for i := range s.steps {
		if at.Start >= s.steps[i].Span.Start && at.Start < s.steps[i].Span.End && at.End > at.Start {
			return i, i + 1
		}
	}
	return 0, len(s.steps)
}

// divide says what each step of a line does.
func (c *Consent) divide(command, dialect string, a *risk.Assessment, d *policy.Decision, secrets *mask.Masker) {
	s := &stepping{stepsOf(command, dialect), a}
	if len(s.steps) == 0 || c.Masked || d.Final {
		return
	}
	type told struct {
		effects []risk.Effect
		denied  bool
	}
	all := make([]told, len(s.steps))
	for i := range a.Effects {
		e := &a.Effects[i]
		at := e.By.Statement
		if at.End <= at.Start {
			at = e.Span
		}
		of := map[int]bool{}
		for i, at := range append([]risk.Span{at}, e.By.Also...) {
			process := e.By.Process
			if i > 0 {
				process = -1 // only the first is known
			}
			for k, to := s.in(process, at); k < to; k++ {
				of[k] = true
			}
		}
		for k := range all {
			if of[k] {
				all[k].effects = append(all[k].effects, *e)
			}
		}
	}
	for _, p := range d.Parts {
		if p.Action != policy.Deny {
			continue
		}
		from, to := s.in(p.Process, risk.Span{})
		for k := from; k < to; k++ {
			all[k].denied = true
		}
	}
	tiers := make([]risk.Tier, len(all))
	for i := range all {
		for k := range all[i].effects {
			tiers[i] = max(tiers[i], all[i].effects[k].Tier)
		}
	}
	show := func(text string) string { return explain.Visible(secrets.Text(text)) }
	var upTo risk.Assessment
	upTo.Invocations = a.Invocations
	worst, denied := risk.Safe, false
	for i := range s.steps {
		is := &s.steps[i]
		before, end := explain.Visible(command[:is.Span.Start]), explain.Visible(command[:is.Span.End])
		if !strings.HasPrefix(c.Command, end) || !strings.HasPrefix(end, before) {
			c.Steps = nil // it begins or ends inside of something that is shown in another way
			return
		}
		step := Step{
			Command: strings.TrimPrefix(end, before), After: is.After, Span: risk.Span{Start: len(before), End: len(end)}, Tier: tiers[i],
			Together: show(is.Together), Irreversible: irreversible(all[i].effects, secrets.Text), Does: []string{},
		}
		for k := range all[i].effects {
			if e := &all[i].effects[k]; len(step.Does) < maxLines {
				step.Does = append(step.Does, doing(e, show))
			}
		}
		slices.SortStableFunc(step.Does, func(x, y string) int { return severity(y) - severity(x) })
		worst, denied = max(worst, tiers[i]), denied || all[i].denied
		upTo.Effects = append(upTo.Effects, all[i].effects...)
		typed := c.Confirm.By == ByWord || c.Confirm.By == ByPin
		// A click does for what is no REVIEW, where it is something behind it that takes more.
		if typed && worst < risk.Review && !denied && slices.Contains(tiers[i+1:], risk.Review) {
			typed = false
		}
		switch {
		case !typed:
			step.Confirm.By = ByClick
		case c.Confirm.By == ByPin:
			step.Confirm.By = ByPin
		default:
			step.Confirm.By = ByWord
			step.Confirm.What, step.Confirm.Word = decisive(&upTo, c.ID, secrets)
		}
		c.Steps = append(c.Steps, step)
	}
}

// doing is what an effect comes to, in a line.
func doing(e *risk.Effect, show func(string) string) string {
	return explain.Cut(strings.TrimSpace(fmt.Sprintf("[%s] %s %s", e.Tier, e.Verb, show(e.Target))), 160)
}
