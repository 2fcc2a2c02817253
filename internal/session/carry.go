package session

import (
	"slices"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A keeping says whether an agent's shell still has something at its next call.
type keeping uint8

const (
	mayKeep keeping = iota // it is not known
	never
	tells // it does, and each call says what it is now
)

// A carrying is what an agent's shell carries over between two calls.
type carrying struct{ dir, vars keeping }

// carries tells what is known of an agent's shell, as it was seen live: Claude Code
// 2.1.329 starts a new shell for each call, in the directory where the last one
// ended; Codex 0.169.0, Gemini CLI 0.61.0, Qwen Code 0.24.4, OpenCode 1.18.33 and
// Copilot CLI 1.0.102 start one with -c, in a directory that the call says. Of all
// others it is not known.
func carries(agent string) carrying {
	switch agent {
	case "claude-code", "codex", "gemini-cli", "qwen-code", "opencode", "copilot-cli":
		return carrying{dir: tells, vars: never}
	}
	return carrying{}
}

// order is the order of provenances, from the one that raises least.
var order = [...]risk.Provenance{
	risk.LocalUser, risk.ModelSuggestion, risk.ToolOutput, risk.UnknownOrigin, risk.WorkspaceFile, risk.WebContent, risk.WebRemoteUser,
}

// rank is the place of a provenance in that order; one that is not said, or is no
// word, is unknown.
func rank(p risk.Provenance) int {
	if i := slices.Index(order[:], p); i >= 0 {
		return i
	}
	return slices.Index(order[:], risk.UnknownOrigin)
}

// Worse is the one of two provenances that raises more.
func Worse(a, b risk.Provenance) risk.Provenance {
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// Before adds to a request what is sure of the session before it: whoever asks for
// something after having read untrusted text may ask for what that said. Only a
// directory that nobody told is filled in. What is not sure, Left tells.
func (s *State) Before(req *risk.Request) {
	if s == nil {
		return
	}
	for i := range s.Texts {
		req.Provenance = Worse(req.Provenance, s.Texts[i].Provenance)
	}
	if req.Dir == "" && carries(s.Agent).dir != never {
		req.Dir = s.Dir
	}
}

// Left is what earlier calls may have left for a request, in each of the places
// where its shell can be: where the request says, and where they left it. Nothing
// that it can meet is nothing.
func (s *State) Left(req *risk.Request) []*shell.Left {
	if s == nil {
		return nil
	}
	here := &shell.Left{}
	carried := carries(s.Agent)
	if carried.vars == mayKeep {
		for i := range s.Vars {
			v := &s.Vars[i]
			here.Vars = append(here.Vars, shell.LeftVar{Name: v.Name, Values: v.Values, Open: v.Open, Hidden: v.Hidden, Exported: v.Exported})
		}
	}
	for i := range s.Funcs {
		if f := &s.Funcs[i]; carried.vars == mayKeep && f.Text != "" {
			here.Funcs = append(here.Funcs, shell.LeftFunc{Name: f.Name, Dialect: f.Dialect, Text: f.Text})
		}
	}
	for i := range s.Files {
		f := &s.Files[i]
		here.Files = append(here.Files, shell.LeftFile{Path: f.Path, Tree: f.Tree, Some: f.Some, Holds: f.holds(), How: f.How, From: f.From})
	}
	here.Staged, here.Kept = s.Staged.Path, s.Kept.Path
	var all []*shell.Left
	if !here.Empty() {
		all = append(all, here)
	}
	if carried.dir == mayKeep && s.Dir != "" && s.Dir != req.Dir {
		there := *here
		there.Dir = s.Dir
		all = append(all, &there)
	}
	return all
}

func (f *File) holds() (t value.Taint) {
	if f.Network {
		t |= value.Network
	}
	if f.Secret {
		t |= value.Secret
	}
	if f.Decoded {
		t |= value.Decoded
	}
	return t
}
