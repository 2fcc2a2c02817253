package scan

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/buildfile"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// makefile takes every recipe of a makefile, and the commands that it runs for
// what they print while it is read.
func (f *Found) makefile(file *File) {
	m := buildfile.NewMake(file.site())
	m.Read(path.Base(file.Name), file.Text)
	recipes := m.Recipes()
	base := Command{Shell: recipeShell(m.Shell()), Place: Beside, Env: known(m.Exported())}
	for _, p := range m.Calls() {
		c := base
		c.Name = p.Name
		f.add(c.of(p.Pieces))
	}
	for _, r := range recipes {
		for _, one := range r.Commands {
			c := base
			c.Name, c.Steps = r.Name, r.Script
			f.add(c.of(one.Pieces))
		}
	}
}

// site is where a file's commands would run, as far as that is known: anybody
// can run them, with any environment.
func (f *File) site() buildfile.Site {
	return buildfile.Site{FS: f.FS, OS: f.OS, Dir: f.Dir, Absent: func(name string) value.Value {
		switch {
		case name == "DESTDIR": // who packages the program sets it (GNU Coding Standards, "Support for Staged Installs")
			return value.Value{}
		case name == "PWD" && f.Dir != "":
			return value.Lit(f.Dir)
		}
		return value.Variable(name)
	}}
}

// recipeShell is the dialect of recipes whose shell is called with words.
func recipeShell(words []string) string {
	switch {
	case len(words) == 0:
		return "bash" // found by a command, as bash is
	case path.Base(words[0]) == "env" && len(words) > 1:
		words = words[1:]
	}
	return dialectOf(words[0])
}

// known are the variables whose value is known.
func known(all []buildfile.Variable) map[string]string {
	env := map[string]string{}
	for _, v := range all {
		if text, ok := v.Value.Known(); ok {
			env[v.Name] = text
		}
	}
	return env
}

// of returns a command with the text that pieces of a file come to.
func (c Command) of(pieces []buildfile.Piece) Command {
	w := &writer{}
	for i, p := range pieces {
		if i == 0 && i+1 < len(pieces) && isPrefix(p.Value, pieces[i+1].Value) {
			continue
		}
		text, whole := p.Value.Known()
		switch {
		case whole && p.Copied:
			w.copy(text, p.At)
		case whole:
			w.put(text, p.At)
		default:
			w.value(p.Value, p.At)
		}
	}
	return w.command(c)
}

// isPrefix reports whether a variable that the file does not set stands where a
// command begins, before a word that begins one for the shell too. Then the text is
// no command unless the variable comes to nothing, as those do that say what is run
// (automake's AM_V_GEN).
func isPrefix(v, next value.Value) bool {
	parts := v.Parts()
	if len(parts) != 1 || parts[0].Hole == nil || parts[0].Hole.Cause != risk.CauseGiven {
		return false
	}
	text := next.Prefix()
	for _, word := range []string{"(", "if ", "for ", "while ", "until ", "case ", "{ ", "!"} {
		if strings.HasPrefix(text, word) {
			return true
		}
	}
	return false
}
