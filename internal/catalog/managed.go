package catalog

import (
	"path"
	"slices"
	"strings"
)

// What lets a package installer change the Python of the system all the same, which is kept
// for the system's own packages. Source: PEP 668; pip documentation, "Configuration".

// KeepsPython reports whether what a wrapper runs, by its label, finds the same Python that
// would be found without it.
func KeepsPython(label string) bool {
	name, _, _ := strings.Cut(label, " ")
	return KeepsNetwork(label) || strings.TrimRight(path.Base(name), "0123456789.") == "python"
}

// FreesPython reports whether the text of a file of pip's settings may say that pip installs
// elsewhere, or here all the same.
func FreesPython(settings string) bool {
	return slices.ContainsFunc([]string{"break", "target", "prefix", "root", "python"}, func(key string) bool { return strings.Contains(settings, key) })
}
