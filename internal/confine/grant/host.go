package grant

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// isHostName reports whether a name is one as certificates and registries have them: labels
// of plain lower-case ASCII, none of which begins or ends with a hyphen.
func isHostName(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		if strings.ContainsFunc(label, func(r rune) bool {
			return r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
		}) {
			return false
		}
	}
	return true
}

// Host reads HOST:PORT, as grants, profiles and requests to a proxy name it, and returns
// the one way to write it: a name in lower case and without the final dot, an address as
// package netip writes it.
func Host(text string) (string, error) {
	bad := func() (string, error) { return "", fmt.Errorf("%.300q: want HOST:PORT", text) }
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return bad()
	}
	port, err := strconv.ParseUint(text[i+1:], 10, 16)
	if err != nil || port == 0 {
		return bad()
	}
	name := text[:i]
	if in, ok := strings.CutPrefix(name, "["); ok {
		in, ok = strings.CutSuffix(in, "]")
		addr, err := netip.ParseAddr(in)
		if !ok || err != nil || !addr.Is6() || addr.Zone() != "" {
			return bad()
		}
		return netip.AddrPortFrom(addr.Unmap(), uint16(port)).String(), nil
	}
	if addr, err := netip.ParseAddr(name); err == nil && addr.Is4() {
		return netip.AddrPortFrom(addr, uint16(port)).String(), nil
	}
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	last := name[strings.LastIndexByte(name, '.')+1:]
	if len(name) > 253 || !isHostName(name) || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		// A last part of digits is an address in one of its old spellings, of which
		// resolvers do not all make the same.
		return bad()
	}
	return name + ":" + strconv.FormatUint(port, 10), nil
}

// AddHost lets a host be reached besides what the grant has.
func (g *Grant) AddHost(text string) error {
	host, err := Host(text)
	if err != nil {
		return err
	}
	if g.Net == AnyNet {
		return nil
	}
	g.Net = Hosts
	if !slices.Contains(g.Hosts, host) {
		g.Hosts = append(g.Hosts, host)
	}
	return nil
}
