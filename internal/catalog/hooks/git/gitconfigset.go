package git

import (
	"strings"

	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// config says whether git config reads or writes, in the old spelling and in
// that of git 2.46 (git config get, set, unset …).
func (g *gitCall) config() {
	words := g.m.Operands()
	action := ""
	if len(words) > 0 {
		switch text, _ := words[0].Known(); text {
		case "list", "get", "set", "unset", "rename-section", "remove-section", "edit":
			action, words = text, words[1:]
		}
	}
	file, hasFile := g.m.Value("file")
	switch {
	case g.m.Has("read"), action == "list", action == "get", action == "" && len(words) < 2 && !g.m.Has("unset") && !g.m.Has("edit"):
		if hasFile {
			g.effect(risk.FSRead, file, risk.NoKind)
			g.r.Effects[len(g.r.Effects)-1].Shown = true
		}
		g.printsConfig(words, action)
	case g.m.Has("unset"), action == "unset", action == "rename-section", action == "remove-section", g.m.Has("edit"), action == "edit":
		g.effect(risk.VCSLocal, value.Value{}, g.configScope())
		if hasFile {
			g.effect(risk.FSWrite, file, risk.NoKind)
		}
	default:
		if hasFile {
			g.effect(risk.FSWrite, file, risk.NoKind)
		}
		g.configSet(words)
	}
}

func (g *gitCall) configScope() risk.Kind {
	switch {
	case g.m.Has("global"):
		return risk.KindGlobalConfig
	case g.m.Has("system"):
		return risk.KindSystemConfig
	}
	return risk.KindConfig
}

// configSet says what a setting will do from now on.
func (g *gitCall) configSet(words []value.Value) {
	var val value.Value
	if len(words) > 1 {
		val = words[1]
	}
	if len(words) == 0 {
		return
	}
	key := words[0].String()
	kind, name := gitKind(key)
	text, known := val.Known()
	switch {
	case !words[0].IsKnown() && !strings.HasPrefix(words[0].Prefix(), "url.") && !strings.Contains(words[0].Prefix(), "user."):
		g.effect(risk.SysConfig, words[0], risk.KindSetting)
	case kind == plainSetting:
		g.configPlain(name, key, val)
	case known && gitBoolean(text) || known && harmlessSetting(kind, text):
		g.effect(risk.VCSLocal, value.Value{}, g.configScope())
	default:
		g.effect(risk.PersistAdd, val, settingWord(name))
	}
}

func (g *gitCall) configPlain(name, key string, val value.Value) {
	text, _ := val.Known()
	_, sub, _ := gitKey(key)
	switch {
	case name == "http.sslverify" || name == "http.*.sslverify":
		g.sslVerify(text)
	case name == "protocol.*.allow" && sub == "ext" && text != "never":
		g.effect(risk.DefenseEvade, value.Value{}, risk.KindProtocolExtAllow)
	case name == "include.path", name == "includeif.*.path":
		g.effect(risk.PersistAdd, val, risk.KindInclude)
	case name == "init.templatedir" && text != "":
		g.effect(risk.PersistAdd, val, settingWord(name))
	case (name == "url.*.insteadof" || name == "url.*.pushinsteadof") && !gitSameHost(sub, val.Prefix()):
		g.effect(risk.PersistAdd, value.Lit(sub), risk.KindUrlInsteadOf)
	case name == "remote.*.url" || name == "remote.*.pushurl":
		g.laterTransport(val)
	case name == "safe.directory" && text == "*", name == "http.proxy", name == "http.*.proxy", name == "core.worktree":
		g.effect(risk.SysConfig, val, settingWord(name))
		return
	}
	g.effect(risk.VCSLocal, value.Value{}, g.configScope())
}

// gitSameHost reports whether a rewrite of URLs stays with the same server, as
// from git@github.com: to https://github.com/.
func gitSameHost(base, instead string) bool {
	return !strings.Contains(base, "::") && gitHost(base) != "" && gitHost(base) == gitHost(instead)
}

// gitHost returns the host of a URL or scp-like address.
func gitHost(u string) string {
	if _, after, ok := strings.Cut(u, "://"); ok {
		u = after
	} else {
		u, _, _ = strings.Cut(u, ":")
	}
	u, _, _ = strings.Cut(u, "/")
	if i := strings.LastIndexByte(u, '@'); i >= 0 {
		u = u[i+1:]
	}
	u, _, _ = strings.Cut(u, ":")
	return strings.ToLower(u)
}

// harmlessSetting reports whether a setting only names an installed program
// and its options: no shell syntax, no interpreter, no file of the project.
func harmlessSetting(kind settingKind, text string) bool {
	switch kind {
	case hooksSetting:
		return text == "/dev/null"
	case helperSetting:
		return ownHelper(value.Lit(text))
	case bangSetting:
		rest, bang := strings.CutPrefix(text, "!")
		if !bang {
			return true
		}
		text = rest
	}
	if strings.ContainsAny(text, ";|&`<>\n(") || strings.Contains(strings.ToLower(text), "command=") {
		return false
	}
	program, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	program = strings.Trim(program, `'"`)
	for _, dir := range []string{"/usr/bin/", "/bin/", "/usr/local/bin/", "/opt/homebrew/bin/", "/usr/local/MacGPG2/bin/"} {
		program = strings.TrimPrefix(program, dir)
	}
	if shellname.Is(program) {
		return false
	}
	switch program {
	case "", "env", "eval", "exec", "python", "python3", "perl", "ruby", "node", "php", "nc", "ncat", "socat", "curl", "wget", "rm", "sudo", "xargs", "tee", "dd", "cp", "mv", "base64":
		return false
	}
	return !strings.ContainsAny(program, "/$~")
}

// settingWord is the declared word for a setting of git that has a program run
// or changes where git goes. Every setting of [settingKinds] has one.
func settingWord(name string) risk.Kind {
	if kind, ok := risk.KindOf(name); ok {
		return kind
	}
	return risk.KindSetting
}
