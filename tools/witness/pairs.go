//go:build linux

package main

import (
	"fmt"
	"os"
	"strings"
)

// pairs reads worlds and commands of one's own from a file: a line "== NAME" begins a
// world, the lines up to "--" are its setup, as bash runs it in the project of a
// fresh world, and each line after that is a command. Worlds come in their order.
func pairs(file string) (kinds []kind, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading pairs: %w", err)
	}
	setup := false
	for line := range strings.SplitSeq(string(data), "\n") {
		name, begins := strings.CutPrefix(line, "== ")
		switch {
		case begins:
			kinds, setup = append(kinds, kind{name: name}), true
		case len(kinds) == 0 && strings.TrimSpace(line) != "":
			return nil, fmt.Errorf("reading pairs: %s: the first line names no world: %q", file, line)
		case line == "--":
			setup = false
		case setup:
			kinds[len(kinds)-1].setup += line + "\n"
		case strings.TrimSpace(line) != "":
			k := &kinds[len(kinds)-1]
			k.own = append(k.own, line)
		}
	}
	return kinds, nil
}
