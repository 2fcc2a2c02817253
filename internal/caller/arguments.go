package caller

import (
	"bytes"
	"encoding/binary"
)

// parseArguments reads what macOS keeps of the start of a process: the number of
// its words, the program's path, zero bytes, the words, the variables, each ended
// by a zero byte. Source: xnu, bsd/kern/kern_sysctl.c, sysctl_procargsx.
func parseArguments(raw []byte) (program string, argv, env []string, ok bool) {
	if len(raw) < 4 {
		return "", nil, nil, false
	}
	n := int(binary.LittleEndian.Uint32(raw))
	first, rest, found := bytes.Cut(raw[4:], []byte{0})
	if !found || n < 0 || n > len(rest) {
		return "", nil, nil, false
	}
	rest = bytes.TrimLeft(rest, "\x00")
	for len(argv) < n {
		word, more, found := bytes.Cut(rest, []byte{0})
		if !found {
			return string(first), argv, nil, false
		}
		argv, rest = append(argv, string(word)), more
	}
	for {
		word, more, found := bytes.Cut(rest, []byte{0})
		if !found || len(word) == 0 {
			return string(first), argv, env, true
		}
		env, rest = append(env, string(word)), more
	}
}
