//go:build linux && (amd64 || arm64)

package preview

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func query(labels ...string) []byte {
	q := []byte{1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1}
	for _, l := range labels {
		q = append(append(q, byte(len(l))), l...)
	}
	return append(q, 0, 0, 1, 0, 1)
}

func TestParseQuery(t *testing.T) {
	t.Parallel()
	name, answer, ok := parseQuery(append(query("Registry", "npmjs", "org"), "an option"...))
	want := query("Registry", "npmjs", "org")
	want[2], want[3], want[11] = 0x81, 0x83, 0
	if !ok || name != "registry.npmjs.org" || !bytes.Equal(answer, want) {
		t.Errorf("%q, %x, want %x, %t", name, answer, want, ok)
	}
	whole := query("a", "b")
	for n := range whole {
		if _, _, ok := parseQuery(whole[:n]); ok {
			t.Errorf("%d bytes of a query are one", n)
		}
	}
	response := query("a")
	response[2] |= 0x80
	long := query(slices.Repeat([]string{strings.Repeat("x", 63)}, 6)...)
	pointer := query("a")
	pointer[12] = 0xc0
	for _, bad := range [][]byte{response, long, pointer} {
		if name, _, ok := parseQuery(bad); ok {
			t.Errorf("%x is %q", bad, name)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	f.Add(query("a", "b"))
	f.Fuzz(func(t *testing.T, q []byte) {
		if name, answer, ok := parseQuery(q); ok && (len(answer) > len(q) || len(name) > 4*255) {
			t.Errorf("%x: %q, %x", q, name, answer)
		}
	})
}

func TestParseResolvers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text            string
		servers, search []string
	}{
		{"", []string{"127.0.0.1"}, nil},
		{"# nameserver 1.1.1.1\nnameserver fe80::1\nnameserver\nsearch a b\n", []string{"127.0.0.1"}, []string{"a", "b"}},
		{"nameserver 10.0.0.1\nnameserver 127.0.0.53 x\noptions edns0\nnameserver 10.0.0.2\nnameserver 10.0.0.3\n", []string{"10.0.0.1", "127.0.0.53", "10.0.0.2"}, nil},
	} {
		servers, search := parseResolvers(test.text)
		var got []string
		for _, a := range servers {
			got = append(got, a.String())
		}
		if d := cmp.Diff(test.servers, got); d != "" {
			t.Errorf("%q: %s", test.text, d)
		}
		if d := cmp.Diff(test.search, search); d != "" {
			t.Errorf("%q: %s", test.text, d)
		}
	}
}

// TestNote: a name is told once, and not with the domains that resolvers try.
func TestNote(t *testing.T) {
	t.Parallel()
	var told []string
	s := &nameServer{asked: map[string]bool{}, search: []string{"example.com"}, tell: func(name string) { told = append(told, name) }}
	for _, name := range []string{"x.org", "x.org", "x.org.example.com", "other.example.com", ""} {
		s.note(name)
	}
	if d := cmp.Diff([]string{"x.org", "other.example.com"}, told); d != "" {
		t.Error(d)
	}
}
