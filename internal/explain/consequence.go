package explain

import (
	"slices"

	"github.com/heedsh/heed/risk"
)

// maxConsequences bounds each list.
const maxConsequences = 8

// Consequences lists what follows if the command runs: directly, from its
// effects, and indirectly, from what those make possible.
func Consequences(in Input) risk.Consequences {
	c := risk.Consequences{Direct: []string{}, Indirect: []string{}}
	at := place{in.Dir, in.Home}
	in.place(at)
	in.nameSecrets()
	add := func(list *[]string, s string) {
		if s != "" && len(*list) < maxConsequences && !slices.Contains(*list, s) {
			*list = append(*list, s)
		}
	}
	for _, band := range []risk.Band{risk.BandReview, risk.BandCautionB, risk.BandCautionA} {
		for i := range in.Effects {
			if in.Bands[i] == band {
				e := &in.Effects[i]
				text := finish(in.withVia(orElse(in.said(e, at), phrase(e, at)), e))
				add(&c.Direct, text)
				if more := aftermath(text, e, in.actOf(e)); more != "" {
					add(&c.Indirect, finish(upper(more)))
				}
				add(&c.Indirect, indirect(e))
			}
		}
	}
	return c
}

// indirect says what an effect makes possible later.
func indirect(e *risk.Effect) string {
	switch e.Verb {
	case risk.ExecRemote, risk.ExecUnknown, risk.ExecProject:
		return "What it runs can do anything that you can do here."
	case risk.PkgInstall:
		if base(e.Program) == "go" {
			return "Go runs nothing of it now; what is built of it runs when it is started."
		}
		return "Install scripts of the packages, and of what they depend on, can run code."
	case risk.SecretRead, risk.SecretSend:
		return "Whoever sees the secret can use it until it is changed."
	case risk.VCSForce:
		return "Others who have the old history must repair their branches."
	case risk.PersistAdd:
		return "It goes on after this session ends."
	case risk.AgentConfig:
		return "The agent may then do more without asking."
	case risk.FSWrite:
		switch e.Scope {
		case risk.IsStartup:
			return "It takes effect at the next login, commit or schedule."
		case risk.IsAgentConfig:
			return "The agent may then do more without asking."
		}
	case risk.RemoteDestroy:
		return "It comes back only from a backup, or by making it anew."
	case risk.DBDestroy:
		return "Only a backup of the database brings the data back."
	case risk.RemoteChange:
		if p := base(e.Program); p == "kubectl" || p == "helm" {
			return "It takes effect in the cluster at once, for all who use it."
		}
	case risk.VCSDiscard:
		return "What was never committed or stashed cannot be brought back."
	case risk.VCSRewrite:
		return "git reflog names the old commits for a while: git branch NAME COMMIT keeps one."
	case risk.FSDelete:
		switch {
		case e.Reversible == risk.Lost || e.Reversible == risk.Partly:
			return "Only a backup brings back what is nowhere else."
		case e.Reversible == risk.Restorable && e.Remedy == risk.RemedyGit:
			return "git restore brings back what is committed."
		}
	case risk.DiskWrite:
		return "What was on it cannot be read afterwards."
	case risk.PkgRemove:
		return "What uses it stops working until it is installed again."
	case risk.ProcSignal:
		return "What a stopped process has not saved is lost."
	case risk.NetSend:
		return "What was sent cannot be called back."
	case risk.PrivGain:
		return "Whoever has the right can use it until it is taken back."
	case risk.VCSPush, risk.PkgPublish:
		return "Others can fetch it at once; taking it back does not take it from them."
	}
	return ""
}
