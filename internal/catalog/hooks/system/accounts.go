package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// isAdminGroup reports whether members of a group can become root, or read or
// write what root can: Debian wiki "SystemGroups"; the docker, lxd and disk
// groups are root in all but name.
func isAdminGroup(v value.Value) bool {
	name, known := v.Known()
	if !known {
		return true
	}
	return slices.Contains([]string{
		"sudo", "wheel", "admin", "root", "adm", "docker", "lxd", "lxc", "incus-admin", "libvirt", "disk", "shadow", "kmem", "kvm", "staff",
		"podman", "operator", "0", "Administrators", "sudoers", "systemd-journal", "google-sudoers",
	}, name)
}

// account says which rights an account that is made or changed gets.
func account(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	who, named := m.Value("account")
	for _, other := range []string{"member", "removed"} {
		if !named {
			who, named = m.Value(other)
		}
	}
	if !named {
		// The password of the group, or all its members.
		if group, given := m.Value("group"); given && !m.Has("list") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SysConfig, Target: group, Arg: "group", Kind: risk.KindAccount})
		}
		return
	}
	e := catalog.Effect{Verb: risk.SysConfig, Target: who, Arg: "account", Kind: risk.KindAccount}
	groups := m.Values("group")
	switch s.Name {
	case "adduser", "addgroup", "usermod":
		groups = append(groups, m.Values("member")...)
	case "gpasswd", "groupmems":
		if v, ok := m.Value("removed"); ok {
			e.Target, groups = v, nil
		}
	case "groupdel", "delgroup", "newusers":
		e.Kind = risk.KindCritical
	}
	root := slices.ContainsFunc(m.Values("uid"), func(v value.Value) bool { return site.IsLiteral(v, "0") || !v.IsKnown() })
	if s.Name == "useradd" || s.Name == "usermod" || s.Name == "adduser" || s.Name == "gpasswd" || s.Name == "groupmems" || s.Name == "addgroup" {
		root = root || slices.ContainsFunc(groups, isAdminGroup)
	}
	if root {
		e.Verb = risk.PrivGain
	}
	r.Effects = append(r.Effects, e)
}

// passwd opens an account where it is root's, or where a password goes away.
func passwd(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	if m.Has("status") {
		return
	}
	who, _ := m.Value("account")
	e := catalog.Effect{Verb: risk.SysConfig, Target: who, Kind: risk.KindPassword}
	if site.IsLiteral(who, "root") || m.Has("open") {
		e.Verb = risk.PrivGain
	}
	r.Effects = append(r.Effects, e)
}

// passwords names, for the sentence, the accounts in a text of lines NAME:PASSWORD that the
// command itself has (chpasswd(8), chgpasswd(8)).
func passwords(m *catalog.Match, s *catalog.Site, _ *catalog.Result) {
	text, known := s.Stdin.Known()
	if !s.HasStdin || !known {
		return
	}
	for line := range strings.Lines(text) {
		if name, _, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && name != "" {
			m.Bind("account", value.Lit(name))
		}
	}
}

// dscl reads "NODE COMMAND PATH KEY VALUE..." (dscl(1)); a command may have a
// dash.
func dscl(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	r.Unknowns = nil
	for i, a := range s.Args {
		verb := strings.TrimPrefix(a.String(), "-")
		switch verb {
		case "create", "append", "merge", "change", "changei", "delete", "passwd", "deletei":
		case "read", "list", "search", "readall", "readpl", "readpli", "authonly", "diff", "cd", "pushd", "popd", "help":
			return
		default:
			if i+1 == len(s.Args) && i > 0 {
				site.NotUnderstood(r, site.JoinedWords(s.Args))
			}
			continue
		}
		rest := s.Args[i+1:]
		if len(rest) == 0 {
			return
		}
		e := catalog.Effect{Verb: risk.SysConfig, Target: rest[0], Kind: risk.KindAccount}
		path := strings.ToLower(rest[0].String())
		switch {
		case verb == "delete" || verb == "deletei":
			e.Kind = risk.KindCritical
		case verb == "passwd", strings.HasSuffix(path, "/groups/admin"), strings.HasSuffix(path, "/groups/wheel"), strings.HasSuffix(path, "/users/root"):
			e.Verb = risk.PrivGain
		case len(rest) > 2 && (site.IsLiteral(rest[1], "UniqueID") || site.IsLiteral(rest[1], "PrimaryGroupID")):
			if id := rest[len(rest)-1]; site.IsLiteral(id, "0") || site.IsLiteral(id, "80") {
				e.Verb = risk.PrivGain
			}
		}
		r.Effects = append(r.Effects, e)
		return
	}
}

// macAccount reads what dseditgroup and dsenableroot do to which account.
func macAccount(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	e := catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindAccount}
	asks := slices.ContainsFunc(s.Args, func(v value.Value) bool { return site.IsLiteral(v, "-show") })
	operation, given := m.Value("operation")
	switch {
	case asks:
		return
	case s.Name == "dsenableroot":
		if !slices.ContainsFunc(s.Args, func(v value.Value) bool { return site.IsLiteral(v, "-d") }) {
			e.Verb = risk.PrivGain
		}
	case s.Name == "dseditgroup":
		if !given || site.IsLiteral(operation, "read") || site.IsLiteral(operation, "checkmember") {
			return
		}
		words := m.Values("word")
		if len(words) > 0 {
			e.Target = words[len(words)-1]
		}
		if site.IsLiteral(operation, "delete") {
			e.Kind = risk.KindCritical
		} else if isAdminGroup(e.Target) && site.OptionGiven(s.Args, "-a", "-a") {
			e.Verb = risk.PrivGain
		}
	}
	r.Effects = append(r.Effects, e)
}
