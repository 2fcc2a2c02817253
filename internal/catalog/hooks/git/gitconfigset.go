package git

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// config says whether git config reads or writes, in the old spelling and in
// that of git 2.46 (git config get, set, unset …). GIT_CONFIG names a file as
// --file does (git-config(1), "ENVIRONMENT").
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
	if v, set := g.own("GIT_CONFIG"); set && !hasFile && !v.Empty() {
		file, hasFile = v, true
	}
	unset := g.m.Has("unset") || action == "unset"
	rename := g.m.Has("rename") || action == "rename-section"
	remove := g.m.Has("remove") || action == "remove-section"
	edit := g.m.Has("edit") || action == "edit"
	if g.m.Has("read") || action == "list" || action == "get" || action == "" && len(words) < 2 && !unset && !rename && !remove && !edit {
		if hasFile {
			g.reads(file, true, false)
		}
		for _, v := range g.m.Values("blob") {
			if of, ok := gitObjectPath(v); ok {
				g.reads(of, true, false)
			}
		}
		g.printsConfig(words, action)
		return
	}
	if hasFile {
		g.effect(risk.FSWrite, file, risk.NoKind)
	}
	switch {
	case rename:
		g.renames(words)
	case remove || unset:
		g.unsets(words, remove)
	case edit:
		g.effect(risk.VCSLocal, value.Value{}, g.configScope())
	default:
		g.configSet(words)
	}
}

// unsets is what is no longer set: a key, or a section with all of its keys.
// What named a program is only gone, but for the directory of hooks: others are
// in force then.
func (g *gitCall) unsets(words []value.Value, section bool) {
	g.effect(risk.VCSLocal, value.Value{}, g.configScope())
	if len(words) == 0 {
		return
	}
	key, known := words[0].Known()
	if section {
		key += ".x"
	}
	head, sub, variable := gitKey(key)
	kind, name := gitKind(key)
	switch {
	case known && inertSection(head):
	case known && !section && (inertSetting(head, sub, variable) || kind != plainSetting && kind != hooksSetting):
	case known && section && (head == "alias" || head == "pager" || head == "branch" || head == "url" || head == "credential"):
	case known && !section && unsetSafely(name):
	default:
		g.effect(risk.SysConfig, words[0], risk.KindGitSetting)
	}
}

// unsetSafely reports whether git's default of a setting is no looser than any
// value of it.
func unsetSafely(name string) bool {
	switch name {
	case "http.proxy", "http.*.proxy", "http.sslverify", "http.*.sslverify", "http.extraheader", "http.*.extraheader", "safe.directory",
		"url.*.insteadof", "url.*.pushinsteadof", "include.path", "includeif.*.path", "init.templatedir", "branch.*.remote",
		"protocol.*.allow", "core.attributesfile", "core.worktree":
		return true
	}
	return false
}

// renames says what the keys of a section do under its new name: those that the
// repository has, or, if it has none, any.
func (g *gitCall) renames(words []value.Value) {
	if len(words) < 2 {
		g.effect(risk.VCSLocal, value.Value{}, g.configScope())
		return
	}
	from, known := words[0].Known()
	to, toKnown := words[1].Known()
	if !known || !toKnown {
		g.effect(risk.PersistAdd, words[1], risk.KindSetting)
		return
	}
	var keys []string
	if g.repo != nil {
		keys = g.repo.ConfigKeys(from+".", maxPrograms)
	}
	section, _, _ := strings.Cut(to, ".")
	if old, _, _ := strings.Cut(from, "."); len(keys) == 0 && (!strings.EqualFold(old, section) || strings.EqualFold(section, "alias")) && !inertSection(strings.ToLower(section)) {
		g.effect(risk.PersistAdd, words[1], risk.KindSetting)
		return
	}
	if len(keys) == 0 {
		g.effect(risk.VCSLocal, value.Value{}, g.configScope())
	}
	for _, key := range keys {
		for _, v := range g.repo.Config(key) {
			g.configSet([]value.Value{value.Lit(to + strings.TrimPrefix(key, from)), value.Lit(v)})
		}
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
	case known && gitBoolean(text) || known && kind == pathSetting && !strings.Contains(text, "/"):
		g.effect(risk.VCSLocal, value.Value{}, g.configScope())
		if kind == pathSetting {
			g.effect(risk.SysConfig, words[0], risk.KindGitSetting)
		}
	case known && harmlessSetting(kind, text):
		g.effect(risk.VCSLocal, value.Value{}, g.configScope())
		if !usualSetting(kind, text) {
			g.effect(risk.SysConfig, words[0], risk.KindGitSetting)
		}
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
		g.effect(risk.SysConfig, value.Lit(key), risk.KindGitSetting)
	case name == "safe.directory" && text == "*", name == "http.proxy", name == "http.*.proxy", name == "core.worktree":
		g.effect(risk.SysConfig, val, settingWord(name))
		return
	case !settingKnown(key, val):
		g.effect(risk.SysConfig, value.Lit(key), risk.KindGitSetting)
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

// usualSetting reports whether a harmless setting names one of the programs that
// people do set for it, with options that give it no code.
func usualSetting(kind settingKind, text string) bool {
	if kind == hooksSetting || kind == helperSetting {
		return true
	}
	if kind == bangSetting {
		rest, bang := strings.CutPrefix(text, "!")
		if text = rest; !bang {
			return usualAlias(text)
		}
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		return true
	}
	program := strings.ToLower(path.Base(strings.Trim(words[0], `'"`)))
	switch strings.TrimSuffix(program, ".exe") {
	case "git":
		return kind == bangSetting && usualAlias(strings.Join(words[1:], " "))
	case "vim", "vi", "nvim", "gvim", "mvim", "view", "nvimdiff", "vimdiff", "emacs", "emacsclient", "ed", "kak", "hx", "helix",
		"code", "code-insiders", "codium", "cursor", "windsurf", "zed", "subl", "atom", "nano", "micro", "gedit", "kate", "notepad", "notepad++",
		"mate", "bbedit", "mcedit", "joe", "pico", "idea", "goland", "pycharm", "webstorm",
		"less", "more", "most", "cat", "bat", "batcat", "delta", "diff-so-fancy", "moor", "moar", "ov", "difft", "difftastic", "icdiff", "ydiff", "colordiff",
		"meld", "kdiff3", "opendiff", "bcomp", "bcompare", "p4merge", "tkdiff", "winmerge", "plink",
		"gpg", "gpg2", "gpgsm", "ssh-keygen", "op-ssh-sign", "smimesign", "gitsign", "git-lfs", "git-crypt", "nbstripout", "nbdime", "git-nbdiffdriver", "git-nbmergedriver",
		"pdftotext", "exiftool", "docx2txt", "antiword", "catdoc", "hexdump", "xxd", "od", "strings":
		return !shellSyntax(text) && !slices.ContainsFunc(words[1:], func(w string) bool { return !usualOption(w) })
	case "ssh":
		return !shellSyntax(text) && usualSSH(words[1:])
	case "gh", "glab":
		return len(words) == 3 && words[1] == "auth" && words[2] == "git-credential"
	}
	return false
}

// usualAlias reports whether an alias is of git's own words, without settings of
// its own.
func usualAlias(text string) bool {
	words := gitWords(text)
	at := slices.IndexFunc(words, func(w string) bool { return !strings.HasPrefix(w, "-") })
	for i, w := range words {
		if i < at && (strings.HasPrefix(w, "-c") || strings.HasPrefix(w, "--exec-path") || strings.HasPrefix(w, "--config-env") || strings.HasPrefix(w, "-C") || strings.HasPrefix(w, "--git-dir") || strings.HasPrefix(w, "--work-tree")) {
			return false
		}
	}
	return true
}

// usualOption reports whether a word is an option that people give editors, pagers
// and viewers in git's settings, and that neither names a file to write nor code to
// run: --wait, -FRX, $LOCAL.
func usualOption(w string) bool {
	switch w {
	case "--wait", "-w", "-n", "-nw", "--new-window", "--new-instance", "--multiInst", "-multiInst", "-notabbar", "-nosession", "-noPlugin", "--nofork", "-f", "-r", "--reuse-window", "--diff", "-d",
		"--dark", "--light", "--side-by-side", "--line-numbers", "--color-only", "--color=always", "--paging=never", "--plain", "-p", "-t", "--no-splash",
		"--tabs=4", "--quit-if-one-screen", "--RAW-CONTROL-CHARS", "--no-init", "--raw-control-chars", "-layout", "-", "install", "clean", "smudge", "filter-process", "--", "%f", "-a":
		return true
	}
	letters, ok := strings.CutPrefix(w, "-")
	return ok && letters != "" && strings.Trim(letters, "FRXSeiIMNqrsKJ0123456789x") == ""
}

// usualSSH reports whether ssh is given a key, a port and the like, and neither a
// file of settings nor a command (ssh(1), ssh_config(5)).
func usualSSH(words []string) bool {
	for i := 0; i < len(words); i++ {
		switch w := words[i]; w {
		case "-v", "-4", "-6", "-C", "-T", "-q", "-a", "-x":
		case "-i", "-p", "-l":
			i++
		case "-o":
			if i++; i < len(words) && !usualSSHOption(words[i]) {
				return false
			}
		default:
			if o, ok := strings.CutPrefix(w, "-o"); (!ok || !usualSSHOption(o)) && !strings.HasPrefix(w, "-i") && !strings.HasPrefix(w, "-p") {
				return false
			}
		}
	}
	return true
}

func usualSSHOption(o string) bool {
	name, _, _ := strings.Cut(strings.ToLower(o), "=")
	switch name {
	case "identitiesonly", "identityfile", "batchmode", "connecttimeout", "serveraliveinterval", "serveralivecountmax", "user", "port", "addkeystoagent", "stricthostkeychecking", "userknownhostsfile", "loglevel", "controlmaster", "controlpersist", "compression":
		return true
	}
	return false
}

// settingWord is the declared word for a setting of git that has a program run
// or changes where git goes. Every setting of [settingKinds] has one.
func settingWord(name string) risk.Kind {
	if kind, ok := risk.KindOf(name); ok {
		return kind
	}
	return risk.KindSetting
}
