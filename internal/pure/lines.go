package pure

import (
	"bytes"
	"strings"
)

// splitLines cuts b after every sep and drops the separators. A last line
// without one counts as a line; ended says whether the last line had one.
func splitLines(b []byte, sep byte) (lines [][]byte, ended bool) {
	if len(b) == 0 {
		return nil, true
	}
	ended = b[len(b)-1] == sep
	if ended {
		b = b[:len(b)-1]
	}
	lines = make([][]byte, 0, bytes.Count(b, []byte{sep})+1)
	for {
		i := bytes.IndexByte(b, sep)
		if i < 0 {
			return append(lines, b), ended
		}
		lines = append(lines, b[:i])
		b = b[i+1:]
	}
}

// splitSlash cuts a path at its slashes.
func splitSlash(p string) []string { return strings.Split(p, "/") }
