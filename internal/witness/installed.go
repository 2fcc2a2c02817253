package witness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Missing is a program of a command that is in none of the directories of a search path
// and is no builtin of bash; "" if all are there. Programs that are called by their path
// do not count.
func Missing(a *risk.Assessment, search string) string {
	for _, i := range a.Invocations {
		if len(i.Argv) > 0 && !strings.Contains(i.Argv[0], "/") && !builtin(i.Argv[0]) && find(i.Argv[0], search) == "" {
			return i.Argv[0]
		}
	}
	return ""
}

// find is the file of a program; "" if there is none.
func find(name, search string) string {
	for dir := range strings.SplitSeq(search, ":") {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

// builtin reports whether a name is a builtin of bash (bash(1), "SHELL BUILTIN
// COMMANDS") that is no program too.
func builtin(name string) bool {
	return slices.Contains(strings.Fields(". : alias bg bind break builtin caller cd command compgen complete continue declare dirs disown enable eval exec exit export fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray readonly return set shift shopt source suspend times trap type typeset ulimit umask unalias unset wait"), name)
}

// both reports whether a name is a builtin of bash and a program too: no program is
// started then, unless by another one.
func both(name string) bool {
	return slices.Contains(strings.Fields("[ echo false kill printf pwd test true"), name)
}
