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

// device takes what is surely an ordinary file, an image of a disk, out of
// the writes to disks.
func device(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if s.Name == "gdisk" && len(m.Unknown) > 0 { // which asks for all else when it runs (gdisk(8))
		r.Lacks, r.Effects = "gdisk has no option "+m.Unknown[0], nil
		return
	}
	for i := range r.Effects {
		e := &r.Effects[i]
		if e.Verb == risk.DiskWrite && (isImage(e.Target) || isBeside(e.Target, s)) {
			e.Verb = risk.FSWrite
		}
	}
}

// isImage reports whether v surely names a file that is no device: anything
// but a path below /dev, a tag such as LABEL=, a bare number, or a word that
// could be a path below the current directory /dev.
func isImage(v value.Value) bool {
	text, known := v.Known()
	if !known || text == "" || strings.Contains(text, "/dev/") || strings.Contains(text, "=") || strings.Contains(text, "..") {
		return false
	}
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "./") || strings.HasPrefix(text, "~/") {
		return true
	}
	return strings.ContainsAny(text, "./") || strings.HasSuffix(text, "file")
}

// isBeside reports whether v is a plain name under which an ordinary file is there.
func isBeside(v value.Value, s *catalog.Site) bool {
	text, known := v.Known()
	if !known || text == "" || s == nil || s.World == nil || s.Dir == "" || strings.ContainsAny(text, "/=") {
		return false
	}
	i, err := s.World.FS.Lstat(s.Dir + "/" + text)
	return err == nil && i.Kind == world.Regular
}

// recursive marks all effects so.
func recursive(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		r.Effects[i].Recursive = true
	}
}

// mount reads "SOURCE TARGET", either of which fstab may supply, and looks at
// what the options allow (mount(8)).
func mount(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := append(m.Values("source"), m.Values("word")...)
	target, named := m.Value("target")
	if !named && len(words) > 0 {
		target, named = words[len(words)-1], true
	}
	if m.Has("list") || m.Has("dry") {
		return
	}
	if !named {
		if hasLetter(s.Args, "a") || slices.ContainsFunc(s.Args, func(v value.Value) bool { return site.IsLiteral(v, "--all") }) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSMount})
		}
		return
	}
	var options []string
	for _, v := range m.Values("options") {
		options = append(options, strings.Split(v.String(), ",")...)
	}
	if len(words) > 1 {
		if host, _, ok := strings.Cut(words[0].Prefix(), ":/"); ok && host != "" && !strings.Contains(host, "/") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: value.Lit(host)})
		} else if strings.HasPrefix(words[0].Prefix(), "//") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: words[0]})
		}
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSMount, Target: target})
	has := func(names ...string) bool {
		return slices.ContainsFunc(options, func(o string) bool { return slices.Contains(names, o) })
	}
	if len(words) > 1 && !m.Given("-m") && !m.Given("--mkdir") && !slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, "X-mount.mkdir") }) {
		m.Bind("point", target)
		if text, known := words[0].Known(); known && (m.Has("bind") || has("loop", "bind", "rbind") || strings.HasPrefix(text, "/dev/") && !strings.HasPrefix(text, "/dev/mapper/")) {
			m.Bind("what", words[0])
		}
	}
	switch {
	case has("remount") && has("exec", "suid", "dev"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: target, Kind: risk.KindMountRestrictions})
	case !has("remount") && !m.Has("propagation") && isSystemPath(target):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SysConfig, Target: target, Kind: risk.KindCritical})
	}
}

// isSystemPath reports whether a path is where a mount would replace the
// system's own programs or settings.
func isSystemPath(v value.Value) bool {
	text := v.Prefix()
	for _, d := range []string{"/bin", "/sbin", "/usr", "/lib", "/lib64", "/etc", "/boot", "/root"} {
		if rest, ok := strings.CutPrefix(text, d); ok && (rest == "" || rest[0] == '/') && !strings.HasPrefix(text, "/usr/local/") {
			return true
		}
	}
	return text == "/" && v.IsKnown()
}

// fsck takes what is surely an image of a disk, an ordinary file, out of the
// changes to file systems.
func fsck(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		e := &r.Effects[i]
		if e.Verb == risk.SysConfig && e.Arg == "device" && isImage(e.Target) {
			e.Verb = risk.FSWrite
		}
	}
	device(m, s, r)
}

// fsSettings tells settings from questions by the program's name.
func fsSettings(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	long := func(names ...string) bool {
		return slices.ContainsFunc(s.Args, func(v value.Value) bool { return slices.Contains(names, v.String()) })
	}
	switch {
	case s.Name == "xfs_admin" && onlyLetters(s.Args, "luVr"),
		s.Name == "ntfsresize" && (hasLetter(s.Args, "imnck") || long("--info", "--info-mb-only", "--no-action", "--check")):
		return
	}
	for _, v := range m.Values("device") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SysConfig, Target: v, Arg: "device", Kind: risk.KindFileSystemSettings})
	}
	fsck(m, s, r)
}

// debugfs shows files below the kernel's rights, and passes on what stands
// behind "!" to a shell (debugfs(8), libss).
func debugfs(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		if r.Effects[i].Verb == risk.FSRead {
			r.Effects[i].Shown = true
		}
	}
	for _, v := range m.Values("request") {
		if strings.HasPrefix(v.Prefix(), "!") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v.Cut(1)})
			continue
		}
		word, _, _ := strings.Cut(v.Prefix(), " ")
		switch word {
		case "stats", "show_super_stats", "stat", "show_inode_info", "ls", "ls_h", "list", "icheck", "ncheck", "testb", "testi", "blocks", "bmap", "htree", "cat", "logdump", "imap", "dump_extents", "extents", "features", "help", "?", "list_requests":
		default: // dump and rdump write here, and so may what is not read
			if !m.Has("write") {
				site.NotUnderstood(r, v)
			}
		}
	}
	device(m, s, r)
}

// nvme finds the commands that erase or rewrite a drive (nvme(1)).
func nvme(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if s.Name == "smartctl" {
		if m.Has("change") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindSettings})
		}
		return
	}
	if len(words) == 0 {
		return
	}
	var detail risk.Kind
	switch words[0].String() {
	case "format", "sanitize", "write", "write-zeroes", "write-uncor", "dsm", "delete-ns", "create-ns", "detach-ns", "security-send", "admin-passthru", "io-passthru":
		detail = risk.KindErased
	case "fw-download", "fw-commit", "fw-activate", "set-feature", "reset", "subsystem-reset":
		detail = risk.KindFirmware
	default:
		if !nvmeLooks(words[0]) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindSettings})
		}
		return
	}
	e := catalog.Effect{Verb: risk.DiskWrite, Kind: detail}
	if len(words) > 1 {
		e.Target = words[1]
	}
	r.Effects = append(r.Effects, e)
}

// onlyLetters reports whether there are options, and all of them are among the letters.
func onlyLetters(args []value.Value, letters string) bool {
	given := false
	for _, a := range args {
		text, known := a.Known()
		if !known || len(text) < 2 || text[0] != '-' {
			continue
		}
		if given = true; strings.Trim(text[1:], letters) != "" {
			return false
		}
	}
	return given
}

// nvmeLooks reports whether a command of nvme asks a drive about itself (nvme(1) 2.8):
// of others, too, that end in -log, some start what they then report.
func nvmeLooks(command value.Value) bool {
	const looks = " list list-subsys list-ns list-ctrl list-endgrp list-secondary list-primary id-ctrl id-ns id-ns-lba-format id-nvmset id-iocs id-domain id-uuid id-ns-granularity " +
		"nvm-id-ctrl nvm-id-ns cmdset-ind-id-ns primary-ctrl-caps ns-descs smart-log error-log fw-log ana-log effects-log endurance-log self-test-log sanitize-log changed-ns-list-log " +
		"endurance-event-agg-log lba-status-log predictable-lat-log pred-lat-event-agg-log resv-notif-log supported-log-pages fid-support-effects-log mi-cmd-support-effects-log media-unit-stat-log " +
		"get-log get-feature get-property get-ns-id get-lba-status show-regs show-hostnqn show-topology version help "
	text, known := command.Known()
	return known && strings.Contains(looks, " "+text+" ")
}

// hasLetter reports whether a word of short options has one of the letters.
func hasLetter(args []value.Value, letters string) bool {
	for _, a := range args {
		text := a.Prefix()
		if len(text) > 1 && text[0] == '-' && text[1] != '-' && strings.ContainsAny(text[1:], letters) {
			return true
		}
	}
	return false
}

// zpoolDisks names the disks that a pool is to be made of, where they are looked for: a
// plain name is that of a device below /dev, or of a link to one (zpoolconcepts(7)). The
// words between them say how the disks stand together.
func zpoolDisks(m *catalog.Match, s *catalog.Site, _ *catalog.Result) {
	words := m.Values("object")
	if written := m.Written(); written != "create" && written != "add" || len(words) < 2 {
		return
	}
	for _, w := range words[1:] {
		text, known := w.Known()
		switch {
		case !known || text == "" || slices.Contains([]string{"mirror", "spare", "log", "cache", "special", "dedup"}, text) || strings.HasPrefix(text, "raidz") || strings.HasPrefix(text, "draid"):
		case path.IsAbs(text):
			m.Bind("disk", w)
		case !strings.ContainsAny(text, "/=:,") && s.World != nil && s.World.FS != nil && noDisk(s.World.FS, text):
			m.Bind("disk", value.Lit("/dev/"+text))
		}
	}
}

// noDisk reports whether no device and no link to one surely has a name.
func noDisk(fs world.FS, name string) bool {
	for _, dir := range []string{"", "disk/by-id", "disk/by-path", "disk/by-uuid", "disk/by-label", "disk/by-partuuid", "disk/by-partlabel", "disk/by-vdev", "disk/zpool", "mapper"} {
		if info, err := world.Stat(fs, path.Join("/dev", dir, name)); err != nil || info.Kind != world.Missing {
			return false
		}
	}
	return world.Absent(fs, path.Join("/dev", name))
}

// startx names the color depth that is asked of the X server (Xserver(1)).
func startx(m *catalog.Match, _ *catalog.Site, _ *catalog.Result) {
	words := m.Values("word")
	for i := range words[:max(len(words)-1, 0)] {
		if text, known := words[i].Known(); known && text == "-depth" {
			m.Bind("depth", words[i+1])
		}
	}
}
