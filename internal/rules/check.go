package rules

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/detect/sigma"
)

// A Kind says in which language a file of rules is written.
type Kind string

// The kinds.
const (
	Pattern Kind = "pattern"
	Sigma   Kind = "sigma"
	Neither Kind = ""
)

// KindOf tells pattern rules from Sigma rules by the keys that begin a line,
// so that a file with a mistake is told in the right words too.
func KindOf(text []byte) Kind {
	for line := range bytes.Lines(text) {
		key, _, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			continue
		}
		switch string(bytes.TrimPrefix(key, []byte("\ufeff"))) {
		case "detection", "correlation", "logsource":
			return Sigma
		case "match", "severity", "positive", "negative":
			return Pattern
		}
	}
	return Neither
}

// A Report says what a file of rules holds.
type Report struct {
	Kind     Kind
	Rules    []string // their ids
	Cases    int      // examples or tests that hold
	Warnings []error
}

// Check reads a file of rules and holds them to what stands beside them:
// pattern rules to their examples, Sigma rules to NAME.tests.yml or the entry
// NAME of events.yaml in the same directory, which beside reads. Errors name
// file and line, one a line of their text.
func Check(ctx context.Context, name string, text []byte, beside func(string) ([]byte, error)) (Report, error) {
	switch kind := KindOf(text); kind {
	case Pattern:
		return checkPatterns(ctx, name, text)
	case Sigma:
		return checkSigma(ctx, name, text, beside)
	default:
		return Report{}, fmt.Errorf("%s:1: it holds neither pattern rules (match, severity) nor Sigma rules (detection, correlation)", name)
	}
}

func checkPatterns(ctx context.Context, name string, text []byte) (Report, error) {
	out := Report{Kind: Pattern}
	all, err := pattern.Parse(name, text)
	errs := []error{err}
	l, labErr := newLab(ctx, detectors(all))
	if labErr != nil {
		return out, labErr
	}
	for i := range all {
		r := &all[i]
		out.Rules = append(out.Rules, r.ID)
		out.Cases += len(r.Positive) + len(r.Negative)
		for _, err := range l.example(r) {
			errs = append(errs, fmt.Errorf("%s:%d: %w", name, r.Line, err))
		}
	}
	if err == nil && len(all) == 0 {
		errs = append(errs, fmt.Errorf("%s:1: it holds no rule", name))
	}
	return out, errors.Join(errs...)
}

func checkSigma(ctx context.Context, name string, text []byte, beside func(string) ([]byte, error)) (Report, error) {
	out := Report{Kind: Sigma}
	var errs []error
	all, problems := sigma.Check(text, name)
	set, more := sigma.Compile(all, sigma.Options{})
	for _, p := range append(problems, more...) {
		if p.Severity == sigma.Warning {
			out.Warnings = append(out.Warnings, p)
		} else {
			errs = append(errs, p)
		}
	}
	for i := range all {
		out.Rules = append(out.Rules, all[i].Label())
	}
	if len(errs) > 0 || set.Len() == 0 {
		return out, errors.Join(errs...)
	}
	file, tests, err := readTests(name, beside)
	if err != nil || tests == nil {
		return out, err
	}
	out.Cases = len(tests.Match) + len(tests.Harmless)
	return out, tests.run(ctx, file, set)
}

// readTests finds the tests of a Sigma file; nil if there are none.
func readTests(name string, beside func(string) ([]byte, error)) (string, *tests, error) {
	dir, stem := path.Dir(name), strings.TrimSuffix(path.Base(name), path.Ext(name))
	for _, base := range []string{stem + ".tests.yml", "events.yaml"} {
		text, err := beside(base)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		file := path.Join(dir, base)
		if err != nil {
			return file, nil, fmt.Errorf("reading the tests of %s: %w", name, err)
		}
		t, err := parseTests(file, text, stem, base == "events.yaml")
		if t != nil || err != nil {
			return file, t, err
		}
	}
	return "", nil, nil
}
