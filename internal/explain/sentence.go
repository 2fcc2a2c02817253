package explain

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// maxSentence is about how long a sentence may be, in characters.
const maxSentence = 140

// Input is what a sentence is made from.
type Input struct {
	Effects []risk.Effect
	Bands   []risk.Band
	Dir     string
	Home    string
	// Summary is the catalog's phrase for a command without effects that
	// matter: "Lists files". Programs names what runs.
	Summary  string
	Programs []string
}

// Summarize writes the sentence.
func Summarize(in Input) string {
	at := place{in.Dir, in.Home}
	lead := leading(in.Effects, in.Bands)
	if lead < 0 {
		return harmless(in, at)
	}
	e := &in.Effects[lead]
	text := phrase(e, at)
	text = withVia(text, e)
	if e.Reached != "" && e.Certainty == risk.Possible {
		text += " " + Visible(e.Reached)
	}
	if n := others(in, lead); n > 0 {
		text += " (+" + number(n) + " more)"
	}
	return finish(text)
}

func finish(s string) string {
	s = Cut(strings.TrimSpace(s), maxSentence+60)
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// weight orders effects of one band: what is lost or run comes before what is
// merely touched.
func weight(e *risk.Effect) int {
	order := []risk.Verb{
		risk.Blind, risk.DiskWrite, risk.Exhaust, risk.ExecRemote, risk.SecretSend, risk.FSDelete, risk.DBDestroy, risk.RemoteDestroy, risk.VCSForce,
		risk.VCSDiscard, risk.VCSRewrite, risk.AgentConfig, risk.SecretRead, risk.PrivGain, risk.PersistAdd, risk.DefenseEvade, risk.SysPower,
		risk.FSWrite, risk.FSMove, risk.FSAttr, risk.ExecShell, risk.ExecUnknown, risk.ProcSignal, risk.PkgPublish, risk.VCSPush, risk.PkgInstall, risk.PkgRemove,
		risk.NetSend, risk.DBChange, risk.RemoteChange, risk.SysConfig, risk.FSMount, risk.ExecProject, risk.NetListen, risk.NetConnect, risk.NetFetch, risk.VCSLocal,
		risk.FSCreate, risk.ExecKnown, risk.DBRead, risk.RemoteRead, risk.FSRead,
	}
	w := slices.Index(order, e.Verb) * 8
	if e.Root {
		w -= 4
	}
	if e.Recursive {
		w -= 2
	}
	if e.Certainty == risk.Possible {
		w++
	}
	if e.Reversible == risk.NothingThere {
		w += 3 // what is really lost comes before what is not there
	}
	return w
}

// leading picks the effect that decided the tier, or -1 if none matters.
func leading(effects []risk.Effect, bands []risk.Band) int {
	best := -1
	for i := range effects {
		if bands[i] == risk.BandSafe {
			continue
		}
		if best < 0 || bands[i] > bands[best] || bands[i] == bands[best] && weight(&effects[i]) < weight(&effects[best]) {
			best = i
		}
	}
	return best
}

// others counts the further effects that matter as much as a click.
func others(in Input, lead int) int {
	n := 0
	for i := range in.Effects {
		if i != lead && in.Bands[i] >= risk.BandCautionB && in.Effects[i].Target != in.Effects[lead].Target {
			n++
		}
	}
	return n
}

// harmless writes the sentence of a command that only reads or prints.
func harmless(in Input, at place) string {
	verb := in.Summary
	if verb == "" {
		verb = "Prints output"
	}
	var files []string
	for i := range in.Effects {
		if e := &in.Effects[i]; e.Verb == risk.FSRead && !slices.Contains(files, at.path(e.Target)) {
			files = append(files, at.path(e.Target))
		}
	}
	text := verb
	switch {
	case len(files) == 1 && files[0] == ".":
		text += " in ."
	case len(files) > 0 && len(files) <= 2:
		text += ": " + strings.Join(files, ", ")
	case len(files) > 2:
		text += ": " + strings.Join(files[:2], ", ") + " and " + number(len(files)-2) + " more"
	}
	if len(in.Programs) > 1 {
		text += " (" + strings.Join(in.Programs[:min(3, len(in.Programs))], ", ")
		if len(in.Programs) > 3 {
			text += ", …"
		}
		text += ")"
	}
	return finish(text + "; changes nothing")
}

// withVia says through which wrapper, machine or account something happens.
func withVia(text string, e *risk.Effect) string {
	if e.Host != "" {
		return text + " on " + quote(e.Host)
	}
	if e.Privileged && e.Verb != risk.ExecKnown {
		return text + " as another user (" + quote(lastOr(e.Via, "sudo")) + ")"
	}
	return text
}

func lastOr(list []string, otherwise string) string {
	for _, v := range list {
		if strings.HasPrefix(v, "sudo") || strings.HasPrefix(v, "doas") || strings.HasPrefix(v, "su") {
			return v
		}
	}
	return otherwise
}
