package posix

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

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
		name, _ := world.Resolve(st.FS, path.Join(d, workspace.Own), true)
		i, err := st.FS.Lstat(name)
		if err != nil || i.Kind != world.Regular {
			continue
		}
		if st.FS.Touched(name) || st.FS.Touched(path.Join(path.Clean(d), workspace.Own)) || !workspace.OwnPlace(path.Clean(d)) {
			e.m.Effect(st, span, shell.Effect{Verb: risk.AgentConfig, Target: value.Lit(path.Join(d, workspace.Own)), Kind: risk.KindAnotherHeedFirstInPATH})
		}
		return
	}
}
