package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// printJobs tells cancel, which sends its words to a server, from the programs
// that only ask.
func printJobs(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	name := site.LastElement(s.Name)
	if name == "lpstat" || name == "lpq" {
		return
	}
	if name == "cancel" || name == "lprm" {
		jobs := m.Values("job")
		for _, j := range jobs {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteChange, Target: j, Kind: risk.KindPrintJob})
		}
		if len(jobs) == 0 {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteChange, Kind: risk.KindPrintJob})
		}
	}
	server, ok := m.Value("server")
	if ok {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: server, Kind: risk.KindPrintJob})
	}
}

// lwp reads file: addresses as what they are (LWP::Protocol::file).
func lwp(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		e := &r.Effects[i]
		if text := e.Target.Prefix(); e.Verb == risk.NetFetch && strings.HasPrefix(text, "file:") {
			path := strings.TrimPrefix(strings.TrimPrefix(text, "file:"), "//")
			e.Verb, e.Target, e.Shown = risk.FSRead, e.Target.Cut(len(text)-len(path)), true
		}
	}
}

// pic runs `sh` blocks of its input in unsafe mode (pic(1), -U).
func pic(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if site.LastElement(s.Name) == "pic" && site.OptionGiven(s.Args, "-U", "-U") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Kind: risk.KindUnsafeMode})
	}
}

// tdbtool opens a command loop unless it is given a command (tdbtool(8)).
func tdbtool(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	command := m.Values("command")
	if len(command) == 0 {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Kind: risk.KindCommandLoop})
		return
	}
	file, _ := m.Value("file")
	e := catalog.Effect{Verb: risk.FSRead, Target: file, Shown: true}
	switch text := command[0].Prefix(); {
	case strings.HasPrefix(text, "!"), text == "system":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: site.JoinedWords(command)})
		return
	case !slices.Contains([]string{"dump", "keys", "hexkeys", "hexdump", "show", "info", "list", "free", "freelist_size", "check", "first", "next", "help", "quit", "q", "?"}, text):
		e.Verb, e.Shown = risk.FSWrite, false
	}
	r.Effects = append(r.Effects, e)
}

// volshell is volatility's interactive plugin, which runs Python.
func volshell(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if site.SomeWord(m.Values("plugin-name"), "volshell") || site.LastElement(s.Name) == "volshell" {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Kind: risk.KindCommandLoop})
	}
}

// wall shows a file where its only operand is the path of one (wall(1)).
func wall(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if words := m.Values("message"); site.LastElement(s.Name) == "wall" && len(words) == 1 && pathLike(words[0]) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: words[0], Shown: true})
	}
}

func pathLike(v value.Value) bool {
	text := v.Prefix()
	return strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "../") || !v.IsKnown()
}

// serverDirectives reads directives given on the command line of a web server
// for files that they include and modules that they load (httpd(8), nginx(8)).
func serverDirectives(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("directive") {
		for _, directive := range v.Split(";") {
			words := strings.Fields(directive.Prefix())
			if len(words) < 2 {
				continue
			}
			last := value.Lit(words[len(words)-1])
			switch strings.ToLower(words[0]) {
			case "include", "includeoptional":
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: last, Shown: true})
			case "loadmodule", "loadfile", "load_module":
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: last})
			case "errorlog", "error_log", "customlog":
				if strings.HasPrefix(words[1], "|") {
					r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(strings.TrimLeft(strings.Join(words[1:], " "), "|"))})
				} else {
					site.WriteFile(r, value.Lit(words[1]), risk.KindLog)
				}
			case "daemon", "worker_processes", "worker_connections", "master_process", "listen", "servername", "server_name", "user", "group", "serveradmin", "timeout", "loglevel",
				"keepalive_timeout", "worker_rlimit_nofile", "worker_priority", "serverlimit", "maxrequestworkers", "threadsperchild", "servertokens", "serversignature":
			default:
				site.NotUnderstood(r, directive)
			}
		}
	}
}
