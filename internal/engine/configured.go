package engine

import (
	"path"
	"regexp"
	"slices"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// maxConfiguration is how much of a file of settings is looked through, in bytes.
const maxConfiguration = 256 << 10

// configured adds to the description the code of the project that a program loads
// because files tell it to: a plugin of a linter, a Gemfile. On another machine, and in
// a container, its files are not seen, nor is this.
func (o outlook) configured() {
	var code string
	for _, s := range o.r.Match.Files() {
		if s.As != catalog.AsCode || o.r.Help && (!s.HelpToo || !s.VersionToo && o.given("--version")) {
			continue
		}
		if o.st.Context.Host != "" || o.st.Context.Container != "" {
			return
		}
		if code = o.namesCode(s); code != "" {
			break
		}
	}
	if code != "" {
		o.r.Effects = append(o.r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit(code)})
	}
}

// given reports whether a word stands on the command line.
func (o outlook) given(word string) bool {
	return slices.ContainsFunc(o.inv.Argv, func(w shell.Word) bool { text, known := w.Value.Known(); return known && text == word })
}

// namesCode is the file that a setting is about, if it is there and is code or names
// some, or "". What cannot be looked at may be there, and may name it.
func (o outlook) namesCode(s *catalog.Setting) string {
	dir, known := o.dir()
	if !known {
		return s.File
	}
	for range 64 {
		if !o.noneIn(dir, s.File) && o.holds(path.Join(dir, s.File), s.Holding) {
			return s.File
		}
		if dir == "/" {
			return ""
		}
		dir = path.Dir(dir)
	}
	return s.File
}

// holds reports whether a file may match a pattern.
func (o outlook) holds(file, pattern string) bool {
	if pattern == "" {
		return true
	}
	data, _, err := o.sc.ReadFile(o.st, file)
	if err != nil || len(data) > maxConfiguration {
		return true
	}
	re, err := regexp.Compile(pattern)
	return err != nil || re.Match(data)
}
