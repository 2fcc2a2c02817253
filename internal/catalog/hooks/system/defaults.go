package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Settings of macOS that make it run something later, or that switch a
// defence off (Apple, "Configuration Profile Reference"; defaults(1); ATT&CK
// T1037.002 login hooks, T1546.002 screen savers, T1647 property lists).

// defaults reads `defaults write DOMAIN KEY VALUE`.
func defaults(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	domain, _ := m.Value("domain")
	words := m.Values("key")
	name := strings.TrimSuffix(domain.Prefix(), ".plist")
	if strings.Contains(name, "/LaunchAgents/") || strings.Contains(name, "/LaunchDaemons/") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PersistAdd, Target: domain, Kind: risk.KindLaunchAgent})
		return
	}
	if len(words) == 0 {
		return
	}
	app, key := site.LastElement(name), words[0].Prefix()
	last := words[len(words)-1]
	switch app {
	case "com.apple.loginwindow", "loginwindow":
		switch key {
		case "LoginHook", "LogoutHook", "AutoLaunchedApplicationDictionary":
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PersistAdd, Target: last, Kind: risk.KindLoginItem})
			return
		}
	case "com.apple.loginitems", "backgrounditems":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PersistAdd, Target: domain, Kind: risk.KindLoginItem})
		return
	case "com.apple.screensaver":
		if key == "moduleDict" || key == "modulePath" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.PersistAdd, Target: last, Kind: risk.KindScreenSaver})
			return
		}
	}
	if defaultsDefence(app, key, last) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: value.Concat(domain, value.Lit(" "), words[0]), Kind: risk.KindSettings})
	}
}

// defaultsDefence reports whether a setting is that of a defence, and is
// switched off.
func defaultsDefence(app, key string, val value.Value) bool {
	text := strings.ToLower(val.String())
	off := text == "0" || text == "false" || text == "no"
	switch app + " " + key {
	case "com.apple.alf globalstate", "com.apple.LaunchServices LSQuarantine", "com.apple.screensaver askForPassword",
		"com.apple.SoftwareUpdate AutomaticCheckEnabled", "com.apple.SoftwareUpdate CriticalUpdateInstall", "com.apple.SoftwareUpdate ConfigDataInstall":
		return off
	case "com.apple.loginwindow autoLoginUser":
		return true
	}
	return false
}
