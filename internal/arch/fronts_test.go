package arch

import (
	"path"
	"strconv"
	"strings"
	"testing"
)

// TestOnlyTheRegistryKnowsAFront: a shell's front is reached through
// [shell.Fronts]. Its own tests beside it import it, and nothing else.
func TestOnlyTheRegistryKnowsAFront(t *testing.T) {
	t.Parallel()
	front, registry := "internal/shell/posix", "internal/shell/fronts"
	importers := map[string]bool{}
	for dir, files := range load(t) {
		for _, f := range files {
			for _, spec := range f.tree.Imports {
				name, err := strconv.Unquote(spec.Path.Value)
				if err == nil && strings.HasSuffix(name, path.Join("/", front)) && dir != front {
					importers[dir] = true
				}
			}
		}
	}
	if !importers[registry] {
		t.Fatalf("%s does not import %s: has it moved?", registry, front)
	}
	delete(importers, registry)
	t.Logf("%d packages beside the registry import %s", len(importers), front)
	for dir := range importers {
		t.Errorf("%s imports %s: ask %s for the dialect", dir, front, registry)
	}
}
