package flow

import (
	"path"
	"slices"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// governed takes a directory that is moved for the settings of coding agents that it
// holds: they are no longer where they are obeyed.
func (sc *Scene) governed(st *shell.State, x *catalog.Effect, p *workspace.Place) {
	if x.Verb != risk.FSMove || p.Info.Kind != world.Dir || p.Unread || st.Context.Host != "" || st.Context.Container != "" {
		return
	}
	switch p.Scope {
	case risk.InWorkspace, risk.InHome, risk.InTemp, risk.InOtherRepo:
	default:
		return
	}
	if slices.ContainsFunc(sc.Space.ObeyedBelow(p.Path), func(name string) bool {
		full := path.Join(p.Path, name)
		i, err := st.FS.Lstat(full)
		return sc.Space.Scope(full) == risk.IsAgentConfig && err == nil && i.Kind != world.Missing
	}) {
		p.Scope = risk.IsAgentConfig
	}
}
