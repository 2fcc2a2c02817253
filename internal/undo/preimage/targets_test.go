package preimage

import (
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
		"deleted":        {risk.Effect{Verb: risk.FSDelete, Target: "/a"}, []undo.Target{{Path: "/a"}}, false},
		"written":        {risk.Effect{Verb: risk.FSWrite, Target: "/a", Reversible: risk.Lost}, []undo.Target{{Path: "/a", Written: true}}, false},
		"moved":          {risk.Effect{Verb: risk.FSMove, Target: "/a"}, nil, false},
		"mode":           {risk.Effect{Verb: risk.FSAttr, Target: "/a"}, []undo.Target{{Path: "/a", Attr: true, Alone: true}}, false},
		"modes":          {risk.Effect{Verb: risk.FSAttr, Target: "/a", Recursive: true}, []undo.Target{{Path: "/a", Attr: true}}, false},
		"secret's mode":  {risk.Effect{Verb: risk.FSAttr, Target: "/a", Scope: risk.IsSecret}, []undo.Target{{Path: "/a", Attr: true, Alone: true}}, false},
		"partly in git":  {risk.Effect{Verb: risk.FSDelete, Target: "/a", Reversible: risk.Partly}, []undo.Target{{Path: "/a"}}, false},
		"in git":         {risk.Effect{Verb: risk.FSDelete, Target: "/a", Reversible: risk.Restorable}, nil, false},
		"not there":      {risk.Effect{Verb: risk.FSWrite, Target: "/a", Reversible: risk.NothingThere}, nil, false},
		"read":           {risk.Effect{Verb: risk.FSRead, Target: "/a"}, nil, false},
		"null":           {risk.Effect{Verb: risk.FSWrite, Target: "/dev/null", Scope: risk.IsNull}, nil, false},
		"secret":         {risk.Effect{Verb: risk.FSDelete, Target: "/a", Scope: risk.IsSecret}, nil, true},
		"shred":          {risk.Effect{Verb: risk.FSWrite, Target: "/a", Program: "shred"}, nil, true},
		"elsewhere":      {risk.Effect{Verb: risk.FSDelete, Target: "/a", Host: "prod"}, nil, true},
		"sudo":           {risk.Effect{Verb: risk.FSDelete, Target: "/a", Privileged: true}, nil, true},
		"unknown":        {risk.Effect{Verb: risk.FSDelete, Target: "/a/$X", Unresolved: "$X"}, nil, true},
		"found":          {risk.Effect{Verb: risk.FSDelete, Target: "/dev", Named: "*.o"}, []undo.Target{{Path: "/dev", Written: true}}, false},
		"found nowhere":  {risk.Effect{Verb: risk.FSDelete, Target: "/no/where", Unresolved: "<find>", Cause: risk.CauseWord}, nil, true},
		"listed":         {risk.Effect{Verb: risk.FSDelete, Target: "/dev", Unresolved: "<list>", Cause: risk.CauseFile}, nil, true},
		"pattern":        {risk.Effect{Verb: risk.FSDelete, Target: "/dev", Pattern: "/dev/nul?"}, []undo.Target{{Path: "/dev/null", Alone: true}}, false},
		"pattern where":  {risk.Effect{Verb: risk.FSDelete, Target: "/dev", Pattern: "nul?", By: risk.Maker{Process: -1}}, nil, true},
		"like a pattern": {risk.Effect{Verb: risk.FSDelete, Target: "/a/[id].ts"}, []undo.Target{{Path: "/a/[id].ts"}}, false},
		"made again":     {risk.Effect{Verb: risk.FSDelete, Target: "/a", Reversible: risk.Regenerable}, nil, false},
		"history":        {risk.Effect{Verb: risk.VCSRewrite, Target: "main"}, nil, false},
		"unseen code":    {risk.Effect{Verb: risk.ExecUnknown}, nil, true},
		"blind":          {risk.Effect{Verb: risk.Blind}, nil, true},
	} {
		got, open := targets(&risk.Assessment{Effects: []risk.Effect{c.effect}})
		if !slices.Equal(got, c.want) || len(open) > 0 != c.fails {
			t.Errorf("%s: %v %v", name, got, open)
		}
	}
	got, _ := targets(&risk.Assessment{Invocations: []risk.Invocation{{Dir: "/dev"}}, Effects: []risk.Effect{{Verb: risk.FSDelete, Target: "/dev", Pattern: "[!a-m]ul[[:alpha:]]"}}})
	if !slices.Contains(got, undo.Target{Path: "/dev/null", Alone: true}) {
		t.Errorf("a pattern in another directory: %v", got)
	}
	for name, c := range map[string]struct {
		effects    []risk.Effect
		want, open int
	}{
		"a part":           {[]risk.Effect{{Verb: risk.FSDelete, Target: "/a"}, {Verb: risk.NetSend, Target: "x"}}, 1, 1},
		"moved over":       {[]risk.Effect{{Verb: risk.FSMove, Target: "/a"}, {Verb: risk.FSWrite, Target: "/b", Reversible: risk.Lost}}, 2, 0},
		"moved away":       {[]risk.Effect{{Verb: risk.FSMove, Target: "/a"}, {Verb: risk.FSWrite, Target: "/b", Reversible: risk.NothingThere}}, 0, 0},
		"partly committed": {[]risk.Effect{{Verb: risk.FSDelete, Target: "/a"}, {Verb: risk.FSDelete, Target: "/b", Reversible: risk.Restorable}}, 2, 0},
	} {
		if got, open := targets(&risk.Assessment{Effects: c.effects}); len(got) != c.want || len(open) != c.open {
			t.Errorf("%s: %v %v", name, got, open)
		}
	}
}
