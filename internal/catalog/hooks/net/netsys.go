package net

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// dnsHook names the server behind "@" without the sign.
func dnsHook(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	kept := r.Effects[:0]
	for _, e := range r.Effects {
		text := e.Target.Prefix()
		switch {
		case e.Arg != "name":
		case strings.HasPrefix(text, "@"):
			e.Target = e.Target.Cut(1)
		case text == "" && e.Target.IsKnown() || e.Target.IsKnown() && text == strings.ToUpper(text) && !strings.ContainsAny(text, ".:0123456789"):
			continue // a record type or class
		}
		kept = append(kept, e)
	}
	r.Effects = kept
}

// nmapLooks are the categories and scripts that only look at the host that is scanned
// (Nmap Reference Guide, "Script Categories"; nmap.org/nsedoc).
const nmapLooks = `default safe version banner http-title http-headers http-server-header http-methods http-robots.txt http-favicon http-security-headers http-generator
ssl-cert ssl-enum-ciphers ssl-date ssl-known-key tls-alpn tls-nextprotoneg ssh-hostkey ssh2-enum-algos sshv1 smb-os-discovery smb-protocols smb2-security-mode smb2-time smb2-capabilities
dns-nsid dns-recursion ntp-info rdp-enum-encryption mysql-info ms-sql-info mongodb-info redis-info nbstat rpcinfo upnp-info vnc-info ftp-syst smtp-commands imap-capabilities pop3-capabilities snmp-info fingerprint-strings`

// nmapHook finds scripts that are files; bundled ones are named by category or
// base name.
func nmapHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for _, v := range m.Values("script") {
		for _, p := range v.Split(",") {
			if strings.Contains(p.Prefix(), "/") || strings.HasSuffix(p.Suffix(), ".nse") || p.Prefix() == "" {
				r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "lua", Text: p})
				continue
			}
			if name, known := p.Known(); !known || !slices.Contains(strings.Fields(nmapLooks), name) {
				site.NotUnderstood(r, p)
			}
		}
	}
}

// ipHook tells what iproute2's ip shows from what it changes (ip(8): a command
// may be abbreviated; without one it lists).
func ipHook(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Effects { // an erroneous batch line is printed
		if r.Effects[i].Arg == "batch" {
			r.Effects[i].Shown = true
		}
	}
	if _, given := m.Value("batch"); given {
		site.NetAdd(r, risk.SysConfig, risk.KindNetwork)
	}
	words := site.NetWords(m)
	if len(words) < 2 {
		return
	}
	bindInterface(m, "ip")
	object, command := words[0], words[1]
	if strings.HasPrefix("netns", object) && len(object) > 3 && command == "exec" {
		if args := m.Values("word"); len(args) > 3 {
			r.Runs = append(r.Runs, catalog.Run{Argv: args[3:], Wrap: catalog.Wrapped{Label: "ip netns exec", Privileged: true}})
		}
		return
	}
	if object == "vrf" && command == "exec" && len(words) > 3 {
		r.Runs = append(r.Runs, catalog.Run{Argv: m.Values("word")[3:], Wrap: catalog.Wrapped{Label: "ip vrf exec", Privileged: true}})
		return
	}
	if len(object) > 1 && strings.HasPrefix("monitor", object) || object == "help" {
		return
	}
	deep := slices.ContainsFunc([]string{"xfrm", "mptcp", "sr", "ioam"}, func(o string) bool { return len(object) > 1 && strings.HasPrefix(o, object) })
	if deep { // their commands stand one word further
		if command == "monitor" || len(words) == 2 {
			command = "show"
		} else {
			command = words[2]
		}
		if strings.HasPrefix("xfrm", object) && strings.HasPrefix("state", words[1]) && !slices.Contains(words, "nokeys") && tells("ip", command) {
			site.NetAdd(r, risk.SecretRead, risk.KindSecretKey)
		}
	}
	sets := command == "s" && (strings.HasPrefix("link", object) || object == "macsec") // set comes before show (iproute2, do_iplink)
	switch {
	case tells("ip", command) && !sets:
	case command == "" || !strings.HasPrefix("flush", command):
		site.NetAdd(r, risk.SysConfig, risk.KindNetwork)
	default:
		detail := risk.KindNetwork
		if strings.HasPrefix("route", object) || strings.HasPrefix("rule", object) || !slices.Contains(words, "dev") && strings.HasPrefix("address", object) {
			detail = risk.KindCritical
		}
		site.NetAdd(r, risk.SysConfig, detail)
	}
}

// ifconfigHook tells what shows interfaces, routes and neighbours from what changes
// them: an interface alone, with a family at most, a route that is asked for. All else
// changes something (ifconfig(8), route(8), arp(8), brctl(8)).
func ifconfigHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := site.NetWords(m)
	bindInterface(m, s.Name)
	option := func(name string) bool {
		return slices.ContainsFunc(s.Args, func(v value.Value) bool { return site.NetIs(v, name) })
	}
	first := ""
	if len(words) > 0 {
		first = words[0]
	}
	tells := false
	switch s.Name {
	case "ifconfig":
		families := words
		if !option("-a") { // which stands in the place of an interface
			families = words[min(1, len(words)):]
		}
		tells = !slices.ContainsFunc(families, func(w string) bool { return !slices.Contains([]string{"inet", "inet6", "ether", "link"}, w) })
		for i, v := range s.Args { // ifconfig eth0 -promisc
			w := v.Prefix()
			tells = tells && !(i > 0 && len(w) > 2 && w[0] == '-' && !strings.HasPrefix(s.Args[0].Prefix(), "-"))
		}
	case "iwconfig":
		tells = len(words) < 2
	case "route":
		tells = !option("-f") && slices.Contains([]string{"", "get", "show", "print", "monitor"}, first)
	case "arp":
		tells = !m.Has("delete") && !m.Has("set") && !m.Has("file") && !option("-f") && len(words) < 2
	case "brctl":
		tells = slices.Contains([]string{"", "show", "showmacs", "showstp"}, first)
	}
	if !tells {
		site.NetAdd(r, risk.SysConfig, risk.KindNetwork)
	}
}

// showOrChange tells what only shows something of the network from what may change it.
func showOrChange(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := site.NetWords(m)
	bindInterface(m, s.Name)
	if len(words) == 0 && s.HasStdin && !site.NetBlank(s.Stdin) && slices.Contains([]string{"bluetoothctl", "wpa_cli", "iwctl"}, s.Name) { // commands, as they are typed
		r.ReadsStdin = true
		site.NetAdd(r, risk.SysConfig, risk.KindCommandsThatWereNotInspected)
		return
	}
	if only, known := netTellsOnly(s.Name, words, s.Args); known {
		if !only {
			site.NetAdd(r, risk.SysConfig, risk.KindNetwork)
		} else if s.Name == "nmcli" && showsSecrets(s.Args, words) {
			site.NetAdd(r, risk.SecretRead, risk.NoKind)
		}
		return
	}
	site.NetAdd(r, risk.SysConfig, risk.KindNetwork)
}

// showsSecrets reports whether nmcli is asked for passwords: by an option, or by the
// command show-password, which may be cut short (nmcli(1)).
func showsSecrets(args []value.Value, words []string) bool {
	return site.HasShort(args, "s") ||
		slices.ContainsFunc(args, func(v value.Value) bool { return site.NetIs(v, "--show-secrets") }) ||
		slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "show-p") && strings.HasPrefix("show-password", w) })
}

// iptablesHook reads the command letter (iptables(8), COMMANDS).
func iptablesHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := site.NetWords(m)
	switch {
	case m.Has("flush"), m.Has("delete"):
		site.NetAdd(r, risk.DefenseEvade, risk.KindFirewall)
	case m.Has("policy"):
		if slices.Contains(words, "ACCEPT") {
			site.NetAdd(r, risk.DefenseEvade, risk.KindFirewall)
		} else {
			site.NetAdd(r, risk.SysConfig, risk.KindFirewall)
		}
	case m.Has("list"):
	case len(s.Args) > 0:
		site.NetAdd(r, risk.SysConfig, risk.KindFirewall)
	}
	// Options stand behind the chain too.
	if !m.Has("flush") && slices.ContainsFunc(words, func(w string) bool { return w == "-F" || w == "--flush" }) {
		site.NetAdd(r, risk.DefenseEvade, risk.KindFirewall)
	}
}

// firewallHook reads the commands of front ends by their words.
func firewallHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if strings.HasSuffix(s.Name, "-save") {
		return
	}
	words := site.NetWords(m)
	verb := risk.Verb("")
	if strings.HasSuffix(s.Name, "-restore") || m.Has("remove") || m.Has("flush") || s.Name == "pfctl" && m.Has("disable") {
		verb = risk.DefenseEvade
	}
	if s.Name == "pfctl" && (site.HasShort(s.Args, "e") || m.Has("file")) && verb == "" {
		verb = risk.SysConfig
	}
	if s.Name == "nft" && m.Has("file") {
		verb = risk.SysConfig
	}
	for _, a := range s.Args {
		text := a.Prefix()
		switch {
		case s.Name != "firewall-cmd":
		case strings.HasPrefix(text, "--remove-") || strings.HasPrefix(text, "--panic-off") || strings.HasPrefix(text, "--set-default-zone=trusted") || strings.HasPrefix(text, "--set-target=ACCEPT"):
			verb = risk.DefenseEvade
		case strings.HasPrefix(text, "--add-") || strings.HasPrefix(text, "--set-") || strings.HasPrefix(text, "--new-") || strings.HasPrefix(text, "--reload") || strings.HasPrefix(text, "--delete-") || strings.HasPrefix(text, "--runtime-to"):
			if verb == "" {
				verb = risk.SysConfig
			}
		}
	}
	for i, w := range words {
		switch w {
		case "disable", "reset", "flush", "delete", "destroy", "stop", "unban", "set-default-accept":
			verb = risk.DefenseEvade
		case "del", "restore":
			if s.Name == "ipset" && i == 0 {
				verb = risk.DefenseEvade
			}
		case "allow", "deny", "reject", "limit", "enable", "reload", "add", "insert", "replace", "create", "rename", "default", "logging", "route", "rule", "start", "restart", "set", "swap":
			if verb == "" && (i == 0 || s.Name != "ufw") {
				verb = risk.SysConfig
			}
		case "status", "show", "list", "ping", "version", "get", "test":
			if i == 0 && verb == "" {
				return
			}
		}
	}
	if verb == "" && !firewallTells(s.Name, words, s.Args) {
		verb = risk.SysConfig
	}
	if verb != "" {
		site.NetAdd(r, verb, risk.KindFirewall)
	}
}

// firewallTells reports whether a call that does nothing of what is known to change
// rules only tells of them.
func firewallTells(name string, words []string, args []value.Value) bool {
	switch name {
	case "firewall-cmd":
		return !slices.ContainsFunc(args, func(v value.Value) bool {
			text := v.Prefix()
			return strings.HasPrefix(text, "-") && !slices.ContainsFunc(strings.Fields("--list- --get- --query- --info- --path- --state --zone --permanent --policy --service --ipset --help --icmptype --helper --check-config --version --quiet --verbose --timeout -h -V -q -v"),
				func(p string) bool { return strings.HasPrefix(text, p) })
		})
	case "ipset":
		return len(args) == 0 || len(words) == 0 || tells("ipset", args[0].Prefix()) || tells("ipset", words[0])
	case "fail2ban-client":
		return len(words) == 0 || tells("fail2ban", words[0])
	case "ufw", "nft":
		return len(words) == 0 || tells(name, words[0])
	case "pfctl":
		for i, a := range args {
			text := a.Prefix()
			if strings.HasPrefix(text, "-T") && !site.NetIs(a, "-Tshow") && !site.NetIs(a, "-Ttest") &&
				(len(text) > 2 || i+1 == len(args) || !site.NetIs(args[i+1], "show") && !site.NetIs(args[i+1], "test")) {
				return false
			}
			if len(text) > 1 && text[0] == '-' && strings.IndexByte("snvqatirgPT", text[1]) < 0 {
				return false
			}
		}
		return true
	}
	return false
}

// tunnelHook tells programs that let others in from those that dial out.
func tunnelHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	words := site.NetWords(m)
	first := ""
	if len(words) > 0 {
		first = words[0]
	}
	switch first {
	case "status", "version", "help", "ip", "netcheck", "list", "listnetworks", "info", "whoami", "bugreport", "whois", "genkey", "pubkey", "genpsk", "show", "completion":
		if s.Name == "wg" && (slices.Contains(words, "private-key") || slices.Contains(words, "dump") || slices.Contains(words, "preshared-keys")) {
			site.NetAdd(r, risk.SecretRead, risk.NoKind)
		}
		return
	case "showconf":
		site.NetAdd(r, risk.SecretRead, risk.NoKind)
		return
	case "ssh":
		site.NetAdd(r, risk.NetConnect, risk.KindTunnel)
		sshThrough(s, r)
		return
	case "config", "service": // where a token or a service of this machine is written down
		if s.Name == "ngrok" || s.Name == "cloudflared" {
			site.NetAdd(r, risk.SysConfig, risk.KindTunnel)
			return
		}
	case "tunnel":
		if s.Name == "cloudflared" && len(words) > 1 && (words[1] == "list" || words[1] == "info") {
			return
		}
	}
	switch s.Name {
	case "wg":
		if first == "" {
			return
		}
		site.NetAdd(r, risk.SysConfig, risk.KindTunnel)
	case "tailscale", "wg-quick", "openvpn", "openconnect", "zerotier-cli", "tor":
		if first == "funnel" || first == "serve" {
			site.NetAdd(r, risk.NetListen, risk.KindTunnel)
			return
		}
		site.NetAdd(r, risk.NetConnect, risk.KindTunnel)
	default:
		site.NetAdd(r, risk.NetListen, risk.KindTunnel)
	}
}

// sshThrough runs the words behind the host of a client's own ssh, options of
// the command included ("tailscale ssh HOST [command]").
func sshThrough(s *catalog.Site, r *catalog.Result) {
	i := slices.IndexFunc(s.Args, func(v value.Value) bool { return site.IsLiteral(v, "ssh") })
	args := s.Args[i+1:]
	for len(args) > 0 && strings.HasPrefix(args[0].Prefix(), "-") {
		args = args[1:]
	}
	if len(args) < 2 {
		return
	}
	wrap := catalog.Wrapped{Label: s.Name + " ssh " + args[0].String(), Host: args[0].String()}
	r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: site.JoinedWords(args[1:]), Wrap: wrap})
}
