package specs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"

	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/world"
)

// WorkspacePatterns is where the pattern rules of a workspace are, below its
// root.
const WorkspacePatterns = ".heed/patterns"

// How much a workspace may say by pattern rules: each is tried on every program
// and effect of a command.
const (
	maxTheirRules   = 100
	maxTheirMatches = 8
	maxTheirList    = 16
)

// patternDir is the directory of a person's pattern rules: beside that of the
// specs.
func patternDir(specs string) string { return path.Join(path.Dir(specs), "patterns") }

// patterns are the rules of some files.
type patterns struct {
	rules    []pattern.Rule
	digest   string
	problems []Problem
}

// addPatterns reads the pattern rules that hold in a world.
func (s *Set) addPatterns(l *Loader, w *world.World, roots []string) {
	dirs := make([]string, 0, len(l.dirs))
	for _, dir := range l.dirs {
		if path.IsAbs(dir) {
			dirs = append(dirs, patternDir(dir))
		}
	}
	own, theirs := places(w, dirs, roots, WorkspacePatterns)
	var files []source
	for i, dir := range slices.Concat(own, theirs) {
		found, bad := readDir(w.FS, dir, i < len(own))
		for _, p := range bad {
			p.Rule = true
			s.Problems = append(s.Problems, p)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return
	}
	p := l.patterns(files)
	s.Patterns, s.PatternDigest = p.rules, p.digest
	s.Problems = slices.Concat(s.Problems, p.problems)
}

// patterns returns the rules of these files, parsing them if they are new.
func (l *Loader) patterns(files []source) *patterns {
	key := keyOf(files)
	l.mu.Lock()
	p := l.rules[key]
	l.mu.Unlock()
	if p != nil {
		return p
	}
	p = parsePatterns(files)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rules == nil || len(l.rules) >= maxSets {
		l.rules = make(map[string]*patterns)
	}
	l.rules[key] = p
	return p
}

// parsePatterns reads the rules of all files. A file with a fault is left out
// whole, as a spec is: half of somebody's rules are not what they meant.
func parsePatterns(files []source) *patterns {
	out := &patterns{}
	theirs := 0
	digest := sha256.New()
	for i := range files {
		f := &files[i]
		rules, err := f.patterns(out.rules)
		if !f.own && err == nil {
			if theirs += len(rules); theirs > maxTheirRules {
				err = fmt.Errorf("%s:1: more than %d rules of a workspace: keep those that matter", f.name, maxTheirRules)
			}
		}
		if err != nil {
			out.problems = append(out.problems, Problem{Text: oneLine(err), Own: f.own, Rule: true})
			continue
		}
		out.rules = append(out.rules, rules...)
		fmt.Fprintf(digest, " %v %x", f.own, sha256.Sum256(f.text))
	}
	if len(out.rules) > 0 {
		out.digest = "patterns:sha256:" + hex.EncodeToString(digest.Sum(nil))
	}
	return out
}

// patterns reads the rules of one file. before are those of other files.
func (f *source) patterns(before []pattern.Rule) ([]pattern.Rule, error) {
	rules, err := pattern.Parse(f.name, f.text)
	if err != nil {
		return nil, err
	}
	for i := range rules {
		r := &rules[i]
		if slices.ContainsFunc(before, func(o pattern.Rule) bool { return o.ID == r.ID }) {
			return nil, fmt.Errorf("%s:%d: the id %s is taken by another file: keep one of them", f.name, r.Line, r.ID)
		}
		if f.own {
			continue
		}
		if err := confinePattern(r); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", f.name, r.Line, err)
		}
	}
	return rules, nil
}

// confinePattern holds a workspace's rule to what it may say. Its id, of which
// the letters are bounded, stands for its own words: those would be in heed's
// sentence.
func confinePattern(r *pattern.Rule) error {
	if len(r.Match) > maxTheirMatches {
		return fmt.Errorf("%s: more than %d matches: describe what matters", r.ID, maxTheirMatches)
	}
	for i := range r.Match {
		for _, list := range r.Match[i].Lists() {
			if len(list) > maxTheirList {
				return fmt.Errorf("%s: more than %d words in a list: describe what matters", r.ID, maxTheirList)
			}
			for _, w := range list {
				if len(w) > maxWord {
					return fmt.Errorf("%s: a word is longer than %d bytes", r.ID, maxWord)
				}
			}
		}
	}
	r.Title, r.Description = "a rule of this workspace, "+r.ID, ""
	return nil
}
