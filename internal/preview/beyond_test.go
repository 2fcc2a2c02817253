package preview_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/risk"
)

// TestBeyond: what is said before, and of which commands nothing is left to see.
func TestBeyond(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		effects []risk.Effect
		want    []string
		all     bool
	}{
		{"nothing", nil, nil, false},
		{"reads", []risk.Effect{{Verb: risk.FSRead, Target: "/a"}}, nil, false},
		{"writes", []risk.Effect{{Verb: risk.FSWrite, Target: "/a"}}, nil, false},
		{"pushes", []risk.Effect{{Verb: risk.ExecKnown, Target: "git"}, {Verb: risk.VCSPush, Target: "origin"}}, []string{"pushing (origin): there is no network in a preview"}, true},
		{"fetches into a file", []risk.Effect{{Verb: risk.NetFetch, Target: "https://x"}, {Verb: risk.FSCreate, Target: "/a"}}, []string{"downloading (https://x): there is no network in a preview"}, false},
		{"sends a secret", []risk.Effect{{Verb: risk.SecretRead, Target: "/s"}, {Verb: risk.SecretSend, Target: "x"}}, []string{"sending secrets (x): there is no network in a preview"}, true},
		{"signals", []risk.Effect{{Verb: risk.ProcSignal}}, []string{"signalling: other processes are not there in a preview"}, true},
		{"files of another host", []risk.Effect{{Verb: risk.FSDelete, Target: "/a", Host: "h"}}, []string{"changing files (/a): they are on another host"}, true},
		{"a device", []risk.Effect{{Verb: risk.FSWrite, Target: "/dev/sda", Scope: risk.IsDevice}}, []string{"using a device (/dev/sda): it has no copy"}, true},
		{"the same twice, and code of the project", []risk.Effect{{Verb: risk.DBChange, Target: "d"}, {Verb: risk.DBChange, Target: "d"}, {Verb: risk.ExecProject, Target: "m"}}, []string{"changing a database (d): what a service holds is not copied"}, false},
		{"what nobody could see", []risk.Effect{{Verb: risk.NetFetch, Target: "x"}, {Verb: risk.Blind}}, []string{"downloading (x): there is no network in a preview"}, false},
	} {
		what, all := preview.Beyond(&risk.Assessment{Effects: test.effects})
		if d := cmp.Diff(test.want, what); d != "" || all != test.all {
			t.Errorf("%s: all is %t, want %t\n%s", test.name, all, test.all, d)
		}
	}
	if _, all := preview.Beyond(&risk.Assessment{Error: "out of time", Effects: []risk.Effect{{Verb: risk.VCSPush}}}); all {
		t.Error("what could not be assessed is said to be remote only")
	}
}

// TestTargets: what is covered beside the workspace.
func TestTargets(t *testing.T) {
	t.Parallel()
	got := preview.Targets(&risk.Assessment{Effects: []risk.Effect{
		{Verb: risk.FSWrite, Target: "/a//b"},
		{Verb: risk.FSDelete, Target: "/a/b"},
		{Verb: risk.FSRead, Target: "/r"},
		{Verb: risk.FSWrite, Target: "relative"},
		{Verb: risk.FSWrite, Target: "/h", Host: "h"},
		{Verb: risk.FSWrite, Target: "/x/$Y", Unresolved: "$Y"},
		{Verb: risk.FSWrite, Target: "/dev/null", Scope: risk.IsNull},
		{Verb: risk.PersistAdd, Target: "/etc/cron.d/x"},
	}})
	if d := cmp.Diff([]string{"/a/b", "/etc/cron.d/x"}, got); d != "" {
		t.Error(d)
	}
}
