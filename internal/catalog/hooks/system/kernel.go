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

// guards are kernel parameters that protect against attacks (sysctl(8) names;
// Linux Documentation/admin-guide/sysctl/kernel.rst and fs.rst).
func guards() []string {
	return []string{
		"kernel.randomize_va_space", "kernel.yama", "kernel.kptr_restrict", "kernel.dmesg_restrict", "kernel.unprivileged_bpf_disabled",
		"kernel.perf_event_paranoid", "kernel.modules_disabled", "kernel.core_pattern", "kernel.modprobe", "fs.protected_", "fs.suid_dumpable",
		"kernel.unprivileged_userns_clone", "vm.mmap_min_addr", "vm.unprivileged_userfaultfd", "kernel.hotplug", "kernel.exec-shield",
		"fs.binfmt_misc", "kernel.apparmor_restrict", "security.mac",
	}
}

// weakens reports whether a setting takes a protection away: a guard set to
// nothing, or a parameter that names a program which the kernel will run.
func weakens(name, setting string) bool {
	if !slices.ContainsFunc(guards(), func(g string) bool { return strings.HasPrefix(name, g) }) {
		return false
	}
	switch _, level, _ := strings.Cut(setting, "="); strings.TrimSpace(level) {
	case "1", "2", "3", "4":
		return name == "kernel.randomize_va_space" && strings.TrimSpace(level) == "1" || strings.HasPrefix(name, "fs.suid_dumpable")
	}
	return true
}

// sysctl sets what stands as NAME=VALUE, and shows the file that a name with
// slashes leads to below /proc/sys.
func sysctl(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if len(words) == 1 && words[0].IsKnown() && !m.Has("ignore") && !m.Has("load") && !m.Has("system") && !m.Has("pattern") {
		if file := parameterFile(words[0].Prefix()); file != "" && absentParameter(s, file) {
			r.Lacks = file + " is not there"
		}
	}
	for i, v := range words {
		text := v.Prefix()
		name, _, set := strings.Cut(text, "=")
		switch {
		case set || m.Has("write") && v.IsKnown():
			e := catalog.Effect{Verb: risk.SysConfig, Target: v, Kind: risk.KindKernelParameter}
			name = strings.TrimPrefix(strings.ReplaceAll(name, "/", "."), ".proc.sys.")
			if weakens(name, text) {
				e.Verb = risk.DefenseEvade
			}
			if !set && i > 0 && strings.Contains(words[i-1].Prefix(), "=") {
				continue
			}
			r.Effects = append(r.Effects, e)
		case strings.Contains(name, ".."):
			target := v
			if v.IsKnown() {
				target = value.Lit(path.Join("/proc/sys", text))
			}
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: target, Shown: true})
		}
	}
	if !m.Has("load") && !m.Has("system") {
		return
	}
	e := catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindKernelParameters}
	for _, v := range words {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Shown: true})
	}
	for _, v := range m.Values("file") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Shown: true})
	}
	r.Effects = append(r.Effects, e)
}

// parameterFile is the file of a kernel parameter: of dots and slashes the one that
// stands first divides its name, and the other is a part of one (sysctl(8)).
func parameterFile(word string) string {
	name, _, _ := strings.Cut(word, "=")
	name = strings.TrimPrefix(strings.TrimSpace(name), "-")
	if name == "" || strings.ContainsAny(name, "*?[{,: ") {
		return ""
	}
	if i := strings.IndexAny(name, "./"); i >= 0 && name[i] == '.' {
		name = strings.Map(func(c rune) rune {
			switch c {
			case '.':
				return '/'
			case '/':
				return '.'
			}
			return c
		}, name)
	}
	return path.Join("/proc/sys", name)
}

// absentParameter reports whether a running Linux surely has no such parameter.
func absentParameter(s *catalog.Site, file string) bool {
	if s.World == nil {
		return false
	}
	there, err := world.Stat(s.World.FS, "/proc/sys/kernel/ostype")
	return err == nil && there.Kind == world.Regular && world.Absent(s.World.FS, file)
}

// module loads or unloads kernel code, unless its words only ask.
func module(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("module")
	first := ""
	if len(words) > 0 {
		first = words[0].String()
	}
	e := catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindKernelModule}
	switch s.Name {
	case "insmod", "kextload", "kextutil", "kldload": // a file may be any code
		kernelFiles(s, words, r)
		return
	case "depmod":
		if hasLetter(s.Args, "n") {
			return
		}
		e.Kind = risk.KindKernelModules
	case "kmutil", "dkms":
		if s.Name == "kmutil" && first == "load" {
			kernelFiles(s, m.Values("path"), r)
			if len(r.Effects) > 0 {
				return
			}
		}
		if slices.Contains([]string{"", "showloaded", "inspect", "find", "libraries", "print-diagnostics", "check", "log", "status", "dumpstate"}, first) {
			return
		}
		words = words[1:]
	}
	for _, v := range words {
		e.Target = v
		r.Effects = append(r.Effects, e)
	}
	if len(words) == 0 {
		r.Effects = append(r.Effects, e)
	}
}

// kernelFiles loads kernel code from files: any code, with all rights there
// are. kextload(8) and kextutil(8) only take paths, insmod(8) one, with the
// module's parameters behind it; kldload(8) takes names, too.
func kernelFiles(s *catalog.Site, words []value.Value, r *catalog.Result) {
	for i, v := range words {
		e := catalog.Effect{Verb: risk.SysConfig, Target: v, Kind: risk.KindCritical}
		text := v.String()
		switch {
		case s.Name == "insmod" && i > 0:
			return
		case s.Name == "insmod", s.Name == "kldload":
			if v.IsKnown() && !strings.Contains(text, "/") && !strings.HasSuffix(text, ".ko") {
				e.Kind = risk.KindKernelModule
			}
		case strings.HasPrefix(text, "/System/"): // what macOS came with
			e.Kind = risk.KindKernelModule
		}
		r.Effects = append(r.Effects, e)
	}
	if len(words) == 0 && s.Name != "kmutil" {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindKernelModule})
	}
}

// setcap takes pairs of a capability text and a file, or files with -r.
func setcap(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if m.Has("verify") {
		return
	}
	if m.Has("remove") {
		for _, v := range words {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSAttr, Target: v, Kind: risk.KindCapabilitiesRemoved})
		}
		return
	}
	for i := 1; i < len(words); i += 2 {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PrivGain, Target: words[i], Kind: risk.KindCapabilities})
	}
}

// setfacl says when an access list opens a file to everybody (acl(5)).
func setfacl(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	detail := risk.KindAccessList
	for _, v := range m.Values("rule") {
		for entry := range strings.SplitSeq(v.String(), ",") {
			entry = strings.TrimPrefix(strings.TrimPrefix(entry, "d:"), "default:")
			fields := strings.Split(entry, ":")
			others := fields[0] == "o" || fields[0] == "other"
			if others && strings.ContainsAny(fields[len(fields)-1], "w2367") {
				detail = risk.KindWorldWritable
			}
		}
	}
	files := m.Values("file")
	for _, v := range files {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSAttr, Target: v, Arg: "file", Kind: detail, Recursive: m.Has("recursive")})
	}
	if len(files) == 0 && m.Has("rules") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSAttr, Target: value.Lit("."), Recursive: true, Kind: detail})
	}
}

// chattr reads modes such as +i, -R and =e (chattr(1)); chflags takes one word
// of flags, where uchg, schg and their opposites are what makes a file
// immutable.
func chattr(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	e := catalog.Effect{Verb: risk.FSAttr, Kind: risk.KindFlags}
	args := s.Args
	modeSeen := false
	for len(args) > 0 {
		text, known := args[0].Known()
		switch {
		case known && (text == "-v" || text == "-p") && s.Name == "chattr":
			args = args[1:]
		case text == "-R":
			e.Recursive = true
		case known && len(text) > 1 && (text[0] == '-' || text[0] == '+' || text[0] == '=') && s.Name == "chattr":
			if strings.ContainsAny(text, "ia") {
				e.Kind = risk.KindImmutable
			}
			e.Recursive = e.Recursive || strings.HasPrefix(text, "-") && strings.Contains(text, "R")
		case known && strings.HasPrefix(text, "-"):
			e.Recursive = e.Recursive || strings.Contains(text, "R")
		case s.Name == "chflags" && !modeSeen:
			modeSeen = true
			if strings.Contains(text, "chg") || strings.Contains(text, "immutable") || strings.Contains(text, "change") || strings.Contains(text, "append") || text == "0" || !known {
				e.Kind = risk.KindImmutable
			}
		default:
			for _, v := range args {
				e.Target = v
				r.Effects = append(r.Effects, e)
			}
			return
		}
		args = args[min(1, len(args)):]
	}
}

// chcon takes the label as a word unless an option gives it.
func chcon(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if m.Has("dry") {
		return
	}
	if s.Name == "chcon" && !m.Has("reference") && !hasLetter(s.Args, "tulr") && len(words) > 0 {
		words = words[1:]
	}
	if s.Name == "setfiles" && len(words) > 0 {
		words = words[1:]
	}
	for _, v := range words {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSAttr, Target: v, Kind: risk.KindLabel, Recursive: m.Has("recursive")})
	}
}

// accessControl tells the weakening of SELinux or AppArmor from other changes
// and from questions.
func accessControl(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := site.NetWords(m)
	has := func(names ...string) bool {
		return slices.ContainsFunc(s.Args, func(v value.Value) bool { return slices.Contains(names, v.String()) })
	}
	verb := risk.SysConfig
	switch s.Name {
	case "setenforce":
		if has("0", "Permissive", "permissive") || len(words) == 0 {
			verb = risk.DefenseEvade
		}
	case "aa-disable", "aa-complain", "aa-teardown", "aa-remove-unknown":
		verb = risk.DefenseEvade
	case "apparmor_parser":
		if has("-R", "--remove", "-C", "--Complain") {
			verb = risk.DefenseEvade
		} else {
			for _, v := range m.Values("word") {
				r.Effects = append(r.Effects, site.ReadOf(v))
			}
		}
		if has("-p", "--preprocess", "-Q", "-N", "--names", "-d") {
			return
		}
	case "semanage":
		if has("-l", "--list", "-E", "--extract", "export") || len(words) == 0 {
			return
		}
		if words[0] == "permissive" && has("-a", "--add") || has("dontaudit") {
			verb = risk.DefenseEvade
		}
	case "semodule":
		if has("-l", "--list", "--list-modules", "-lfull", "-lstandard") {
			return
		}
		if has("-r", "-d", "--remove", "--disable", "-DB", "-D") {
			verb = risk.DefenseEvade
		}
	}
	site.NetAdd(r, verb, risk.KindAccessControl)
}

// auditctl says when auditing is turned off or rules go away (auditctl(8)).
func auditctl(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	enabled, given := m.Value("enabled")
	backlog, limited := m.Value("backlog")
	switch {
	case given && !site.IsLiteral(enabled, "1") && !site.IsLiteral(enabled, "2"), m.Has("delete"), m.Has("removed"), limited && site.IsLiteral(backlog, "0"):
		site.NetAdd(r, risk.DefenseEvade, risk.KindAudit)
	case given, limited, m.Has("watch"), m.Has("rules"), m.Has("rule"), m.Has("field"), m.Has("kinds"), len(m.Values("")) > 0:
		site.NetAdd(r, risk.SysConfig, risk.KindAudit)
	}
}

// boot finds the tools that only show how the machine boots.
func boot(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := site.NetWords(m)
	first := ""
	if len(words) > 0 {
		first = words[0]
	}
	switch s.Name {
	case "bootctl":
		if first == "" || first == "status" || first == "list" || first == "is-installed" || hasLetter(s.Args, "p") && first == "" {
			return
		}
	case "kernel-install": // without a word old versions say that one is missing (kernel-install(8))
		if first == "" && len(s.Args) == 0 || first == "inspect" || first == "list" {
			return
		}
	case "grub-editenv":
		if slices.Contains(words, "list") {
			return
		}
	case "grubby", "kernelstub":
		if m.Has("list") || m.Has("dry") {
			return
		}
	case "mkinitcpio", "dracut":
		if slices.ContainsFunc(s.Args, func(v value.Value) bool {
			return v.String() == "-L" || v.String() == "-H" || v.String() == "--list-modules"
		}) {
			return
		}
	case "grub-mkconfig", "grub2-mkconfig":
		if !m.Has("out") {
			return
		}
	}
	unprotected(m, r)
	site.NetAdd(r, risk.SysConfig, risk.KindBoot)
}

// unprotected tells which of the kernel's parameters that are set switch a
// protection off.
func unprotected(m *catalog.Match, r *catalog.Result) {
	for _, v := range m.Values("parameters") {
		text, _ := v.Known()
		for word := range strings.FieldsSeq(text) {
			if weakensBoot(word) {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Kind: risk.KindProtection, Target: value.Lit(word)})
			}
		}
	}
}

// weakensBoot reports whether a parameter of the kernel switches off what protects
// the machine, or lets whoever starts it in without a password
// (Documentation/admin-guide/kernel-parameters.txt; systemd(1), rd.break in
// dracut.cmdline(7)).
func weakensBoot(parameter string) bool {
	switch name, to, _ := strings.Cut(parameter, "="); name {
	case "nopti", "nospectre_v1", "nospectre_v2", "nospectre_bhb", "nokaslr", "nosmep", "nosmap", "no_hash_pointers", "rd.break", "noexec32":
		return true
	case "mitigations", "pti", "spectre_v2", "spectre_v2_user", "spec_store_bypass_disable", "l1tf", "mds", "tsx_async_abort", "mmio_stale_data", "retbleed", "srbds",
		"gather_data_sampling", "reg_file_data_sampling", "spec_rstack_overflow", "kpti", "iommu", "intel_iommu", "amd_iommu", "ima_appraise", "lockdown", "noexec", "vsyscall", "randomize_kstack_offset", "nospec_store_bypass_disable":
		return slices.Contains([]string{"off", "0", "none", "n", "no", "emulate_off"}, to)
	case "selinux", "apparmor", "enforcing", "audit", "module.sig_enforce", "security":
		return slices.Contains([]string{"0", "off", "n", "none", ""}, to)
	case "init", "rdinit":
		return strings.HasSuffix(to, "sh")
	case "systemd.debug_shell", "systemd.debug-shell":
		return to != "0" && to != "no"
	}
	return false
}

// firmware writes what the machine starts from.
func firmware(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if len(words) > 0 {
		switch first := words[0].String(); {
		case strings.HasPrefix(first, "get-"), first == "security", first == "refresh", first == "report-history", first == "hwids", first == "search":
			return
		}
	}
	if m.Has("out") || slices.ContainsFunc(s.Args, func(v value.Value) bool {
		return slices.Contains([]string{"--info", "-info", "--getBoot", "-getBoot", "-L", "--list-supported"}, v.String())
	}) {
		return
	}
	e := catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindCritical}
	if len(words) > 0 {
		e.Target = words[len(words)-1]
	}
	r.Effects = append(r.Effects, e)
}

// desktopSettings tells settings from questions.
func desktopSettings(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := site.NetWords(m)
	if strings.HasPrefix(s.Name, "kread") {
		return
	}
	if strings.HasPrefix(s.Name, "kwrite") || m.Has("set") {
		site.NetAdd(r, risk.SysConfig, risk.KindDesktopSettings)
		return
	}
	if len(words) > 0 && slices.Contains([]string{"set", "reset", "reset-recursively", "write", "load", "update", "compile"}, words[0]) {
		site.NetAdd(r, risk.SysConfig, risk.KindDesktopSettings)
	}
}
