package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// sshWrap says where a command runs that is sent to a destination. On a
// loopback destination that is this machine.
func sshWrap(label string, dest, user value.Value) catalog.Wrapped {
	w := catalog.Wrapped{Label: label + " " + dest.String(), Host: dest.String()}
	name, _, at := strings.Cut(strings.TrimPrefix(dest.Prefix(), "ssh://"), "@")
	if !at {
		name = user.Prefix()
	}
	if site.NetLoopback(site.NetHost(dest)) {
		w.Host, w.Privileged = "", name == "root"
	}
	return w
}

// sshOptions reads -o Name=value words (ssh_config(5)): some name programs
// that are run on this machine.
// Where they can be nothing else, one that is not known is told.
func sshOptions(m *catalog.Match, r *catalog.Result, remote catalog.Wrapped, only bool) {
	for _, v := range m.Values("option") {
		text := v.Prefix()
		i := strings.IndexAny(text, "= \t")
		if i < 0 {
			continue
		}
		rest := strings.TrimLeft(text[i:], "= \t")
		if !sshOption(strings.ToLower(text[:i]), v.Cut(len(text)-len(rest)), r, remote) && only {
			site.NotUnderstood(r, value.Lit(text))
		}
	}
}

// sshInert are the settings of ssh that say how it talks, waits and asks, or whom it knows
// (ssh_config(5)). What names programs, files and other machines is not among them, nor
// what is sent along or let in.
const sshInert = ` addressfamily addkeystoagent batchmode bindaddress bindinterface canonicaldomains canonicalizefallbacklocal canonicalizehostname canonicalizemaxdots canonicalizepermittedcnames casignaturealgorithms
 channeltimeout checkhostip cipher ciphers clearallforwardings compression compressionlevel connectionattempts connecttimeout controlmaster controlpath controlpersist escapechar exitonforwardfailure fingerprinthash
 forkafterauthentication gssapiauthentication gssapidelegatecredentials gssapikeyexchange hashknownhosts hostbasedauthentication hostbasedacceptedalgorithms hostkeyalgorithms hostkeyalias identitiesonly ignoreunknown ipqos
 kbdinteractiveauthentication kexalgorithms loglevel logverbose macs nohostauthenticationforlocalhost numberofpasswordprompts obscurekeystroketiming passwordauthentication permitlocalcommand port
 preferredauthentications protocol pubkeyacceptedalgorithms pubkeyacceptedkeytypes pubkeyauthentication rekeylimit requesttty requiredrsasize serveralivecountmax serveraliveinterval sessiontype stdinnull
 streamlocalbindmask stricthostkeychecking syslogfacility tcpkeepalive updatehostkeys user verifyhostkeydns visualhostkey challengeresponseauthentication usekeychain globalknownhostsfile revokedhostkeys `

// sshOption says what one setting does, and whether it is known.
func sshOption(name string, val value.Value, r *catalog.Result, remote catalog.Wrapped) bool {
	if text, known := val.Known(); known {
		val = value.Lit(strings.Trim(text, `"`))
	}
	if site.NetIs(val, "none") {
		return true
	}
	switch name {
	case "proxycommand", "localcommand", "knownhostscommand":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: val})
	case "remotecommand":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: val, Wrap: remote})
	case "pkcs11provider", "securitykeyprovider":
		if !site.NetIs(val, "internal") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: val})
		}
	case "xauthlocation":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunExec, Text: val})
	case "identityfile", "certificatefile":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: val})
	case "include":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: val, Kind: risk.KindConfiguration})
	case "proxyjump", "hostname":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: val, Kind: risk.KindJumpHost})
	case "localforward", "remoteforward", "dynamicforward":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetListen, Target: val, Kind: risk.KindPortForward})
	case "userknownhostsfile":
		if !site.NetIs(val, "/dev/null") {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: val, Kind: risk.KindAppend})
		}
	case "sendenv":
		return strings.HasPrefix(val.Prefix(), "LC_") || strings.HasPrefix(val.Prefix(), "LANG")
	case "forwardagent", "forwardx11", "forwardx11trusted", "tunnel", "gatewayports", "enableescapecommandline":
		return site.NetIs(val, "no")
	case "identityagent":
		return site.NetIs(val, "SSH_AUTH_SOCK")
	default:
		return strings.Contains(sshInert, " "+name+" ")
	}
	return true
}

// sshHook joins the words behind the destination into the command that the
// remote shell gets (ssh(1)).
func sshHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("query") { // it prints what its settings come to
		if words := m.Values("remote"); len(words) > 0 { // options behind the destination
			for _, e := range m.Program.Match(words).Apply().Effects {
				if e.Arg == "configuration" {
					r.Effects = append(r.Effects, e)
				}
			}
		}
		return
	}
	dest, ok := m.Value("host")
	user, _ := m.Value("login")
	wrap := sshWrap("ssh", dest, user)
	sshOptions(m, r, wrap, true)
	if !ok {
		return
	}
	words := sshBehind(m, r, wrap)
	if len(words) > 0 && !m.Has("no-command") {
		joined := make([]value.Value, 0, 2*len(words))
		for i, w := range words {
			if i > 0 {
				joined = append(joined, value.Lit(" "))
			}
			joined = append(joined, w)
		}
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Concat(joined...), Wrap: wrap})
	}
	if s.HasStdin && !m.Has("no-stdin") && !m.Has("no-command") {
		site.SendsStdin(m, s, r)
		if len(words) == 0 {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "sh", Stdin: true, Wrap: wrap})
		}
	}
}

// sshBehind returns the words of the command. ssh goes on reading options
// behind the destination, up to "--" or the first other word (ssh.c, "goto
// again").
func sshBehind(m *catalog.Match, r *catalog.Result, wrap catalog.Wrapped) []value.Value {
	words := m.Values("remote")
	if len(words) == 0 || !strings.HasPrefix(words[0].Prefix(), "-") || len(words[0].Prefix()) < 2 {
		return words
	}
	if m.Program.Names[0] != "ssh" && m.Program.Names[0] != "autossh" {
		if site.IsLiteral(words[0], "--") {
			return words[1:]
		}
		return words
	}
	more := m.Program.Match(words)
	for _, e := range more.Apply().Effects {
		if e.Arg != "host" {
			r.Effects = append(r.Effects, e)
		}
	}
	sshOptions(more, r, wrap, true)
	return append(more.Values("host"), more.Values("remote")...)
}

// remotePath reports whether a word is host:path, [host]:path or a URL: a
// colon before any slash (scp(1)).
func remotePath(v value.Value) bool {
	text := v.Prefix()
	if strings.Contains(text, "://") {
		return true
	}
	colon := strings.IndexByte(text, ':')
	if strings.HasPrefix(text, "[") {
		colon = strings.Index(text, "]:")
	}
	slash := strings.IndexByte(text, '/')
	if colon >= 0 {
		return slash < 0 || colon < slash
	}
	// "$HOST:path": the host is not known, but the colon is there.
	if slash < 0 && !v.IsKnown() {
		parts := v.Parts()
		for _, p := range parts[1:] {
			if p.Hole == nil {
				c, s := strings.IndexByte(p.Lit, ':'), strings.IndexByte(p.Lit, '/')
				return c >= 0 && (s < 0 || c < s)
			}
		}
	}
	return false
}

// scpHook says which way files go.
func scpHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	sshOptions(m, r, catalog.Wrapped{}, true)
	dest, ok := m.Value("dest")
	sources := m.Values("source")
	if !ok || len(sources) == 0 {
		return
	}
	var carried []catalog.Source
	fetched := false
	for _, v := range sources {
		if remotePath(v) {
			fetched = true
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetFetch, Target: v, Arg: "source"})
			continue
		}
		carried = append(carried, catalog.Source{Path: v})
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Arg: "source", Recursive: m.Has("tree")})
	}
	if remotePath(dest) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: dest, Arg: "dest", Carries: carried})
		remoteSystem(dest, r)
		return
	}
	e := catalog.Effect{Verb: risk.FSWrite, Target: dest, Arg: "dest", Carries: carried, Recursive: m.Has("tree")}
	if fetched {
		e.Kind = risk.KindDownload
	}
	r.Effects = append(r.Effects, e)
}

// remoteSystem notes that files arrive in a directory of the other machine
// that belongs to its system.
func remoteSystem(dest value.Value, r *catalog.Result) {
	if host, _, _ := strings.Cut(dest.Prefix(), ":"); site.NetLoopback(host[strings.LastIndexByte(host, '@')+1:]) {
		return
	}
	_, at, ok := strings.Cut(dest.Prefix(), ":/")
	if ok && strings.HasPrefix(at, "/") { // a URL: //host/path
		_, at, ok = strings.Cut(at[1:], "/")
	}
	if !ok {
		return
	}
	at = strings.TrimLeft(at, "/") + "/"
	if at == "/" {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteChange, Target: dest, Arg: "dest", Kind: risk.KindSystemDirectory})
		return
	}
	for _, d := range []string{"etc/", "usr/", "bin/", "sbin/", "lib/", "lib32/", "lib64/", "boot/", "var/lib/", "root/", "System/", "Library/"} {
		if strings.HasPrefix(at, d) {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteChange, Target: dest, Arg: "dest", Kind: risk.KindSystemDirectory})
			return
		}
	}
}

// sftpHook reads the commands of a batch (sftp(1), Interactive commands).
func sftpHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	sshOptions(m, r, catalog.Wrapped{}, true)
	host, _ := m.Value("host")
	batch, named := m.Value("batch")
	text, known := "", false
	switch {
	case named && !site.NetIs(batch, "-"):
		text, known = site.SiteFile(s, batch)
	case s.HasStdin:
		r.ReadsStdin = true
		text, known = s.Stdin.Fill(func(*value.Hole) string { return "x" }), s.Stdin.Len() > 0
	default:
		return
	}
	if !known {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: host, Kind: risk.KindCommandsThatWereNotInspected})
		return
	}
	fileTransfers(text, host, r)
}

// fileTransfers reads commands of an FTP-like client, one a line.
func fileTransfers(text string, host value.Value, r *catalog.Result) {
	for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\n' || c == '\r' }) {
		if words := strings.Fields(line); len(words) > 1 && (words[0] == "open" || words[0] == "connect") && host.Empty() {
			host = value.Lit(strings.Trim(words[len(words)-1], `"'`))
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: host})
		}
		line = strings.TrimLeft(strings.TrimSpace(line), "-@")
		if command, ok := strings.CutPrefix(line, "!"); ok {
			if command == "" {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShellInteractive})
			} else {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(strings.TrimSpace(command))})
			}
			continue
		}
		if _, command, piped := strings.Cut(line, "|"); piped && !strings.HasPrefix(command, "|") { // lftp(1), ftp(1): to a command of this machine
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(strings.Trim(command, ` "'`))})
		}
		if words := strings.Fields(line); len(words) > 0 {
			fileTransfer(words, host, r)
			if strings.ContainsAny(line, "&|<>()`") && words[0] != "open" && words[0] != "user" { // other commands, or files
				site.NotUnderstood(r, value.Lit(line))
			}
		}
	}
}

// transferTells are the commands of FTP-like clients that list what is there, or say how it
// is shown or carried over (lftp(1), ftp(1), sftp(1), smbclient(1)). All others act: here,
// there, or by a name that somebody gave them.
const transferTells = ` help ? ls dir nlist mlsd mls cls rels recls renlist nlst cd cdup pwd lpwd du find df cat zcat bzcat version progress prompt hash bell verbose binary bin image ascii tenex
 type mode form struct passive epsv4 sendport recurse case glob status stat size modtime system rstatus remotehelp rhelp jobs wait echo allinfo altname volume listconnect posix_whoami showconnect getfacl showacls
 open connect user login quit bye exit close disconnect lowercase timeout cache `

// lftpSettings are the variables of lftp, by how their names begin, that say how patient or
// how fast it is (lftp(1), "Settings"). Others name programs, proxies and what is checked.
const lftpSettings = " net:timeout net:max-retries net:reconnect-interval net:limit-rate net:idle net:connection-limit mirror:parallel mirror:use-pget mirror:order mirror:set-permissions mirror:no-empty-dirs " +
	"pget:default-n cmd:fail-exit cmd:trace cmd:verbose cmd:parallel cmd:queue-parallel cmd:interactive cmd:time-style ftp:passive-mode ftp:use- ftp:list-options ftp:sync-mode ftp:prefer-epsv ftp:charset xfer:timeout xfer:max-redirections dns:order "

func lftpSetting(name string) bool {
	for known := range strings.FieldsSeq(lftpSettings) {
		if strings.HasPrefix(name, known) {
			return true
		}
	}
	return false
}

func fileTransfer(words []string, host value.Value, r *catalog.Result) {
	var args []value.Value
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			args = append(args, value.Lit(strings.Trim(w, `"'`)))
		}
	}
	switch word := strings.ToLower(words[0]); word {
	case "mirror":
		mirror(words[1:], args, host, r)
	case "put", "mput", "send", "append", "reput", "mirror-r":
		e := catalog.Effect{Verb: risk.NetSend, Target: host}
		for i, a := range args {
			if i == 0 || strings.EqualFold(words[0], "mput") {
				e.Carries = append(e.Carries, catalog.Source{Path: a})
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: a})
			}
		}
		r.Effects = append(r.Effects, e)
	case "get", "mget", "recv", "reget", "pget":
		e := catalog.Effect{Verb: risk.FSWrite, Kind: risk.KindDownload}
		switch {
		case len(args) > 1 && !strings.EqualFold(words[0], "mget"):
			e.Target = args[1]
		case len(args) > 0:
			e.Target = value.Lit(site.NetBaseName("/" + args[0].String()))
		}
		if !e.Target.Empty() {
			r.Effects = append(r.Effects, e)
		}
	case "rm", "rmdir", "delete", "mdelete", "mrm", "del", "deltree", "glob-rm":
		e := catalog.Effect{Verb: risk.RemoteDestroy, Target: host}
		if len(args) > 0 {
			e.Target = args[0]
		}
		r.Effects = append(r.Effects, e)
	case "rename", "mkdir", "mmkdir", "chmod", "chown", "chgrp", "ln", "symlink", "mv", "mmv", "site", "quote", "quot", "literal", "setmode", "md", "rd":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteChange, Target: host})
	case "shell":
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(strings.Join(words[1:], " "))})
	case "source":
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: host, Kind: risk.KindCommandsThatWereNotInspected})
	case "set":
		if len(args) > 0 && !lftpSetting(args[0].String()) {
			site.NotUnderstood(r, value.Lit(strings.Join(words, " ")))
		}
	default:
		if !strings.Contains(transferTells, " "+word+" ") || word == "glob" && len(args) > 0 {
			site.NotUnderstood(r, value.Lit(strings.Join(words, " ")))
		}
	}
}

// mirror reads lftp's command of that name: it fetches a tree, or with -R
// sends one, and with -e deletes what the source lacks (lftp(1)).
func mirror(words []string, args []value.Value, host value.Value, r *catalog.Result) {
	reverse, prune := false, false
	for _, w := range words {
		switch {
		case w == "--dry-run" || w == "--just-print":
			return
		case strings.HasPrefix(w, "--rev"):
			reverse = true
		case w == "--delete" || w == "--delete-first" || w == "--Remove-source-files" || w == "--Remove-source-dirs":
			prune = true
		case strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--"):
			reverse, prune = reverse || strings.Contains(w, "R"), prune || strings.ContainsAny(w, "eE")
		}
	}
	from, to := value.Lit("."), value.Lit(".")
	if len(args) > 0 {
		from, to = args[0], value.Lit(site.NetBaseName("/"+strings.TrimSuffix(args[0].String(), "/")))
	}
	if len(args) > 1 {
		to = args[1]
	}
	if !reverse {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: to, Kind: risk.KindDownload, Recursive: true})
		if prune {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: to, Kind: risk.KindWhatTheSourceLacks, Recursive: true})
		}
		return
	}
	r.Effects = append(r.Effects,
		catalog.Effect{Verb: risk.FSRead, Target: from, Recursive: true},
		catalog.Effect{Verb: risk.NetSend, Target: host, Carries: []catalog.Source{{Path: from}}})
	if prune {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.RemoteDestroy, Target: to, Kind: risk.KindWhatTheSourceLacks})
	}
}

// clientHook reads the commands given to lftp, ftp or smbclient as a word or
// on standard input.
func clientHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	host, _ := m.Value("host")
	for _, v := range m.Values("script") {
		if text, ok := site.SiteFile(s, v); ok {
			fileTransfers(text, host, r)
		} else {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetSend, Target: host, Kind: risk.KindCommandsThatWereNotInspected})
		}
	}
	for _, v := range m.Values("command") {
		fileTransfers(strings.ReplaceAll(v.Fill(func(*value.Hole) string { return "x" }), ";", "\n"), host, r)
	}
	if s.HasStdin && !m.Has("command") {
		r.ReadsStdin = true
		fileTransfers(s.Stdin.Fill(func(*value.Hole) string { return "x" }), host, r)
	}
}

// sshOptionsHook is for programs that only hand -o options to ssh.
func sshOptionsHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	sshOptions(m, r, catalog.Wrapped{}, false)
	for _, v := range m.Values("option") {
		if command, ok := strings.CutPrefix(v.Prefix(), "ssh_command="); ok {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v.Cut(len(v.Prefix()) - len(command))})
		}
	}
}

// keyName is how a key is called of a type, if nobody names it (ssh-keygen(1), "-f").
func keyName(m *catalog.Match) string {
	v, _ := m.Value("type")
	switch kind, _ := v.Known(); kind {
	case "rsa", "dsa", "ecdsa":
		return "id_" + kind
	case "ecdsa-sk", "ed25519-sk":
		return "id_" + strings.ReplaceAll(kind, "-", "_")
	}
	return "id_ed25519"
}

// sshKeygen says which files a mode of ssh-keygen makes or changes. Without a
// mode it makes a key pair; an existing one is kept unless it asks.
func sshKeygen(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	file, named := m.Value("file")
	add := func(verb risk.Verb, v value.Value, detail risk.Kind) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: verb, Target: v, Arg: "file", Kind: detail})
	}
	hosts := file
	if !named {
		hosts = s.AtHome(".ssh/known_hosts")
	}
	mode := func(letters string) bool { return site.HasShort(s.Args, letters) }
	switch {
	case m.Has("provider") && !mode("ft"), m.Has("operation"), mode("s"), mode("Q"), mode("L"), mode("r"):
		if named {
			add(risk.FSRead, file, risk.NoKind)
		}
		if op, _ := m.Value("operation"); site.SameWord(op, "sign") || !op.IsKnown() {
			for _, f := range m.Values("file-operand") {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: value.Concat(f, value.Lit(".sig")), Arg: "file-operand"})
			}
		}
	case m.Has("forget"):
		add(risk.FSWrite, hosts, risk.KindOneHostRemoved)
		r.Effects[len(r.Effects)-1].Needed = true
	case mode("H"):
		add(risk.FSWrite, hosts, risk.KindNamesHashed)
	case m.Has("find"):
		add(risk.FSRead, hosts, risk.NoKind)
	case mode("lBeiy"):
		if named {
			add(risk.FSRead, file, risk.NoKind)
		}
	case mode("p"):
		add(risk.FSWrite, file, risk.KindPassphrase)
	case mode("c"):
		add(risk.FSWrite, file, risk.KindComment)
	case mode("k"):
		add(risk.FSWrite, file, risk.KindRevocationList)
	case mode("A"):
		add(risk.FSCreate, value.Lit("/etc/ssh"), risk.KindHostKeys)
	default:
		if !named {
			file = s.AtHome(".ssh/" + keyName(m))
		}
		verb := risk.FSCreate
		if s.HasStdin { // it is asked whether the keys that are there shall be replaced, and may answer
			verb = risk.FSWrite
		}
		add(verb, file, risk.NoKind)
		add(verb, value.Concat(file, value.Lit(".pub")), risk.NoKind)
	}
}
