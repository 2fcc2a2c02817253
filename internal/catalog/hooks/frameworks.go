package hooks

import (
	"slices"
	"strings"

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
			if program, ok := FrameworkProgram(name); known && ok {
				argv := append([]value.Value{value.Lit(program)}, run.Args...)
				r.Runs = append(r.Runs, catalog.Run{Argv: argv})
				return
			}
		}
	}
}

// FrameworkProgram names the program of the catalog that a script is, by the
// script's name and place (Django "django-admin and manage.py"; Laravel
// "Artisan Console"; Rails "The Rails Command Line"; Symfony "Console
// Commands").
func FrameworkProgram(name string) (string, bool) {
	base := lastElement(name)
	dir := lastElement(strings.TrimSuffix(strings.TrimSuffix(name, base), "/"))
	switch {
	case base == "manage.py" || base == "artisan":
		return base, true
	case (base == "rails" || base == "rake") && (dir == "bin" || dir == "script"):
		return base, true
	case base == "console" && dir == "bin":
		return "symfony-console", true
	case base == "django-admin" && dir == "bin":
		return base, true
	}
	return "", false
}

// symfonyConsole runs the project's console through Symfony's own program.
func symfonyConsole(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	i := slices.IndexFunc(s.Args, func(v value.Value) bool { return isLiteral(v, "console") })
	argv := append([]value.Value{value.Lit("symfony-console")}, s.Args[i+1:]...)
	r.Runs = append(r.Runs, catalog.Run{Argv: argv})
}
