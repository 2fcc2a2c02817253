package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// engineListens says on which addresses a container engine takes orders. Who
// may give it orders is root on its machine: on the network, only the
// verification of clients' certificates keeps everybody else out (Docker
// documentation, "Protect the Docker daemon socket"). An address without a
// host is that of the loopback interface.
func engineListens(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	verify := m.Has("verify")
	if v, given := m.Value("verify"); given && (site.IsLiteral(v, "false") || site.IsLiteral(v, "0")) {
		verify = false
	}
	listening(m.Values("listen"), verify, r)
}

func listening(addresses []value.Value, verify bool, r *catalog.Result) {
	for _, v := range addresses {
		text := v.Prefix()
		if strings.HasPrefix(text, "tcp:") && site.NetScheme(v) == "" { // podman: tcp:host:port
			text = strings.TrimPrefix(text, "tcp:")
		} else if site.NetScheme(v) != "tcp" {
			continue
		}
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetListen, Target: v})
		host := site.NetHost(value.Lit(text))
		if local := v.IsKnown() && host == "" || site.NetLoopback(host) && host != "0.0.0.0"; !verify && !local {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DefenseEvade, Target: v, Kind: risk.KindAnybodyMayControlTheEngine})
		}
	}
}

// engineService reads the address at which podman serves its API, which knows
// no clients' certificates (podman-system-service(1)).
func engineService(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	listening(m.Values("listen"), false, r)
}
