package generate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/generate"
)

// TestWrite: what was written is fresh, what was changed or is not there is stale, and
// looking writes nothing.
func TestWrite(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "table.go")
	files := map[string][]byte{name: []byte("package x\n")}
	if err := generate.Write(files, "make it", true); err == nil || !strings.Contains(err.Error(), "run make it") {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := os.Stat(name); err == nil {
		t.Error("looking wrote the file")
	}
	if err := generate.Write(files, "make it", false); err != nil {
		t.Fatal(err)
	}
	if err := generate.Write(files, "make it", true); err != nil {
		t.Errorf("what was just written: %v", err)
	}
	if err := os.WriteFile(name, []byte("package y\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := generate.Write(files, "make it", true); err == nil {
		t.Error("a changed file is fresh")
	}
}
