package hostproxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/confine/grant"
)

const (
	patience = 30 * time.Second // for a connection, and for the first message of a client
	longest  = 64 << 10         // of the head of a request
)

// A Refusal is one request that was refused.
type Refusal struct {
	Host string // the host and port that would have to be granted
	As   string // the name by which it was asked for, if that is another
	Why  string // what cannot be let through by any host's grant, "" if a host's would
}

// A Proxy lets clients reach hosts. Its fields are not changed after Start.
type Proxy struct {
	Hosts   []string      // as package grant writes them
	Refused func(Refusal) // may be called by several at the same time
	// LookUp finds the addresses of a name; nil is this machine's way.
	LookUp func(ctx context.Context, name string) ([]netip.Addr, error)

	server *http.Server
	all    context.Context //nolint:containedctx // it is what Close ends
	end    context.CancelFunc
}

// A refusedError is that a host is not to be reached.
type refusedError struct{ Refusal }

func (e *refusedError) Error() string {
	switch {
	case e.Why != "":
		return "heed lets no " + e.Why + " through"
	case e.As != "":
		return fmt.Sprintf("heed does not let %s be reached (as %s); net=%s would", e.Host, e.As, e.Host)
	}
	return fmt.Sprintf("heed does not let %s be reached; net=%s would", e.Host, e.Host)
}

// Start answers what comes by the listener, until Close.
func (p *Proxy) Start(l net.Listener) {
	p.all, p.end = context.WithCancel(context.Background())
	quiet := log.New(io.Discard, "", 0)
	plain := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			// The host that is asked is the one of the address, whatever the header says.
			r.Out.Host = r.Out.URL.Host
		},
		Transport: &http.Transport{
			DisableCompression: true,
			DialContext: func(ctx context.Context, _, to string) (net.Conn, error) {
				return p.dial(ctx, to)
			},
		},
		FlushInterval: -1,
		ErrorLog:      quiet,
		ErrorHandler:  func(w http.ResponseWriter, _ *http.Request, err error) { p.fail(w, err) },
	}
	p.server = &http.Server{
		ReadHeaderTimeout: patience,
		MaxHeaderBytes:    longest,
		ErrorLog:          quiet,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.Method == http.MethodConnect:
				p.tunnel(w, r)
			case r.URL.Scheme == "http" && r.URL.Host != "":
				plain.ServeHTTP(w, r)
			default:
				w.Header().Set("Connection", "close")
				http.Error(w, "heed: this is a proxy: want CONNECT, or a whole http:// address", http.StatusBadRequest)
			}
		}),
	}
	go p.server.Serve(l) //nolint:errcheck // it ends by Close
}

// Close ends all connections.
func (p *Proxy) Close() error {
	p.end()
	return p.server.Close()
}

// fail answers that a host could not be reached, and tells what was refused.
func (p *Proxy) fail(w http.ResponseWriter, err error) {
	w.Header().Set("Connection", "close")
	var no *refusedError
	if errors.As(err, &no) {
		p.Refused(no.Refusal)
		http.Error(w, no.Error(), http.StatusForbidden)
		return
	}
	http.Error(w, "heed: "+err.Error(), http.StatusBadGateway)
}

// dial connects to a host that is granted, at an address to which a name may lead. What
// was looked at is what is connected to: nothing is looked up twice.
func (p *Proxy) dial(ctx context.Context, to string) (net.Conn, error) {
	host, err := grant.Host(to)
	if err != nil {
		return nil, &refusedError{Refusal{Why: "request for " + strconv.QuoteToASCII(to[:min(len(to), 300)])}}
	}
	if !slices.Contains(p.Hosts, host) {
		return nil, &refusedError{Refusal{Host: host}}
	}
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	if _, err := netip.ParseAddrPort(host); err == nil {
		return (&net.Dialer{}).DialContext(ctx, "tcp", host) // granted as what it is
	}
	name, portText, _ := strings.Cut(host, ":")
	port, err := strconv.ParseUint(portText, 10, 16)
	if err != nil {
		return nil, err
	}
	addrs, err := p.lookUp(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("looking up %s: %w", name, err)
	}
	err = fmt.Errorf("%s has no address", name)
	for _, a := range addrs {
		at := netip.AddrPortFrom(a.Unmap().WithZone(""), uint16(port)).String()
		if (!public(a) || own(a)) && !slices.Contains(p.Hosts, at) {
			err = &refusedError{Refusal{Host: at, As: host}}
			continue
		}
		var c net.Conn
		if c, err = (&net.Dialer{}).DialContext(ctx, "tcp", at); err == nil {
			return c, nil
		}
	}
	return nil, err
}

func (p *Proxy) lookUp(ctx context.Context, name string) ([]netip.Addr, error) {
	if p.LookUp != nil {
		return p.LookUp(ctx, name)
	}
	// The final dot: no search list makes another name of it.
	return net.DefaultResolver.LookupNetIP(ctx, "ip", name+".")
}

// tunnel answers CONNECT: a way for TLS to the host that it names.
func (p *Proxy) tunnel(w http.ResponseWriter, r *http.Request) {
	far, err := p.dial(r.Context(), r.Host)
	if err != nil {
		p.fail(w, err)
		return
	}
	defer far.Close() //nolint:errcheck // what was written has been read, or nobody reads it
	near, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		p.fail(w, err)
		return
	}
	defer near.Close() //nolint:errcheck // as above
	defer context.AfterFunc(p.all, func() {
		near.Close() //nolint:errcheck // so that reading ends
		far.Close()  //nolint:errcheck // as well
	})()
	if _, err := io.WriteString(near, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	if near.SetDeadline(time.Now().Add(patience)) != nil {
		return
	}
	h, raw, err := readHello(buffered.Reader)
	if no := unfit(r.Host, &h, err); no != nil {
		if len(raw) > 0 {
			p.Refused(*no)
		}
		return
	}
	if near.SetDeadline(time.Time{}) != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		pass(far, io.MultiReader(bytes.NewReader(raw), buffered.Reader))
	}()
	pass(near, far)
	<-done
}

// unfit says why a first message does not fit the host that CONNECT named; nil if it does.
func unfit(to string, h *hello, err error) *Refusal {
	host, hostErr := grant.Host(to)
	if err != nil || hostErr != nil {
		return &Refusal{Why: "what is no TLS, by CONNECT to " + to}
	}
	if h.hidden {
		return &Refusal{Why: "a TLS greeting that hides its host, by CONNECT to " + host}
	}
	port := host[strings.LastIndexByte(host, ':'):]
	if _, err := netip.ParseAddrPort(host); err == nil && h.name == "" {
		return nil // addresses are not named in it
	}
	if h.name == "" {
		return &Refusal{Why: "a TLS greeting without a host, by CONNECT to " + host}
	}
	named, err := grant.Host(h.name + port)
	if err != nil || named != host {
		return &Refusal{Why: "a TLS greeting for " + strconv.QuoteToASCII(h.name) + ", by CONNECT to " + host}
	}
	return nil
}

// pass copies until the end of one direction, and tells the other side that it ended.
func pass(to net.Conn, from io.Reader) {
	io.Copy(to, from) //nolint:errcheck // whoever writes sees that the other side is gone
	if c, ok := to.(interface{ CloseWrite() error }); ok && c.CloseWrite() == nil {
		return
	}
	to.Close() //nolint:errcheck // there is nothing else to be done
}
