package overlay_test

import (
	"testing"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/overlay"
)

// TestInherit: a file that an earlier command wrote is as the world has it, and what
// flowed into it is known.
func TestInherit(t *testing.T) {
	t.Parallel()
	w, dir, _ := fakeworld.Must(t, "git\ntool untracked exec \"#!/bin/sh\\n\"\ndec untracked \"hi\"\nlink -> tool\nd/a untracked \"x\"")
	fs := overlay.New(w.FS)
	fs.Inherit(dir+"/tool", value.Network)
	fs.Inherit(dir+"/dec", value.Decoded)
	fs.Inherit(dir+"/gone", value.Network)
	fs.Inherit(dir+"/d", value.Network)
	fs.FetchedBefore(dir + "/d")
	if i, err := fs.Lstat(dir + "/tool"); err != nil || i.Kind != world.Regular || i.Mode&0o111 == 0 {
		t.Errorf("%+v %v", i, err)
	}
	if i, err := fs.Lstat(dir + "/gone"); err != nil || i.Kind != world.Regular {
		t.Errorf("it may be there: %+v %v", i, err)
	}
	if v, known, ok := fs.Content(dir + "/tool"); !ok || !known || v.IsKnown() || !v.Taint().Has(value.Network) {
		t.Errorf("%v %v %v", v, known, ok)
	}
	if _, err := fs.ReadFile(dir+"/tool", 100); err == nil {
		t.Error("what came from the network is read")
	}
	if text, err := fs.ReadFile(dir+"/dec", 100); err != nil || string(text) != "hi" {
		t.Errorf("%q %v", text, err)
	}
	if v, _, _ := fs.Content(dir + "/dec"); v.String() != "hi" || !v.Taint().Has(value.Decoded) {
		t.Errorf("%v", v)
	}
	if fs.Made(dir+"/tool") || !fs.Fetched(dir+"/d/a") || !fs.Fetched(dir+"/d/b") || fs.Fetched(dir+"/dec") {
		t.Error("this command is taken for one that did it")
	}
	if i, err := fs.Lstat(dir + "/d"); err != nil || i.Kind != world.Dir {
		t.Errorf("a directory: %+v %v", i, err)
	}
	if entries, err := fs.ReadDir(dir+"/d", 10); err != nil || len(entries) != 1 {
		t.Errorf("%v %v", entries, err)
	}
	fs.Inherit(dir+"/link", value.Network)
	if to, err := fs.Readlink(dir + "/link"); err != nil || to != "tool" {
		t.Errorf("what is a link by now: %q %v", to, err)
	}
	fs.Create(dir+"/d/a", value.Lit("mine"), true)
	if fs.Fetched(dir + "/d/a") {
		t.Error("what is written now came from the network")
	}
}
