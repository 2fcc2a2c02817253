package hostproxy_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/confine/hostproxy"
)

// A scene is two servers on this machine, and a proxy that lets the names in granted
// through, all of which lead to 127.0.0.1.
type scene struct {
	plain, secure string // HOST:PORT without the name
	addr          string
	mu            sync.Mutex
	refused       []hostproxy.Refusal
}

func newScene(t *testing.T, hosts func(plain, secure string) []string) *scene {
	t.Helper()
	says := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "host "+r.Host) })
	plain, secure := httptest.NewServer(says), httptest.NewTLSServer(says)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	port := func(l net.Listener) string { return fmt.Sprint(l.Addr().(*net.TCPAddr).Port) }
	s := &scene{plain: port(plain.Listener), secure: port(secure.Listener)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.addr = l.Addr().String()
	p := &hostproxy.Proxy{
		Hosts: hosts(s.plain, s.secure),
		Refused: func(r hostproxy.Refusal) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.refused = append(s.refused, r)
		},
		LookUp: func(_ context.Context, name string) ([]netip.Addr, error) {
			return map[string][]netip.Addr{
				"good.test":     {netip.MustParseAddr("127.0.0.1")},
				"metadata.test": {netip.MustParseAddr("169.254.169.254")},
				"mapped.test":   {netip.MustParseAddr("::ffff:10.1.2.3")},
				"nat64.test":    {netip.MustParseAddr("64:ff9b::7f00:1")},
				"local.test":    {netip.MustParseAddr("fd00:ec2::254")},
			}[name], nil
		},
	}
	p.Start(l)
	t.Cleanup(func() { p.Close() }) // nobody is connected any more
	return s
}

// ask sends raw bytes and returns all that is answered.
func (s *scene) ask(t *testing.T, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(c)
	if err != nil {
		t.Logf("reading: %v", err)
	}
	return string(out)
}

// greet asks for a tunnel and greets by TLS with a name, and reports what was answered
// to a request by it.
func (s *scene) greet(t *testing.T, to, name string) (string, error) {
	t.Helper()
	c, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", to, to)
	r := bufio.NewReader(c)
	if res, err := http.ReadResponse(r, &http.Request{Method: http.MethodConnect}); err != nil || res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("no tunnel: %v, %w", res, err)
	}
	tc := tls.Client(c, &tls.Config{ServerName: name, InsecureSkipVerify: true}) //nolint:gosec // the server is the test's own
	if err := tc.Handshake(); err != nil {
		return "", err
	}
	fmt.Fprint(tc, "GET / HTTP/1.0\r\n\r\n")
	out, err := io.ReadAll(tc)
	return string(out), err
}

func granted(plain, secure string) []string {
	return []string{"good.test:" + plain, "good.test:" + secure, "127.0.0.1:" + plain, "127.0.0.1:" + secure, "metadata.test:80", "mapped.test:80", "nat64.test:80", "local.test:80"}
}

func TestWhatIsGranted(t *testing.T) {
	t.Parallel()
	s := newScene(t, granted)
	if out := s.ask(t, "GET http://good.test:"+s.plain+"/ HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n"); !strings.Contains(out, "host good.test:"+s.plain) {
		t.Errorf("a whole address with another Host header: %q, want the host of the address", out)
	}
	for _, name := range []string{"good.test", "GOOD.test"} {
		if out, err := s.greet(t, "good.test:"+s.secure, name); err != nil || !strings.Contains(out, "200 OK") {
			t.Errorf("TLS for %s: %q, %v", name, out, err)
		}
	}
	if out, err := s.greet(t, "127.0.0.1:"+s.secure, ""); err != nil || !strings.Contains(out, "200 OK") {
		t.Errorf("TLS for an address: %q, %v", out, err)
	}
	if len(s.refused) > 0 {
		t.Errorf("refused: %+v", s.refused)
	}
}

func TestWhatIsNot(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, request string // with PLAIN and SECURE for ports
		hosts         []string
		want          hostproxy.Refusal
	}{
		{"another host", "GET http://evil.test/ HTTP/1.1\r\nHost: good.test\r\n\r\n", nil, hostproxy.Refusal{}},
		{"another host by CONNECT", "CONNECT evil.test:443 HTTP/1.1\r\nHost: good.test\r\n\r\n", nil, hostproxy.Refusal{Host: "evil.test:443"}},
		{"another port", "CONNECT good.test:1 HTTP/1.1\r\n\r\n", nil, hostproxy.Refusal{Host: "good.test:1"}},
		{"this machine's loopback", "CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n", nil, hostproxy.Refusal{Host: "127.0.0.1:1"}},
		{"this machine's loopback by IPv6", "CONNECT [::ffff:127.0.0.1]:1 HTTP/1.1\r\n\r\n", nil, hostproxy.Refusal{Host: "127.0.0.1:1"}},
		{"a name that leads to this machine", "CONNECT good.test:PLAIN HTTP/1.1\r\n\r\n", []string{"good.test:PLAIN"}, hostproxy.Refusal{Host: "127.0.0.1:PLAIN", As: "good.test:PLAIN"}},
		{"a name that leads to a cloud's credentials", "CONNECT metadata.test:80 HTTP/1.1\r\n\r\n", nil, hostproxy.Refusal{Host: "169.254.169.254:80", As: "metadata.test:80"}},
		{"a name that leads to a private network", "CONNECT mapped.test:80 HTTP/1.1\r\n\r\n", nil, hostproxy.Refusal{Host: "10.1.2.3:80", As: "mapped.test:80"}},
		{"a name that is translated to this machine", "CONNECT nat64.test:80 HTTP/1.1\r\n\r\n", nil, hostproxy.Refusal{Host: "[64:ff9b::7f00:1]:80", As: "nat64.test:80"}},
		{"a name that leads to a private network by IPv6", "CONNECT local.test:80 HTTP/1.1\r\n\r\n", nil, hostproxy.Refusal{Host: "[fd00:ec2::254]:80", As: "local.test:80"}},
		{"an address in an old spelling", "CONNECT 2130706433:80 HTTP/1.1\r\n\r\n", nil, hostproxy.Refusal{Why: `request for "2130706433:80"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var ports *strings.Replacer
			s := newScene(t, func(plain, secure string) []string {
				ports = strings.NewReplacer("PLAIN", plain, "SECURE", secure)
				if test.hosts == nil {
					return granted(plain, secure)
				}
				out := slices.Clone(test.hosts)
				for i := range out {
					out[i] = ports.Replace(out[i])
				}
				return out
			})
			want := hostproxy.Refusal{Host: ports.Replace(test.want.Host), As: ports.Replace(test.want.As), Why: test.want.Why}
			if want == (hostproxy.Refusal{}) {
				want.Host = "evil.test:80"
			}
			if out := s.ask(t, ports.Replace(test.request)); !strings.HasPrefix(out, "HTTP/1.1 403 ") {
				t.Errorf("answered %q, want 403", out)
			}
			if len(s.refused) != 1 || s.refused[0] != want {
				t.Errorf("refused %+v, want %+v", s.refused, want)
			}
		})
	}
}

// TestNoProxy: what is no request to a proxy goes nowhere.
func TestNoProxy(t *testing.T) {
	t.Parallel()
	s := newScene(t, granted)
	for _, request := range []string{
		"GET / HTTP/1.1\r\nHost: good.test:" + s.plain + "\r\n\r\n",
		"GET https://good.test:" + s.secure + "/ HTTP/1.1\r\nHost: good.test\r\n\r\n",
		"GET ftp://good.test:" + s.plain + "/ HTTP/1.1\r\nHost: good.test\r\n\r\n",
	} {
		if out := s.ask(t, request); !strings.HasPrefix(out, "HTTP/1.1 400 ") {
			t.Errorf("%q: answered %q, want 400", request, out)
		}
	}
}

// TestTunnel: by a tunnel to a host that is granted goes only TLS for that host.
func TestTunnel(t *testing.T) {
	t.Parallel()
	s := newScene(t, granted)
	for _, name := range []string{"evil.test", ""} {
		if out, err := s.greet(t, "good.test:"+s.secure, name); err == nil {
			t.Errorf("TLS for %q was let through: %q", name, out)
		}
	}
	if out := s.ask(t, "CONNECT good.test:"+s.plain+" HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: evil.test\r\n\r\n"); strings.Contains(out, "host ") {
		t.Errorf("plain HTTP by a tunnel was let through: %q", out)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.refused) != 3 {
		t.Errorf("refused %+v, want three", s.refused)
	}
}
