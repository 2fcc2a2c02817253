package workspace

import (
	"slices"
	"strings"
)

// Own is the name of heed's program: what answers to it decides what may run.
const Own = "heed"

// ownPlaces are the ends of the directories that programs are installed in:
// one in front of PATH is where a heed of the user's own belongs.
var ownPlaces = []string{"/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/.local/bin", "/go/bin", "/.cargo/bin", "/.nix-profile/bin"}

// OwnPlace reports whether programs are installed in a directory, by its name.
func OwnPlace(dir string) bool {
	return slices.ContainsFunc(ownPlaces, func(end string) bool {
		return dir == end || strings.HasPrefix(end, "/.") && strings.HasSuffix(dir, end) || end == "/go/bin" && strings.HasSuffix(dir, end)
	})
}
