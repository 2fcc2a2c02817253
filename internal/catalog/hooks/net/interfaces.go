package net

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/value"
)

// bindInterface names the network interface that a command works on and that has to be
// there for it: ip link set NAME, ip addr add ADDRESS dev NAME, ifconfig NAME, ethtool
// NAME, tc qdisc add dev NAME (ip(8), ifconfig(8), ethtool(8), tc(8)).
func bindInterface(m *catalog.Match, program string) {
	words := m.Values("word")
	at := -1
	switch program {
	case "ip":
		at = ofIP(words)
	case "ifconfig", "iwconfig", "dhclient", "dhcpcd", "ethtool":
		at = 0
	case "iw", "tc", "bridge":
		if at = behind(words, "dev"); at >= 0 && len(words) > at+1 && site.IsLiteral(words[at+1], "del") { // iw dev NAME del
			at = -1
		}
	}
	if at >= 0 && at < len(words) && words[at].IsKnown() && !strings.HasPrefix(words[at].String(), "-") {
		m.Bind("interface", words[at])
	}
}

// ofIP is where the name of an interface stands that has to be there, -1 if nowhere. What
// a command adds may not be there yet.
func ofIP(words []value.Value) int {
	if len(words) < 2 {
		return -1
	}
	object, command := words[0].String(), words[1].String()
	begins := func(of string) bool { return object != "" && strings.HasPrefix(of, object) }
	switch {
	case begins("link") && (strings.HasPrefix("set", command) || strings.HasPrefix("show", command) || strings.HasPrefix("delete", command)):
		if at := behind(words, "dev"); at >= 0 {
			return at
		}
		if len(words) > 2 && !slices.Contains([]string{"group", "type", "up", "master", "vrf", "nomaster"}, words[2].String()) {
			return 2
		}
	case begins("address"), begins("route"), begins("neighbour"):
		return behind(words, "dev")
	}
	return -1
}

// behind is where the word behind a keyword stands, -1 if nowhere.
func behind(words []value.Value, keyword string) int {
	if i := slices.IndexFunc(words, func(v value.Value) bool { return site.IsLiteral(v, keyword) }); i >= 0 && i+1 < len(words) {
		return i + 1
	}
	return -1
}
