//go:build amd64 || arm64

package confine

import (
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"sync"

	"github.com/heedsh/heed/internal/confine/hostproxy"
)

// proxyPort is where the proxy listens, in a network namespace in which nobody else does.
const proxyPort = 3128

// proxyEnv makes programs ask the proxy, as far as they know of such. Sources: curl(1),
// the Go package net/http, npm config, pip, git-config(1), The Cargo Book, Node's
// command-line options.
func proxyEnv() []string {
	to := "http://127.0.0.1:" + strconv.Itoa(proxyPort)
	var out []string
	for _, name := range []string{"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		out = append(out, name+"="+to)
	}
	// Its own loopback is asked without it.
	return append(out, "no_proxy=localhost,127.0.0.1,::1", "NO_PROXY=localhost,127.0.0.1,::1", "NODE_USE_ENV_PROXY=1")
}

// proxy lets the command out to the hosts that it was granted, by a socket of its
// network. It runs in this process, outside of the box.
func (b *Box) proxy(socket int, program string) (io.Closer, error) {
	f := os.NewFile(uintptr(socket), "proxy")
	l, err := net.FileListener(f)
	f.Close() // that is a copy
	if err != nil {
		return nil, fmt.Errorf("opening the way to hosts: %w", err)
	}
	told := map[Refusal]bool{}
	var mu sync.Mutex
	p := &hostproxy.Proxy{Hosts: b.Grant.Hosts, Refused: func(r hostproxy.Refusal) {
		mu.Lock()
		defer mu.Unlock()
		out := Refusal{Deed: Reach, Path: r.Host, As: r.As, Program: program}
		if r.Why != "" {
			out.Deed, out.Path, out.As = Hide, r.Why, ""
		}
		if told[out] || len(told) >= most {
			return
		}
		told[out] = true
		b.Refused(out)
	}}
	p.Start(l)
	return p, nil
}

// oneAtATime is the box with a Refused that several may call.
func (b *Box) oneAtATime() *Box {
	out := *b
	var mu sync.Mutex
	out.Refused = func(r Refusal) {
		mu.Lock()
		defer mu.Unlock()
		b.Refused(r)
	}
	return &out
}
