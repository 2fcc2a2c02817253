package hooks

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// defaultsExport writes the file that "defaults export" names (defaults(1)).
func defaultsExport(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	keys := m.Values("key")
	if len(keys) > 0 && slices.ContainsFunc(s.Args, func(v value.Value) bool { return isLiteral(v, "export") }) && !isLiteral(keys[0], "-") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: keys[0]})
	}
}

// defaultsWrite finds preferences that run something at login or that turn
// off the checks of downloaded programs.
func defaultsWrite(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for _, a := range s.Args {
		switch a.String() {
		case "LoginHook", "LogoutHook", "AutoLaunchedApplicationDictionary":
			setEffects(r, risk.PersistAdd, "login hook")
		case "LSQuarantine", "GKAutoRearm", "DisableLibraryValidation", "AllowIdentifiedDevelopers", "DisableScreenLock", "askForPassword", "EnableAssessment", "AutomaticCheckEnabled", "globalstate", "EnableFirewall", "AutoUpdate":
			setEffects(r, risk.DefenseEvade, "preferences")
		}
	}
}

// setEffects turns the changes of settings in a result into something worse.
func setEffects(r *catalog.Result, verb risk.Verb, detail string) {
	for i := range r.Effects {
		if r.Effects[i].Verb == risk.SysConfig {
			r.Effects[i].Verb, r.Effects[i].Detail = verb, detail
		}
	}
}

// macGuard reads the tools of macOS's own protection: system integrity,
// Gatekeeper, privacy and disk encryption.
func macGuard(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := netWords(m)
	if m.Has("weaken") {
		netAdd(r, risk.DefenseEvade, "protection")
		return
	}
	for _, w := range words {
		switch w {
		case "status", "report", "list", "isactive", "version", "help", "haspersonalrecoverykey", "supportsauthrestart", "usingrecoverykey", "netboot":
			return
		case "disable", "clear", "reset", "remove", "delete", "developer-mode", "authrestart", "removerecovery", "kext-consent":
			netAdd(r, risk.DefenseEvade, "protection")
			return
		case "changerecovery", "validaterecovery":
			netAdd(r, risk.SecretRead, "recovery key")
			return
		}
	}
	if len(words) > 0 && !m.Has("show") || slices.ContainsFunc(s.Args, func(v value.Value) bool { return strings.HasSuffix(v.String(), "-enable") }) {
		netAdd(r, risk.SysConfig, "protection")
	}
}

// macSetup tells settings from questions: each tool asks with words of its own.
func macSetup(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := netWords(m)
	has := func(names ...string) bool {
		return slices.ContainsFunc(s.Args, func(v value.Value) bool { return slices.Contains(names, v.String()) })
	}
	verb, detail := risk.SysConfig, "settings"
	switch s.Name {
	case "systemsetup":
		if !slices.ContainsFunc(s.Args, func(v value.Value) bool { return strings.HasPrefix(v.Prefix(), "-set") }) {
			return
		}
	case "pmset":
		if len(s.Args) == 0 || has("-g") {
			return
		}
		if has("sleepnow", "displaysleepnow", "restart", "shutdown") {
			verb, detail = risk.SysPower, ""
		}
	case "nvram":
		changed := slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "=") })
		if !changed && !has("-d", "-c", "-f") {
			return
		}
		detail = "critical"
	case "profiles":
		switch {
		case has("remove", "-R", "-D"):
			verb, detail = risk.DefenseEvade, "profiles"
		case has("install", "-I", "renew"):
			detail = "critical"
		default:
			return
		}
	case "mdutil":
		if !has("-i", "-E", "-X", "-d") {
			return
		}
	default:
		if len(s.Args) == 0 {
			return
		}
	}
	netAdd(r, verb, detail)
}

// hdiutil says which image is made and which is read.
func hdiutil(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("image") {
		if m.Has("format") || m.Has("out") {
			r.Effects = append(r.Effects, readOf(v))
		} else {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v})
		}
	}
}

// macOpen opens what the Finder would: a document is read, a program or a
// script for Terminal is run (open(1)).
func macOpen(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if slices.ContainsFunc(s.Args, func(v value.Value) bool { return isLiteral(v, "-R") }) {
		return
	}
	r.Runs = nil
	app, _ := m.Value("app")
	name := strings.ToLower(app.String())
	terminal := strings.Contains(name, "terminal") || strings.Contains(name, "iterm") || strings.Contains(name, "script editor")
	files := m.Values("file")
	for _, v := range files {
		suffix := v.Suffix()
		switch {
		case netScheme(v) != "":
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: v})
		case strings.HasSuffix(suffix, ".app") || strings.HasSuffix(suffix, ".app/"):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Target: v, Detail: "application"})
		default:
			r.Effects = append(r.Effects, readOf(v))
			if terminal || strings.HasSuffix(suffix, ".command") || strings.HasSuffix(suffix, ".terminal") || strings.HasSuffix(suffix, ".workflow") || strings.HasSuffix(suffix, ".scpt") {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunExec, Text: v})
			}
		}
	}
	if len(files) == 0 && m.Has("app") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Target: app, Detail: "application"})
	}
}

// xattrHook reads "-d NAME FILE", "-w NAME VALUE FILE", "-p NAME FILE" and
// "-c FILE"; the mark of a download is what Gatekeeper looks for.
func xattrHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	skip := 0
	e := catalog.Effect{Verb: risk.FSRead, Recursive: hasLetter(s.Args, "r") && (m.Has("clear") || m.Has("delete") || m.Has("write"))}
	switch {
	case m.Has("clear"):
		e.Verb, e.Detail = risk.DefenseEvade, "quarantine"
	case m.Has("write"):
		skip, e.Verb = 2, risk.FSAttr
	case m.Has("delete"):
		skip, e.Verb = 1, risk.FSAttr
		if len(words) > 0 && (!words[0].IsKnown() || strings.Contains(words[0].String(), "quarantine")) {
			e.Verb, e.Detail = risk.DefenseEvade, "quarantine"
		}
	case m.Has("print"):
		skip = 1
	}
	for _, v := range words[min(skip, len(words)):] {
		e.Target = v
		r.Effects = append(r.Effects, e)
	}
}

// codesignHook signs in place, or only looks.
func codesignHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	e := catalog.Effect{Verb: risk.FSRead}
	switch {
	case s.Name == "notarytool" || s.Name == "altool":
		netAdd(r, risk.NetSend, "notarization")
		return
	case optionGivenAny(s.Args, "-s", "--sign") || m.Has("remove"):
		e = catalog.Effect{Verb: risk.FSWrite, Detail: "signature", Forced: m.Has("force")}
	}
	for _, v := range m.Values("file") {
		e.Target = v
		r.Effects = append(r.Effects, e)
	}
}

// optionGivenAny reports whether one of the words is an option, attached
// values included.
func optionGivenAny(args []value.Value, names ...string) bool {
	return slices.ContainsFunc(args, func(v value.Value) bool {
		name, _, _ := strings.Cut(v.Prefix(), "=")
		return slices.Contains(names, name)
	})
}

// plutil converts and edits in place unless -o names another file.
func plutil(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	files := m.Values("file")
	out, named := m.Value("out")
	changes := m.Has("format") || m.Has("edit")
	for i, v := range files {
		switch {
		case m.Has("show") && i < len(files)-1 && optionGivenAny(s.Args, "-extract"):
			continue // the key path and the format
		case m.Has("edit") && i < len(files)-1:
			continue // -replace KEY -string VALUE
		case changes && !named:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v})
		default:
			e := readOf(v)
			e.Shown = m.Has("show") && !named || isLiteral(out, "-")
			r.Effects = append(r.Effects, e)
		}
	}
}

// plistBuddy changes a file with any command but Print (PlistBuddy(8)); with
// none it asks for them.
func plistBuddy(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	file, ok := m.Value("file")
	if !ok {
		return
	}
	commands := m.Values("command")
	quiet := len(commands) > 0
	for _, v := range commands {
		quiet = quiet && (strings.HasPrefix(v.Prefix(), "Print") || strings.HasPrefix(v.Prefix(), "print") || isLiteral(v, "Help"))
	}
	if quiet {
		e := readOf(file)
		e.Shown = true
		r.Effects = append(r.Effects, e)
		return
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: file})
}

// recursiveLast marks what is written as a whole tree.
func recursiveLast(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		if r.Effects[i].Verb == risk.FSWrite {
			r.Effects[i].Recursive = true
		}
	}
}

// macConvert changes pictures in place unless there is an output or a
// question; textutil makes a new file next to the old one.
func macConvert(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	files := m.Values("file")
	asks := optionGivenAny(s.Args, "-g", "--getProperty", "-info", "-1") || m.Has("show")
	if optionGivenAny(s.Args, "-z", "--resampleHeightWidth", "-c", "--cropToHeightWidth") && s.Name == "sips" && len(files) > 1 {
		files = files[1:] // these options take two values
	}
	for _, v := range files {
		e := catalog.Effect{Verb: risk.FSWrite, Target: v}
		if asks || m.Has("out") || m.Has("stdout") || s.Name == "textutil" || s.Name == "mdimport" || s.Name == "DeRez" {
			e = readOf(v)
			e.Shown = m.Has("stdout")
		}
		r.Effects = append(r.Effects, e)
	}
}
