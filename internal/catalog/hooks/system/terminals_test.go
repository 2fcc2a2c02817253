package system

import (
	"testing"

	"github.com/heedsh/heed/internal/value"
)

func TestForeignDisplay(t *testing.T) {
	t.Parallel()
	for display, want := range map[string]bool{
		":0": false, "unix:0": false, "localhost:10.0": false, "127.0.0.1:0": false, "[::1]:0": false, "tcp/localhost:0": false,
		"192.0.2.1:0": true, "desk:0.0": true, "[2001:db8::1]:0": true, "tcp/192.0.2.1:1": true,
	} {
		if got := foreignDisplay(value.Lit(display)); got != want {
			t.Errorf("%s: %t", display, got)
		}
	}
}
