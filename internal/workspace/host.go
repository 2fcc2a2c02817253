package workspace

import (
	"net/netip"
	"strconv"
	"strings"

	"github.com/heedsh/heed/risk"
)

// HostScope says whether a host is this machine: by an address of loopback, or
// by the name localhost and those below it (RFC 6761, 6.3). A name that only
// begins like an address is some host's name.
func HostScope(host string) risk.Scope {
	h := strings.ToLower(strings.Trim(host, "[]"))
	if i := strings.LastIndexByte(h, '@'); i >= 0 {
		h = h[i+1:]
	}
	h = strings.TrimSuffix(h, ".")
	if h == "localhost" || strings.HasSuffix(h, ".localhost") && !strings.ContainsAny(h, "$<{` ") {
		return risk.IsLoopback
	}
	if a, err := netip.ParseAddr(h); err == nil {
		if a = a.Unmap(); a.IsLoopback() || a.IsUnspecified() {
			return risk.IsLoopback
		}
		return risk.IsRemote
	}
	if n, ok := numbered(h); ok && (n>>24 == 127 || n == 0) {
		return risk.IsLoopback
	}
	return risk.IsRemote
}

// numbered is an IPv4 address in one of the forms that inet_aton(3) takes beside
// four decimal numbers: 127.1, 0x7f000001, 017700000001.
func numbered(h string) (uint64, bool) {
	parts := strings.Split(h, ".")
	if len(parts) > 4 {
		return 0, false
	}
	var n uint64
	for i, p := range parts {
		base, digits := 10, p
		switch {
		case strings.HasPrefix(p, "0x"):
			base, digits = 16, p[2:]
		case len(p) > 1 && p[0] == '0':
			base, digits = 8, p[1:]
		}
		most := uint64(255)
		if i == len(parts)-1 {
			most = 1<<(8*(5-len(parts))) - 1
		}
		x, err := strconv.ParseUint(digits, base, 33)
		if err != nil || x > most {
			return 0, false
		}
		if i == len(parts)-1 {
			return n<<(8*(5-len(parts))) | x, true
		}
		n = n<<8 | x
	}
	return 0, false
}

// URLHost returns the host of a URL or host:port.
func URLHost(target string) string {
	if _, rest, ok := strings.Cut(target, "://"); ok {
		target = rest
	}
	if i := strings.IndexAny(target, "/?#"); i >= 0 {
		target = target[:i]
	}
	if i := strings.LastIndexByte(target, '@'); i >= 0 {
		target = target[i+1:]
	}
	if strings.HasPrefix(target, "[") {
		if i := strings.IndexByte(target, ']'); i > 0 {
			return target[1:i]
		}
	}
	if h, _, ok := strings.Cut(target, ":"); ok && strings.Count(target, ":") == 1 {
		return h
	}
	return target
}
