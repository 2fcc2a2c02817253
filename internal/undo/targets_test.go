package undo_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/undo"
	"github.com/heedsh/heed/risk"
)

func TestTargets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		effect risk.Effect
		want   []undo.Target
		fails  bool
	}{
		"deleted":       {risk.Effect{Verb: risk.FSDelete, Target: "/a"}, []undo.Target{{Path: "/a"}}, false},
		"written":       {risk.Effect{Verb: risk.FSWrite, Target: "/a", Reversible: risk.Lost}, []undo.Target{{Path: "/a", Written: true}}, false},
		"moved":         {risk.Effect{Verb: risk.FSMove, Target: "/a"}, []undo.Target{{Path: "/a", Written: true}}, false},
		"mode":          {risk.Effect{Verb: risk.FSAttr, Target: "/a"}, []undo.Target{{Path: "/a", Written: true}}, false},
		"partly in git": {risk.Effect{Verb: risk.FSDelete, Target: "/a", Reversible: risk.Partly}, []undo.Target{{Path: "/a"}}, false},
		"in git":        {risk.Effect{Verb: risk.FSDelete, Target: "/a", Reversible: risk.Restorable}, nil, false},
		"not there":     {risk.Effect{Verb: risk.FSWrite, Target: "/a", Reversible: risk.NothingThere}, nil, false},
		"read":          {risk.Effect{Verb: risk.FSRead, Target: "/a"}, nil, false},
		"null":          {risk.Effect{Verb: risk.FSWrite, Target: "/dev/null", Scope: risk.IsNull}, nil, false},
		"secret":        {risk.Effect{Verb: risk.FSDelete, Target: "/a", Scope: risk.IsSecret}, nil, true},
		"shred":         {risk.Effect{Verb: risk.FSWrite, Target: "/a", Program: "shred"}, nil, true},
		"elsewhere":     {risk.Effect{Verb: risk.FSDelete, Target: "/a", Host: "prod"}, nil, true},
		"sudo":          {risk.Effect{Verb: risk.FSDelete, Target: "/a", Privileged: true}, nil, true},
		"unknown":       {risk.Effect{Verb: risk.FSDelete, Target: "/a/$X", Unresolved: "$X"}, nil, true},
		"pattern":       {risk.Effect{Verb: risk.FSDelete, Target: "/a", Named: "*.o"}, nil, true},
		"history":       {risk.Effect{Verb: risk.VCSRewrite, Target: "main"}, nil, true},
		"unseen code":   {risk.Effect{Verb: risk.ExecUnknown}, nil, true},
		"blind":         {risk.Effect{Verb: risk.Blind}, nil, true},
	} {
		got, err := undo.Targets([]risk.Effect{c.effect})
		var in *undo.Incomplete
		if !slices.Equal(got, c.want) || errors.As(err, &in) != c.fails {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
	both := []risk.Effect{{Verb: risk.FSDelete, Target: "/a"}, {Verb: risk.NetSend, Target: "x"}}
	if got, err := undo.Targets(both); err == nil || got != nil {
		t.Errorf("a part of a command is promised: %v %v", got, err)
	}
}
