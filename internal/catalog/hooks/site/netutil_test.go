package site

import (
	"testing"

	"github.com/heedsh/heed/internal/value"
)

func TestNetHost(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://u:p@A.test:8/x": "a.test", "a.test/x": "a.test", "http://[::1]:80/": "::1",
		"http://localhost@evil.test": "evil.test", "http://evil.test#@localhost": "evil.test", "localhost:80": "localhost", "::1": "::1",
	} {
		if got := NetHost(value.Lit(url)); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	for host, want := range map[string]bool{"127.0.0.1": true, "127.1": true, "localhost": true, "::1": true, "127.evil.test": false, "localhost.evil.test": false} {
		if got := NetLoopback(host); got != want {
			t.Errorf("%s: %t", host, got)
		}
	}
}
