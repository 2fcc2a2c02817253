package eval

import (
	"net/url"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// response is what a server sends.
func response(url value.Value) val {
	v := val{k: vObj, name: "response", dull: true}
	v.s = value.Unknown(risk.CauseOutput, "a response").With(value.Network)
	return v
}

// fetch downloads.
func (s *scan) fetch(target val) val {
	s.effect(catalog.Effect{Verb: risk.NetFetch, Target: target.value(), Carries: target.src})
	s.reveal(target, false)
	return response(target.value())
}

func fetching(i int) action {
	return func(s *scan, c *call) val {
		target := c.arg(i, "url")
		if target.k == vDict {
			return s.request(target, c)
		}
		data := c.arg(-1, "data", "params", "body")
		if data.k != vNone {
			return s.sendTo(target, data)
		}
		if v := c.arg(i + 1); v.k == vStr || v.k == vUnknown || len(v.src) > 0 {
			return s.sendTo(target, v)
		}
		return s.fetch(target)
	}
}

// request is a call with options: url, method, body, as fetch and axios have.
func (s *scan) request(options val, c *call) val {
	target := unknown()
	for _, k := range []string{"url", "uri", "hostname", "host"} {
		if v, ok := options.item(k); ok {
			target = v
			break
		}
	}
	return s.withOptions(target, options)
}

func (s *scan) withOptions(target, options val) val {
	method, data := "", none()
	for _, k := range []string{"body", "data", "json", "form", "content"} {
		if v, ok := options.item(k); ok {
			data = v
		}
	}
	if v, ok := options.item("method"); ok {
		method, _ = v.known()
	}
	return s.http(method, target, data)
}

// http is a request of a method.
func (s *scan) http(method string, target, data val) val {
	switch strings.ToUpper(method) {
	case "DELETE":
		verb := risk.RemoteDestroy
		if loopback(target.value()) {
			verb = risk.NetSend
		}
		s.effect(catalog.Effect{Verb: verb, Target: target.value(), Kind: risk.KindDeleteRequest})
		return response(target.value())
	case "", "GET", "HEAD", "OPTIONS":
		if data.k == vNone {
			return s.fetch(target)
		}
	}
	return s.sendTo(target, data)
}

// loopback reports whether an address is this machine.
func loopback(v value.Value) bool {
	t := v.Prefix()
	if u, err := url.Parse(t); err == nil && u.Host != "" {
		t = u.Hostname()
	}
	return t == "localhost" || strings.HasPrefix(t, "127.") || t == "::1"
}

// sendTo uploads data.
func (s *scan) sendTo(target, data val) val {
	s.reveal(data, false)
	data = data.with(data)
	s.effect(catalog.Effect{Verb: risk.NetSend, Target: target.value(), Carries: data.src})
	return response(target.value())
}

// sending makes an action that sends its further arguments to target i.
func sending(i int) action {
	return func(s *scan, c *call) val {
		data := dull()
		for k, v := range c.args {
			if k != i {
				data = data.with(v)
				s.reveal(v, false)
			}
		}
		for _, k := range c.keywords() {
			if v := c.kw[k]; k != "url" {
				data = data.with(v)
				s.reveal(v, false)
			}
		}
		return s.sendTo(c.arg(i, "url"), data)
	}
}

// deleting makes an action that sends a DELETE request to target i.
func deleting(i int) action {
	return func(s *scan, c *call) val { return s.http("DELETE", c.arg(i, "url"), none()) }
}

// byMethod makes an action whose argument i is the method, and j the target.
func byMethod(i, j int) action {
	return func(s *scan, c *call) val {
		m, ok := c.arg(i, "method").known()
		if !ok {
			m = "POST"
		}
		return s.http(m, c.arg(j, "url"), c.arg(j+1, "data", "json", "files"))
	}
}

// newSocket is a socket that is not connected.
func newSocket(s *scan, _ *call) val {
	s.impure()
	return object("socket", value.Value{})
}

// connect makes an action that connects to host i and port j; the pair may be
// one argument.
func connect(i, j int) action {
	return func(s *scan, c *call) val {
		host, port := c.arg(i, "host"), c.arg(j, "port")
		switch host.k {
		case vList:
			host, port = pick(host, 0), pick(host, 1)
		case vDict:
			h, _ := host.item("host")
			p, _ := host.item("port")
			if h.k == vNone || h.k == vUnknown && len(h.s.Parts()) == 0 {
				h = str("localhost")
			}
			host, port = h, p
		case vNum:
			if s.lang == "node" {
				host, port = port, host
				if host.k != vStr && host.k != vUnknown {
					host = str("localhost")
				}
			}
		}
		return s.connected(host, port)
	}
}

func (s *scan) connected(host, port val) val {
	t := host.value()
	if p := port.value(); port.k != vNone && len(p.Parts()) > 0 && port.k != vFunc {
		t = value.Concat(t, value.Lit(":"), p)
	}
	s.effect(catalog.Effect{Verb: risk.NetConnect, Target: t})
	if len(s.sockets) < 16 {
		s.sockets = append(s.sockets, t)
	}
	v := object("socket", t)
	v.sock = true
	return v
}

// listen makes an action that waits for connections on port i.
func listen(i int) action {
	return func(s *scan, c *call) val {
		e := catalog.Effect{Verb: risk.NetListen}
		v := c.arg(i, "port")
		if v.k == vList && len(v.list) > 1 {
			v = v.list[1]
		}
		if v.k == vNum || v.k == vStr {
			e.Target = v.value()
		}
		s.effect(e)
		if len(s.sockets) < 16 {
			s.sockets = append(s.sockets, e.Target)
		}
		o := object("socket", e.Target)
		o.sock = true
		return o
	}
}

// send writes to a socket.
func send(s *scan, c *call) val {
	data := dull()
	for _, a := range c.args {
		data = data.with(a)
		s.reveal(a, false)
	}
	e := catalog.Effect{Verb: risk.NetSend, Target: c.recv.value(), Carries: data.src}
	if len(s.sockets) > 0 {
		e.Target = s.sockets[len(s.sockets)-1]
	}
	s.effect(e)
	return dull()
}

// receive reads from a socket.
func receive(_ *scan, _ *call) val {
	v := hole(risk.CauseOutput, "a connection")
	v.s = v.s.With(value.Network)
	v.sock = true
	return v
}

// handing gives a socket's descriptors, or a shell, away.
func handing(s *scan, _ *call) val {
	s.impure()
	s.handed = true
	return dull()
}
