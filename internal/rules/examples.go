package rules

import (
	"context"
	"fmt"
	"slices"

	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// examples is the machine on which the examples of rules are judged: a small
// project of one user, with the usual secrets in the home.
const examples = `
user u
dir  /home/u/project
git /home/u/project on main
remote origin https://example.net/u/project.git
package.json          tracked "{}\n"
package-lock.json     tracked "{}\n"
README.md             tracked
notes.txt             modified
run.sh                tracked exec "#!/bin/sh\necho ok\n"
src/main.go           tracked
.env                  ignored "A=b\n"
.env.example          tracked
.claude/settings.json tracked "{}\n"
build/                ignored 20 files 1MB
/home/u/.bashrc       "# rc\n"
/home/u/.ssh/id_rsa   "key\n"
/home/u/.ssh/id_ed25519 "key\n"
/home/u/.ssh/id_rsa.pub "key\n"
/home/u/.aws/credentials "key\n"
/home/u/.claude/settings.json "{}\n"
/etc/passwd           "root:x:0:0::/root:/bin/sh\n"
/bin/bash             binary
/usr/bin/env          binary
`

// Examples holds pattern rules to their examples: each must match all of its
// positive commands and none of the negative ones. The problems name the rule.
func Examples(ctx context.Context, all []pattern.Rule) []error {
	l, err := newLab(ctx, service.Detectors{Patterns: all})
	if err != nil {
		return []error{err}
	}
	var problems []error
	for i := range all {
		problems = append(problems, l.example(&all[i])...)
	}
	return problems
}

func (l *lab) example(r *pattern.Rule) (problems []error) {
	matches := func(command string) bool {
		out := l.run(command, "")
		return slices.ContainsFunc(out.Findings, func(f risk.Finding) bool { return f.ID == r.ID })
	}
	if len(r.Positive) == 0 || len(r.Negative) == 0 {
		problems = append(problems, fmt.Errorf("%s: it needs at least one positive and one negative example", r.ID))
	}
	for _, c := range r.Positive {
		if !matches(c) {
			problems = append(problems, fmt.Errorf("%s: does not match its positive example %q", r.ID, c))
		}
	}
	for _, c := range r.Negative {
		if matches(c) {
			problems = append(problems, fmt.Errorf("%s: matches its negative example %q", r.ID, c))
		}
	}
	return problems
}
