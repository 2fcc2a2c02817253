package compile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// LintAll holds what specs say to what their words promise: a subcommand that
// by its name destroys, an option that by its name writes or runs, or that
// takes the question away, has a meaning, or a reason why it has none
// (docs/catalog.md, "reasons"). Each finding names a line and what to do there.
// The specs must compile and pass their cases.
func LintAll(specs []*Spec, hooks catalog.Hooks) error {
	programs := make([]*catalog.Program, len(specs))
	for i, s := range specs {
		programs[i] = s.Program
	}
	c := catalog.FromPrograms(programs, hooks)
	var errs []error
	for _, s := range specs {
		errs = append(errs, s.lint(c)...)
	}
	return errors.Join(errs...)
}

// A linter looks at the commands of one spec.
type linter struct {
	spec  *Spec
	c     *catalog.Catalog
	found []error
}

func (s *Spec) lint(c *catalog.Catalog) []error {
	l := &linter{spec: s, c: c}
	l.command([]*catalog.Command{&s.Program.Command}, nil)
	for i := range s.reasons {
		r := &s.reasons[i]
		for _, n := range r.names {
			if !r.used[n] {
				l.found = append(l.found, fmt.Errorf("%s:%d: reasons: %s needs none: take it away", r.file, r.line, n))
			}
		}
	}
	return l.found
}

// command looks at one command and those below it.
func (l *linter) command(chain []*catalog.Command, path []string) {
	at := spot{l: l, chain: chain, path: path}
	node := at.node()
	for i := range node.Options {
		at.option(&node.Options[i])
	}
	at.destroys()
	for _, sub := range node.Sub {
		l.command(append(slices.Clip(chain), sub.Command()), append(slices.Clip(path), sub.Name))
	}
}

// A spot is a command that is looked at, with those around it.
type spot struct {
	l     *linter
	chain []*catalog.Command
	path  []string
}

func (p spot) node() *catalog.Command { return p.chain[len(p.chain)-1] }

// finding tells of a line: that of an option, or of the command itself.
func (p spot) finding(option, format string, args ...any) {
	at, ok := p.l.spec.places[placeKey{pathKey(p.path), option}]
	if !ok {
		at = p.l.spec.places[placeKey{pathKey(p.path), ""}]
	}
	p.l.found = append(p.l.found, fmt.Errorf("%s:%d: %s: %s", at.file, max(at.line, 1), strings.Join(p.words(), " "), fmt.Sprintf(format, args...)))
}

// excused reports whether the spec gives a reason for one of the names, in the
// command at path or in one around it.
func (p spot) excused(path []string, names ...string) bool {
	found := false
	for i := range p.l.spec.reasons {
		r := &p.l.spec.reasons[i]
		if r.path != pathKey(path) && !strings.HasPrefix(pathKey(path), r.path+"\n") && r.path != "" {
			continue
		}
		for _, n := range names {
			if slices.Contains(r.names, n) {
				r.used[n], found = true, true
			}
		}
	}
	return found
}

// words are a command line that leads to the command.
func (p spot) words() []string {
	words := []string{p.l.spec.Program.Names[0]}
	for _, name := range p.path {
		first, _, _ := strings.Cut(name, " ")
		words = append(words, strings.ReplaceAll(first, "*", "x"))
	}
	return words
}

// does asks what the command does with more words, and with an operand in each
// of its places.
func (p spot) does(more ...string) *catalog.Result {
	words := append(p.words(), more...)
	operands := p.node().Operands
	for range operands {
		words = append(words, "operand")
	}
	program, ok := p.l.c.Lookup(words[0])
	if !ok {
		return &catalog.Result{}
	}
	args := make([]value.Value, len(words)-1)
	for i, w := range words[1:] {
		args[i] = value.Lit(w)
	}
	none := func(string) (value.Value, bool, bool) { return value.Value{}, false, true }
	return p.l.c.Describe(program, args, &catalog.Site{Name: words[0], Env: none})
}

// rules are all effects that the commands state, under whatever condition.
func (p spot) rules(holds func(*catalog.Rule) bool) bool {
	return slices.ContainsFunc(p.chain, func(c *catalog.Command) bool {
		return slices.ContainsFunc(c.Effects, func(r catalog.Rule) bool { return holds(&r) })
	})
}

// destroying are the verbs that take something away for good, or may.
func destroying(v risk.Verb) bool {
	switch v {
	case risk.FSDelete, risk.DiskWrite, risk.VCSDiscard, risk.VCSRewrite, risk.VCSForce, risk.RemoteDestroy, risk.DBDestroy, risk.PkgRemove,
		risk.ProcSignal, risk.DefenseEvade, risk.SysPower:
		return true
	}
	return false
}

// writing are the verbs of which a file has something else in it afterwards.
func writing(v risk.Verb) bool {
	switch v {
	case risk.FSWrite, risk.FSCreate, risk.FSDelete, risk.FSMove, risk.FSAttr, risk.DiskWrite, risk.RemoteChange, risk.DBChange, risk.SysConfig, risk.VCSLocal,
		risk.SecretRead, risk.PrivGain, risk.PkgInstall, risk.ExecProject, risk.PersistAdd:
		return true
	}
	return destroying(v)
}
