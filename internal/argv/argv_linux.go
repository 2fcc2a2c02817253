package argv

import (
	"os"
	"strings"
	"unsafe"
)

// Take returns a copy of [os.Args], and a function that erases all of the original but the
// program's name: from then on /proc/PID/cmdline, ps(1) and pgrep(1) show that alone
// (proc_pid_cmdline(5): a process may overwrite what is shown there). Whoever holds strings
// of os.Args, and not of the copy, sees them turn into NULs.
func Take() (words []string, erase func()) {
	words = make([]string, len(os.Args))
	for i, word := range os.Args {
		words[i] = strings.Clone(word)
	}
	return words, func() {
		for _, word := range os.Args[min(1, len(os.Args)):] {
			// The runtime's strings of os.Args lie where the kernel put them, on the
			// first thread's stack, which can be written.
			clear(unsafe.Slice(unsafe.StringData(word), len(word)))
		}
	}
}
