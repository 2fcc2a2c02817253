package shell

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/wire"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// plain is a front without anything: what it knows of a session is a text.
type plain struct{}

type ownText string

func (o ownText) Marshal() []byte { return []byte(o) }

func (plain) Dialects() []Dialect         { return []Dialect{{Name: "plain"}} }
func (plain) Parse(string, string) error  { return nil }
func (plain) ReadOwn([]byte) (Own, error) { return ownText("read"), nil }
func (plain) Eval(Machine, *State, string, *risk.Span, *Sink) error {
	return nil
}
func (plain) Steps(string, string) []Step                             { return nil }
func (plain) EvalEach(Machine, *State, string, func(risk.Span)) error { return nil }

// full is a session in which every field that is kept is set.
func full() *State {
	v := value.Concat(value.Lit("a"), value.Unknown(risk.CauseOutput, "date"), value.Lit("b")).With(value.Network)
	fs := overlay.New(nil)
	fs.Delete("/w/gone")
	vars := NewVars(map[string]string{"HOME": "/h"})
	vars = vars.Clone()
	vars.Set("A", Var{Value: v, List: []value.Value{v, value.Lit("")}, Array: true, Changed: true})
	vars.Set("I", Var{Value: v, IfSet: &v})
	vars.Set("M", Var{Map: map[string]value.Value{"k": v}, Array: true})
	vars.Set("E", Var{Map: map[string]value.Value{}, Exported: true, Integer: true, Upper: true, Lower: true, Ref: true})
	vars.Unset("HOME")
	return &State{
		FS: fs, Shell: "plain", Dir: v, Alts: []Alt{{Dir: v, If: risk.Condition{Kind: risk.IfMissing, Of: "./b", Unchecked: "cd b"}, Status: Failed, Sure: true}, {}},
		Vars: vars, Funcs: map[string]*Func{"f": {Source: Source{Text: "f() { ls; }", Dialect: "plain", Span: risk.Span{Start: 2, End: 9}}}},
		Aliases: map[string]string{"l": "ls"}, Own: ownText("read"), Params: []value.Value{v}, Zero: v, Status: OK, Traps: map[string]value.Value{"EXIT": v},
		Context: Context{Via: []string{"sudo"}, Privileged: true, Host: "h", Container: "c", Limited: true, Changed: true},
		AnyArgs: true, FewerArgs: true, Sourced: v, Stdin: v, StdinSet: true, StdinNet: true, Open: map[string]Connection{"3": {Path: v, In: v}},
	}
}

var fronts = NewFronts(plain{})

func (s *State) kept(t *testing.T, b Bounds) *State {
	t.Helper()
	got, err := s.Snapshot(b).State(&world.World{}, fronts)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// notKept are the fields of a state that a snapshot leaves out, with the reason.
func notKept() map[string]string {
	return map[string]string{
		"World":     "is given when it is read",
		"Statement": "nothing is evaluated between two commands", "Reached": "nothing is evaluated between two commands", "Maybe": "nothing is evaluated between two commands",
		"Doomed": "is for telling", "Met": "is for telling", "Sure": "is for telling", "Nothing": "is for telling", "Behind": "nothing is evaluated between two commands", "Captured": "nothing is evaluated between two commands", "Shaky": "the next command makes it anew", "Unreached": "nothing is evaluated between two commands",
		"Astray": "nothing is evaluated between two commands", "Instead": "nothing is evaluated between two commands",
		"Gone": "nothing is evaluated between two commands", "Depth": "nothing is evaluated between two commands", "Frame": "nothing is evaluated between two commands",
		"Parts":  "no session is cut within a text that another program made",
		"Stays":  "is how it is evaluated",
		"Absent": "is what the request says",
		"lost":   "is checked by the tests of bounds",
		// Calls of an agent are told apart by what they leave (Left), and not by snapshots.
		"inherited": "is what a request comes after", "inheritedFuncs": "is what a request comes after",
	}
}

// TestAllIsKept: every field of a state is kept, or there is a reason.
func TestAllIsKept(t *testing.T) {
	t.Parallel()
	want := full()
	fields := reflect.ValueOf(*want)
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		if _, left := notKept()[name]; fields.Field(i).IsZero() != left {
			t.Errorf("State.%s: the test does not set it, or it has a reason not to be kept", name)
		}
	}
	for _, part := range []any{want.Context, want.Alts[0], want.Funcs["f"].Source, want.Open["3"]} {
		fields := reflect.ValueOf(part)
		for i := range fields.NumField() {
			if name := fields.Type().Field(i).Name; fields.Field(i).IsZero() && name != "Binds" { // no session is cut within a container
				t.Errorf("%T.%s is not set by the test", part, name)
			}
		}
	}
	got := want.kept(t, DefaultBounds())
	opts := []cmp.Option{
		cmp.Exporter(func(reflect.Type) bool { return true }), cmpopts.IgnoreFields(State{}, "World", "lost", "Vars"), cmpopts.EquateEmpty(),
	}
	if diff := cmp.Diff(want, got, opts...); diff != "" {
		t.Errorf("(-session +read back):\n%s", diff)
	}
	if diff := cmp.Diff(want.Vars.flatten(), got.Vars.flatten(), opts[0]); diff != "" {
		t.Errorf("variables (-session +read back):\n%s", diff)
	}
	if !got.Vars.Mentions("HOME") || got.Vars.Get("HOME") != nil || got.Missed() {
		t.Error("a variable that was unset is not, or something is missed")
	}
}

// TestVarFlags: every truth about a variable has a word.
func TestVarFlags(t *testing.T) {
	t.Parallel()
	n := 1 // that it is a map
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Var]()) {
		if f.Type.Kind() == reflect.Bool {
			n++
		}
	}
	if n != len(varWords) || n != len((&Var{}).flags(new(bool))) {
		t.Errorf("%d truths, %d words", n, len(varWords))
	}
}

// TestLostAtOnce: what nobody can be seen to ask for makes everything blind, and
// stays so.
func TestLostAtOnce(t *testing.T) {
	t.Parallel()
	long := value.Lit(strings.Repeat("x", 200))
	for name, change := range map[string]func(*State, *Bounds){
		"a parameter":        func(s *State, _ *Bounds) { s.Params[0] = long },
		"the directory":      func(s *State, _ *Bounds) { s.Dir = long },
		"another directory":  func(s *State, _ *Bounds) { s.Alts[0].Dir = long },
		"its condition":      func(s *State, _ *Bounds) { s.Alts[0].If.Of = long.String() },
		"a trap":             func(s *State, _ *Bounds) { s.Traps["EXIT"] = long },
		"standard input":     func(s *State, _ *Bounds) { s.Stdin = long },
		"a connection":       func(s *State, _ *Bounds) { s.Open["3"] = Connection{In: long} },
		"an alias":           func(s *State, _ *Bounds) { s.Aliases["l"] = long.String() },
		"one of the aliases": func(_ *State, b *Bounds) { b.Aliases = 0 },
		"a function's name":  func(_ *State, b *Bounds) { b.Funcs = 0 },
		"the front's own":    func(s *State, _ *Bounds) { s.Own = ownText(long.String()) },
		"the host":           func(s *State, _ *Bounds) { s.Context.Host = long.String() },
		"all of it":          func(_ *State, b *Bounds) { b.Bytes = 0 },
		"what was missed":    func(s *State, _ *Bounds) { s.Miss() },
	} {
		s, b := full(), DefaultBounds()
		b.Text = 100
		change(s, &b)
		got := s.kept(t, b)
		if !got.Missed() || !got.kept(t, DefaultBounds()).Missed() {
			t.Errorf("%s: nothing is missed", name)
		}
	}
}

// TestLostVariables: a variable that was cut is missed by who looks at it or its
// names, in clones too, and not by who sets another.
func TestLostVariables(t *testing.T) {
	t.Parallel()
	cut := func() *State {
		s, b := full(), DefaultBounds()
		b.Text = 100
		s.Vars.Set("A", Var{Value: value.Lit(strings.Repeat("x", 200)).With(value.Secret), Exported: true})
		return s.kept(t, b)
	}
	s := cut()
	if s.Vars.Set("B", Var{}); s.Vars.Get("M") == nil || s.Vars.Get("other") != nil || s.Missed() {
		t.Error("who looks at others misses something")
	}
	clone := s.Clone()
	clone.Vars.Set("C", Var{})
	again := clone.Clone()
	if v := again.Vars.Get("A"); !s.Missed() || v == nil || v.Value.IsKnown() || !v.Value.Taint().Has(value.Secret) || !v.Exported {
		t.Errorf("what is known of a variable that was cut: %+v", v)
	}
	s = cut()
	if s.Vars.Set("A", Var{Value: value.Lit("new")}); s.Vars.Get("A") == nil || s.Missed() {
		t.Error("a variable that is set anew is missed")
	}

	few := func() *State {
		s, b := full(), DefaultBounds()
		b.Vars = 1
		return s.kept(t, b)
	}
	for name, ask := range map[string]func(*Vars){
		"get": func(v *Vars) { v.Get("M") }, "mentions": func(v *Vars) { v.Mentions("x") }, "all": func(v *Vars) { v.All() }, "names": func(v *Vars) { v.Names(func(string) bool { return true }) },
	} {
		s := few()
		if s.Vars.Get("A"); s.Missed() {
			t.Error("a variable that is there is missed")
		}
		if ask(s.Clone().Vars); !s.Missed() {
			t.Errorf("%s: nothing is missed", name)
		}
	}
	if s := few().kept(t, DefaultBounds()); s.Missed() || s.Vars.Get("M") != nil || !s.Missed() {
		t.Error("a second snapshot forgets that variables are lost")
	}
}

func TestConcealed(t *testing.T) {
	t.Parallel()
	b := DefaultBounds()
	b.SecretName = func(name string) bool { return name == "S" }
	for text, want := range map[string]struct {
		shape value.Shape
		cut   bool
	}{
		"hunter2hunter2": {value.Word, false}, "a/b": {value.AnyText, false}, "-rf x": {value.Word, true}, "--force": {value.Word, true}, "two words": {value.Word, true}, "*": {value.Word, true},
	} {
		s := full()
		s.Vars.Set("S", Var{Value: value.Lit(text), Exported: true})
		s.Vars.Set("COPY", Var{Value: value.Lit("x" + text)})
		snap := s.Snapshot(b)
		got, err := snap.State(&world.World{}, fronts)
		if err != nil {
			t.Fatal(err)
		}
		v := got.Vars.flatten()["S"]
		if hs := v.Value.Holes(); len(hs) != 1 || hs[0].Shape != want.shape || v.Cut != want.cut || !v.Value.Taint().Has(value.Credential) || !v.Exported {
			t.Errorf("%q: %+v", text, v)
		}
		if long := len(text) >= minSecret; long == strings.Contains(string(snap), text) || long != got.Vars.flatten()["COPY"].Cut {
			t.Errorf("%q: a copy of it is kept, or one of a word", text)
		}
	}
	s := full()
	s.Vars.Set("S", Var{Array: true, List: []value.Value{value.Lit("hunter2hunter2")}})
	if v := s.kept(t, b).Vars.flatten()["S"]; !v.Cut || len(v.List) > 0 {
		t.Errorf("%+v", v)
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	whole := full().Snapshot(DefaultBounds())
	refused := func(name string, snap Snapshot, want string) {
		t.Helper()
		_, err := snap.State(&world.World{}, fronts)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for i := range whole {
		refused("cut short", whole[:i], "")
	}
	refused("longer", append(slices.Clone(whole), 0), "behind its end")
	refused("too large", make(Snapshot, maxSnapshot+1), "too large")
	refused("something else", Snapshot(`{"version":1}`), "")
	var w wire.Writer
	w.String(magic)
	w.Uint(form + 1)
	refused("a later form", w.Bytes(), "form is 5")
	other := full()
	other.Shell = "klingon"
	refused("another shell", other.Snapshot(DefaultBounds()), "klingon")
}

// FuzzState: any bytes are an error or a session, which can be looked at and kept
// again.
func FuzzState(f *testing.F) {
	f.Add([]byte(full().Snapshot(DefaultBounds())))
	small := DefaultBounds()
	small.Bytes, small.Files, small.Vars = 150, 0, 2
	f.Add([]byte(full().Snapshot(small)))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Snapshot(data).State(&world.World{FS: overlay.New(nil)}, fronts)
		if err != nil {
			return
		}
		again, err := s.Snapshot(DefaultBounds()).State(s.World, fronts)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if s.Missed() && !again.Missed() {
			t.Error("it is forgotten that something was missed")
		}
		clone := s.Clone()
		clone.Under(risk.Condition{})
		clone.Vars.All()
		s.Join(clone)
	})
}
