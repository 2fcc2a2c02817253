package grant_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/confine/grant"
)

func TestHost(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"registry.npmjs.org:443", "registry.npmjs.org:443"},
		{"Registry.NPMJS.org.:443", "registry.npmjs.org:443"},
		{"localhost:0080", "localhost:80"},
		{"10.0.0.1:80", "10.0.0.1:80"},
		{"[::1]:80", "[::1]:80"},
		{"[::ffff:10.0.0.1]:80", "10.0.0.1:80"},
		{"", ""},
		{"x", ""},
		{"x:", ""},
		{"x:0", ""},
		{"x:65536", ""},
		{"x:http", ""},
		{":443", ""},
		{"::1:80", ""},
		{"[fe80::1%eth0]:80", ""},
		{"[10.0.0.1]:80", ""},
		{"127.1:80", ""},
		{"2130706433:80", ""},
		{"0x7f.0.0.0x1:80", ""},
		{"0177.0.0.1:80", ""},
		{"a..b:80", ""},
		{"-a:80", ""},
		{"a b:80", ""},
		{"user@x:80", ""},
		{"x/y:80", ""},
		{"*.x:80", ""},
		{"exämple.org:80", ""},
	} {
		got, err := grant.Host(test.text)
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("Host(%q) = %q, %v, want %q", test.text, got, err, test.want)
		}
	}
}

func TestAddHost(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name       string
		net, after grant.Net
		hosts      []string
	}{
		{"to nothing", grant.NoNet, grant.Hosts, []string{"x:1"}},
		{"to a loopback of its own, which hosts have as well", grant.Loopback, grant.Hosts, []string{"x:1"}},
		{"to everything", grant.AnyNet, grant.AnyNet, nil},
	} {
		g := grant.Grant{Net: test.net}
		for range 2 {
			if err := g.AddHost("X:1"); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(grant.Grant{Net: test.after, Hosts: test.hosts}, g); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.name, diff)
		}
	}
}
