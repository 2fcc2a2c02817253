//go:build linux

package main

import (
	"testing"

	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/throwaway"
)

func TestCompare(t *testing.T) {
	deletes := []risk.Effect{{Verb: risk.FSDelete, Target: "/p/build"}}
	for _, tt := range []struct {
		effects []risk.Effect
		changes []throwaway.Change
		want    outcome
	}{
		{nil, nil, nothing},
		{deletes, []throwaway.Change{{Kind: "deleted", Path: "/p/build"}}, told},
		{deletes, []throwaway.Change{{Kind: "deleted", Path: "/p/build/x"}}, told},
		{deletes, []throwaway.Change{{Kind: "deleted", Path: "/p/building"}}, notTold},
		{deletes, []throwaway.Change{{Kind: "deleted", Path: "/p/build"}, {Kind: "created", Path: "/p/y"}}, notTold},
		{nil, []throwaway.Change{{Kind: "made", Path: "/h/.cache"}, {Kind: "created", Path: "/h/.cache/x"}}, ownRecords},
		{nil, []throwaway.Change{{Kind: "made", Path: "/run/mount"}}, ownRecords},
		{nil, []throwaway.Change{{Kind: "made", Path: "/run/mounted"}}, notTold},
		{[]risk.Effect{{Verb: risk.FSRead, Target: "/p"}}, []throwaway.Change{{Kind: "written", Path: "/p/x"}}, notTold},
		{[]risk.Effect{{Verb: risk.FSWrite, Target: "/p/d/x"}}, []throwaway.Change{{Kind: "made", Path: "/p/d"}, {Kind: "created", Path: "/p/d/x"}}, told},
		{[]risk.Effect{{Verb: risk.FSDelete, Target: "/p/*.o"}}, []throwaway.Change{{Kind: "deleted", Path: "/p/a.o"}}, told},
		{[]risk.Effect{{Verb: risk.FSDelete, Target: "/p/*.o"}}, []throwaway.Change{{Kind: "deleted", Path: "/p/a.c"}}, notTold},
		{[]risk.Effect{{Verb: risk.FSAttr, Target: "/p/.a", Pattern: ".[^.]*"}}, []throwaway.Change{{Kind: "attributes", Path: "/p/.b"}}, told},
		{[]risk.Effect{{Verb: risk.FSWrite, Target: "/p", Unresolved: "$x"}}, []throwaway.Change{{Kind: "created", Path: "/q"}}, told},
		{[]risk.Effect{{Verb: risk.VCSLocal, Kind: risk.KindCommit}}, []throwaway.Change{{Kind: "created", Path: "/p/.git/objects/aa"}}, told},
		{[]risk.Effect{{Verb: risk.VCSLocal, Kind: risk.KindCommit}}, []throwaway.Change{{Kind: "written", Path: "/p/x"}}, notTold},
		{[]risk.Effect{{Verb: risk.FSCreate, Target: "/tmp/a.XXXX", Program: "mktemp"}}, []throwaway.Change{{Kind: "made", Path: "/tmp/a.f0Wq"}}, told},
		{[]risk.Effect{{Verb: risk.FSWrite, Target: "/p/xaa", Kind: risk.KindParts}}, []throwaway.Change{{Kind: "created", Path: "/p/xab"}}, told},
	} {
		if got, surprises := compare(tt.effects, tt.changes, "/h"); got != tt.want || (len(surprises) > 0) != (tt.want == notTold) {
			t.Errorf("%v, %v: %d %v, want %d", tt.effects, tt.changes, got, surprises, tt.want)
		}
	}
}
