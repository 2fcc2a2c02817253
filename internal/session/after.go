package session

import (
	"slices"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A Fate is what became of a call.
type Fate uint8

// The fates.
const (
	MayRun  Fate = iota // it was let run, or somebody was asked about it
	Ran                 // its agent says that it ran
	Refused             // it was refused
)

// An Outcome is what is known of a call beside its assessment.
type Outcome struct {
	Call string // the agent's id of the call, if it has one
	Fate Fate
	// Left is what it leaves ([flow.Trace]), for one that may run.
	Left *shell.Left
	// Dir is where its shell is now, for one that ran.
	Dir string
}

// After learns from a call. One that may run teaches what it may have done, once and
// at once: of many agents nobody hears an outcome, and somebody may say yes in a
// dialog that is not heed's. An outcome counts only for a call that is waited for,
// and takes nothing back.
func (s *State) After(a *risk.Assessment, ran Outcome) {
	if s == nil {
		return
	}
	switch ran.Fate {
	case MayRun:
		s.learn(a, ran.Left)
		if a != nil && a.Error != "" { // what was not judged may have done anything
			s.Unknown = s.Now + Keeps
		}
		s.wait(ran.Call)
	case Ran:
		if s.waited(ran.Call) && ran.Dir != "" && len(ran.Dir) <= maxName && carries(s.Agent).dir != never {
			s.Dir, s.DirWhen = ran.Dir, s.Now
		}
	case Refused:
		s.waited(ran.Call)
	}
}

// Waits reports whether a call's outcome is not known yet.
func (s *State) Waits(id string) bool {
	return s != nil && id != "" && slices.ContainsFunc(s.Calls, func(c Call) bool { return c.ID == id })
}

// wait notes a call whose outcome is not known.
func (s *State) wait(id string) {
	if id == "" || len(id) > maxName {
		return
	}
	s.Calls = slices.DeleteFunc(s.Calls, func(c Call) bool { return c.ID == id })
	if len(s.Calls) >= maxCalls {
		s.Calls = slices.Delete(s.Calls, 0, 1)
	}
	s.Calls = append(s.Calls, Call{id, s.Now})
}

// waited reports whether a call's outcome was not known, and is now.
func (s *State) waited(id string) bool {
	i := slices.IndexFunc(s.Calls, func(c Call) bool { return c.ID == id })
	if i < 0 || id == "" {
		return false
	}
	s.Calls = slices.Delete(s.Calls, i, i+1)
	return true
}

func (s *State) learn(a *risk.Assessment, left *shell.Left) {
	if a != nil {
		for i := range a.Effects {
			s.effect(&a.Effects[i])
		}
	}
	if left == nil {
		return
	}
	if carried := carries(s.Agent); carried.vars != never {
		for i := range left.Vars {
			s.variable(&left.Vars[i])
		}
		for i := range left.Funcs {
			s.function(&left.Funcs[i])
		}
	}
	if left.Dir != "" && len(left.Dir) <= maxName && carries(s.Agent).dir == mayKeep {
		s.Dir, s.DirWhen = left.Dir, s.Now
	}
	for i := range left.Files {
		f := &left.Files[i]
		s.file(File{
			Path: f.Path, Tree: f.Tree, Some: f.Some, How: f.How, From: clip(f.From),
			Network: f.Holds.Has(value.Network), Secret: f.Holds.Has(value.Secret | value.Credential), Decoded: f.Holds.Has(value.Decoded),
		})
	}
	if left.Staged != "" {
		s.Staged = Secret{clip(left.Staged), s.Now}
	}
	if left.Kept != "" {
		s.Kept = Secret{clip(left.Kept), s.Now}
	}
}

// effect learns from one effect.
func (s *State) effect(e *risk.Effect) {
	switch {
	case e.Verb == risk.SecretRead && e.Tier == risk.Review:
		name := e.Target
		if from, ok := e.Source.Named(); ok {
			name = from
		}
		s.Saw(name)
	case e.Verb == risk.VCSLocal && commits(e):
		s.Committed = s.Now
	}
}

// Showed learns from an assessment of reading files, of which the agent has now seen what
// is in them: the secrets, and the text that an earlier call brought from elsewhere. It
// takes nothing back.
func (s *State) Showed(a *risk.Assessment) {
	if s == nil || a == nil {
		return
	}
	if a.Error != "" { // what was not judged may have been one
		s.Saw("")
	}
	for i := range a.Effects {
		e := &a.Effects[i]
		switch e.Verb {
		case risk.SecretRead:
			s.effect(e)
		case risk.FSRead:
			f := s.among(e.Target)
			if f != nil && f.Network {
				s.Read(risk.WebContent, e.Target)
			}
			if f != nil && f.Secret {
				s.Saw(e.Target)
			}
		}
	}
}

// commits reports whether commits are made that a later push can take along.
func commits(e *risk.Effect) bool {
	switch e.Kind {
	case risk.KindCommit, risk.KindMerge, risk.KindRebase, risk.KindRevert, risk.KindCherryPick, risk.KindPull, risk.KindTag, risk.KindNotes, risk.KindPlumbing:
		return true
	}
	return false
}
