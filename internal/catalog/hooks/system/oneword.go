package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// oneWord says when uname and date print one word without a slash: uname for
// one question, but not for the version (POSIX.1-2024 uname), and date for a
// format without spaces and without what a locale spells (date(1)).
func oneWord(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if s.Name == "date" || s.Name == "gdate" {
		if v, ok := m.Value("format"); ok && dateWord(v) {
			r.Prints = catalog.PrintsWord
		}
		return
	}
	if s.Name == "dpkg-architecture" { // variables of the environment are printed as they are
		name, one := m.Value("variable")
		switch _, set, _ := s.Env(name.Prefix()); {
		case one && name.IsKnown() && !set:
			r.Prints = catalog.PrintsWord
		case !one && m.Has("set"):
			r.Prints = catalog.PrintsSetup
		}
		return
	}
	asked := 0
	for _, w := range s.Args {
		text, known := w.Known()
		switch {
		case !known || text == "-v" || text == "-a" || text == "--all" || strings.HasPrefix(text, "--kernel-v"):
			return
		case strings.HasPrefix(text, "--"):
			asked++
		default:
			asked += len(text) - 1
		}
	}
	if asked <= 1 {
		r.Prints = catalog.PrintsWord
	}
}

// dateWord reports whether a format of date makes one word.
func dateWord(format value.Value) bool {
	text, known := format.Known()
	if !known || !strings.HasPrefix(text, "+") || strings.ContainsAny(text, " \t\n/") {
		return false
	}
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		for i++; i+1 < len(text) && strings.IndexByte("-_0^#:+EO123456789", text[i]) >= 0; i++ {
		}
		if strings.IndexByte("aAbBcdDeFgGhHIjklmMNpPqsSTuUVwWyYzZ%", text[i]) < 0 || text[i] == 'c' || text[i] == 'D' || text[i] == 'e' || text[i] == 'k' || text[i] == 'l' {
			return false
		}
	}
	return true
}

// rtk runs a command under its own name, or one of its own in its place.
func rtk(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Runs {
		argv := r.Runs[i].Argv
		if len(argv) == 0 {
			continue
		}
		switch name, _ := argv[0].Known(); name {
		case "read", "smart", "json", "log":
			r.Runs[i].Argv = append([]value.Value{value.Lit("cat")}, argv[1:]...)
		case "deps":
			r.Runs[i].Argv = []value.Value{value.Lit("ls")}
		case "lint":
			r.Runs[i].Argv = append([]value.Value{value.Lit("eslint")}, argv[1:]...)
		case "env":
			r.Runs[i].Argv = []value.Value{value.Lit("env")}
		}
	}
}
