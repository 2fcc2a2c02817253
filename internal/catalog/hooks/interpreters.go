package hooks

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// interpreter completes what roles say of a language's interpreter. By
// convention its spec names inline text "code", the file "script" and the
// words for it "args"; the flag "done" means that nothing more is run, and
// "verbose" that nothing is run unless it is named (lua -v).
func interpreter(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	args := m.Values("args")
	ran := m.Has("done") || m.Has("verbose")
	for i := range r.Runs {
		run := &r.Runs[i]
		switch run.Kind {
		case catalog.RunCode, catalog.RunScript:
			run.Args = args
			ran = true
			if run.Kind == catalog.RunScript && run.Stdin {
				run.Kind, run.Text = catalog.RunCode, value.Value{}
			}
		}
	}
	if !ran {
		r.Runs = append(r.Runs, stdinCode(s, nodeLang(m.Node())))
		r.ReadsStdin = true
	}
}

// stdinCode is what an interpreter runs that is given no code: standard input,
// or what a person types.
func stdinCode(s *catalog.Site, lang string) catalog.Run {
	if s.HasStdin {
		return catalog.Run{Kind: catalog.RunCode, Lang: lang, Stdin: true}
	}
	return catalog.Run{Kind: catalog.RunShellInteractive, Lang: lang}
}

// nodeLang finds the language that a spec's roles name.
func nodeLang(c *catalog.Command) string {
	for i := range c.Operands {
		if c.Operands[i].Lang != "" {
			return c.Operands[i].Lang
		}
	}
	for i := range c.Options {
		if v := c.Options[i].Value; v != nil && v.Lang != "" {
			return v.Lang
		}
	}
	return ""
}
