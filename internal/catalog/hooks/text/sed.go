package text

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/sed"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// sedCommand walks the script for the commands that do more than print: e, r, R,
// w, W and the flags e and w of s (GNU sed 4.9 manual, chapter 3).
func sedCommand(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	scripts, files := m.Values("script"), m.Operands()
	inplace := m.Has("inplace")
	suffix, _ := m.Value("suffix")
	if inplace && suffix.Empty() && len(files) > 0 && bsdSuffix(files, len(scripts) > 0) {
		suffix, files = files[0], files[1:]
	}
	given := len(scripts) > 0
	for _, f := range m.Values("scriptfile") {
		given = true
		if text, ok := site.SiteFile(s, f); ok {
			scripts = append(scripts, value.Lit(text))
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: f, Arg: "scriptfile"})
			continue
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "sed", Text: f, Stdin: site.SameWord(f, "-")})
	}
	if !given {
		if len(files) == 0 {
			return
		}
		scripts, files = files[:1], files[1:]
	}
	if !inplace && !m.Has("scriptfile") {
		for _, v := range scripts {
			m.Bind("written", v)
		}
	}
	script := site.JoinPrograms(scripts)
	w := sedWalk{Program: site.NewProgram(script), r: r}
	w.script = sed.Parse(w.Text)
	if whole := w.walk(); !whole || w.Cut || w.script.Cut {
		site.NotInspected(r, "sed", script)
	} else if !slices.ContainsFunc(w.script.Commands, func(c sed.Command) bool { return !w.leaves(&c, s.Stdin) }) {
		r.Traits |= catalog.WholeLines
	}
	sedTold(m, &w)
	if m.Has("sandbox") && w.acts { // GNU sed refuses e, r and w then
		r.Fails, r.Runs, r.Effects = true, nil, nil
	}
	switch {
	case inplace:
		sedInPlace(r, files, suffix)
	case len(files) == 0:
		r.ReadsStdin, r.ShowsStdin = true, true
	default:
		site.ShowFiles(r, files, true)
	}
}

// bsdSuffix reports whether the first operand after -i is the suffix that BSD
// sed takes as a word of its own.
func bsdSuffix(operands []value.Value, scripted bool) bool {
	first, known := operands[0].Known()
	if !known || len(operands) < 2 {
		return false
	}
	if first == "" {
		return true
	}
	return !scripted && len(operands) > 2 && first[0] == '.' && len(first) < 8 && !strings.ContainsAny(first, "/ ;")
}

func sedInPlace(r *catalog.Result, files []value.Value, suffix value.Value) {
	for _, f := range files {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f, Arg: "file", Kind: risk.KindInPlace})
		if !suffix.Empty() && !strings.ContainsAny(suffix.Prefix(), "*/") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Concat(f, suffix), Kind: risk.KindBackup, Carries: []catalog.Source{{Path: f}}})
		}
	}
}

// A sedWalk walks the commands of a script.
type sedWalk struct {
	site.Program
	script *sed.Script
	r      *catalog.Result
	acts   bool // has a command that --sandbox refuses
}

// walk visits the commands, and reports whether it came to the end of them.
func (w *sedWalk) walk() bool {
	last := 0 // commands before it are in a block for the last line
	for i := range w.script.Commands {
		if site.TooMuch(w.r) {
			return false
		}
		c := &w.script.Commands[i]
		atLast := c.First.Kind == sed.Last && !c.Not
		switch c.Name {
		case '{':
			if atLast {
				last = max(last, c.Match)
			}
		case 'q', 'Q':
			if !atLast && i >= last {
				w.r.Traits |= catalog.Ends
			}
		default:
			w.visit(c)
		}
	}
	return true
}

// leaves reports whether a command changes no line: it only picks some, or replaces a dash
// at their beginning (as a login shell has in its name) where the lines are words that have
// none there.
func (w *sedWalk) leaves(c *sed.Command, lines value.Value) bool {
	if c.Name == 's' && c.Sub != nil {
		rest, dash := strings.CutPrefix(w.script.In(c.Sub.Regex), "^-")
		hs := lines.Holes()
		return dash && !strings.ContainsAny(rest, `|*?{\`) && len(hs) == 1 && hs[0].Shape == value.Word && !c.Sub.Evaluate && strings.TrimSpace(lines.Prefix()) == ""
	}
	return strings.IndexByte("{}pdqQ", c.Name) >= 0
}

func (w *sedWalk) visit(c *sed.Command) {
	switch c.Name {
	case sed.Mark:
		w.r.Runs = append(w.r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "sed", Text: w.in(c.Span)})
	case 'e':
		w.acts = true
		site.RunText(w.r, w.command(c.Text))
	case 'r', 'R':
		w.acts = true
		site.ShowFiles(w.r, []value.Value{w.in(c.Text)}, true)
	case 'w', 'W':
		w.acts = true
		site.WriteFile(w.r, w.in(c.Text), risk.NoKind)
	case 's':
		if c.Sub == nil {
			return
		}
		if c.Sub.Evaluate { // what is in the pattern space then
			w.acts = true
			site.RunText(w.r, value.Concat(sedLine(), w.in(c.Sub.Replacement)))
		}
		if c.Sub.Writes {
			w.acts = true
			site.WriteFile(w.r, w.in(c.Sub.File), risk.NoKind)
		}
	default:
		if strings.IndexByte("}=:#abcdDFgGhHilLnNpPtTvxyz", c.Name) < 0 {
			w.r.Runs = append(w.r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "sed", Text: w.in(c.Span)})
		}
	}
}

func (w *sedWalk) in(s sed.Span) value.Value { return w.Slice(s.Pos, s.End) }

func sedLine() value.Value { return value.Unknown(risk.CauseInput, "a line of the input") }

// command is what e runs: what stands behind it, or the pattern space.
func (w *sedWalk) command(s sed.Span) value.Value {
	text, _ := sed.Text(w.script.In(s))
	if text == "" {
		return sedLine()
	}
	first, _ := slices.BinarySearch(w.Places, s.Pos)
	return w.Fill(text, first)
}
