package git

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// settingKind says what git does with the value of a setting.
type settingKind uint8

const (
	plainSetting  settingKind = iota
	shellSetting              // run by a shell
	execSetting               // a program that is run
	hooksSetting              // a directory of programs that are run
	helperSetting             // a credential helper: a name, a path or !shell
	bangSetting               // run by a shell if it begins with !
	pathSetting               // a program if it is a path, else a machine
	remoteSetting             // the name of a helper: git-remote-NAME is run
)

// settingKinds lists the settings that name programs (git-config(1),
// gitattributes(5), git-send-email(1), gitcredentials(7)). A subsection is
// written *, names are in lower case.
func settingKinds() map[string]settingKind {
	return map[string]settingKind{
		"core.pager": shellSetting, "pager.*": shellSetting, "core.editor": shellSetting, "sequence.editor": shellSetting,
		"core.sshcommand": shellSetting, "core.askpass": execSetting, "core.fsmonitor": shellSetting,
		"core.hookspath": hooksSetting, "core.gitproxy": execSetting, "core.alternaterefscommand": shellSetting,
		"diff.external": shellSetting, "diff.*.command": shellSetting, "diff.*.textconv": shellSetting,
		"filter.*.clean": shellSetting, "filter.*.smudge": shellSetting, "filter.*.process": shellSetting,
		"merge.*.driver": shellSetting, "difftool.*.cmd": shellSetting, "difftool.*.path": execSetting,
		"mergetool.*.cmd": shellSetting, "mergetool.*.path": execSetting,
		"gpg.program": execSetting, "gpg.*.program": execSetting, "gpg.ssh.defaultkeycommand": shellSetting, "gpg.*.defaultkeycommand": shellSetting,
		"credential.helper": helperSetting, "credential.*.helper": helperSetting,
		"uploadpack.packobjectshook": shellSetting, "interactive.difffilter": shellSetting,
		"sendemail.sendmailcmd": shellSetting, "sendemail.tocmd": shellSetting, "sendemail.cccmd": shellSetting, "sendemail.headercmd": shellSetting,
		"sendemail.*.sendmailcmd": shellSetting, "sendemail.*.tocmd": shellSetting, "sendemail.*.cccmd": shellSetting,
		"trailer.*.command": shellSetting, "trailer.*.cmd": shellSetting, "browser.*.cmd": shellSetting, "browser.*.path": execSetting,
		"man.*.cmd": shellSetting, "man.*.path": execSetting, "guitool.*.cmd": shellSetting, "tar.*.command": shellSetting,
		"instaweb.httpd": shellSetting, "instaweb.browser": execSetting, "imap.tunnel": shellSetting, "gc.recentobjectshook": shellSetting,
		"sendemail.smtpserver": pathSetting, "sendemail.*.smtpserver": pathSetting, "lfs.*.path": execSetting,
		"remote.*.vcs": remoteSetting, "core.virtualfilesystem": shellSetting,
		"remote.*.uploadpack": shellSetting, "remote.*.receivepack": shellSetting,
		"submodule.*.update": bangSetting, "alias.*": bangSetting, "hook.*.command": shellSetting,
	}
}

// kinds is the table of settings, made when it is first asked.
var kinds = once.Value[map[string]settingKind]{Make: settingKinds}

// gitKey takes a key apart; section and variable are in lower case.
func gitKey(key string) (section, sub, variable string) {
	section, rest, ok := strings.Cut(key, ".")
	if !ok {
		return strings.ToLower(key), "", ""
	}
	if i := strings.LastIndexByte(rest, '.'); i >= 0 {
		return strings.ToLower(section), rest[:i], strings.ToLower(rest[i+1:])
	}
	return strings.ToLower(section), "", strings.ToLower(rest)
}

// gitKind returns what git does with a setting, and the setting's general name.
func gitKind(key string) (settingKind, string) {
	section, sub, variable := gitKey(key)
	name := section + "." + variable
	if sub != "" {
		name = section + ".*." + variable
	} else if section == "alias" || section == "pager" {
		name = section + ".*"
	}
	kind := kinds.Get()[name]
	switch name {
	case "core.hookspath":
		name = "core.hooksPath"
	case "core.sshcommand":
		name = "core.sshCommand"
	case "core.gitproxy":
		name = "core.gitProxy"
	case "core.askpass":
		name = "core.askPass"
	case "alias.*":
		name = "alias"
	}
	return kind, name
}

// A gitSetting is one configuration value that the command itself gives.
type gitSetting struct {
	key   string
	value value.Value
	on    bool // without "=": true
}

// settingsGiven lists -c, --config-env, clone -c, and GIT_CONFIG_COUNT.
func (g *gitCall) settingsGiven() []gitSetting {
	var out []gitSetting
	for _, name := range []string{"config", "clone-config"} {
		for _, v := range g.m.Values(name) {
			key, val, ok := gitCut(v, "=")
			k, known := key.Known()
			if !known {
				k = ""
			}
			out = append(out, gitSetting{k, val, !ok})
		}
	}
	for _, v := range g.m.Values("config-env") {
		key, val, _ := gitCut(v, "=")
		k, _ := key.Known()
		out = append(out, gitSetting{key: k, value: g.variable(val)})
	}
	return append(out, g.settingsInEnv()...)
}

// maxEnvSettings bounds GIT_CONFIG_COUNT.
const maxEnvSettings = 100

func (g *gitCall) settingsInEnv() []gitSetting {
	if g.s.Env == nil {
		return nil
	}
	var out []gitSetting
	if _, set, changed := g.s.Env("GIT_CONFIG_COUNT"); set && changed {
		for i := range maxEnvSettings {
			k, set, _ := g.s.Env("GIT_CONFIG_KEY_" + strconv.Itoa(i))
			if !set {
				break
			}
			v, _, _ := g.s.Env("GIT_CONFIG_VALUE_" + strconv.Itoa(i))
			key, _ := k.Known()
			out = append(out, gitSetting{key: key, value: v})
		}
	}
	if v, set, changed := g.s.Env("GIT_CONFIG_PARAMETERS"); set && changed {
		for _, w := range gitWords(v.String()) {
			key, val, _ := strings.Cut(w, "=")
			out = append(out, gitSetting{key: key, value: value.Lit(val)})
		}
	}
	return out
}

// variable returns the value of the environment variable that v names.
func (g *gitCall) variable(v value.Value) value.Value {
	name, known := v.Known()
	if known && g.s.Env != nil {
		if val, set, _ := g.s.Env(name); set {
			return val
		}
	}
	return value.Unknown(risk.CauseUnknown, name)
}

// gitCut cuts v at the first sep in its known beginning.
func gitCut(v value.Value, sep string) (before, after value.Value, ok bool) {
	text := v.Prefix()
	i := strings.Index(text, sep)
	if i < 0 {
		return v, value.Value{}, false
	}
	return value.Lit(text[:i]), v.Cut(i + len(sep)), true
}

// settings says what the settings given on the command line and in git's own
// variables would run.
func (g *gitCall) settings() {
	g.given()
	if v, ok := g.m.Value("exec-path"); ok && !v.Empty() {
		g.effect(risk.ExecUnknown, v, risk.KindExecPath)
	}
	g.environment()
}

// given says what the settings would run that the command line gives.
func (g *gitCall) given() {
	for _, c := range g.settingsGiven() {
		switch {
		case c.key == "":
			g.effect(risk.ExecUnknown, c.value, risk.KindSetting)
		case !c.on:
			g.setting(c)
		case !settingKnown(c.key, value.Lit("true")):
			g.effect(risk.ExecKnown, value.Lit(c.key), risk.KindGitSetting)
		}
	}
}

// setting says what one setting makes git run now.
func (g *gitCall) setting(c gitSetting) {
	kind, name := gitKind(c.key)
	text, known := c.value.Known()
	if known && gitBoolean(text) {
		switch {
		case name == "http.sslverify" || name == "http.*.sslverify":
			g.sslVerify(text)
		case kind == plainSetting && text != "" && !settingKnown(c.key, c.value):
			g.effect(risk.ExecKnown, value.Lit(c.key), risk.KindGitSetting)
		}
		return
	}
	if !settingKnown(c.key, c.value) {
		g.effect(risk.ExecKnown, value.Lit(c.key), risk.KindGitSetting)
	}
	switch kind {
	case plainSetting:
		g.plain(name, c)
	case pathSetting:
		if strings.Contains(c.value.Prefix(), "/") || !known {
			g.r.Runs = append(g.r.Runs, catalog.Run{Kind: catalog.RunExec, Text: c.value})
			return
		}
		g.effect(risk.ExecKnown, value.Lit(c.key), risk.KindGitSetting)
	case remoteSetting:
		g.r.Runs = append(g.r.Runs, catalog.Run{Kind: catalog.RunExec, Text: value.Concat(value.Lit("git-remote-"), c.value)})
	case hooksSetting:
		if text != "/dev/null" {
			g.effect(risk.ExecUnknown, c.value, risk.KindCoreHooksPath)
		}
	case helperSetting:
		g.helper(c.value)
	case bangSetting:
		if strings.HasPrefix(c.value.Prefix(), "!") && name != "alias" {
			g.run(c.value.Cut(1))
		}
	case execSetting:
		g.r.Runs = append(g.r.Runs, catalog.Run{Kind: catalog.RunExec, Text: c.value})
	default:
		g.run(c.value)
	}
}

func (g *gitCall) run(text value.Value) {
	g.r.Runs = append(g.r.Runs, catalog.Run{Kind: catalog.RunShell, Text: text})
}

func (g *gitCall) sslVerify(text string) {
	if text == "false" || text == "0" || text == "no" || text == "off" {
		g.effect(risk.DefenseEvade, value.Value{}, risk.KindHttpSslVerify)
	}
}

// plain handles settings that name no program and still matter.
func (g *gitCall) plain(name string, c gitSetting) {
	text, _ := c.value.Known()
	switch name {
	case "protocol.ext.allow", "protocol.*.allow":
		if text != "never" && strings.Contains(strings.ToLower(c.key), ".ext.") {
			g.effect(risk.DefenseEvade, value.Value{}, risk.KindProtocolExtAllow)
		}
	case "blame.ignorerevsfile", "fsck.skiplist", "fetch.fsck.skiplist", "receive.fsck.skiplist", "format.signaturefile":
		g.reads(c.value, true, false) // what is no name of an object is quoted, a signature stands in each patch
	case "include.path", "includeif.*.path":
		g.effect(risk.FSRead, c.value, risk.KindConfiguration)
	case "url.*.insteadof", "url.*.pushinsteadof":
		_, base, _ := gitKey(c.key)
		if strings.Contains(base, "::") {
			g.transport(value.Lit(base))
		}
	case "init.templatedir":
		if text != "" {
			g.effect(risk.ExecUnknown, c.value, risk.KindTemplateHooks)
		}
	}
}

// helper runs a credential helper as git would (gitcredentials(7)).
func (g *gitCall) helper(v value.Value) {
	switch text := v.Prefix(); {
	case strings.HasPrefix(text, "!"):
		g.run(v.Cut(1))
	case strings.HasPrefix(text, "/"):
		g.run(v)
	case !ownHelper(v):
		g.r.Runs = append(g.r.Runs, catalog.Run{Kind: catalog.RunExec, Text: value.Concat(value.Lit("git-credential-"), v)})
	}
}

// ownHelper reports whether v names a helper that comes with git or is common.
func ownHelper(v value.Value) bool {
	name, _, _ := strings.Cut(v.Prefix(), " ")
	if !v.IsKnown() || shellSyntax(v.Prefix()) {
		return false
	}
	switch name {
	case "store", "cache", "osxkeychain", "manager", "manager-core", "libsecret", "wincred", "gnome-keyring", "netrc", "oauth":
		return true
	}
	return false
}

// shellSyntax reports whether a shell would do more with a text than split it
// into words.
func shellSyntax(text string) bool { return strings.ContainsAny(text, ";|&`$<>\n()") }

func gitBoolean(s string) bool {
	switch strings.ToLower(s) {
	case "", "true", "false", "yes", "no", "on", "off", "0", "1":
		return true
	}
	return false
}
