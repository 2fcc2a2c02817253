package recipe

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// agent says what starting a coding agent amounts to: code that nobody has
// seen yet, and, where its questions are turned off, rights that it gives
// itself. The spec sets "unattended", or names "mode", "sandbox", "auto" or
// "setting" for the values that do.
func agent(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) > 1 && m.Node().Hook == "" || m.Has("done") || m.Has("help") {
		return
	}
	if agentUnattended(m, s) {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.AgentConfig, Target: value.Lit("approvals off")})
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecUnknown, Kind: risk.KindCodingAgent})
}

// agentTop is agent for programs that also start the agent by a subcommand,
// which has a hook of its own.
func agentTop(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) == 1 {
		agent(m, s, r)
	}
}

// agentUnattended reports whether the agent may act without asking.
func agentUnattended(m *catalog.Match, s *catalog.Site) bool {
	if m.Has("unattended") {
		return true
	}
	for _, v := range m.Values("mode") {
		if text, known := v.Known(); !known || text == "bypassPermissions" || text == "yolo" || text == "never" || text == "full-auto" || text == "dontAsk" || text == "auto" {
			return true
		}
	}
	for _, v := range m.Values("sandbox") {
		if text, known := v.Known(); !known || text == "danger-full-access" {
			return true
		}
	}
	for _, v := range m.Values("auto") {
		if text, known := v.Known(); !known || text == "high" || text == "medium" {
			return true
		}
	}
	for _, v := range m.Values("setting") {
		text := strings.NewReplacer(" ", "", `"`, "", "'", "").Replace(v.Prefix())
		if strings.HasPrefix(text, "approval_policy=never") || strings.HasPrefix(text, "sandbox_mode=danger") {
			return true
		}
	}
	if v, ok := site.OwnEnv(s, "GOOSE_MODE"); ok {
		text, known := v.Known()
		return !known || text == "auto"
	}
	return false
}
