//go:build linux

package main

import (
	"os"
	"slices"
	"testing"

	"github.com/heedsh/heed/risk"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == insideArg {
		fail(inside(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// TestTry runs commands in a layer: their changes are seen, and none stays.
func TestTry(t *testing.T) {
	l, err := newLayer()
	if err != nil {
		t.Skip(err)
	}
	defer l.close()
	dir := t.TempDir()
	file := dir + "/a"
	if err := os.WriteFile(file, []byte("1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.try(&risk.Request{Command: "true", Dir: dir}); err != nil {
		t.Skip(err) // a machine without overlayfs, or one whose temp directory is another file system
	}
	for command, want := range map[string][]change{
		"cat a; touch a":                {},
		"echo 2 > a":                    {{"written", file}},
		"rm a":                          {{"deleted", file}},
		"chmod 600 a":                   {{"attributes", file}},
		"mkdir d; echo 2 > d/b":         {{"made", dir + "/d"}, {"created", dir + "/d/b"}},
		"sleep 60":                      {},
		"exit 9":                        {},
		"mknod z b 8 0":                 {},
		"mount -t tmpfs none . && >b":   {},
		"echo 2 > /dev/tcp/127.0.0.1/9": {},
	} {
		changes, stopped, err := l.try(&risk.Request{Command: command, Dir: dir, Env: map[string]string{"PATH": "/usr/bin:/bin"}})
		if err != nil {
			t.Errorf("%s: %v", command, err)
		}
		changes = slices.DeleteFunc(changes, func(c change) bool { return isRecord(c.path) })
		if stopped != (command == "sleep 60") {
			t.Errorf("%s: stopped is %v", command, stopped)
		}
		if !slices.Equal(changes, want) {
			t.Errorf("%s: changed %v, want %v", command, changes, want)
		}
		if text, err := os.ReadFile(file); err != nil || string(text) != "1\n" {
			t.Fatalf("%s: the real file is %q now: %v", command, text, err)
		}
	}
}

func TestCompare(t *testing.T) {
	deletes := []risk.Effect{{Verb: risk.FSDelete, Target: "/p/build"}}
	for _, tt := range []struct {
		effects []risk.Effect
		changes []change
		want    outcome
	}{
		{nil, nil, nothing},
		{deletes, []change{{"deleted", "/p/build"}}, told},
		{deletes, []change{{"deleted", "/p/build/x"}}, told},
		{deletes, []change{{"deleted", "/p/building"}}, notTold},
		{deletes, []change{{"deleted", "/p/build"}, {"created", "/p/y"}}, notTold},
		{nil, []change{{"made", "/h/.cache"}, {"created", "/h/.cache/x"}}, ownRecords},
		{nil, []change{{"made", "/run/mount"}}, ownRecords},
		{nil, []change{{"made", "/run/mounted"}}, notTold},
		{[]risk.Effect{{Verb: risk.FSRead, Target: "/p"}}, []change{{"written", "/p/x"}}, notTold},
		{[]risk.Effect{{Verb: risk.FSWrite, Target: "/p/d/x"}}, []change{{"made", "/p/d"}, {"created", "/p/d/x"}}, told},
		{[]risk.Effect{{Verb: risk.FSDelete, Target: "/p/*.o"}}, []change{{"deleted", "/p/a.o"}}, told},
		{[]risk.Effect{{Verb: risk.FSDelete, Target: "/p/*.o"}}, []change{{"deleted", "/p/a.c"}}, notTold},
		{[]risk.Effect{{Verb: risk.FSAttr, Target: "/p/.a", Pattern: ".[^.]*"}}, []change{{"attributes", "/p/.b"}}, told},
		{[]risk.Effect{{Verb: risk.FSWrite, Target: "/p", Unresolved: "$x"}}, []change{{"created", "/q"}}, told},
		{[]risk.Effect{{Verb: risk.VCSLocal, Kind: risk.KindCommit}}, []change{{"created", "/p/.git/objects/aa"}}, told},
		{[]risk.Effect{{Verb: risk.VCSLocal, Kind: risk.KindCommit}}, []change{{"written", "/p/x"}}, notTold},
		{[]risk.Effect{{Verb: risk.FSCreate, Target: "/tmp/a.XXX", Program: "mktemp"}}, []change{{"made", "/tmp/a.f0W"}}, told},
		{[]risk.Effect{{Verb: risk.FSWrite, Target: "/p/xaa", Kind: risk.KindParts}}, []change{{"created", "/p/xab"}}, told},
	} {
		if got, surprises := compare(tt.effects, tt.changes); got != tt.want || (len(surprises) > 0) != (tt.want == notTold) {
			t.Errorf("%v, %v: %d %v, want %d", tt.effects, tt.changes, got, surprises, tt.want)
		}
	}
}
