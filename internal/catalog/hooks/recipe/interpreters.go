package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

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
	printsValue(m, r)
	if !ran {
		r.Runs = append(r.Runs, site.StdinCode(s, nodeLang(m.Node())))
		r.ReadsStdin = true
	}
}

// printsValue marks the code whose value the interpreter prints: that of -p
// and --print of node, bun, ts-node and `deno eval`.
func printsValue(m *catalog.Match, r *catalog.Result) {
	if !m.Has("print") {
		return
	}
	for i := range r.Runs {
		if r.Runs[i].Kind == catalog.RunCode {
			r.Runs[i].Mode = catalog.RunPrinted
		}
	}
}

// ipython runs Python with commands of the shell in it: lines that begin with !
// or %sx, and cells that begin with %%bash or %%sh (IPython reference, "System
// shell access", "Cell magics").
func ipython(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	interpreter(m, s, r)
	var shells []catalog.Run
	r.Runs = slices.DeleteFunc(r.Runs, func(run catalog.Run) bool {
		text, known := run.Text.Known()
		if run.Kind != catalog.RunCode || run.Stdin || !known {
			return false
		}
		before := len(shells)
		if first, rest, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "%%bash") || strings.HasPrefix(first, "%%sh") {
			shells = append(shells, catalog.Run{Kind: catalog.RunShell, Lang: "bash", Text: value.Lit(rest)})
			return true
		}
		code := ""
		for line := range strings.Lines(text) {
			bare := strings.TrimSpace(line)
			_, command, assigned := strings.Cut(bare, "= !") // x = !ls
			for _, magic := range []string{"!!", "!", "%sx ", "%system "} {
				if rest, ok := strings.CutPrefix(bare, magic); ok && !assigned {
					command, assigned = rest, true
				}
			}
			if assigned {
				shells = append(shells, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(command)})
				continue
			}
			code += line
		}
		return len(shells) > before && strings.TrimSpace(code) == ""
	})
	r.Runs = append(r.Runs, shells...)
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
