package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// terminal says what a terminal window runs: the command behind -e, which is
// shell text if it is one word, or a shell. On somebody else's display it is
// that person's shell (xterm(1), X(7) "DISPLAY NAMES").
func terminal(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) > 2 { // it tells a terminal that is there what to do
		return
	}
	if m.Has("done") {
		return
	}
	display, given := m.Value("display")
	if !given {
		display, given = site.OwnEnv(s, "DISPLAY")
	}
	if given && foreignDisplay(display) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecRemote, Target: display, Kind: risk.KindReverseShell})
	}
	for i := range r.Runs {
		if run := &r.Runs[i]; run.Kind == catalog.RunArgv && len(run.Argv) == 1 && strings.ContainsAny(run.Argv[0].Prefix(), " ;|&") {
			run.Kind, run.Text, run.Argv = catalog.RunShell, run.Argv[0], nil
		}
	}
	if len(r.Runs) == 0 {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Kind: risk.KindInteractive})
	}
}

// foreignDisplay reports whether an X display is on another machine:
// "host:number", where no host or unix is this one.
func foreignDisplay(v value.Value) bool {
	if !v.IsKnown() && v.Prefix() == "" {
		return true
	}
	host, _, ok := strings.Cut(v.Prefix(), ":")
	if strings.HasPrefix(v.Prefix(), "[") {
		host, _, _ = strings.Cut(v.Prefix()[1:], "]")
	}
	host, _, _ = strings.Cut(host, "/")
	for _, protocol := range []string{"tcp", "inet", "inet6"} { // tcp/host:0
		if host == protocol {
			_, rest, _ := strings.Cut(v.Prefix(), "/")
			host, _, _ = strings.Cut(rest, ":")
		}
	}
	return ok && host != "" && host != "unix" && host != "local" && !site.NetLoopback(strings.ToLower(host))
}

// gotty reads the variables that do what its options do (gotty --help).
func gotty(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, name := range []string{"GOTTY_PERMIT_WRITE", "GOTTY_PERMIT_ARGUMENTS"} {
		if v, set := site.OwnEnv(s, name); set && !site.SameWord(v, "false") && !site.SameWord(v, "0") && !site.SameWord(v, "") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecRemote, Target: value.Lit("gotty"), Kind: risk.KindSharedShell})
			return
		}
	}
}
