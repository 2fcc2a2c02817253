package catalog

import "testing"

func TestPlaceholders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"...": "...", "<name>": "<name>", "a:<tag>": "<tag>", "/path/to/file": "/path/to/file", "/dev/sdXN": "/dev/sdXN", "tcp:h:PORT_NR": "PORT_NR",
		"Bearer YOUR_TOKEN": "YOUR_TOKEN", "your-bucket": "your-bucket",
		"./...": "", "main...topic": "", "/dev/sdx": "", "/dev/sda1": "", "nginx:LATEST": "", "yourself": "", "a<b": "", "path/too/x": "",
	} {
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
