package witness_test

import (
	"testing"

	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
)

func TestCompare(t *testing.T) {
	deletes := []risk.Effect{{Verb: risk.FSDelete, Target: "/p/build"}}
	for _, tt := range []struct {
		effects []risk.Effect
		changes []witness.Change
		want    witness.Outcome
	}{
		{nil, nil, witness.Nothing},
		{deletes, []witness.Change{{Kind: "deleted", Path: "/p/build"}}, witness.Told},
		{deletes, []witness.Change{{Kind: "deleted", Path: "/p/build/x"}}, witness.Told},
		{deletes, []witness.Change{{Kind: "deleted", Path: "/p/building"}}, witness.NotTold},
		{deletes, []witness.Change{{Kind: "deleted", Path: "/p/build"}, {Kind: "created", Path: "/p/y"}}, witness.NotTold},
		{nil, []witness.Change{{Kind: "made", Path: "/h/.cache"}, {Kind: "created", Path: "/h/.cache/x"}}, witness.OwnRecords},
		{nil, []witness.Change{{Kind: "made", Path: "/run/mount"}}, witness.OwnRecords},
		{nil, []witness.Change{{Kind: "made", Path: "/run/mounted"}}, witness.NotTold},
		{[]risk.Effect{{Verb: risk.FSRead, Target: "/p"}}, []witness.Change{{Kind: "written", Path: "/p/x"}}, witness.NotTold},
		{[]risk.Effect{{Verb: risk.FSWrite, Target: "/p/d/x"}}, []witness.Change{{Kind: "made", Path: "/p/d"}, {Kind: "created", Path: "/p/d/x"}}, witness.Told},
		{[]risk.Effect{{Verb: risk.FSDelete, Target: "/p/*.o"}}, []witness.Change{{Kind: "deleted", Path: "/p/a.o"}}, witness.Told},
		{[]risk.Effect{{Verb: risk.FSDelete, Target: "/p/*.o"}}, []witness.Change{{Kind: "deleted", Path: "/p/a.c"}}, witness.NotTold},
		{[]risk.Effect{{Verb: risk.FSAttr, Target: "/p/.a", Pattern: ".[^.]*"}}, []witness.Change{{Kind: "attributes", Path: "/p/.b"}}, witness.Told},
		{[]risk.Effect{{Verb: risk.FSWrite, Target: "/p", Unresolved: "$x"}}, []witness.Change{{Kind: "created", Path: "/q"}}, witness.Told},
		{[]risk.Effect{{Verb: risk.VCSLocal, Kind: risk.KindCommit}}, []witness.Change{{Kind: "created", Path: "/p/.git/objects/aa"}}, witness.Told},
		{[]risk.Effect{{Verb: risk.VCSLocal, Kind: risk.KindCommit}}, []witness.Change{{Kind: "written", Path: "/p/x"}}, witness.NotTold},
		{[]risk.Effect{{Verb: risk.VCSPush, Target: "origin"}}, []witness.Change{{Kind: "created", Path: "/r/remote.git/objects/aa"}}, witness.Told},
		{[]risk.Effect{{Verb: risk.PersistAdd, Target: "alias.x", Program: "git"}}, []witness.Change{{Kind: "written", Path: "/p/.git/config"}}, witness.Told},
		{[]risk.Effect{{Verb: risk.PersistAdd, Target: "alias.x", Program: "git"}}, []witness.Change{{Kind: "written", Path: "/p/x"}}, witness.NotTold},
		{[]risk.Effect{{Verb: risk.FSCreate, Target: "/tmp/a.XXXX", Program: "mktemp"}}, []witness.Change{{Kind: "made", Path: "/tmp/a.f0Wq"}}, witness.Told},
		{[]risk.Effect{{Verb: risk.FSWrite, Target: "/p/xaa", Kind: risk.KindParts}}, []witness.Change{{Kind: "created", Path: "/p/xab"}}, witness.Told},
	} {
		if got, surprises := witness.Compare(tt.effects, tt.changes, "/h"); got != tt.want || (len(surprises) > 0) != (tt.want == witness.NotTold) {
			t.Errorf("%v, %v: %d %v, want %d", tt.effects, tt.changes, got, surprises, tt.want)
		}
	}
}
