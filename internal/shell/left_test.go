package shell

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

func bare(env map[string]string) *State {
	w := &world.World{}
	return &State{World: w, FS: overlay.New(w.FS), Shell: "bash", Dir: value.Lit("/w"), Vars: NewVars(env)}
}

// TestChanged tells the variables that were set, and what they may hold; credentials
// and what is too long are not told.
func TestChanged(t *testing.T) {
	t.Parallel()
	s := bare(map[string]string{"HOME": "/h", "OLD": "1"})
	s.Vars.Assign("A", value.Lit("x"))
	s.Vars.Assign("B", value.OneOf(risk.CauseUnknown, "B", "x", "y"))
	s.Vars.Assign("C", value.Unknown(risk.CauseOutput, "date"))
	s.Vars.Assign("API_TOKEN", value.Lit("t"))
	s.Vars.Assign("S", value.Lit("t").With(value.Secret))
	s.Vars.Assign("L", value.Lit(strings.Repeat("x", maxLeftText+1)))
	s.Vars.Set("E", Var{Value: value.Lit("e"), Exported: true, Changed: true})
	s.Vars.Unset("OLD")
	want := []LeftVar{
		{Name: "A", Values: []string{"x"}},
		{Name: "API_TOKEN", Hidden: true},
		{Name: "B", Values: []string{"x", "y"}},
		{Name: "C", Open: true},
		{Name: "E", Values: []string{"e"}, Exported: true},
		{Name: "L", Open: true},
		{Name: "S", Hidden: true},
	}
	if diff := cmp.Diff(want, s.Changed()); diff != "" {
		t.Error(diff)
	}
}

// TestInherit: a variable holds what it holds or what it was given, and is not told
// again unless it is set again.
func TestInherit(t *testing.T) {
	t.Parallel()
	s := bare(map[string]string{"P": "now"})
	s.Inherit(&Left{
		Dir:   "/w/lib",
		Vars:  []LeftVar{{Name: "P", Values: []string{"was", "or"}}, {Name: "Q", Values: []string{"q"}, Exported: true}, {Name: "R", Open: true}, {Name: "K", Hidden: true}},
		Funcs: []LeftFunc{{Name: "f", Dialect: "bash", Text: "f() { :; }"}, {Name: "g"}},
	})
	if all, ok := s.Vars.Get("P").Value.Candidates(9); !ok || !cmp.Equal(all, []string{"now", "or", "was"}) || !s.Vars.Get("P").Exported {
		t.Errorf("%v %v", all, ok)
	}
	if q := s.Vars.Get("Q"); q.Value.String() != "q" || !q.Exported || !q.Changed {
		t.Errorf("%+v", q)
	}
	if s.Vars.Get("R").Value.IsKnown() || !s.Vars.Get("K").Value.Taint().Has(value.Credential) {
		t.Error("what is not told is known")
	}
	if s.Dir.String() != "/w/lib" || s.Funcs["f"] == nil || s.Funcs["g"] != nil {
		t.Errorf("%v %v", s.Dir, s.Funcs)
	}
	if v, f := s.Changed(), s.Defined(); len(v)+len(f) > 0 {
		t.Errorf("it is told again: %v %v", v, f)
	}
	c := s.Clone()
	c.Vars.Assign("Q", value.Lit("again"))
	c.Funcs["f"] = NewFunc(Source{Text: "f() { rm x; }"}, nil)
	if v, f := c.Changed(), c.Defined(); len(v) != 1 || v[0].Values[0] != "again" || len(f) != 1 {
		t.Errorf("%v %v", v, f)
	}
}

// TestAlso joins what two evaluations of one command left.
func TestAlso(t *testing.T) {
	t.Parallel()
	f := LeftFile{Path: "/x", Holds: value.Network}
	l := &Left{Dir: "/a", Vars: []LeftVar{{Name: "D", Values: []string{"1"}}}, Files: []LeftFile{f}}
	l.Also(nil)
	l.Also(&Left{Dir: "/b", Vars: []LeftVar{{Name: "D", Values: []string{"2", "1"}, Open: true}, {Name: "E", Hidden: true}}, Files: []LeftFile{f, {Path: "/y"}}, Kept: "/s"})
	want := &Left{Dir: "/b", Vars: []LeftVar{{Name: "D", Values: []string{"1", "2"}, Open: true}, {Name: "E", Hidden: true}}, Files: []LeftFile{f, {Path: "/y"}}, Kept: "/s"}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Error(diff)
	}
	if l.Empty() || !(*Left)(nil).Empty() || !new(Left).Empty() {
		t.Error("empty is not empty")
	}
}
