package recipe

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// apt reads -o NAME=VALUE: some names hold commands (apt.conf(5)).
func apt(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	removed(r, m.Has("purge") || slices.Contains(m.Path(), "purge autopurge"), m.Has("forced"))
	for _, v := range m.Values("option") {
		name, _, ok := strings.Cut(v.Prefix(), "=")
		key := strings.ToLower(strings.Trim(name, ":"))
		switch {
		case !ok:
		case strings.HasSuffix(key, "invoke") || strings.HasSuffix(key, "pre-install-pkgs") || strings.HasSuffix(key, "post-invoke-success") ||
			strings.HasPrefix(key, "dir::bin") || strings.HasSuffix(key, "proxy-auto-detect") || strings.HasSuffix(key, "proxyautodetect") || strings.Contains(key, "::run"):
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v.Cut(len(name) + 1)})
		case !aptInert(key):
			site.NotUnderstood(r, v)
		}
	}
}

// aptInert reports whether a setting of apt only says how much is asked, tried,
// shown or waited for (apt.conf(5)). Others name files that are written, programs
// and servers.
func aptInert(key string) bool {
	return slices.ContainsFunc([]string{
		"apt::get::", "apt::cache::", "apt::cmd::", "apt::color", "apt::install-recommends", "apt::install-suggests", "apt::autoremove::", "apt::cache-",
		"apt::architecture", "apt::default-release", "apt::immediate-configure", "acquire::retries", "acquire::http::timeout", "acquire::https::timeout", "acquire::languages",
		"acquire::forceipv", "acquire::queue-mode", "acquire::http::pipeline-depth", "acquire::http::no-cache", "acquire::max-", "dpkg::use-pty", "dpkg::options", "dpkg::progress",
		"dpkg::lock::timeout", "debug::", "quiet", "aptitude::",
	}, func(known string) bool { return strings.HasPrefix(key, known) })
}

// dpkg drops the complaint about --force-THINGS, --refuse-THINGS and the like,
// whose names are open (dpkg(1)), and -s of dpkg-deb and its kin.
func dpkg(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	kept := r.Unknowns[:0]
	for _, u := range r.Unknowns {
		if strings.HasPrefix(u.What, "--force-") || strings.HasPrefix(u.What, "--no-force-") || strings.HasPrefix(u.What, "--refuse-") || strings.HasPrefix(u.What, "--path-") {
			m.Set("force")
			continue
		}
		kept = append(kept, u)
	}
	r.Unknowns = kept
	removed(r, m.Has("purge"), m.Has("force"))
}

// removed says which of the packages that are removed take more with them: with
// purge a server's package takes its data along, as its scripts do where nobody
// is there to be asked (postrm of postgresql, mysql-server, slapd, …); forced, one
// goes that the system needs (Essential and Priority: required in Debian, protected
// packages of dnf).
func removed(r *catalog.Result, purge, forced bool) {
	for i := range r.Effects {
		e := &r.Effects[i]
		name, known := e.Target.Known()
		if e.Verb != risk.PkgRemove || !known {
			continue
		}
		name, _, _ = strings.Cut(name, ":")
		switch {
		case forced && essential(name):
			e.Kind = risk.KindEssentialPackage
		case purge && keepsData(name):
			e.Kind = risk.KindPackageAndItsData
		}
	}
}

func essential(name string) bool {
	switch name {
	case "glibc", "libc6", "libc-bin", "musl", "bash", "dash", "coreutils", "util-linux", "systemd", "systemd-sysv", "init", "sysvinit-core", "dpkg", "apt", "rpm", "dnf", "yum", "pacman", "apk-tools",
		"login", "passwd", "shadow", "shadow-utils", "pam", "libpam-modules", "base-files", "base-passwd", "filesystem", "setup", "kernel", "kernel-core", "linux", "openssl-libs", "grub-common", "grub2-common", "perl-base", "tar", "gzip", "sudo":
		return true
	}
	return strings.HasPrefix(name, "linux-image-") || strings.HasPrefix(name, "kernel-")
}

// keepsData reports whether a package is a server that holds data of its own.
func keepsData(name string) bool {
	for _, server := range []string{
		"postgresql", "mysql-server", "mysql-community-server", "mariadb-server", "percona-server", "mongodb", "redis", "valkey", "slapd", "influxdb", "couchdb", "elasticsearch", "opensearch", "neo4j",
		"cassandra", "rabbitmq-server", "etcd", "grafana", "jenkins", "gitlab", "nextcloud", "clickhouse-server", "docker-ce", "docker.io", "zabbix-server", "prometheus",
	} {
		if rest, ok := strings.CutPrefix(name, server); ok && !strings.Contains(rest, "client") && !strings.Contains(rest, "tools") && !strings.Contains(rest, "cli") && !strings.Contains(rest, "doc") {
			return true
		}
	}
	return false
}

// pacman reads the operation letters together with those that turn them into
// a question (pacman(8)).
func pacman(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	packages := m.Values("package")
	add := func(verb risk.Verb, otherwise string) {
		for _, p := range packages {
			r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: p})
		}
		if len(packages) == 0 && otherwise != "" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: value.Lit(otherwise)})
		}
	}
	letters, refresh, upgrade := "", false, false
	for _, a := range s.Args {
		text := a.Prefix()
		switch {
		case strings.HasPrefix(text, "--"):
			refresh = refresh || text == "--refresh"
			upgrade = upgrade || text == "--sysupgrade"
			if text == "--search" || text == "--info" || text == "--list" || text == "--groups" || text == "--print" {
				letters += "s"
			}
		case strings.HasPrefix(text, "-"):
			letters += text[1:]
		}
	}
	ask := strings.ContainsAny(letters, "silgp")
	if refresh = refresh || strings.Contains(letters, "y"); refresh && (m.Has("files") || m.Has("sync") && ask) && !m.Has("help") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: value.Lit("the package lists")})
	}
	switch {
	case m.Has("help"), m.Has("query"):
	case m.Has("sync") && m.Has("clean"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PkgRemove, Target: value.Lit("cached package files")})
	case m.Has("sync") && ask:
	case m.Has("sync") && len(packages) == 0 && !upgrade && !strings.Contains(letters, "u"):
		if refresh {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: value.Lit("the package lists")})
		}
	case m.Has("sync"), m.Has("upgrade"):
		add(risk.PkgInstall, "upgrades of the system")
	case m.Has("remove"):
		if !strings.Contains(letters, "p") {
			add(risk.PkgRemove, "")
		}
	case m.Has("database"):
		add(risk.SysConfig, "")
	case s.Name != "pacman":
		add(risk.PkgInstall, "upgrades of the system")
	}
}

// nix sorts out the older commands of Nix and those of Guix by their names.
func nix(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	add := func(verb risk.Verb, target string) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: value.Lit(target)})
	}
	each := func(verb risk.Verb, words []value.Value) {
		for _, w := range words {
			r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: w})
		}
	}
	name := ""
	if len(words) > 0 {
		name, _ = words[0].Known()
	}
	switch {
	case m.Has("help"):
	case s.Name == "nix-instantiate", s.Name == "nix-build" && m.Has("list"):
		// Both evaluate the file, default.nix if none is named, and <name> is one of the search path's.
		named := func(v value.Value) bool { return strings.HasPrefix(v.Prefix(), "<") }
		if !m.Has("asks") && !m.Has("expression") && (len(words) == 0 || !slices.ContainsFunc(words, named)) {
			add(risk.ExecProject, "the project's code")
		}
	case m.Has("list"):
	case s.Name == "nix-shell":
		if m.Has("packages") {
			each(risk.PkgInstall, words)
		} else {
			add(risk.ExecProject, "the shell's environment")
		}
		if !m.Has("command") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Kind: risk.KindInteractive})
		}
	case s.Name == "nix-collect-garbage", m.Has("collect"):
		add(risk.PkgRemove, "store paths that are not used")
	case s.Name == "nix-build":
		add(risk.ExecProject, "the build")
	case s.Name == "nixos-rebuild", s.Name == "home-manager", s.Name == "darwin-rebuild":
		switch name {
		case "build", "dry-build", "dry-activate", "build-vm", "news", "packages", "generations", "edit", "repl":
			add(risk.ExecProject, "the configuration of the system")
		default:
			add(risk.SysConfig, "the whole system")
		}
	case s.Name == "guix":
		guix(m, name, words, add, each, r)
	case m.Has("remove"):
		each(risk.PkgRemove, words)
	case m.Has("install"):
		each(risk.PkgInstall, words)
	case m.Has("change"):
		add(risk.SysConfig, "package sources")
	}
}

// guixPackage is "guix package" (GNU Guix manual 1.4): the words are packages of the
// action before them, and whose they are is not known if there are two.
func guixPackage(m *catalog.Match, packages []value.Value, add func(risk.Verb, string), each func(risk.Verb, []value.Value), r *catalog.Result) {
	installs, removes := m.Has("install"), m.Has("removes")
	switch {
	case m.Has("asks"):
	case installs && removes:
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PkgInstall}, catalog.Effect{Verb: risk.PkgRemove})
	case removes:
		each(risk.PkgRemove, packages)
	case installs && len(packages) > 0:
		each(risk.PkgInstall, packages)
	case installs, m.Has("file"), m.Has("expression"):
		add(risk.PkgInstall, "packages")
	case m.Has("change"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindAlternatives})
	}
}

func guix(m *catalog.Match, name string, words []value.Value, add func(risk.Verb, string), each func(risk.Verb, []value.Value), r *catalog.Result) {
	switch name {
	case "search", "show", "describe", "lint", "size", "graph", "hash", "help", "weather", "processes", "":
	case "package":
		guixPackage(m, words[1:], add, each, r)
	case "install", "upgrade", "build", "pull", "import", "download":
		each(risk.PkgInstall, words[1:])
		if len(words) == 1 {
			add(risk.PkgInstall, "packages")
		}
	case "remove":
		each(risk.PkgRemove, words[1:])
	case "gc":
		add(risk.PkgRemove, "store paths that are not used")
	case "shell", "environment", "container":
		add(risk.PkgInstall, "packages")
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Kind: risk.KindInteractive})
	default:
		add(risk.SysConfig, "the whole system")
	}
}

// packagesByName handles package managers that have a program for each verb.
func packagesByName(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) > 1 || m.Has("list") || m.Has("help") || m.Has("dry") {
		return
	}
	verb := risk.PkgInstall
	switch s.Name {
	case "xbps-query", "pkg_info", "urpmq":
		return
	case "xbps-remove", "pkg_delete", "urpme", "removepkg":
		verb = risk.PkgRemove
	default:
		if m.Has("remove") {
			verb = risk.PkgRemove
		}
	}
	packages := m.Values("package")
	for _, p := range packages {
		r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: p})
	}
	if len(packages) == 0 && len(s.Args) > 0 {
		r.Effects = append(r.Effects, catalog.Effect{Verb: verb})
	}
}
