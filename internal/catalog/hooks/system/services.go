package system

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// unitOff marks the stopping of what defends the machine.
func unitOff(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Arg == "unit" && catalog.Defends(e.Target) {
			e.Verb, e.Kind = risk.DefenseEvade, risk.KindService
		}
	}
}

// serviceEffect says what an action word does to a service.
func serviceEffect(action string, name value.Value) (catalog.Effect, bool) {
	e := catalog.Effect{Verb: risk.SysConfig, Target: name, Arg: "unit", Kind: risk.KindService}
	switch action {
	case "", "status", "describe", "version", "help", "check", "get", "ls", "needed", "list", "show", "configtest", "usage", "getdef", "order", "show-config":
		return e, false
	case "stop", "down", "d", "exit", "kill", "off", "disable", "remove", "del", "delete", "zap", "force-stop", "-d", "-k":
		if catalog.Defends(name) {
			e.Verb = risk.DefenseEvade
		}
	case "enable", "on", "defaults", "add", "set":
		e.Kind = enabled
	}
	return e, true
}

// service reads NAME ACTION, or ACTION NAME for sv, initctl and rcctl. A name
// with a slash is a program below the directory of the init scripts.
func service(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if len(words) == 0 {
		return
	}
	name, action := words[0], ""
	if len(words) > 1 {
		action = words[1].String()
	} else if m.Has("again") {
		action = "restart"
	}
	switch s.Name {
	case "sv", "initctl", "rcctl":
		name, action = words[len(words)-1], words[0].String()
	case "s6-svc":
		if m.Has("help") || len(s.Args) < 2 {
			return
		}
		action = s.Args[0].String()
	case "service", "rc-service":
		if text, ok := name.Known(); ok && strings.Contains(text, "/") {
			argv := append([]value.Value{value.Lit(path.Join("/etc/init.d", text))}, words[1:]...)
			r.Runs = append(r.Runs, catalog.Run{Argv: argv})
			return
		}
	}
	m.Bind("unit", name)
	if e, ok := serviceEffect(action, name); ok {
		r.Effects = append(r.Effects, e)
	}
}

// bootService reads which services a runlevel starts (chkconfig(8),
// update-rc.d(8), rc-update(8)). The scripts of packages and of the machine's
// own lie in one directory, /etc/init.d, and for a name that is not there these
// programs do nothing; so only a script that this command itself makes tells.
func bootService(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("added") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PersistAdd, Target: v, Kind: risk.KindService})
	}
	for _, v := range append(m.Values("removed"), m.Values("changed")...) {
		e, _ := serviceEffect("del", v)
		r.Effects = append(r.Effects, e)
	}
	words := m.Values("word")
	if len(words) < 2 || m.Has("list") {
		return
	}
	name, action := words[0], words[1].String()
	if s.Name == "rc-update" {
		name, action = words[1], words[0].String()
	}
	e, ok := serviceEffect(action, name)
	if !ok {
		return
	}
	if text, known := name.Known(); known && e.Kind == enabled && madeHere(s, path.Join("/etc/init.d", text)) {
		e.Verb, e.Kind = risk.PersistAdd, unitMade
	}
	r.Effects = append(r.Effects, e)
}

// shutdown gives its phrases the minutes that are left: +5 or 5 (shutdown(8)).
func shutdown(m *catalog.Match, _ *catalog.Site, _ *catalog.Result) {
	v, ok := m.Value("time")
	text, known := v.Known()
	if text = strings.TrimPrefix(text, "+"); ok && known && text != "" && strings.Trim(text, "0123456789") == "" {
		m.Bind("minutes", value.Lit(text))
	}
}

// systemdRun says that the service manager of the system runs commands as
// root, that of the user and --uid do not (systemd-run(1)). run0 always
// changes the user.
func systemdRun(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	privileged := s.Name == "run0" || !m.Has("user") && !m.Has("uid") && !m.Has("machine") && !m.Has("host")
	for i := range r.Runs {
		r.Runs[i].Wrap.Privileged = r.Runs[i].Wrap.Privileged || privileged
		if r.Runs[i].Wrap.Label == "" {
			r.Runs[i].Wrap.Label = s.Name
		}
	}
	if len(r.Runs) == 0 && (m.Has("shell") || s.Name == "run0") {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, Wrap: catalog.Wrapped{Label: s.Name, Privileged: privileged}})
	}
}
