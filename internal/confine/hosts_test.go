//go:build linux && (amd64 || arm64)

package confine_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/confine/grant"
)

// fetch gets an address by the proxy of the environment, if there is one, for loopback
// addresses as well.
func fetch(from string) int {
	var t http.Transport
	if by := os.Getenv("HTTP_PROXY"); by != "" {
		proxy, err := url.Parse(by)
		if err != nil {
			return untried
		}
		t.Proxy = http.ProxyURL(proxy)
	}
	c := http.Client{Transport: &t}
	res, err := c.Get(from)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return kept
	}
	defer res.Body.Close()
	io.Copy(os.Stdout, res.Body) // the test misses it
	if res.StatusCode != http.StatusOK {
		return kept
	}
	return 0
}

// TestHosts: a box with hosts reaches them by the proxy, and nothing else in any way.
func TestHosts(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }))
	defer s.Close()
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "secret") }))
	defer other.Close()
	for _, w := range accounts() {
		t.Run(w.name, func(t *testing.T) {
			p := newPlace(t, w)
			g := p.safe()
			g.Net, g.Hosts = grant.Hosts, []string{strings.TrimPrefix(s.URL, "http://")}
			to := func(s *httptest.Server) string { return strings.TrimPrefix(s.URL, "http://") }
			for _, test := range []struct {
				name string
				argv []string
				code int
				want string
			}{
				{"the host that is granted", []string{"fetch", s.URL}, 0, "hello"},
				{"another one", []string{"fetch", other.URL}, kept, "tried"},
				{"the same without the proxy", []string{"dial", "tcp", to(s)}, kept, "refused"},
				{"another one without the proxy", []string{"dial", "tcp", to(other)}, kept, "refused"},
				{"an address of the Internet", []string{"dial", "tcp", "192.0.2.1:443"}, kept, "refused: connect to 192.0.2.1:443"},
				{"an address of IPv6", []string{"dial", "tcp", "[2001:db8::1]:443"}, kept, "refused: connect to [2001:db8::1]:443"},
				{"DNS", []string{"dial", "udp", "192.0.2.1:53"}, kept, "refused: connect to 192.0.2.1:53"},
				{"an abstract socket", []string{"dial", "unix", "@heed-test"}, kept, "refused: use a Unix socket"},
			} {
				if test.want == "tried" {
					test.want = "refused: reach " + to(other) + " by self"
				}
				code, out := ran(t, p.confined(t, g, append([]string{p.self}, test.argv...)...))
				if code != test.code || !strings.Contains(out, test.want) {
					t.Errorf("%s: code %d, %q, want %d and %q", test.name, code, out, test.code, test.want)
				}
			}
		})
	}
}
