package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// networksetup takes one command with a dash. Those that only show begin with
// one of a few words; all others change something (networksetup(8)).
func networksetup(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	v, ok := m.Value("command")
	if !ok {
		return
	}
	word := v.String()
	for _, quiet := range []string{"-get", "-list", "-show", "-is", "-help", "-printcommands", "-version"} {
		if strings.HasPrefix(strings.ToLower(word), quiet) {
			return
		}
	}
	e := catalog.Effect{Verb: risk.SysConfig, Target: v, Kind: risk.KindNetwork}
	r.Effects = append(r.Effects, e)
}
