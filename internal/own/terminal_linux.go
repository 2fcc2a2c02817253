package own

import (
	"bytes"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// terminalSession names the session of this process's terminal: its leader, and when
// that was started, because numbers of processes come again. Source: proc_pid_stat(5),
// whose 22nd field is the start; the second one, in parentheses, may hold anything.
func terminalSession() string {
	sid, err := unix.Getsid(0)
	if err != nil {
		return ""
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", sid))
	if err != nil {
		return "" // its leader ended, or belongs to another account
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 20 {
		return ""
	}
	return fmt.Sprintf("%d-%s", sid, fields[19])
}
