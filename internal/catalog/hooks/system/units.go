package system

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// What is said of a unit that a command has started at boot.
const (
	enabled     = risk.KindServiceEnabled      // one that came with the system or a package
	unitNamed   = risk.KindUnit                // given as a file
	unitOwn     = risk.KindUnitNotFromAPackage // of this machine's or this user's own
	unitMade    = risk.KindUnitMadeByThisCommand
	unitMissing = risk.KindNoSuchUnitHereNow
)

// unitOn tells the units that the system or a package brought, whose starting
// is a setting, from those that somebody put there, whose starting is a way to
// have something run again. A unit that is given as a path is linked
// (systemctl(1), "enable").
func unitOn(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Arg == "unit" && e.Kind == enabled {
			if from := unitFrom(m, s, e.Target); from != risk.NoKind {
				e.Verb, e.Kind = risk.PersistAdd, from
			}
		}
	}
}

// unitPreset is unitOn where the policy of the system says which units are
// started; without a policy, all are (systemd.preset(5)).
func unitPreset(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if mode, _ := m.Value("preset-mode"); site.SameWord(mode, "disable-only") {
		return
	}
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Arg == "unit" {
			if from := unitFrom(m, s, e.Target); from != risk.NoKind && from != unitMissing {
				e.Verb, e.Kind = risk.PersistAdd, from
			}
		}
	}
}

// unitFrom says where a unit is from if it is not the system's or a package's,
// else "". That of another machine or image is not looked for.
func unitFrom(m *catalog.Match, s *catalog.Site, unit value.Value) risk.Kind {
	if strings.ContainsRune(unit.Prefix()+unit.Suffix(), '/') {
		return unitNamed
	}
	name, known := unit.Known()
	if !known || s.World == nil || s.World.FS == nil || m.Has("host") || m.Has("machine") || m.Has("elsewhere") {
		return risk.NoKind
	}
	root, ok := unitRoot(m, s)
	if !ok {
		return risk.NoKind
	}
	dirs := systemUnits()
	if m.Has("user") || m.Has("global") {
		dirs = userUnits(s, m.Has("global"))
	}
	if v, set, _ := s.Env("SYSTEMD_UNIT_PATH"); set {
		text, _ := v.Known()
		own := strings.FieldsFunc(text, func(r rune) bool { return r == ':' })
		dirs = append(own[:min(len(own), maxUnitDirs)], dirs...)
	}
	for _, file := range unitFiles(name) {
		for _, d := range dirs {
			if what, found := unitAt(s, root, path.Join(root, d, file)); found {
				return what
			}
		}
	}
	if script := path.Join(root, "/etc/init.d", strings.TrimSuffix(name, ".service")); !m.Has("user") && !m.Has("global") {
		if what, found := unitAt(s, root, script); found && what != unitMade && what != unitMissing { // systemctl hands it to systemd-sysv-install
			return risk.NoKind
		}
	}
	if s.Installed != nil && slices.ContainsFunc(s.Installed(), bringsUnits) {
		return risk.NoKind
	}
	return unitMissing
}

// unitRoot is the directory that --root names, without a slash behind it: ""
// for that of the system.
func unitRoot(m *catalog.Match, s *catalog.Site) (root string, ok bool) {
	v, given := m.Value("root")
	if !given {
		return "", true
	}
	text, known := v.Known()
	if !path.IsAbs(text) {
		text = path.Join(s.Dir, text)
	}
	return strings.TrimSuffix(path.Clean(text), "/"), known && path.IsAbs(text)
}

// maxUnitDirs bounds the directories of a variable that are looked into.
const maxUnitDirs = 8

// unitFiles are the files that a unit is read from: its own and, for an
// instance, that of its template. A name without a type is a service
// (systemd.unit(5), systemctl(1)).
func unitFiles(name string) []string {
	switch path.Ext(name) {
	case ".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer", ".slice", ".scope":
	default:
		name += ".service"
	}
	files := []string{name}
	if prefix, instance, ok := strings.Cut(name, "@"); ok && !strings.HasPrefix(instance, ".") {
		files = append(files, prefix+"@"+path.Ext(name))
	}
	return files
}

// systemUnits is the search path of the system's units, what comes first wins
// (systemd.unit(5)).
func systemUnits() []string {
	return []string{
		"/run/systemd/generator.early", "/etc/systemd/system", "/run/systemd/system", "/run/systemd/generator",
		"/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system", "/run/systemd/generator.late",
	}
}

// userUnits is the search path of users' units; with global, that of all users
// (systemd.unit(5)).
func userUnits(s *catalog.Site, global bool) []string {
	shared := []string{
		"/etc/xdg/systemd/user", "/etc/systemd/user", "/run/systemd/user", "/usr/local/share/systemd/user", "/usr/share/systemd/user",
		"/usr/local/lib/systemd/user", "/usr/lib/systemd/user", "/lib/systemd/user",
	}
	if global {
		return shared
	}
	home := func(variable, otherwise string) string {
		if v, set, _ := s.Env(variable); set {
			if text, _ := v.Known(); path.IsAbs(text) {
				return path.Join(text, "systemd/user")
			}
		}
		return path.Join(s.World.User.Home, otherwise, "systemd/user")
	}
	return append([]string{home("XDG_CONFIG_HOME", ".config"), home("XDG_DATA_HOME", ".local/share")}, shared...)
}

// unitAt says what a file of the search path is, if it is there: "" for a
// package's own and for a link to one, or to nothing at all (a masked unit).
func unitAt(s *catalog.Site, root, file string) (what risk.Kind, found bool) {
	resolved, _ := world.Resolve(s.World.FS, file, true)
	info, err := s.World.FS.Lstat(resolved)
	switch {
	case err != nil: // whose it is cannot be told
		return unitMissing, true
	case info.Kind == world.Missing || info.Kind == world.Dir:
		return risk.NoKind, false
	case info.Kind != world.Regular:
		return risk.NoKind, true
	case madeHere(s, resolved):
		return unitMade, true
	}
	below := strings.TrimPrefix(resolved, root)
	for _, d := range []string{
		"/usr/lib/systemd/", "/lib/systemd/", "/usr/share/systemd/", "/run/systemd/generator/", "/run/systemd/generator.early/",
		"/run/systemd/generator.late/", "/nix/store/", "/gnu/store/",
	} {
		if strings.HasPrefix(below, d) {
			return risk.NoKind, true
		}
	}
	return unitOwn, true
}

// madeHere reports whether a file is one that the command itself makes.
func madeHere(s *catalog.Site, name string) bool {
	if s.World == nil {
		return false
	}
	fs, ok := s.World.FS.(interface{ Touched(string) bool })
	return ok && fs.Touched(name)
}

// bringsUnits reports whether a program installs packages of the system, which
// bring units of theirs.
func bringsUnits(program string) bool {
	switch program {
	case "apt", "apt-get", "aptitude", "nala", "dpkg", "gdebi", "dnf", "dnf5", "yum", "microdnf", "rpm", "rpm-ostree", "zypper", "pacman", "yay",
		"paru", "pikaur", "trizen", "yaourt", "apt-fast", "apk", "xbps-install", "emerge", "snap", "eopkg", "swupd", "urpmi", "tdnf", "pamac", "equo", "slackpkg", "opkg":
		return true
	}
	return false
}
