package session_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/session"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

const noon = 1_790_000_000

func begin(agent string) *session.State {
	s := session.New(agent, "s")
	s.At(noon)
	return s
}

func left(files ...shell.LeftFile) session.Outcome {
	return session.Outcome{Left: &shell.Left{Files: files}}
}

func net(name string) shell.LeftFile {
	return shell.LeftFile{Path: name, Holds: value.Network, How: shell.Downloaded}
}

// TestProvenance: the worse of what is declared and what was read, never a better.
func TestProvenance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		declared, read, want risk.Provenance
	}{
		{risk.LocalUser, risk.WebContent, risk.WebContent},
		{risk.ModelSuggestion, risk.WorkspaceFile, risk.WorkspaceFile},
		{risk.WebContent, risk.LocalUser, risk.WebContent},
		{risk.WebRemoteUser, risk.WebContent, risk.WebRemoteUser},
		{"", risk.ToolOutput, ""},
		{"", risk.WebContent, risk.WebContent},
		{risk.WebContent, "anything", risk.WebContent},
		{risk.LocalUser, "anything", risk.LocalUser},
	} {
		s := begin("claude-code")
		s.Read(c.read, "x")
		req := risk.Request{Provenance: c.declared}
		if s.Before(&req); req.Provenance != c.want {
			t.Errorf("%q, then %q: %q, want %q", c.declared, c.read, req.Provenance, c.want)
		}
	}
}

// TestDirectory: the state fills in a directory that nobody told, and no other.
func TestDirectory(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]int{"somebody": 1, "claude-code": 0} {
		s := begin(agent)
		s.After(nil, session.Outcome{Left: &shell.Left{Dir: "/w/lib"}})
		req := risk.Request{Dir: "/w"}
		if s.Before(&req); req.Dir != "/w" || len(s.Left(&req)) != want {
			t.Errorf("%s: %s %v", agent, req.Dir, s.Left(&req))
		}
		none := risk.Request{}
		if s.Before(&none); (none.Dir == "/w/lib") != (want == 1) {
			t.Errorf("%s: %q", agent, none.Dir)
		}
	}
}

// TestOutcomes: an outcome counts once, for a call that is waited for, and takes
// nothing back.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	s := begin("claude-code")
	s.After(nil, session.Outcome{Call: "c", Fate: session.Ran, Dir: "/nowhere"})
	if s.Dir != "" {
		t.Error("a call that nobody waits for counts")
	}
	o := left(net("/w/x"))
	o.Call = "c"
	s.After(nil, o)
	s.After(nil, session.Outcome{Call: "c", Fate: session.Ran, Dir: "/w/lib"})
	s.After(nil, session.Outcome{Call: "c", Fate: session.Ran, Dir: "/"})
	if s.Dir != "/w/lib" || len(s.Calls) != 0 {
		t.Errorf("%+v", s)
	}
	s.After(nil, o)
	s.After(nil, session.Outcome{Call: "c", Fate: session.Refused})
	refused := left(net("/w/y"))
	refused.Fate = session.Refused
	s.After(nil, refused)
	if len(s.Files) != 1 || len(s.Calls) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestAges: an entry goes by its age alone, and a clock that is put back ages
// nothing.
func TestAges(t *testing.T) {
	t.Parallel()
	s := begin("somebody")
	s.After(&risk.Assessment{}, left(net("/w/x")))
	s.At(noon - 1_000_000)
	s.After(&risk.Assessment{}, left(net("/w/y")))
	s.At(noon + session.Keeps)
	if len(s.Files) != 2 {
		t.Errorf("%+v", s.Files)
	}
	s.After(nil, left(net("/w/x"))) // again
	if s.At(noon + session.Keeps + 1); len(s.Files) != 1 || s.Files[0].Path != "/w/x" {
		t.Errorf("%+v", s.Files)
	}
	lost := session.Lost("somebody", "s", noon)
	if lost.At(noon + session.Keeps); lost.Unknown == 0 {
		t.Error("it is known too early")
	}
	if lost.At(noon + session.Keeps + 1); lost.Unknown != 0 {
		t.Error("it is never known again")
	}
}

// TestNotJudged: a command that was not judged, and may run, may have done anything; one
// that was refused has done nothing.
func TestNotJudged(t *testing.T) {
	t.Parallel()
	for fate, want := range map[session.Fate]bool{session.MayRun: true, session.Refused: false} {
		s := begin("somebody")
		s.After(&risk.Assessment{Error: "too late"}, session.Outcome{Call: "c", Fate: fate})
		if got := s.Unknown != 0; got != want {
			t.Errorf("fate %v: not known %t, want %t", fate, got, want)
		}
	}
}

// TestBounds: what there is no room for is still there, as something somewhere.
func TestBounds(t *testing.T) {
	t.Parallel()
	s := begin("somebody")
	for i := range 3000 {
		s.At(noon + int64(i))
		s.After(nil, left(net(fmt.Sprintf("/w/%d/%d", i%17, i))))
		s.Saw(fmt.Sprintf("/s/%d", i))
		s.Read(risk.ToolOutput, fmt.Sprint(i))
		s.After(nil, session.Outcome{Call: fmt.Sprint(i), Left: &shell.Left{Vars: []shell.LeftVar{{Name: fmt.Sprint("V", i), Values: []string{"x"}}}}})
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
	}
	s.Read(risk.WebContent, "page")
	s.Read(risk.ToolOutput, "again")
	req := risk.Request{}
	if s.Before(&req); req.Provenance != risk.WebContent {
		t.Errorf("what counts most was forgotten: %v", s.Texts)
	}
	if s.SomeVar == 0 || !slices.ContainsFunc(s.Secrets, func(x session.Secret) bool { return x.Path == "" }) {
		t.Errorf("%d %v", s.SomeVar, s.Secrets)
	}
	for i := range 3000 {
		name := fmt.Sprintf("/w/%d/%d", i%17, i)
		if !slices.ContainsFunc(s.Files, func(f session.File) bool {
			return f.Network && (f.Path == name || f.Some && strings.HasPrefix(name, strings.TrimSuffix(f.Path, "/")+"/"))
		}) {
			t.Fatalf("%s is forgotten", name)
		}
	}
}

// TestValues: what a variable may hold is all that it was given, within bounds, and
// no secret.
func TestValues(t *testing.T) {
	t.Parallel()
	s := begin("somebody")
	set := func(v shell.LeftVar) {
		s.After(nil, session.Outcome{Left: &shell.Left{Vars: []shell.LeftVar{v}}})
	}
	set(shell.LeftVar{Name: "D", Values: []string{"/"}})
	set(shell.LeftVar{Name: "D", Values: []string{"build"}, Exported: true})
	set(shell.LeftVar{Name: "K", Values: []string{"ghp_" + strings.Repeat("a1B2", 9)}})
	set(shell.LeftVar{Name: "L", Values: []string{strings.Repeat("x", 4097)}})
	for i := range 9 {
		set(shell.LeftVar{Name: "M", Values: []string{fmt.Sprint(i)}})
	}
	l := s.Left(&risk.Request{})
	if len(l) != 1 {
		t.Fatalf("%+v", l)
	}
	for i, want := range []shell.LeftVar{
		{Name: "D", Values: []string{"/", "build"}, Exported: true}, {Name: "K", Hidden: true}, {Name: "L", Open: true}, {Name: "M", Open: true},
	} {
		got := l[0].Vars[i]
		if got.Name != want.Name || !slices.Equal(got.Values, want.Values) || got.Open != want.Open || got.Hidden != want.Hidden || got.Exported != want.Exported {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

// TestNothing: without a session nothing is added, learned or found.
func TestNothing(t *testing.T) {
	t.Parallel()
	s := session.New("claude-code", "")
	s.At(noon)
	s.Read(risk.WebContent, "x")
	s.Saw("x")
	s.Got("/x", "a", false)
	s.After(&risk.Assessment{}, left(net("/x")))
	var req risk.Request
	s.Before(&req)
	_, more := s.More(&risk.Assessment{}, &risk.Assessment{Level: risk.C}, "")
	if s != nil || req.Provenance != "" || s.Left(&req) != nil || s.Findings(&risk.Assessment{}) != nil || more {
		t.Error("there is something")
	}
}

// TestAnyLeft takes whatever a command can leave: the state stays one that can be
// kept.
func TestAnyLeft(t *testing.T) {
	t.Parallel()
	name := rapid.SampledFrom([]string{"/", "/w", "/w/x", "/w/x/y", "/v", "/" + strings.Repeat("n", 5000), "/\xff"})
	rapid.Check(t, func(r *rapid.T) {
		s := begin(rapid.SampledFrom([]string{"", "codex", "x"}).Draw(r, "agent"))
		for range rapid.IntRange(0, 40).Draw(r, "calls") {
			s.At(rapid.Int64Range(noon-10, noon+2*session.Keeps).Draw(r, "time"))
			f := shell.LeftFile{Path: name.Draw(r, "path"), Tree: rapid.Bool().Draw(r, "tree"), Some: rapid.Bool().Draw(r, "some"), Holds: value.Network}
			v := shell.LeftVar{Name: rapid.StringN(0, 3, 3).Draw(r, "name"), Open: rapid.Bool().Draw(r, "open")}
			s.After(nil, session.Outcome{Left: &shell.Left{Dir: name.Draw(r, "dir"), Files: []shell.LeftFile{f}, Vars: []shell.LeftVar{v}}})
		}
		if err := s.Check(); err != nil {
			r.Fatal(err)
		}
		s.Left(&risk.Request{})
	})
}
