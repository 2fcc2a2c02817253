package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// registry looks at which key reg works on: one that starts programs, one that
// turns defences off, or one that holds the accounts.
func registry(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("key") {
		key := strings.ToLower(v.String())
		if (strings.HasSuffix(key, `\sam`) || strings.HasSuffix(key, `\security`) || strings.HasSuffix(key, `\system`)) && m.Has("file") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.SecretRead, Target: v, Kind: risk.KindAccounts})
		}
	}
	for i := range r.Effects {
		e := &r.Effects[i]
		key := strings.ToLower(e.Target.String())
		switch {
		case e.Verb != risk.SysConfig || e.Kind != risk.KindRegistry:
		case strings.Contains(key, `currentversion\run`), strings.Contains(key, `\winlogon`), strings.Contains(key, `image file execution options`), strings.Contains(key, `\currentcontrolset\services`), strings.Contains(key, `appinit_dlls`), strings.Contains(key, `\active setup`):
			e.Verb = risk.PersistAdd
		case strings.Contains(key, "defender"), strings.Contains(key, `policies\system`), strings.Contains(key, "firewallpolicy"), strings.Contains(key, "eventlog"), strings.Contains(key, "amsi"):
			e.Verb = risk.DefenseEvade
		}
	}
}

// windowsService reads "sc COMMAND NAME" (sc.exe).
func windowsService(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if len(words) > 0 && strings.HasPrefix(words[0].Prefix(), `\\`) {
		words = words[1:]
	}
	if len(words) < 2 {
		return
	}
	e := catalog.Effect{Verb: risk.SysConfig, Target: words[1], Arg: "unit", Kind: risk.KindService}
	switch strings.ToLower(words[0].String()) {
	case "create":
		e.Verb = risk.PersistAdd
	case "delete":
		e.Kind = risk.KindCritical
	case "stop", "pause":
	case "start", "config", "failure", "sdset", "continue", "description":
		if strings.EqualFold(words[0].String(), "config") && !slices.ContainsFunc(words, func(v value.Value) bool { return strings.EqualFold(v.String(), "disabled") }) {
			r.Effects = append(r.Effects, e)
			return
		}
		if !strings.EqualFold(words[0].String(), "config") {
			r.Effects = append(r.Effects, e)
			return
		}
	case "query", "queryex", "qc", "qdescription", "qfailure", "qfailureflag", "qsidtype", "qprivs", "qtriggerinfo", "qpreferrednode", "qmanagedaccount", "qprotection", "quserservice",
		"enumdepend", "getdisplayname", "getkeyname", "sdshow", "showsid", "querylock", "interrogate":
		return
	default: // sc.exe has many more, most of which change a service
	}
	if e.Verb == risk.SysConfig && catalog.Defends(e.Target) {
		e.Verb, e.Kind = risk.DefenseEvade, risk.KindService
	}
	r.Effects = append(r.Effects, e)
}

// windowsNet reads "net COMMAND NAME ... /add".
func windowsNet(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	if len(words) < 2 {
		return
	}
	has := func(option string) bool {
		return slices.ContainsFunc(words, func(v value.Value) bool { return strings.EqualFold(strings.TrimLeft(v.String(), "/"), option) })
	}
	e := catalog.Effect{Verb: risk.SysConfig, Target: words[1], Arg: "unit", Kind: risk.KindAccount}
	switch strings.ToLower(words[0].String()) {
	case "user", "localgroup", "group":
		switch {
		case has("delete"):
			e.Kind = risk.KindCritical
		case has("add"), len(words) > 2 && !strings.HasPrefix(words[2].Prefix(), "/"):
			e.Verb = risk.PrivGain
		case len(words) > 2 && !has("domain"):
		default:
			return
		}
	case "stop", "pause":
		e.Kind = risk.KindService
		if catalog.Defends(e.Target) {
			e.Verb = risk.DefenseEvade
		}
	case "start", "continue":
		e.Kind = risk.KindService
	case "share", "session", "config", "time":
		if len(words) < 3 && !strings.Contains(words[1].String(), "=") {
			return
		}
		e.Kind = risk.KindNetwork
	case "use":
		if len(words) > 2 || strings.HasPrefix(words[1].Prefix(), `\\`) {
			e = catalog.Effect{Verb: risk.NetConnect, Target: words[min(2, len(words)-1)]}
			break
		}
		return
	case "view", "help", "helpmsg", "statistics", "name":
		return
	default:
		e.Kind = risk.KindSettings
	}
	r.Effects = append(r.Effects, e)
}

// windowsRights reads icacls, takeown and attrib.
func windowsRights(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := append(m.Values("file"), m.Values("word")...)
	if len(words) == 0 {
		return
	}
	e := catalog.Effect{Verb: risk.FSAttr, Target: words[0], Recursive: m.Has("recursive")}
	switch s.Name {
	case "takeown":
		e.Kind = risk.KindOwner
	case "attrib":
		e.Target = words[len(words)-1]
		if len(s.Args) == 1 {
			e.Verb = risk.FSRead
		}
	default:
		changes := false
		for _, a := range s.Args {
			text := strings.ToLower(a.String())
			changes = changes || strings.HasPrefix(text, "/grant") || strings.HasPrefix(text, "/deny") || strings.HasPrefix(text, "/remove") || strings.HasPrefix(text, "/set") || strings.HasPrefix(text, "/reset") || strings.HasPrefix(text, "/inheritance") || strings.HasPrefix(text, "/restore") || s.Name == "cacls" && strings.HasPrefix(text, "/")
			if (strings.Contains(text, "everyone") || strings.Contains(text, "*s-1-1-0") || strings.HasPrefix(text, "users:")) && strings.Contains(text, ":") {
				e.Kind = risk.KindWorldWritable
			}
		}
		if !changes {
			e.Verb, e.Kind = risk.FSRead, risk.NoKind
		}
	}
	r.Effects = append(r.Effects, e)
}

// taskkill ends processes; the virus scanner is one of them.
func taskkill(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("process") {
		e := catalog.Effect{Verb: risk.ProcSignal, Target: v, Forced: m.Has("force")}
		name := strings.ToLower(v.String())
		if catalog.Defends(v) || strings.HasPrefix(name, "msmpeng") || strings.HasPrefix(name, "mssense") {
			e.Verb, e.Kind = risk.DefenseEvade, risk.KindService
		}
		if name == "*" {
			e.Kind = risk.KindAll
		}
		r.Effects = append(r.Effects, e)
	}
}

// windowsRun reads the programs of Windows that are known for running what
// they are given: a URL is fetched, a file is run.
func windowsRun(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := m.Values("word")
	texts := site.NetWords(m)
	switch s.Name {
	case "certutil":
		if optionGivenFold(s.Args, "hashfile") && len(words) > 0 {
			r.Effects = append(r.Effects, site.ReadOf(words[0]))
			return
		}
	case "wmic":
		switch {
		case slices.Contains(texts, "delete") && slices.Contains(texts, "shadowcopy"):
			site.NetAdd(r, risk.RemoteDestroy, risk.KindShadowCopies)
		case slices.Contains(texts, "create") && len(words) > 0:
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Target: words[len(words)-1], Kind: risk.KindProgram})
		case !wmicAsks(s.Args, texts):
			site.NetAdd(r, risk.SysConfig, risk.KindSettings)
		}
		return
	}
	fetched := false
	for _, v := range words {
		switch {
		case site.NetScheme(v) == "http" || site.NetScheme(v) == "https" || site.NetScheme(v) == "ftp":
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: v})
			fetched = true
			if s.Name != "certutil" && s.Name != "bitsadmin" {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecRemote, Target: v})
			}
		case fetched && (s.Name == "certutil" || s.Name == "bitsadmin"):
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v, Kind: risk.KindDownload})
		}
	}
	if !fetched && len(words) > 0 && s.Name != "certutil" && s.Name != "bitsadmin" {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Target: words[0], Kind: risk.KindProgram})
	}
	if !fetched && s.Name == "certutil" && len(words) > 1 {
		r.Effects = append(r.Effects, site.ReadOf(words[0]), catalog.Effect{Verb: risk.FSWrite, Target: words[1]})
	}
}

// wmicAsks reports whether a call of wmic only asks: its verb is one that does, and what
// it says goes nowhere else.
func wmicAsks(args []value.Value, texts []string) bool {
	elsewhere := slices.ContainsFunc(args, func(v value.Value) bool {
		text := strings.ToLower(v.String())
		return strings.HasPrefix(text, "/") && !slices.Contains([]string{"/?", "/value", "/format:list", "/format:csv", "/format:table", "/every", "/all"}, text)
	})
	acts := slices.ContainsFunc(texts, func(w string) bool {
		return slices.Contains([]string{"call", "delete", "set", "create"}, strings.ToLower(w))
	})
	asks := len(texts) == 0 || slices.ContainsFunc(texts, func(w string) bool { return slices.Contains([]string{"get", "list", "assoc"}, strings.ToLower(w)) })
	return asks && !acts && !elsewhere
}

// optionGivenFold reports whether an option is given, with a dash or a slash
// and in any case.
func optionGivenFold(args []value.Value, name string) bool {
	return slices.ContainsFunc(args, func(v value.Value) bool {
		return strings.EqualFold(strings.TrimLeft(v.Prefix(), "-/"), name)
	})
}

// windowsSetup tells settings from questions by their words.
func windowsSetup(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	line := strings.ToLower(site.JoinedWords(s.Args).String())
	switch {
	case strings.Contains(line, "key=clear"):
		site.NetAdd(r, risk.SecretRead, risk.NoKind)
	case strings.Contains(line, "firewall") && (strings.Contains(line, " off") || strings.Contains(line, "disable") || strings.Contains(line, "reset") || strings.Contains(line, "delete")),
		s.Name == "auditpol" && (strings.Contains(line, "/clear") || strings.Contains(line, "/remove") || strings.Contains(line, "disable")),
		s.Name == "fsutil" && strings.Contains(line, "usn deletejournal"):
		site.NetAdd(r, risk.DefenseEvade, risk.KindSettings)
	case line == "", setupAsks(strings.Fields(line)), s.Name == "assoc" && !strings.Contains(line, "="):
	case s.Name == "mklink":
		for _, v := range m.Values("word")[:min(1, len(m.Values("word")))] {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: v})
		}
	default:
		site.NetAdd(r, risk.SysConfig, risk.KindSettings)
	}
}

// setupAsks reports whether words of a program of Windows ask: the verb stands before what
// it is about, and no other that changes something stands there.
func setupAsks(words []string) bool {
	for _, w := range words {
		switch {
		case w == "show", w == "query", w == "dump", strings.HasPrefix(w, "query"), strings.HasPrefix(w, "/get"), strings.HasPrefix(w, "/list"), w == "/verifyonly", w == "/query", w == "/?", w == "-?", w == "list", w == "enum":
			return true
		case w == "set", w == "add", w == "delete", w == "del", w == "reset", w == "import", w == "exec", w == "disable", w == "enable", strings.HasPrefix(w, "/set"), strings.HasPrefix(w, "/delete"):
			return false
		}
	}
	return false
}

// cmdletBlock runs a script block, which a POSIX shell hands over word by word.
func cmdletBlock(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	for i, w := range s.Args {
		if strings.HasPrefix(w.Prefix(), "{") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "powershell", Text: site.JoinedWords(s.Args[i:])})
			return
		}
	}
}

// cmdletWrite reads the cmdlets that write, copy or move items.
func cmdletWrite(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := append(m.Values("path"), m.Values("file")...)
	words = append(words, m.Values("dest")...)
	if len(words) == 0 || m.Has("dry") {
		return
	}
	add := func(verb risk.Verb, v value.Value) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: v, Recursive: m.Has("recursive"), Forced: m.Has("force") && verb != risk.FSRead})
	}
	last := words[min(1, len(words)-1)]
	switch strings.ToLower(s.Name) {
	case "new-item":
		add(risk.FSCreate, words[0])
	case "copy-item":
		add(risk.FSRead, words[0])
		add(risk.FSWrite, last)
	case "move-item", "rename-item":
		add(risk.FSMove, words[0])
		add(risk.FSWrite, last)
	default:
		add(risk.FSWrite, words[0])
	}
}

// cmdlet says by its name what a cmdlet changes.
func cmdlet(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("dry") {
		return
	}
	words := m.Values("word")
	e := catalog.Effect{Verb: risk.SysConfig, Kind: risk.KindSettings}
	switch name := strings.ToLower(s.Name); name {
	case "stop-process":
		e = catalog.Effect{Verb: risk.ProcSignal}
	case "restart-computer", "stop-computer":
		e = catalog.Effect{Verb: risk.SysPower}
	case "set-mppreference", "add-mppreference", "clear-eventlog", "set-netfirewallprofile", "set-executionpolicy":
		e = catalog.Effect{Verb: risk.DefenseEvade, Kind: risk.KindProtection}
	case "new-localuser", "add-localgroupmember", "set-acl":
		e = catalog.Effect{Verb: risk.PrivGain, Kind: risk.KindAccount}
	case "register-scheduledtask", "new-service":
		e = catalog.Effect{Verb: risk.PersistAdd, Kind: risk.KindScheduledTask}
	case "format-volume", "clear-disk", "initialize-disk":
		e = catalog.Effect{Verb: risk.DiskWrite}
	case "invoke-webrequest", "invoke-restmethod", "start-bitstransfer":
		e = catalog.Effect{Verb: risk.NetFetch}
		if v, ok := m.Value("uri"); ok {
			e.Target = v
		} else if len(words) > 0 {
			e.Target = words[0]
		}
	case "invoke-expression", "invoke-command", "start-process", "enter-pssession":
		e = catalog.Effect{Verb: risk.ExecUnknown, Kind: risk.KindCode}
		if len(words) > 0 {
			e.Target = words[0]
		}
	case "install-module", "install-package":
		e = catalog.Effect{Verb: risk.PkgInstall}
	case "uninstall-module":
		e = catalog.Effect{Verb: risk.PkgRemove}
	case "remove-localuser", "remove-service":
		e.Kind = risk.KindCritical
	case "set-itemproperty", "new-itemproperty":
		if len(words) > 0 && strings.Contains(strings.ToLower(words[0].String()), `currentversion\run`) {
			e = catalog.Effect{Verb: risk.PersistAdd, Kind: risk.KindRegistry}
		}
	case "stop-service":
		if slices.ContainsFunc(s.Args, catalog.Defends) {
			e = catalog.Effect{Verb: risk.DefenseEvade, Kind: risk.KindService}
		}
	}
	r.Effects = append(r.Effects, e)
}
