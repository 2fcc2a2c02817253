//go:build linux

package main

import (
	"testing"

	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/throwaway"
)

// TestCame: what an answer warns of came about where it can be seen, or cannot be seen.
func TestCame(t *testing.T) {
	review := func(v risk.Verb, k risk.Kind) *risk.Assessment {
		return &risk.Assessment{Tier: risk.Review, Effects: []risk.Effect{{Verb: risk.FSRead, Target: "/p/x"}, {Verb: v, Kind: k, Tier: risk.Review}}}
	}
	did := func(changes ...witness.Change) *trialIn {
		return &trialIn{Trial: throwaway.Trial{Changes: changes}}
	}
	for _, tt := range []struct {
		name string
		a    *risk.Assessment
		t    *trialIn
		want bool
	}{
		{"nothing went", review(risk.FSDelete, 0), did(), false},
		{"a file went", review(risk.FSDelete, 0), &trialIn{lost: losses{gone: []string{"/p/a"}}}, true},
		{"an empty directory went", review(risk.FSDelete, 0), did(witness.Change{Kind: "deleted", Path: "/p/d"}), true},
		{"objects are packed", review(risk.VCSRewrite, risk.KindGc), did(witness.Change{Kind: "deleted", Path: "/p/.git/objects/aa"}), false},
		{"an object went", review(risk.VCSRewrite, risk.KindGc), &trialIn{lost: losses{objects: 1}}, true},
		{"logs of refs went", review(risk.FSDelete, 0), did(witness.Change{Kind: "deleted", Path: "/p/.git/logs"}), true},
		{"a program's own records", review(risk.PersistAdd, 0), did(witness.Change{Kind: "created", Path: "/h/.cache/x"}), false},
		{"a setting", review(risk.PersistAdd, 0), did(witness.Change{Kind: "written", Path: "/p/.git/config"}), true},
		{"a secret and no word", review(risk.SecretRead, 0), did(), false},
		{"a secret and words", review(risk.SecretRead, 0), &trialIn{Trial: throwaway.Trial{Output: []byte("x")}}, true},
		{"nothing is sent", review(risk.NetSend, 0), did(), false},
		{"a shell without input", review(risk.ExecShell, 0), did(), true},
		{"the shell's history", review(risk.DefenseEvade, risk.KindHistory), did(), true},
		{"a defence as it was", review(risk.DefenseEvade, 0), did(), false},
	} {
		if got := came(tt.a, tt.t, "/h"); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
