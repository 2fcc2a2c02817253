package workspace

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// HostScope says whether a host is this machine.
func HostScope(host string) risk.Scope {
	h := strings.ToLower(strings.Trim(host, "[]"))
	if i := strings.LastIndexByte(h, '@'); i >= 0 {
		h = h[i+1:]
	}
	if h == "localhost" || h == "::1" || h == "0.0.0.0" || strings.HasPrefix(h, "127.") || strings.HasSuffix(h, ".localhost") {
		return risk.IsLoopback
	}
	return risk.IsRemote
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
