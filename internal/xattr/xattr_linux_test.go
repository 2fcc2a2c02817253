package xattr

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestAll(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"user.a": "x\x00y", "user.empty": "", "user.other": "z"} {
		if err := unix.Lsetxattr(path, name, []byte(value), 0); err != nil {
			t.Skipf("no attributes here: %v", err)
		}
	}
	got, err := All(path, func(name string) bool { return name == "user.other" })
	if err != nil {
		t.Fatal(err)
	}
	if _, empty := got["user.empty"]; !empty || string(got["user.a"]) != "x\x00y" || got["user.other"] != nil {
		t.Errorf("got %q", got)
	}
	if _, err := All(path+"gone", func(string) bool { return false }); err == nil {
		t.Error("a path that leads nowhere has attributes")
	}
}
