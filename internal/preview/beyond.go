package preview

import (
	"path"
	"slices"

	"github.com/heedsh/heed/risk"
)

// beyond says of kinds of effects why a preview does not show them, as it follows the
// target.
func beyond() map[risk.Verb]string {
	const network = "there is no network in a preview"
	const service = "what a service holds is not copied"
	const machine = "it is about the machine, not its files"
	return map[risk.Verb]string{
		risk.NetFetch: network, risk.NetSend: network, risk.NetConnect: network, risk.NetListen: "nobody outside reaches a preview",
		risk.ExecRemote: network, risk.SecretSend: network, risk.VCSPush: network, risk.VCSForce: network, risk.PkgPublish: network,
		risk.PkgInstall: network, risk.RemoteRead: service, risk.RemoteChange: service, risk.RemoteDestroy: service,
		risk.DBRead: service, risk.DBChange: service, risk.DBDestroy: service,
		risk.FSMount: machine, risk.DiskWrite: machine, risk.SysConfig: machine, risk.SysPower: machine, risk.PrivGain: machine,
		risk.ProcSignal: "other processes are not there in a preview",
	}
}

// Beyond says what a preview of a command will not show, from its assessment; a sentence
// each. all is whether there is nothing else: what is only read is nothing to see either.
func Beyond(a *risk.Assessment) (what []string, all bool) {
	reasons, other := beyond(), false
	for i := range a.Effects {
		e := &a.Effects[i]
		why, is := reasons[e.Verb]
		switch {
		case is:
		case e.Host != "":
			why = "it is on another host"
		case e.Scope == risk.InImage:
			why = "it is in the image of a container"
		case e.Scope == risk.IsDevice:
			why = "a device has no copy"
		default:
			other = other || !slices.Contains([]risk.Verb{risk.FSRead, risk.SecretRead, risk.ExecKnown}, e.Verb)
			continue
		}
		text := string(e.Verb)
		if e.Target != "" {
			text += " " + e.Target
		}
		if text += ": " + why; !slices.Contains(what, text) {
			what = append(what, text)
		}
	}
	return what, len(what) > 0 && !other && a.Error == ""
}

// Targets are the paths that a command is known to change, absolute.
func Targets(a *risk.Assessment) []string {
	var out []string
	for i := range a.Effects {
		e := &a.Effects[i]
		if !slices.Contains([]risk.Verb{risk.FSCreate, risk.FSWrite, risk.FSDelete, risk.FSMove, risk.FSAttr, risk.PersistAdd, risk.AgentConfig}, e.Verb) {
			continue
		}
		if !path.IsAbs(e.Target) || e.Host != "" || e.Named != "" || e.Unresolved != "" || slices.Contains([]risk.Scope{risk.IsNull, risk.IsDevice, risk.InImage}, e.Scope) {
			continue
		}
		if p := path.Clean(e.Target); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}
