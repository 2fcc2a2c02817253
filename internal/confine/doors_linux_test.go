//go:build amd64 || arm64

package confine_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/confine/grant"
)

// TestPorts: a box reaches the ports of this machine's loopback that are granted, and no
// others; what nobody listens on refuses as it does here, and is not told.
func TestPorts(t *testing.T) {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "hello ", r.URL.Path, strings.Repeat(".", 1<<20))
	})
	s, other := httptest.NewServer(answer), httptest.NewServer(answer)
	defer s.Close()
	defer other.Close()
	none, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := none.Addr()
	none.Close() // nobody takes it so soon
	port := func(a net.Addr) uint16 { return uint16(a.(*net.TCPAddr).Port) }
	four := s.Listener.Addr().String()
	for _, w := range accounts() {
		t.Run(w.name, func(t *testing.T) {
			p := newPlace(t, w)
			g := p.safe()
			g.Net, g.Ports = grant.Loopback, []uint16{port(s.Listener.Addr()), port(nobody)}
			for _, test := range []struct {
				name, script string
				code         int
				want, not    string
			}{
				{"a port", p.self + " fetch http://" + four + "/a", 0, "hello /a" + strings.Repeat(".", 1<<20), "refused"},
				{"again and again", fmt.Sprintf("for i in 1 2 3 4 5 6; do %s fetch http://%s/$i & done; wait", p.self, four), 0, "hello /6...", "refused"},
				{"any address is this one", p.self + " dial tcp 0.0.0.0:" + four[strings.LastIndexByte(four, ':')+1:], 0, "", "refused"},
				{"nobody listens", p.self + " dial tcp " + nobody.String(), kept, "connection refused", "refused:"},
				{"another port", p.self + " dial tcp " + other.Listener.Addr().String(), kept, "connection refused", "refused:"},
				{"another machine", p.self + " dial tcp 192.0.2.1:443", kept, "refused: connect to 192.0.2.1:443", ""},
				{"its own listener where nobody else is", p.self + " meet " + nobody.String(), 0, "", "refused"},
			} {
				code, out := ran(t, p.confined(t, g, "/bin/sh", "-c", test.script))
				if code != test.code || !strings.Contains(out, test.want) || test.not != "" && strings.Contains(out, test.not) {
					t.Errorf("%s: code %d, %.300q, want %d and %.60q", test.name, code, out, test.code, test.want)
				}
			}
		})
	}
}
