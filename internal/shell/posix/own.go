package posix

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
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

// ownProgram tells of a PATH that finds another heed first: one that this
// command made, or one where programs are not installed.
func (e *evaluator) ownProgram(st *shell.State, v value.Value, span risk.Span) {
	text := v.Prefix()
	if st.Context.Host != "" || st.Context.Container != "" {
		return
	}
	looked := 0
	for d := range strings.SplitSeq(text, ":") {
		if looked++; looked > maxPathDirs {
			return
		}
		if !path.IsAbs(d) {
			dir, ok := st.Dir.Known()
			if !ok {
				continue
			}
			d = path.Join(dir, d)
		}
		name, _ := world.Resolve(st.FS, path.Join(d, Own), true)
		i, err := st.FS.Lstat(name)
		if err != nil || i.Kind != world.Regular {
			continue
		}
		if st.FS.Touched(name) || st.FS.Touched(path.Join(path.Clean(d), Own)) || !OwnPlace(path.Clean(d)) {
			e.m.Effect(st, span, shell.Effect{Verb: risk.AgentConfig, Target: value.Lit(path.Join(d, Own)), Kind: risk.KindAnotherHeedFirstInPATH})
		}
		return
	}
}
