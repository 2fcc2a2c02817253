package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/system"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// An adHoc is one call of a module on the hosts of a pattern.
type adHoc struct {
	r     *catalog.Result
	hosts value.Value
	wrap  catalog.Wrapped
	args  map[string]value.Value
}

// ansible says what a module does on other machines: as the command that does
// the same, where there is one (ansible(1); the modules' own pages in the
// ansibleInventory adds the inventories that are programs: a file that may be
// run is run, whatever Ansible is asked for ("Working with dynamic inventory").
// A list of hosts has a comma.
func ansibleInventory(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("inventory") {
		if text, known := v.Known(); known && !strings.Contains(text, ",") && site.Executable(s, text) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecProject, Target: v, Kind: risk.KindScript})
		}
	}
}

// templated reports whether words hold a template that looks something up, which
// this machine does: a command's output, a file, an address (Jinja plugins
// "lookup" and "query").
func templated(words []value.Value) bool {
	return slices.ContainsFunc(words, func(v value.Value) bool {
		text := v.String()
		return strings.Contains(text, "{{") && (strings.Contains(text, "lookup") || strings.Contains(text, "query") || strings.Contains(text, "q("))
	})
}

// collection index).
func ansible(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	ansibleInventory(m, s, r)
	if templated(append(m.Values("args"), m.Values("vars")...)) {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "jinja", Text: site.JoinedWords(append(m.Values("args"), m.Values("vars")...))})
	}
	if m.Has("list") {
		return
	}
	hosts, _ := m.Value("pattern")
	module, named := m.Value("module")
	text, known := module.Known()
	for _, collection := range []string{"ansible.builtin.", "ansible.posix.", "community.general.", "ansible.legacy."} {
		text = strings.TrimPrefix(text, collection)
	}
	if named && known && ansibleReads(text) || m.Has("dry") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteRead})
		return
	}
	args, _ := m.Value("args")
	call := adHoc{r: r, hosts: hosts, wrap: catalog.Wrapped{Label: "ansible " + hosts.String(), Privileged: m.Has("become")}}
	if !site.SameWord(hosts, "localhost") && !site.SameWord(hosts, "127.0.0.1") {
		call.wrap.Host = hosts.String()
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: hosts})
	}
	if !named || text == "shell" || text == "command" || text == "raw" || text == "script" || text == "expect" {
		if text := ansibleCommand(args); !text.Empty() {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: text, Wrap: call.wrap})
		}
		return
	}
	call.args = ansibleArgs(args)
	if !call.file(text) && !call.account(text) && !call.system(text) {
		call.other(text)
	}
}

// ansibleReads reports whether a module only looks.
func ansibleReads(module string) bool {
	return slices.Contains([]string{
		"ping", "win_ping", "setup", "debug", "stat", "gather_facts", "find", "assert", "getent", "service_facts", "package_facts", "wait_for", "wait_for_connection", "slurp", "fail", "set_fact", "command_facts",
	}, module) || strings.HasSuffix(module, "_info") || strings.HasSuffix(module, "_facts")
}

// ansibleCommand drops the parameters that stand before a free-form command.
func ansibleCommand(v value.Value) value.Value {
	for {
		text := v.Prefix()
		word, _, _ := strings.Cut(text, " ")
		key, _, ok := strings.Cut(word, "=")
		switch {
		case ok && (key == "cmd" || key == "_raw_params"):
			return v.Cut(len(key) + 1)
		case ok && slices.Contains([]string{"chdir", "creates", "removes", "executable", "warn", "stdin_add_newline", "strip_empty_ends"}, key) && len(word) < len(text):
			v = v.Cut(len(word) + 1)
		default:
			return v
		}
	}
}

// ansibleArgs reads key=value words; quotes hold words together.
func ansibleArgs(v value.Value) map[string]value.Value {
	args := map[string]value.Value{}
	words, _ := system.InputWords(v.Fill(func(*value.Hole) string { return "heed-hole" }))
	for _, w := range words {
		key, val, ok := strings.Cut(w.String(), "=")
		switch {
		case !ok:
		case strings.Contains(val, "heed-hole"):
			args[key] = value.Unknown(risk.CauseUnknown, key)
		default:
			args[key] = value.Lit(val)
		}
	}
	return args
}

// arg returns the first parameter that is given: many have several names.
func (a *adHoc) arg(names ...string) value.Value {
	for _, n := range names {
		if v, ok := a.args[n]; ok {
			return v
		}
	}
	return value.Value{}
}

func (a *adHoc) is(name string, words ...string) bool {
	text, known := a.args[name].Known()
	return known && slices.Contains(words, strings.ToLower(text))
}

// run restates a module as a command that does the same there.
func (a *adHoc) run(words ...value.Value) bool {
	a.r.Runs = append(a.r.Runs, catalog.Run{Argv: words, Wrap: a.wrap})
	return true
}

func (a *adHoc) add(verb risk.Verb, target value.Value, detail risk.Kind) bool {
	a.r.Effects = append(a.r.Effects, catalog.Effect{Verb: verb, Target: target, Kind: detail})
	return true
}

// file restates the modules that work on files.
func (a *adHoc) file(module string) bool {
	lit := value.Lit
	at := a.arg("path", "dest", "name", "destfile")
	if at.Empty() {
		return false
	}
	switch module {
	case "file":
		switch {
		case a.is("state", "absent"):
			return a.run(lit("rm"), lit("-rf"), lit("--"), at)
		case a.is("state", "directory"):
			a.run(lit("mkdir"), lit("-p"), lit("--"), at)
		case a.is("state", "touch"):
			a.run(lit("touch"), lit("--"), at)
		case a.is("state", "link", "hard"):
			return a.run(lit("ln"), lit("-s"), a.arg("src"), at)
		}
		return a.attributes(at) || a.is("state", "directory", "touch", "file")
	case "lineinfile", "blockinfile", "replace", "ini_file", "assemble", "htpasswd":
		return a.run(lit("tee"), lit("-a"), at)
	case "copy", "template":
		if src := a.arg("src"); !src.Empty() && !a.is("remote_src", "yes", "true") {
			a.r.Effects = append(a.r.Effects, site.ReadOf(src), catalog.Effect{Verb: risk.NetSend, Target: a.hosts, Carries: []catalog.Source{{Path: src}}})
		}
		a.run(lit("tee"), at)
		a.attributes(at)
		return true
	case "get_url":
		return a.run(lit("curl"), lit("-o"), at, a.arg("url"))
	case "acl", "xattr":
		return a.run(lit("chmod"), lit("u+rw"), at)
	}
	return false
}

// attributes restates mode and owner.
func (a *adHoc) attributes(at value.Value) bool {
	done := false
	if mode := a.arg("mode"); !mode.Empty() {
		done = a.run(value.Lit("chmod"), mode, at)
	}
	if owner := a.arg("owner"); !owner.Empty() {
		done = a.run(value.Lit("chown"), owner, at)
	}
	return done
}

// account restates the modules that work on accounts.
func (a *adHoc) account(module string) bool {
	lit := value.Lit
	name := a.arg("name", "user")
	switch module {
	case "user":
		switch {
		case a.is("state", "absent") && a.is("remove", "yes", "true"):
			return a.run(lit("userdel"), lit("-r"), name)
		case a.is("state", "absent"):
			return a.run(lit("userdel"), name)
		case !a.arg("groups").Empty():
			return a.run(lit("usermod"), lit("-aG"), a.arg("groups"), name)
		case !a.arg("password").Empty():
			return a.run(lit("passwd"), name)
		}
		return a.run(lit("useradd"), name)
	case "group":
		if a.is("state", "absent") {
			return a.run(lit("groupdel"), name)
		}
		return a.run(lit("groupadd"), name)
	case "authorized_key":
		if a.is("state", "absent") {
			return a.add(risk.RemoteChange, name, risk.KindKeysOfAnAccount)
		}
		return a.add(risk.PersistAdd, value.Concat(lit("authorized_keys of "), name, lit(" on "), a.hosts), risk.KindKey)
	case "cron", "at":
		if a.is("state", "absent") {
			return a.add(risk.RemoteChange, a.hosts, risk.KindCronTable)
		}
		return a.add(risk.PersistAdd, value.Concat(lit("a job on "), a.hosts), risk.KindCronTable)
	case "sudoers":
		if a.is("state", "absent") {
			return false
		}
		return a.add(risk.PrivGain, value.Concat(name, lit(" on "), a.hosts), risk.KindSudoers)
	}
	return false
}

// system restates the modules that work on services, disks and defences.
func (a *adHoc) system(module string) bool {
	lit := value.Lit
	switch module {
	case "service", "systemd", "systemd_service", "sysvinit":
		verbs := map[string]string{"started": "start", "stopped": "stop", "restarted": "restart", "reloaded": "reload"}
		state, _ := a.args["state"].Known()
		verb := verbs[state]
		switch {
		case verb == "" && a.is("enabled", "no", "false"):
			verb = "disable"
		case verb == "" && a.is("enabled", "yes", "true"):
			verb = "enable"
		case verb == "":
			return false
		}
		return a.run(lit("systemctl"), lit(verb), a.arg("name", "service"))
	case "filesystem":
		return a.run(value.Concat(lit("mkfs."), a.arg("fstype", "type")), a.arg("dev", "device"))
	case "parted", "lvol", "lvg":
		if a.is("state", "absent") {
			return a.add(risk.RemoteDestroy, a.arg("device", "lv", "vg"), risk.KindDisk)
		}
	case "reboot", "win_reboot", "shutdown":
		return a.run(lit("reboot"))
	case "iptables":
		if a.is("flush", "yes", "true") {
			return a.run(lit("iptables"), lit("-F"))
		}
	case "ufw":
		if a.is("state", "disabled", "reset") {
			return a.run(lit("ufw"), lit("disable"))
		}
	case "selinux":
		if a.is("state", "disabled", "permissive") {
			return a.run(lit("setenforce"), lit("0"))
		}
	}
	return false
}

// other says what is left by the usual words of all modules.
func (a *adHoc) other(module string) {
	name := a.arg("name", "pkg", "package", "db", "path", "dest")
	packages := slices.Contains([]string{"apt", "yum", "dnf", "dnf5", "package", "pip", "npm", "gem", "apk", "zypper", "pacman", "homebrew", "snap", "win_package", "win_chocolatey"}, module)
	absent := a.is("state", "absent", "removed", "dropped")
	switch {
	case packages && absent:
		a.add(risk.PkgRemove, name, risk.NoKind)
	case packages:
		a.add(risk.PkgInstall, name, risk.NoKind)
	case absent && (strings.HasSuffix(module, "_db") || strings.Contains(module, "database")):
		a.add(risk.DBDestroy, value.Concat(name, value.Lit(" on "), a.hosts), risk.NoKind)
	case absent:
		a.add(risk.RemoteDestroy, value.Concat(name, value.Lit(" on "), a.hosts), risk.NoKind)
	default:
		a.add(risk.RemoteChange, a.hosts, risk.NoKind)
	}
}
