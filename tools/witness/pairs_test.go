//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPairs: worlds come with their setups and commands, and a command without a world
// is refused.
func TestPairs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pairs")
	if err := os.WriteFile(file, []byte("== one\nmkdir a\ntouch a/b\n--\nrm -r a\n\nrm a/b\n== two\n--\nls\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := pairs(file)
	if err != nil || len(got) != 2 || got[0].name != "one" || got[0].setup != "mkdir a\ntouch a/b\n" || len(got[0].own) != 2 || got[1].own[0] != "ls" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(file, []byte("rm -r a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := pairs(file); err == nil {
		t.Errorf("a command without a world: %+v", got)
	}
}
