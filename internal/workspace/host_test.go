package workspace

import (
	"testing"

	"github.com/heedsh/heed/risk"
)

func TestHostScope(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]risk.Scope{
		"http://localhost:8080/x": risk.IsLoopback, "127.0.0.1": risk.IsLoopback, "http://127.9.9.9/": risk.IsLoopback, "http://[::1]:80/": risk.IsLoopback,
		"http://127.1/": risk.IsLoopback, "http://0x7f000001/": risk.IsLoopback, "http://2130706433/": risk.IsLoopback, "http://0177.0.0.1/": risk.IsLoopback,
		"http://[::ffff:127.0.0.1]/": risk.IsLoopback, "http://0.0.0.0:3000": risk.IsLoopback, "api.localhost": risk.IsLoopback, "localhost.": risk.IsLoopback,
		"http://127.0.0.1.evil.example/": risk.IsRemote, "http://127.evil.example/": risk.IsRemote, "http://localhost.evil.example/": risk.IsRemote,
		"http://localhost@evil.example/": risk.IsRemote, "http://127.0.0.1$X/": risk.IsRemote, "http://1270.0.0.1/": risk.IsRemote, "http://128.0.0.1/": risk.IsRemote,
		"http://$X.localhost/": risk.IsRemote, "10.0.0.1": risk.IsRemote, "http://256.1/": risk.IsRemote, "": risk.IsRemote,
	} {
		if got := HostScope(URLHost(url)); got != want {
			t.Errorf("%s: %s, want %s", url, got, want)
		}
	}
}
