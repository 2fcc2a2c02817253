package engine

import (
	"errors"
	"path"
	"regexp"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// maxConfiguration is how much of a file of settings is looked through, in bytes.
const maxConfiguration = 256 << 10

// configured adds to the description the code of the project that a program loads
// because files tell it to: a plugin of a linter, a Gemfile. On another machine, and in
// a container, its files are not seen, nor is this.
func (o outlook) configured() {
	if o.st.Context.Host != "" || o.st.Context.Container != "" {
		return
	}
	for _, s := range o.r.Match.Files() {
		if name, ok := o.namesCode(s); ok {
			o.r.Effects = append(o.r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit(name)})
			return
		}
	}
}

// namesCode reports whether a setting is a file that is code or names some, and is
// loaded for what is asked, and which. What cannot be looked at may be there, and may name it.
func (o outlook) namesCode(s *catalog.Setting) (name string, ok bool) {
	if s.As != catalog.AsCode || o.r.Help && (!s.HelpToo || o.r.Version && !s.VersionToo) {
		return "", false
	}
	if strings.Contains(s.File, "*") {
		return o.namedLike(s)
	}
	return s.File, o.upwards(func(dir string) bool {
		return !o.noneIn(dir, s.File) && o.holds(path.Join(dir, s.File), s.Holding)
	})
}

// namedLike is namesCode for a pattern of names. A program that takes all files of some
// kind takes those of its directory.
func (o outlook) namedLike(s *catalog.Setting) (name string, ok bool) {
	dir, known := o.dir()
	if !known {
		return s.File, true
	}
	entries, err := o.st.FS.ReadDir(dir, maxRefs)
	for _, e := range entries {
		if found, err := path.Match(s.File, e.Name); err != nil || found && o.holds(path.Join(dir, e.Name), s.Holding) {
			return e.Name, true
		}
	}
	return s.File, err != nil && !errors.Is(err, world.ErrNotExist)
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
