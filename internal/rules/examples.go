package rules

import (
	"context"
	"fmt"
	"slices"

	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/world/madeup"
	"github.com/heedsh/heed/risk"
)

// examples is the machine on which the examples of rules are judged: a small
// project of one user, with the usual secrets in the home.
func examples() []madeup.Statement {
	return []madeup.Statement{
		madeup.Say("user", "u"),
		madeup.Say("dir", "/home/u/project"),
		madeup.Say("git", "/home/u/project", "on", "main"),
		madeup.Say("remote", "origin", "https://example.net/u/project.git"),
		madeup.Say("package.json", "tracked").Holding("{}\n"),
		madeup.Say("package-lock.json", "tracked").Holding("{}\n"),
		madeup.Say("README.md", "tracked"),
		madeup.Say("notes.txt", "modified"),
		madeup.Say("run.sh", "tracked", "exec").Holding("#!/bin/sh\necho ok\n"),
		madeup.Say("src/main.go", "tracked"),
		madeup.Say(".env", "ignored").Holding("A=b\n"),
		madeup.Say(".env.example", "tracked"),
		madeup.Say(".claude/settings.json", "tracked").Holding("{}\n"),
		madeup.Say("build/", "ignored", "20", "files", "1MB"),
		madeup.Say("/home/u/.bashrc").Holding("# rc\n"),
		madeup.Say("/home/u/.ssh/id_rsa").Holding("key\n"),
		madeup.Say("/home/u/.ssh/id_ed25519").Holding("key\n"),
		madeup.Say("/home/u/.ssh/id_rsa.pub").Holding("key\n"),
		madeup.Say("/home/u/.aws/credentials").Holding("key\n"),
		madeup.Say("/home/u/.claude/settings.json").Holding("{}\n"),
		madeup.Say("/etc/passwd").Holding("root:x:0:0::/root:/bin/sh\n"),
		madeup.Say("/bin/bash", "binary"),
		madeup.Say("/usr/bin/env", "binary"),
	}
}

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
