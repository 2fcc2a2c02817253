package wholefile_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/heedsh/heed/internal/wholefile"
)

func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{"ours": "ours 1", "theirs": "export PATH", "empty": ""} {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("ours", at("link")); err != nil {
		t.Skip(err)
	}
	ours := func(text []byte) bool { return bytes.HasPrefix(text, []byte("ours")) }
	for name, want := range map[string]bool{"ours": true, "empty": true, "new": true, "theirs": false, "link": false, ".": false} {
		err := wholefile.Replace(at(name), []byte("ours 2"), 0o600, ours)
		if (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
		if text, _ := os.ReadFile(at(name)); want && string(text) != "ours 2" {
			t.Errorf("%s holds %q", name, text)
		}
	}
	if err := wholefile.Replace(at("theirs"), nil, 0o600, ours); !errors.Is(err, wholefile.ErrNotOurs) {
		t.Error(err)
	}
	if text, _ := os.ReadFile(at("theirs")); string(text) != "export PATH" {
		t.Errorf("what is not ours holds %q", text)
	}
}
