package compile

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/attack"
	"github.com/heedsh/heed/internal/detect/sigma"
)

// A Pack is a directory of rules, compiled.
type Pack struct {
	Set *sigma.Set
	// Files are the rule files in the order of their names.
	Files []File
}

// A File is one rule file.
type File struct {
	Name string // "impact/fork_bomb.yml"
	Main int    // index in the set of its first rule, for which its events are
}

// Dir compiles the rules of a directory, topic/name.yml. The error tells all
// that is wrong with them.
func Dir(dir fs.FS) (*Pack, error) {
	names, err := fs.Glob(dir, "*/*.yml")
	if err != nil {
		return nil, fmt.Errorf("listing the rules: %w", err)
	}
	var wrong []error
	var rules []sigma.Rule
	var files []File
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, fmt.Errorf("reading a rule: %w", err)
		}
		of, problems := sigma.Check(data, name)
		for _, p := range problems {
			wrong = append(wrong, p)
		}
		for i := range of {
			wrong = append(wrong, form(&of[i].Meta)...)
		}
		if len(of) > 0 {
			files = append(files, File{Name: name, Main: len(rules)})
			rules = append(rules, of...)
		}
	}
	set, problems := sigma.Compile(rules, sigma.Options{})
	for _, p := range problems {
		wrong = append(wrong, p)
	}
	wrong = append(wrong, unique(set)...)
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return &Pack{Set: set, Files: files}, nil
}

// form says what a rule lacks that ours have.
func form(m *sigma.Meta) (wrong []error) {
	need := func(ok bool, what string) {
		if !ok {
			wrong = append(wrong, fmt.Errorf("%s:%d: %s", m.File, m.Line, what))
		}
	}
	need(regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(m.ID), "the id is no random UUID")
	need(m.Title != "" && m.Description != "" && m.Author != "" && m.Date != "" && m.Status != "", "title, description, author, date or status is missing")
	need(len(m.References) > 0, "there is no reference")
	need(len(m.FalsePositives) > 0, "no false positives are named")
	need(slices.Contains([]string{"informational", "low", "medium", "high", "critical"}, m.Level), "there is no level")
	need(m.Correlation || m.Source == sigma.ProcessCreation(m.Source.Product) && slices.Contains([]string{"linux", "macos", "windows"}, m.Source.Product), "the log source is not process_creation of a product")
	techniques, risks := 0, 0
	for _, t := range m.Tags {
		namespace, name, _ := strings.Cut(t, ".")
		switch {
		case namespace == "owasp" && isRisk(name):
			risks++
		case namespace == "attack" && isTechnique(name):
			techniques++
		case namespace == "attack" && isTactic(name):
		default:
			need(false, "the tag "+t+" is unknown")
		}
	}
	need(techniques > 0 && risks > 0, "there is no technique or no OWASP risk among the tags")
	return wrong
}

func isRisk(name string) bool {
	_, ok := attack.ASI(name)
	return ok
}

func isTechnique(name string) bool {
	_, ok := attack.Lookup(name)
	return ok && strings.HasPrefix(name, "t")
}

func isTactic(name string) bool {
	return slices.ContainsFunc(attack.Tactics(), func(t attack.Tactic) bool { return t.ShortName == name })
}

// unique says which ids and titles occur twice.
func unique(set *sigma.Set) (wrong []error) {
	seen := map[string]string{}
	for _, m := range set.Rules() {
		for _, key := range []string{m.ID, m.Title} {
			if other, ok := seen[key]; ok {
				wrong = append(wrong, fmt.Errorf("%s: %s is in %s too", m.File, key, other))
			}
			seen[key] = m.File
		}
	}
	return wrong
}

// topic returns the directory and the name of a rule file without its ending.
func (f File) topic() (dir, name string) {
	dir, base := path.Split(f.Name)
	return path.Clean(dir), strings.TrimSuffix(base, ".yml")
}
