//go:build linux

package main

import (
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/throwaway"
)

// ended holds what an answer says of how a command ends against how it did: one of a
// single program that is said to fail has not succeeded, and one that is said to do
// nothing has changed nothing.
func ended(a *risk.Assessment, t *throwaway.Trial) []fault {
	if len(a.Invocations) != 1 || a.Invocations[0].Ends == nil || t.Stopped || strings.ContainsAny(a.Command, "|;&$(`!") {
		return nil
	}
	switch a.Invocations[0].Ends.How {
	case risk.EndFails:
		if t.Exit == 0 {
			return []fault{{"does not fail", explain.Cut(a.Summary, 160)}}
		}
	case risk.EndIdle:
		if len(t.Changes) > 0 {
			return []fault{{"does something", t.Changes[0].Path}}
		}
	}
	return nil
}
