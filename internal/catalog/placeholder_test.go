package catalog

import (
	"strings"
	"testing"
)

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"...": "...", "<name>": "<name>", "a:<tag>": "<tag>", "/path/to/file": "/path/to/file", "/dev/sdXN": "/dev/sdXN", "tcp:h:PORT_NR": "PORT_NR",
		"Bearer YOUR_TOKEN": "YOUR_TOKEN", "your-bucket": "your-bucket",
		"./...": "", "main...topic": "", "/dev/sdx": "", "/dev/sda1": "", "nginx:LATEST": "", "yourself": "", "a<b": "", "path/too/x": "",
	} {
		if want != "" && !mayStandIn(text) {
			t.Errorf("%q is not looked at", text)
		}
		if got := firstGroup(standIns.Get(), text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"pool_name": "pool_name", "tcp:local_port": "local_port", "number_of_days": "number_of_days", "rename": "", "my_table": ""} {
		if got := firstGroup(likeStandIns.Get(), text); got != want {
			t.Errorf("%q looks like %q, want %q", text, got, want)
		}
	}
}

// FuzzStandIns holds that what is passed over quickly would have matched nothing.
func FuzzStandIns(f *testing.F) {
	for _, s := range []string{"...", "x<name>", "/dev/sdX", "host:PORT", "your-token", "xxx", "{{a}}", "/path/to", "a_name", "…"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := firstGroup(standIns.Get(), text); got != "" && !mayStandIn(text) {
			t.Errorf("%q holds %q", text, got)
		}
		if got := firstGroup(likeStandIns.Get(), text); got != "" && !strings.Contains(text, "_") {
			t.Errorf("%q holds %q", text, got)
		}
	})
}
