package world

import (
	"path"
	"strings"
)

// Absent reports whether what cannot be found at an absolute path surely is not there
// for a program either. The kernel makes up what /dev and /proc hold for whoever looks
// (proc(5)), bash has paths of its own in /dev, and devices come when a program asks for
// one that is next; of the rest it can be told where these trees are mounted.
func Absent(fs FS, name string) bool {
	name = path.Clean(name)
	top, rest, _ := strings.Cut(strings.TrimPrefix(name, "/"), "/")
	first, _, _ := strings.Cut(rest, "/")
	mounted := ""
	switch {
	case rest == "":
	case top == "dev":
		switch first {
		case "fd", "stdin", "stdout", "stderr", "tcp", "udp", "pts", "mapper", "fuse":
			return false
		}
		if letters := strings.TrimRight(first, "0123456789"); letters == "loop" || letters == "md" || letters == "dm-" || letters == "zram" || letters == "nbd" || letters == "tty" {
			return false
		}
		mounted = "/dev/null"
	case top == "proc":
		if first == "self" || first == "thread-self" || strings.Trim(first, "0123456789") == "" {
			return false
		}
		mounted = "/proc/sys/kernel/ostype"
	}
	if mounted != "" {
		if info, err := Stat(fs, mounted); err != nil || info.Kind == Missing {
			return false
		}
	}
	if info, err := fs.Lstat(name); err != nil || info.Kind == Regular || info.Kind == Dir {
		return false // asked first, since it costs least
	}
	info, err := Stat(fs, name)
	return err == nil && info.Kind == Missing
}
