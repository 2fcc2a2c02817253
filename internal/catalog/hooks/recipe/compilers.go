package recipe

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// compiler reads what the option grammar of compilers cannot say: -wrapper
// takes a command with commas, -Xclang -load a plugin in two steps, @FILE more
// words (GCC 14 manual, "Overall Options"; Clang user's manual).
func compiler(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	compilerFiles(m, s, r)
	included(m, s, r)
	for _, v := range m.Values("wrapper")[:min(1, len(m.Values("wrapper")))] {
		r.Runs = append(r.Runs, catalog.Run{Argv: v.Split(",")})
	}
	if words := m.Values("wrapper"); len(words) > 1 {
		wrapped(m, s, r, words[1:])
	}
	handedOn(m, s, r)
	args := s.Args
	for i := 0; i+3 < len(args); i++ {
		if site.SameWord(args[i], "-Xclang") && site.SameWord(args[i+1], "-load") && site.SameWord(args[i+2], "-Xclang") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: args[i+3]})
		}
	}
}

// included reads which files the sources put into themselves that are no
// headers: the compiler prints them, or quotes their lines in its messages.
func included(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	sources := append(m.Values("file"), m.Values("source")...)
	if len(sources) == 0 && (strings.HasSuffix(s.Name, "cpp") || s.Name == "as" || s.Name == "gas") { // the preprocessor reads what it is given
		sources = []value.Value{value.Lit("-")}
	}
	for _, source := range sources {
		text, ok := site.SiteFile(s, source)
		if site.SameWord(source, "-") && s.HasStdin {
			text, ok = site.Input(s).Known()
		}
		if !ok {
			continue
		}
		for line := range strings.Lines(text) {
			name := includes(line)
			switch path.Ext(name) {
			case ".h", ".hh", ".hpp", ".hxx", ".inc", ".c", ".cc", ".cpp", ".cxx", ".def", ".tcc", ".ipp", ".cuh", ".m", ".s", ".S", ".asm", ".mac":
				continue
			}
			if name == "" {
				continue
			}
			if !path.IsAbs(name) {
				name = path.Join(path.Dir(source.String()), name)
			}
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: value.Lit(name), Shown: true})
		}
	}
}

// includes is the file that a line of C or of an assembler's language includes or embeds
// (GNU as manual, .include and .incbin; NASM manual, %include and INCBIN).
func includes(line string) string {
	line = strings.TrimSpace(line)
	for _, directive := range []string{".include", ".incbin", "%include", "incbin"} {
		if rest, ok := strings.CutPrefix(line, directive); ok {
			_, quoted, _ := strings.Cut(rest, `"`)
			name, _, _ := strings.Cut(quoted, `"`)
			return name
		}
	}
	rest, ok := strings.CutPrefix(line, "#")
	if !ok {
		return ""
	}
	directive, rest, _ := strings.Cut(strings.TrimSpace(rest)+" ", " ")
	if i := strings.IndexAny(directive, "\"<"); i > 0 { // nothing between
		directive, rest = directive[:i], directive[i:]
	}
	rest = strings.TrimSpace(rest)
	switch directive {
	case "include", "include_next", "import", "embed":
	default:
		return ""
	}
	if quoted, ok := strings.CutPrefix(rest, "\""); ok {
		name, _, _ := strings.Cut(quoted, "\"")
		return name
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(rest, "<"), ">")
	if path.Ext(name) == "" { // a header of C++
		return ""
	}
	return name
}

// wrapped reads the words after -wrapper COMMAND, which the grammar has taken
// as a command line.
func wrapped(m *catalog.Match, s *catalog.Site, r *catalog.Result, words []value.Value) {
	rest := m.Program.Match(words)
	more := rest.Apply()
	compilerFiles(rest, s, more)
	r.Effects = append(r.Effects, more.Effects...)
	r.Runs = append(r.Runs, more.Runs...)
}

// objcopy changes files in place unless another output is named; objcopy's
// own second operand is such a name (GNU Binutils manual).
func objcopy(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	files := m.Values("file")
	for _, v := range m.Values("dump") {
		if _, out, ok := strings.Cut(v.Prefix(), "="); ok {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v.Cut(len(v.Prefix()) - len(out))})
		}
	}
	if m.Has("out") || m.Has("asks") || m.Has("help") {
		return
	}
	if strings.HasSuffix(s.Name, "objcopy") && len(files) == 2 {
		kept := r.Effects[:0]
		for _, e := range r.Effects {
			if e.Verb != risk.FSRead || e.Target.String() != files[1].String() || !e.Target.IsKnown() {
				kept = append(kept, e)
			}
		}
		r.Effects = append(kept, catalog.Effect{Verb: risk.FSWrite, Target: files[1]})
		return
	}
	for _, f := range files {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f})
	}
}
