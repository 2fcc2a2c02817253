package rules

import (
	"context"
	"fmt"
	"slices"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// Policies holds rules of policy to their examples: each must speak of all
// commands that it should and of none that it should not, judged on a machine that
// is made up. The problems name the rule and its line.
func Policies(ctx context.Context, all []policy.Rule) []error {
	if !slices.ContainsFunc(all, func(r policy.Rule) bool { return len(r.Examples.Match)+len(r.Examples.Not) > 0 }) {
		return nil
	}
	l, err := newLab(ctx, service.Detectors{})
	if err != nil {
		return []error{err}
	}
	var problems []error
	for i := range all {
		r := &all[i]
		for _, c := range r.Examples.Match {
			if !l.decides(r, c) {
				problems = append(problems, fmt.Errorf("%s:%d: %s does not decide %q, which its examples say that it must", r.File, r.Line, r.ID, c))
			}
		}
		for _, c := range r.Examples.Not {
			if l.decides(r, c) {
				problems = append(problems, fmt.Errorf("%s:%d: %s decides %q, which its examples say that it must not", r.File, r.Line, r.ID, c))
			}
		}
	}
	return problems
}

// Assessor returns what assesses commands on the machine that is made up for
// examples, the same everywhere.
func Assessor(ctx context.Context) (func(command string) *risk.Assessment, error) {
	l, err := newLab(ctx, service.Detectors{})
	if err != nil {
		return nil, err
	}
	return func(command string) *risk.Assessment {
		a := l.run(command, "")
		return &a.Assessment
	}, nil
}

// decides reports whether a rule, alone and while it holds, decides about any
// program of a command.
func (l *lab) decides(r *policy.Rule, command string) bool {
	alone := *r
	alone.Until = ""
	set := policy.Set{Rules: []policy.Rule{alone}}
	a := l.run(command, "")
	d := set.Decide(&a.Assessment, policy.Session{Front: policy.Agent, Home: l.env["HOME"]})
	return slices.ContainsFunc(d.Parts, func(p policy.Part) bool { return p.Rule == r.ID })
}

// Decided are those of some commands about which a rule decides on the machine that
// is made up: examples that [Policies] will find true.
func Decided(ctx context.Context, r *policy.Rule, commands []string) ([]string, error) {
	l, err := newLab(ctx, service.Detectors{})
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range commands {
		if l.decides(r, c) {
			out = append(out, c)
		}
	}
	return out, nil
}
