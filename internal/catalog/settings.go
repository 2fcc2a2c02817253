package catalog

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// A Setting is what a program obeys besides its words: a variable of its
// environment or a file that it looks for by itself.
type Setting struct {
	Env  string // a variable; may end in * for a family
	File string // or a file: ~/x, /x, $VARIABLE/x, or x where the program works
	As   SettingAs
	Arg  Arg // what the variable's value or the file is to it, and when
	// Holding is a regular expression: a file names code only where its text matches; ""
	// means always. It is for [AsCode].
	Holding string
	// HelpToo means that code is loaded for help too: scons -h. VersionToo, that nothing
	// comes before it, not even the version.
	HelpToo, VersionToo bool
	// Lasting means that setting the variable for the rest of a session matters
	// to what the program does later.
	Lasting bool
}

// SettingAs says how a setting is taken.
type SettingAs uint8

// The ways.
const (
	AsWord    SettingAs = iota // as a word of a role
	AsOptions                  // as options of the program, separated by blanks or in lines
	AsUnsaid                   // in a way that the spec does not say
	AsCode                     // as code of the project, or as what names such: looked for upwards too
	AsInert                    // in no way that matters
)

// named reports whether the setting is the variable of this name.
func (s *Setting) named(variable string) bool {
	if family, ok := strings.CutSuffix(s.Env, "*"); ok {
		return strings.HasPrefix(variable, family)
	}
	return s.Env == variable && variable != ""
}

// Setting returns what the matched commands say of a variable: the innermost
// first, one of exactly that name before a family.
func (m *Match) Setting(variable string) (*Setting, bool) {
	var family *Setting
	for _, c := range slices.Backward(m.Chain) {
		for i := range c.Settings {
			switch s := &c.Settings[i]; {
			case !s.named(variable):
			case s.Env == variable:
				return s, true
			case family == nil:
				family = s
			}
		}
	}
	return family, family != nil
}

// Files returns the files that the matched commands look for by themselves, as
// far as their conditions hold.
func (m *Match) Files() []*Setting {
	var files []*Setting
	for _, c := range m.Chain {
		for i := range c.Settings {
			if s := &c.Settings[i]; s.File != "" && s.Arg.When.Holds(m) {
				files = append(files, s)
			}
		}
	}
	return files
}

// Loads names the files of code that the program looks for where it works: a
// makefile, a Rakefile.
func (p *Program) Loads() []string {
	var names []string
	for i := range p.Settings {
		if s := &p.Settings[i]; s.Arg.Role == Script && s.File != "" && !strings.ContainsAny(s.File[:1], "~/$") {
			names = append(names, s.File)
		}
	}
	return names
}

// options are the words of the variables that stand for options of the
// program, where the command itself set them.
func (p *Program) options(s *Site) []value.Value {
	var words []value.Value
	for i := range p.Settings {
		e := &p.Settings[i]
		if e.As != AsOptions || e.Env == "" || s.Env == nil {
			continue
		}
		v, set, changed := s.Env(e.Env)
		if !set || !changed {
			continue
		}
		for _, w := range v.Split(" ") {
			if !w.Empty() {
				words = append(words, w)
			}
		}
	}
	return words
}

// setting applies a variable that acts as a word, where the command itself set
// it: what the session's own environment says was there before and is not this
// command's doing.
func (m *Match) setting(e *Setting, s *Site, r *Result) {
	if e.As != AsWord || e.Env == "" || s.Env == nil || !e.Arg.When.Holds(m) {
		return
	}
	if v, set, changed := s.Env(e.Env); set && changed && !v.Empty() {
		arg := e.Arg
		arg.Name = e.Env
		r.role(m, arg.Role, &arg, v)
	}
}
