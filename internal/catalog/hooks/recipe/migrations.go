package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// migration reads the action words of schema tools, which use much the same
// names: what drops, takes back, changes, or only shows.
func migration(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("action")
	if m.Has("help") || len(words) == 0 {
		return
	}
	var names []string
	for _, w := range words {
		text, known := w.Known()
		if !known {
			break
		}
		names = append(names, strings.ToLower(text))
	}
	verb, detail := migrationVerb(s.Name, names, m.Has("force") || site.OptionGiven(s.Args, "--force", "--all"))
	if m.Has("dry") && verb != risk.DBRead {
		verb, detail = risk.ExecProject, risk.NoKind
	}
	e := catalog.Effect{Verb: verb, Target: value.Lit("the database of this project"), Kind: detail}
	if verb == risk.ExecProject {
		e.Target = value.Lit("the migrations")
	}
	if verb != "" {
		r.Effects = append(r.Effects, e)
	}
}

func migrationVerb(program string, names []string, forced bool) (risk.Verb, risk.Kind) {
	all := " " + strings.Join(names, " ") + " "
	has := func(parts ...string) bool {
		for _, p := range parts {
			for _, n := range names {
				for piece := range strings.FieldsFuncSeq(n, func(c rune) bool { return c == ':' || c == '-' || c == '_' }) {
					if piece == p {
						return true
					}
				}
			}
		}
		return false
	}
	switch {
	case program == "drizzle-kit" && has("push"):
		if forced {
			return risk.DBDestroy, risk.KindMayDropData
		}
		return risk.DBChange, risk.KindMayDropData
	case len(names) > 0 && slices.Contains([]string{"help", "version", "completion"}, names[0]):
		return "", risk.NoKind
	case has("init"):
		return risk.ExecProject, risk.NoKind
	case has("generate", "make", "create", "new", "revision", "add", "g", "prepare", "merge") && !has("up", "run") && !strings.Contains(all, "db:create") && !strings.Contains(all, " database create "):
		return risk.ExecProject, risk.NoKind
	case has("status", "info", "current", "history", "heads", "branches", "show", "list", "log", "validate", "check", "inspect", "diff", "snapshot", "dump", "print", "introspect", "studio", "version", "verify", "currentversion", "future", "next") &&
		!has("drop", "reset", "fresh", "purge", "wipe", "clean", "truncate", "dropall", "downgrade", "rollback", "undo", "revert", "down", "downto", "redo", "up", "upgrade", "run", "apply", "deploy", "push", "execute", "seed", "load", "resolve", "repair", "baseline", "set", "stamp"):
		return risk.DBRead, risk.NoKind
	case has("drop", "reset", "fresh", "purge", "wipe", "clean", "truncate", "dropall") && !strings.Contains(all, "dry"):
		return risk.DBDestroy, risk.NoKind
	case has("downgrade", "rollback", "undo", "revert", "down") || strings.Contains(all, " downto ") || strings.Contains(all, " down-to "):
		if forced || has("all", "base", "zero", "0", "reset") {
			return risk.DBDestroy, risk.KindTakesMigrationsBack
		}
		return risk.DBChange, risk.KindTakesMigrationsBack
	}
	return risk.DBChange, risk.NoKind
}

// artisan reads what a command of a Laravel application does by its name.
func artisan(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	name, _ := m.Value("task")
	switch text, _ := name.Known(); text {
	case "", "list", "help", "about", "env", "completion":
		if name.IsKnown() { // the application is started to know its commands
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: value.Lit("the project's code")})
			return
		}
	case "tinker":
		if !m.Has("code") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Kind: risk.KindInteractive})
		}
		return
	case "serve":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetListen, Target: value.Lit("the application's server")})
	}
	dbTasks(m, s, r)
}

// rails reads tasks given to the program itself.
func rails(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) == 1 {
		dbTasks(m, s, r)
	}
}
