package preview

import (
	"path"
	"slices"

	"github.com/heedsh/heed/risk"
)

// A reason is why a preview does not show a kind of effect.
type reason struct{ what, why string }

// beyond says of which kinds of effects a preview shows nothing.
func beyond() map[risk.Verb]reason {
	const network = "there is no network in a preview"
	const service = "what a service holds is not copied"
	const machine = "it is about the machine, not its files"
	return map[risk.Verb]reason{
		risk.NetFetch: {"downloading", network}, risk.NetSend: {"sending data", network}, risk.NetConnect: {"connecting", network},
		risk.NetListen: {"listening", "nobody outside reaches a preview"}, risk.ExecRemote: {"running code from the network", network},
		risk.SecretSend: {"sending secrets", network}, risk.VCSPush: {"pushing", network}, risk.VCSForce: {"force-pushing", network},
		risk.PkgPublish: {"publishing", network}, risk.PkgInstall: {"downloading packages", network},
		risk.RemoteRead: {"asking a service", service}, risk.RemoteChange: {"changing what a service holds", service}, risk.RemoteDestroy: {"deleting what a service holds", service},
		risk.DBRead: {"reading a database", service}, risk.DBChange: {"changing a database", service}, risk.DBDestroy: {"deleting from a database", service},
		risk.FSMount: {"mounting", machine}, risk.DiskWrite: {"writing to a disk", machine}, risk.SysConfig: {"setting up the machine", machine},
		risk.SysPower: {"stopping the machine", machine}, risk.PrivGain: {"gaining rights", machine},
		risk.ProcSignal: {"signalling", "other processes are not there in a preview"},
	}
}

// Beyond says what a preview of a command will not show, from its assessment; a sentence
// each. all is whether there is nothing else: what is only read is nothing to see either.
func Beyond(a *risk.Assessment) (what []string, all bool) {
	reasons, other := beyond(), false
	for i := range a.Effects {
		e := &a.Effects[i]
		r, is := reasons[e.Verb]
		switch {
		case is:
		case e.Host != "":
			r = reason{"changing files", "they are on another host"}
		case e.Scope == risk.InImage:
			r = reason{"changing files", "they are in the image of a container"}
		case e.Scope == risk.IsDevice:
			r = reason{"using a device", "it has no copy"}
		default:
			other = other || !slices.Contains([]risk.Verb{risk.FSRead, risk.SecretRead, risk.ExecKnown}, e.Verb)
			continue
		}
		text := r.what
		if e.Target != "" {
			text += " (" + e.Target + ")"
		}
		if text += ": " + r.why; !slices.Contains(what, text) {
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
