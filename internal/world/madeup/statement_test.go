package madeup_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/madeup"
)

// TestString: what is written is what the language reads, but for quotes that a
// word has no need of.
func TestString(t *testing.T) {
	t.Parallel()
	text := "x"
	for want, s := range map[string]madeup.Statement{
		`git . on main`:                 madeup.Say("git", ".", "on", "main"),
		`link -> /`:                     madeup.Say("link", "->", "/"),
		`"tag" tracked "a\tb\x00"`:      madeup.About("tag", "tracked").Holding("a\tb\x00"),
		`"two words" 40 files 2MB`:      madeup.Say("two words", "40", "files", "2MB"),
		`"#c" -> "a b"`:                 madeup.Say("#c", "->", "a b"),
		`"" missing`:                    madeup.Say("", "missing"),
		`env NAME=" # \"x\" "`:          madeup.Set("env", "NAME", ` # "x" `),
		`config core.pager = "less -R"`: madeup.Set("config", "core.pager", "less -R"),
		`hook pre-commit "x"`:           {Words: madeup.Say("hook", "pre-commit").Words, Block: &text},
		``:                              {},
	} {
		if got := s.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// FuzzString reads what is written of any words again: they are the same ones.
func FuzzString(f *testing.F) {
	for _, s := range []string{"git\x1f.", "a b\x1f-> x\x1f#c", "env", "\x1f", "\xff\x1f\"", "x\x1f<<", "config\x1fa"} {
		f.Add(s, "text\n")
		f.Add(s, "")
	}
	f.Fuzz(func(t *testing.T, words, text string) {
		s := madeup.Say(strings.Split(words, "\x1f")...)
		switch first := s.Words[0].Text; {
		case first == "env" || first == "config":
			return // they are read in another way: Set makes them
		case s.Words[len(s.Words)-1].Text == "<<":
			return // it is never said: Holding is
		}
		if text != "" {
			s = s.Holding(text)
		}
		again, err := fakeworld.Statements(s.String())
		if err != nil || len(again) != 1 {
			t.Fatalf("%s: %v, %v", s.String(), again, err)
		}
		var want, got []string
		for _, w := range s.Words {
			want = append(want, w.Text)
		}
		for _, w := range again[0].Words {
			got = append(got, w.Text)
		}
		if text != "" {
			want = append(want, text) // read as a quoted word at the end
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s\n%s", s.String(), diff)
		}
	})
}

func TestMake(t *testing.T) {
	t.Parallel()
	w, dir, env, err := madeup.Make([]madeup.Statement{
		madeup.Say("user", "v"), madeup.Say("git"), madeup.Say("a", "tracked").Holding("x\n"), madeup.Set("env", "A", "b c"), madeup.Say("unset", "LANG"),
	})
	if err != nil || dir != "/home/v/project" || env["A"] != "b c" || env["LANG"] != "" || env["USER"] != "v" {
		t.Fatalf("%q, %v, %v", dir, env, err)
	}
	if text, err := w.FS.ReadFile(dir+"/a", 10); err != nil || string(text) != "x\n" {
		t.Errorf("%q, %v", text, err)
	}
	if r, err := w.Git.Find(dir); err != nil || r == nil || r.State(dir+"/a") != world.Clean {
		t.Errorf("%v, %v", r, err)
	}
	if i, err := w.FS.Lstat("/usr/bin/git"); err != nil || i.Kind != world.Regular {
		t.Errorf("the usual machine has no git: %v, %v", i, err)
	}
	for want, s := range map[string]madeup.Statement{
		"has no words":                 {},
		"tag: belongs below":           madeup.Say("tag", "v1"),
		"does not understand \"frob\"": madeup.Say("./a", "frob"),
	} {
		_, _, _, err := madeup.Make([]madeup.Statement{s})
		var line *madeup.LineError
		if !errors.As(err, &line) || strings.HasPrefix(err.Error(), "line") || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", s, err, want)
		}
	}
}
