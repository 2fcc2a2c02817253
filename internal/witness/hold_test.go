package witness

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/risk"
)

// TestHold holds made-up results both ways: what was done and not said, and what was said
// for certain and not done.
func TestHold(t *testing.T) {
	t.Parallel()
	by := &seenBy{home: "/h", shell: "/bin/bash", plan: &preview.Plan{Trees: []preview.Tree{{Path: "/h"}, {Path: "/tmp", Scratch: true}}}}
	frob := []risk.Invocation{{Argv: []string{"frob"}}}
	effect := func(verb risk.Verb, target string) risk.Effect {
		return risk.Effect{Verb: verb, Target: target, Certainty: risk.Certain}
	}
	possible := effect(risk.FSDelete, "/h/p/a")
	possible.Certainty = risk.Possible
	asks := []risk.Invocation{{Argv: []string{"frob"}, Ends: &risk.Ending{How: risk.EndAsks}}}
	ran := []string{"/bin/bash", "/usr/bin/frob"}
	for _, tt := range []struct {
		name   string
		a      risk.Assessment
		r      preview.Result
		unsaid []Done
		unseen []Said
	}{
		{
			"as said",
			risk.Assessment{Invocations: frob, Effects: []risk.Effect{effect(risk.FSDelete, "/h/p/a")}},
			preview.Result{Files: ran, Changes: []preview.Change{{Path: "/h/p/a", Kind: preview.Deleted, Type: "file"}}},
			nil, nil,
		},
		{
			"another file",
			risk.Assessment{Invocations: frob, Effects: []risk.Effect{effect(risk.FSDelete, "/h/p/a")}},
			preview.Result{Files: ran, Changes: []preview.Change{{Path: "/h/p/b", Kind: preview.Deleted, Type: "file"}}},
			[]Done{{risk.FSDelete, "/h/p/b", false}},
			[]Said{{risk.FSDelete, "/h/p/a", false}},
		},
		{"it may", risk.Assessment{Invocations: frob, Effects: []risk.Effect{possible}}, preview.Result{Files: ran}, nil, nil},
		{"it asks", risk.Assessment{Invocations: asks, Effects: []risk.Effect{effect(risk.FSDelete, "/h/p/a")}}, preview.Result{Files: ran}, nil, nil},
		{"failed, so nothing need be seen", risk.Assessment{Invocations: frob, Effects: []risk.Effect{effect(risk.FSDelete, "/h/p/a")}}, preview.Result{Exit: 1, Files: ran}, nil, nil},
		{"in what is thrown away", risk.Assessment{Invocations: frob, Effects: []risk.Effect{effect(risk.FSCreate, "/tmp/a")}}, preview.Result{Files: ran}, nil, nil},
		{
			"in a directory that was made",
			risk.Assessment{Invocations: frob, Effects: []risk.Effect{effect(risk.FSCreate, "/h/p/d/a")}},
			preview.Result{Files: ran, Changes: []preview.Change{{Path: "/h/p/d", Kind: preview.Created, Type: "directory", Files: 1}}},
			nil, nil,
		},
		{"a program's own cache", risk.Assessment{Invocations: frob}, preview.Result{Files: ran, Changes: []preview.Change{{Path: "/h/.cache/frob", Kind: preview.Created, Type: "file"}}}, nil, nil},
		{
			"tried and refused",
			risk.Assessment{Invocations: frob, Effects: []risk.Effect{effect(risk.FSRead, "/etc/x")}},
			preview.Result{Files: ran, Refused: []preview.Refusal{{Deed: "write", Target: "/etc/x", Program: "frob"}}},
			[]Done{{risk.FSWrite, "/etc/x", false}},
			nil,
		},
		{
			"connects",
			risk.Assessment{Invocations: frob},
			preview.Result{Files: ran, Refused: []preview.Refusal{{Deed: "look up the host", Target: "evil.example"}}},
			[]Done{{risk.NetConnect, "look up the host evil.example", false}},
			nil,
		},
		{
			"asks whether there is a newer version of itself",
			risk.Assessment{Invocations: []risk.Invocation{{Argv: []string{"npm", "ls"}}}},
			preview.Result{Files: []string{"/usr/bin/bash", "/usr/bin/npm"}, Refused: []preview.Refusal{{Deed: "look up the host", Target: "registry.npmjs.org"}}},
			nil, nil,
		},
		{
			"what was there is made again",
			risk.Assessment{Invocations: frob, Effects: []risk.Effect{effect(risk.FSDelete, "/h/p/a"), effect(risk.FSWrite, "/h/p/a")}},
			preview.Result{Files: ran, Changes: []preview.Change{{Path: "/h/p/a", Kind: preview.Changed, Type: "file"}}},
			nil, nil,
		},
		{
			"a directory by another name",
			risk.Assessment{Invocations: frob, Effects: []risk.Effect{effect(risk.FSMove, "/h/p/a"), effect(risk.FSWrite, "/h/p/b")}},
			preview.Result{Files: ran, Changes: []preview.Change{{Path: "/h/p/a", Kind: preview.Deleted, Type: "directory"}, {Path: "/h/p/b", Kind: preview.Created, Type: "directory", Files: 2}}},
			nil, nil,
		},
		{
			"fetches, as said",
			risk.Assessment{Invocations: frob, Effects: []risk.Effect{effect(risk.NetFetch, "https://a.example/")}},
			preview.Result{Files: ran, Refused: []preview.Refusal{{Deed: "connect to", Target: "192.0.2.1:443"}}},
			nil, nil,
		},
		{
			"does not fetch",
			risk.Assessment{Invocations: frob, Effects: []risk.Effect{effect(risk.NetFetch, "https://a.example/")}},
			preview.Result{Files: ran},
			nil,
			[]Said{{risk.NetFetch, "https://a.example/", false}},
		},
		{"a program of the project", risk.Assessment{Invocations: frob}, preview.Result{Files: append(ran, "/h/p/tool")}, []Done{{VerbExec, "/h/p/tool", false}}, nil},
		{"the same, said", risk.Assessment{Invocations: frob, Effects: []risk.Effect{{Verb: risk.ExecProject}}}, preview.Result{Files: append(ran, "/h/p/tool")}, nil, nil},
		{"a helper", risk.Assessment{Invocations: frob}, preview.Result{Files: append(ran, "/usr/bin/gzip")}, nil, nil},
		{"a program that the line names", risk.Assessment{Invocations: frob}, preview.Result{Files: append(ran, "/usr/bin/id")}, []Done{{VerbExec, "/usr/bin/id", false}}, nil},
		{"a builtin that is a program too, and what a script runs", risk.Assessment{Invocations: []risk.Invocation{{Argv: []string{"frob"}}, {Argv: []string{"echo"}}, {Argv: []string{"rm"}}}}, preview.Result{Files: ran}, nil, nil},
		{"is not started", risk.Assessment{Invocations: []risk.Invocation{{Argv: []string{"frob"}}, {Argv: []string{"id"}}, {Argv: []string{"cd"}}}}, preview.Result{Files: ran}, nil, []Said{{VerbExec, "id", false}}},
	} {
		x := Example{Run: "frob --run='id -u'", Exit: tt.r.Exit}
		hold(&x, &tt.a, &tt.r, by)
		if diff := cmp.Diff(tt.unsaid, x.Unsaid()); diff != "" && len(tt.unsaid)+len(x.Unsaid()) > 0 {
			t.Errorf("%s: done and not said:\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.unseen, x.Unseen()); diff != "" && len(tt.unseen)+len(x.Unseen()) > 0 {
			t.Errorf("%s: said and not done:\n%s", tt.name, diff)
		}
	}
}

// TestSupply: what an example works on is made below the home and taken away again, and
// nothing that is there is touched.
func TestSupply(t *testing.T) {
	t.Parallel()
	home, outside := t.TempDir(), t.TempDir()
	w := &World{Home: home, Project: filepath.Join(home, "p")}
	if err := os.WriteFile(filepath.Join(home, "there"), []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	of := func(verb risk.Verb, target string, recursive bool) risk.Effect {
		return risk.Effect{Verb: verb, Target: target, Recursive: recursive}
	}
	a := risk.Assessment{
		Effects: []risk.Effect{
			of(risk.FSRead, home+"/p/in.txt", false), of(risk.FSDelete, home+"/p/d/build", true), of(risk.FSDelete, home+"/there", false),
			of(risk.FSWrite, home+"/p/out", false), of(risk.FSDelete, home+"/p/*.o", false), of(risk.FSRead, outside+"/x", false), of(risk.FSRead, home+"/link/x", false),
			{Verb: risk.FSRead, Target: home + "/remote", Host: "web"},
			of(risk.FSRead, home+"/there/below", false),
		},
		Invocations: []risk.Invocation{{Ends: &risk.Ending{How: risk.EndFails, Missing: []string{home + "/p/need"}}}},
	}
	made, take, err := w.supply(&a)
	if err != nil || !made {
		t.Fatal(made, err)
	}
	for _, name := range []string{"p/in.txt", "p/d/build/file", "p/need"} {
		if _, err := os.Stat(filepath.Join(home, name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{home + "/p/out", home + "/p/*.o", outside + "/x", home + "/remote"} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s was made", name)
		}
	}
	take()
	left, err := os.ReadDir(home)
	if err != nil || len(left) != 2 {
		t.Errorf("left: %v, %v", left, err)
	}
	if text, err := os.ReadFile(filepath.Join(home, "there")); err != nil || string(text) != "kept" {
		t.Errorf("what was there: %q, %v", text, err)
	}
}

// TestMissing: what is installed is found in the search path, builtins are always there.
func TestMissing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "frob"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "data"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"frob": "", "cd": "", "data": "data", "nothere": "nothere", "./x": ""} {
		a := risk.Assessment{Invocations: []risk.Invocation{{Argv: []string{name}}}}
		if got := Missing(&a, "/nowhere:"+dir); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	v := &Verifier{Search: dir, World: &World{Home: dir, Project: dir}, Assess: func(context.Context, risk.Request) risk.Assessment {
		return risk.Assessment{Invocations: []risk.Invocation{{Argv: []string{"nothere"}}}, Summary: "It would."}
	}}
	x, err := v.Try(t.Context(), "nothere")
	v.Search = dir + ":/usr/bin:/bin"
	v.Assess = func(context.Context, risk.Request) risk.Assessment {
		return risk.Assessment{Invocations: []risk.Invocation{{Argv: []string{"frob"}}}, Effects: []risk.Effect{{Verb: risk.ExecUnknown, Target: filepath.Join(dir, "frob")}}}
	}
	if y, err := v.Try(t.Context(), "frob"); err != nil || !strings.Contains(y.NotRun, "/frob is judged as what it holds") {
		t.Errorf("%+v, %v", y, err)
	}
	if err != nil || x.NotRun != "nothere is not installed here" || x.Held() {
		t.Errorf("%+v, %v", x, err)
	}
}
