package grant

import (
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/risk"
)

// A Net is how much of the network a command reaches.
type Net string

// The nets.
const (
	NoNet    Net = "none"
	Loopback Net = "loopback" // a loopback of its own, on which nothing of this machine listens
	Hosts    Net = "hosts"    // a loopback of its own, and the hosts that are named, by heed's proxy
	AnyNet   Net = "any"
)

// Nets lists the nets, from the narrowest to the widest.
func Nets() []Net { return []Net{NoNet, Loopback, Hosts, AnyNet} }

// A Grant is what a confined command may do. What it does not name is refused. Paths
// are absolute and clean; a directory stands for all below it.
type Grant struct {
	Read   []string `json:"read"`             // may be read and executed
	Hidden []string `json:"hidden,omitempty"` // may not be read, though it lies below what may
	// Search are directories whose own entries are looked through for names of secrets,
	// which are hidden as well.
	Search  []string `json:"search,omitempty"`
	Secrets []string `json:"secrets,omitempty"` // may be read, though it is hidden
	Write   []string `json:"write,omitempty"`   // trees in which everything may be changed, made and removed
	// Names are single names that may be changed, made, replaced and removed, with all
	// below them. Beside them new names can be made, as programs do that replace a file
	// in one step; what stands there already cannot be changed.
	Names []string `json:"names,omitempty"`
	// Keep are paths in trees that may be written which stay as they are, if they are
	// there.
	Keep []string `json:"keep,omitempty"`
	Net  Net      `json:"net"`
	// Hosts are those that may be reached where the net is Hosts, as [Host] writes them.
	Hosts []string `json:"hosts,omitempty"`
	// Ports are those of this machine's loopback that are reached by TCP from the command's
	// own loopback, where it has one. There are at most [MostPorts].
	Ports []uint16 `json:"ports,omitempty"`
	// Sockets is whether it may use Unix sockets with a path.
	Sockets bool `json:"sockets,omitempty"`
	// Terminal is whether it may open the terminal that it was started at.
	Terminal bool `json:"terminal,omitempty"`
	// Signals is whether it may signal processes that it did not start.
	Signals bool `json:"signals,omitempty"`
}

// MostPorts is how many ports a grant has at most.
const MostPorts = 8

// Own reports whether the network is one of the command's own.
func (n Net) Own() bool { return n == Loopback || n == Hosts }

// Writes reports whether anything but a private temp may be changed.
func (g *Grant) Writes() bool { return len(g.Write)+len(g.Names) > 0 }

// Covers reports whether a path is in the list, or below one of it.
func Covers(list []string, p string) bool {
	return slices.ContainsFunc(list, func(in string) bool { return Below(p, in) })
}

// Below reports whether a path is another one, or lies below it.
func Below(p, in string) bool {
	return p == in || in == "/" || strings.HasPrefix(p, in) && len(p) > len(in) && p[len(in)] == '/'
}

// Where is what a grant has to know besides the assessment.
type Where struct {
	Home       string
	Workspaces []string // the roots that the session may work in
	Secrets    []string // paths that hold secrets, as far as they are known by name
}

// Least is the widest that no change, no network and no secret needs: everything but
// secrets may be read, and the terminal used.
func Least(w Where) Grant {
	g := Grant{Read: []string{"/"}, Hidden: w.Secrets, Net: NoNet, Terminal: true}
	for _, dir := range append(slices.Clone(w.Workspaces), w.Home) {
		if dir != "" && dir != "/" {
			g.add(&g.Search, dir)
		}
	}
	return g
}

// Of derives the least that the effects of an assessment need. The second value names
// the effects from which nothing follows that could be granted: a command that has some
// cannot be confined to what it needs, because nobody knows what that is.
func Of(a *risk.Assessment, w Where) (Grant, []risk.Effect) {
	g := Least(w)
	var open []risk.Effect
	if a.Error != "" {
		open = append(open, risk.Effect{Verb: risk.Blind, Target: a.Error})
	}
	for i := range a.Effects {
		e := &a.Effects[i]
		if !g.effect(e, a.Tier, w) {
			open = append(open, *e)
		}
	}
	return g, open
}

// effect adds what one effect needs, and reports whether that is known.
func (g *Grant) effect(e *risk.Effect, tier risk.Tier, w Where) bool {
	switch e.Verb {
	case risk.FSRead, risk.ExecKnown, risk.ExecShell:
		return true // all but secrets may be read
	case risk.SecretRead:
		return g.secret(e)
	}
	if tier == risk.Safe {
		if e.Scope == risk.IsLoopback && slices.Contains([]risk.Verb{risk.NetFetch, risk.NetConnect, risk.RemoteRead}, e.Verb) {
			g.loopback(e) // of another one, as below
		}
		// What is SAFE changes nothing that lasts: of an effect that says otherwise
		// nothing is granted, and the kernel tells.
		return true
	}
	switch e.Verb {
	case risk.FSCreate, risk.FSWrite, risk.FSDelete, risk.FSMove, risk.FSAttr:
		return g.change(e, w.Home)
	case risk.VCSLocal, risk.VCSDiscard, risk.VCSRewrite:
		// The repository is where the session works; which of its files change is git's
		// own matter.
		for _, dir := range w.Workspaces {
			g.add(&g.Write, dir)
		}
		return len(w.Workspaces) > 0
	case risk.NetFetch, risk.NetSend, risk.NetConnect, risk.RemoteRead, risk.RemoteChange, risk.RemoteDestroy, risk.VCSPush, risk.VCSForce, risk.PkgPublish:
		if e.Scope == risk.IsLoopback {
			return g.loopback(e)
		}
		g.Net = AnyNet
		return true
	case risk.ProcSignal:
		g.Signals = true
		return true
	case risk.Exhaust:
		return true // nothing is granted by it
	}
	return false
}

// loopback lets a port of this machine's loopback be reached, and reports whether it is
// known which.
func (g *Grant) loopback(e *risk.Effect) bool {
	p, ok := port(e)
	if !ok || len(g.Ports) == MostPorts && !slices.Contains(g.Ports, p) {
		return false
	}
	if g.Net == NoNet {
		g.Net = Loopback
	}
	if !slices.Contains(g.Ports, p) {
		g.Ports = append(g.Ports, p)
	}
	return true
}

// port is the port that an effect names, or that its scheme has.
func port(e *risk.Effect) (uint16, bool) {
	text := e.Target
	if !strings.Contains(text, "://") {
		text = "//" + text
	}
	u, err := url.Parse(text)
	if err != nil || e.Unresolved != "" {
		return 0, false
	}
	p := u.Port()
	if p == "" {
		p = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	n, err := strconv.ParseUint(p, 10, 16)
	return uint16(n), err == nil && n > 0
}

// secret lets a secret be read that the assessment names.
func (g *Grant) secret(e *risk.Effect) bool {
	if !named(e) {
		return false
	}
	g.add(&g.Secrets, path.Clean(e.Target))
	return true
}

// change lets the target of a change be changed. New names can be made beside it, which
// in a home or at the root would be run later without being asked.
func (g *Grant) change(e *risk.Effect, home string) bool {
	if e.Scope == risk.IsNull {
		return true
	}
	if p := path.Clean(e.Target); !named(e) || e.Root || path.Dir(p) == "/" || path.Dir(p) == home || e.Target == risk.NewTemp || e.Scope == risk.IsDevice || e.Host != "" || slices.Contains([]risk.Scope{risk.IsSecret, risk.IsAgentConfig, risk.IsStartup, risk.IsAccounts}, e.Scope) {
		return false
	}
	g.add(&g.Names, path.Clean(e.Target))
	return true
}

// named reports whether the target of an effect is one path that is known in full.
func named(e *risk.Effect) bool {
	return path.IsAbs(e.Target) && e.Unresolved == "" && e.Host == "" && e.Pattern == "" && e.Named == ""
}

func (g *Grant) add(list *[]string, p string) {
	if !slices.Contains(*list, p) {
		*list = append(*list, p)
	}
}
