package hostproxy

import (
	"net"
	"net/netip"
	"slices"
)

// special are the networks of which a public name has no business to be, besides those
// that package netip knows. Sources: the IANA registries of special-purpose addresses
// for IPv4 and IPv6; 168.63.129.16 is how Azure's machines ask for their own settings.
func special() []netip.Prefix {
	var out []netip.Prefix
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "168.63.129.16/32",
		"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
	} {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}

// public reports whether an address is one of the Internet at large. Of IPv6 that is what
// lies in 2000::/3: what translates to IPv4 lies outside of it, or is special.
func public(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Is6() && !netip.MustParsePrefix("2000::/3").Contains(a) {
		return false
	}
	return !slices.ContainsFunc(special(), func(p netip.Prefix) bool { return p.Contains(a) })
}

// own reports whether an address is this machine's. Where that cannot be found out it
// counts as such.
func own(a netip.Addr) bool {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return true
	}
	return slices.ContainsFunc(addrs, func(in net.Addr) bool {
		p, err := netip.ParsePrefix(in.String())
		return err == nil && p.Addr().Unmap() == a.Unmap()
	})
}
