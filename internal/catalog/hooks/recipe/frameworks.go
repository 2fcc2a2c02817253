package recipe

import (
	"slices"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// framework adds to an interpreter's hook what a web framework's own script
// does with its words: `python manage.py flush` is that command of Django,
// whatever else the file may hold. The script itself stays something that is
// run.
func framework(hook catalog.Hook) catalog.Hook {
	return func(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
		hook(m, s, r)
		for _, run := range r.Runs {
			if run.Kind != catalog.RunScript || run.Stdin {
				continue
			}
			name, known := run.Text.Known()
			if program, ok := catalog.ScriptProgram(name); known && ok {
				argv := append([]value.Value{value.Lit(program)}, run.Args...)
				r.Runs = append(r.Runs, catalog.Run{Argv: argv})
				return
			}
		}
	}
}

// symfonyConsole runs the project's console through Symfony's own program.
func symfonyConsole(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	i := slices.IndexFunc(s.Args, func(v value.Value) bool { return site.IsLiteral(v, "console") })
	argv := append([]value.Value{value.Lit("symfony-console")}, s.Args[i+1:]...)
	r.Runs = append(r.Runs, catalog.Run{Argv: argv})
}
