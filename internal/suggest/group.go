package suggest

import (
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// A group is what one program did, in one way, each time that it was approved.
type group struct {
	program, subcommand string
	verbs, scopes       []string
	host                string // of all effects, if they have one
	deeds               []approved
}

// An approved is one deed of an approved command.
type approved struct {
	targets []target
	days    []string
	clicks  int
}

// A target is what an effect is done to.
type target struct{ verb, name string }

// groups gathers what people approved and would be asked about again.
func groups(in *Input) []*group {
	by := map[string]*group{}
	for i := range in.Log {
		x := &in.Log[i]
		if len(x.Yes) == 0 || len(x.No) > 0 || x.Unfit || x.Assessment.Error != "" || x.Assessment.Tier != risk.Caution || x.Tier != risk.Caution.String() {
			continue
		}
		at := in.At
		at.Agent, at.Provenance = x.Request.Agent, x.Request.Provenance
		parts := in.Rules.Decide(x.Assessment, at).Parts
		for _, d := range policy.Deeds(x.Assessment) {
			asked := slices.ContainsFunc(parts, func(p policy.Part) bool {
				return p.Process == d.Process && p.Action != policy.Allow && p.Action != policy.Deny
			})
			if asked {
				place(by, &d, x)
			}
		}
	}
	out := make([]*group, 0, len(by))
	for _, k := range slices.Sorted(maps.Keys(by)) {
		out = append(out, by[k])
	}
	return out
}

// place puts a deed into its group. One that no rule may be about is left out, and
// with it nothing else: its command stays a question.
func place(by map[string]*group, d *policy.Deed, x *Seen) {
	if d.Program == "" || strings.Contains(d.Program+d.Subcommand, "*") || len(d.Program) > maxWord {
		return // it would be a pattern, or no name
	}
	g := &group{program: d.Program, subcommand: d.Subcommand}
	one := approved{days: x.Yes, clicks: x.Clicks}
	hosts := map[string]bool{}
	for i := range d.Effects {
		e := &d.Effects[i]
		if e.Band <= risk.BandCautionA {
			continue
		}
		if !suitable(e) {
			return
		}
		g.verbs, g.scopes = once(g.verbs, string(e.Verb)), once(g.scopes, string(e.Scope))
		hosts[e.Host] = true
		if t := (target{string(e.Verb), e.Target}); !slices.Contains(one.targets, t) {
			one.targets = append(one.targets, t)
		}
	}
	if len(g.verbs) == 0 {
		return
	}
	if len(hosts) == 1 {
		for h := range hosts {
			g.host = h
		}
	}
	slices.Sort(g.verbs)
	slices.Sort(g.scopes)
	names := slices.Sorted(maps.Keys(hosts))
	k := strings.Join([]string{g.program, g.subcommand, strings.Join(g.verbs, " "), strings.Join(g.scopes, " "), strings.Join(names, " ")}, "\x00")
	if by[k] == nil {
		by[k] = g
	}
	by[k].deeds = append(by[k].deeds, one)
}

// maxWord is how long a word of a rule is at most, in bytes.
const maxWord = 200

// suitable reports whether a rule may be about an effect: what it is done to is
// known, it is done here and by this account alone, and what follows from it is no
// more than was seen.
func suitable(e *policy.Fact) bool {
	switch e.Verb {
	case risk.FSRead, risk.FSCreate, risk.FSWrite, risk.FSMove, risk.FSDelete, risk.FSAttr, risk.NetFetch, risk.NetSend, risk.NetConnect,
		risk.PkgInstall, risk.PkgRemove, risk.VCSLocal, risk.VCSPush, risk.RemoteRead, risk.RemoteChange, risk.DBRead, risk.DBChange, risk.ProcSignal:
	default:
		// Code and rights: nobody knows what comes of them the next time. Nor does a port
		// say what is served there.
		return false
	}
	switch e.Scope {
	case risk.IsSecret, risk.IsAgentConfig, risk.IsStartup, risk.IsDevice, risk.IsAccounts, risk.InOtherHome, risk.InSystem, risk.ScopeUnknown:
		return false
	}
	if strings.Trim(e.Target, "0123456789") == "" {
		return false // a process: the next one of this number is another
	}
	if len(e.Target) > maxWord || strings.Contains(e.Host, "*") {
		return false
	}
	return e.Band == risk.BandCautionB && e.Unresolved == "" && !e.Privileged && e.Effect.Host == "" && e.Target != "" && !e.Root &&
		!strings.ContainsAny(e.Target, "*$`") && len(e.Via) == 0
}
