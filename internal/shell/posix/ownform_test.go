package posix

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

func everyOption() options {
	var o options
	for _, on := range o.flags() {
		*on = true
	}
	return o
}

// openSession has everything that a session can have of its own.
func openSession() *session {
	path, net := value.Lit("/w/out"), value.Lit("/dev/tcp/x.test/80")
	file := &shell.Sink{Path: &path, Add: true, Keep: true, Old: value.Unknown(risk.CauseFile, "")}
	out := &shell.Sink{Path: &net, Net: true}
	src := shell.Source{Text: "tee log; sh", Dialect: "bash"}
	return &session{
		options: everyOption(),
		streams: streams{
			fds:    map[string]*target{"3": {sink: file, in: value.Unknown(risk.CauseFile, "/w/out"), hasIn: true}, "4": {sink: file}, "5": {sink: out, net: true}, "6": {}},
			turned: []turned{{to: out}}, outputs: map[string]*code{"/dev/heed-fd/62": again(src)}, lost: true,
		},
	}
}

func TestOwnIsKept(t *testing.T) {
	t.Parallel()
	want := openSession()
	for _, part := range []any{want.options, want.streams} {
		fields := reflect.ValueOf(part)
		for i := range fields.NumField() {
			if fields.Field(i).IsZero() {
				t.Errorf("%T.%s is not set by the test", part, fields.Type().Field(i).Name)
			}
		}
	}
	own, err := Front().ReadOwn(want.Marshal())
	if err != nil {
		t.Fatal(err)
	}
	got := own.(*session)
	all := cmp.Exporter(func(reflect.Type) bool { return true })
	if diff := cmp.Diff(want, got, all, cmpopts.IgnoreFields(code{}, "stmts")); diff != "" {
		t.Error(diff)
	}
	if got.fds["3"].sink != got.fds["4"].sink || got.turned[0].to != got.fds["5"].sink || len(got.outputs["/dev/heed-fd/62"].stmts) != 2 {
		t.Error("what descriptors shared is not shared, or their code is not there")
	}
	if again := got.Marshal(); !slices.Equal(again, want.Marshal()) {
		t.Error("the same is written otherwise")
	}
	if own, err := Front().ReadOwn((&session{}).Marshal()); err != nil || !reflect.DeepEqual(own, &session{}) {
		t.Errorf("nothing is read as %+v, %v", own, err)
	}
}

func TestBrokenOwn(t *testing.T) {
	t.Parallel()
	whole := openSession().Marshal()
	for i := range whole {
		if _, err := Front().ReadOwn(whole[:i]); err == nil {
			t.Errorf("%d bytes of %d are read", i, len(whole))
		}
	}
	lost := openSession()
	lost.lost, lost.outputs["/dev/heed-fd/62"].source.Text = false, "if"
	if own, err := Front().ReadOwn(lost.Marshal()); err != nil || !own.(*session).lost {
		t.Errorf("code that is none is not lost: %v", err)
	}
}

func FuzzReadOwn(f *testing.F) {
	f.Add(openSession().Marshal())
	f.Add((&session{}).Marshal())
	f.Fuzz(func(t *testing.T, data []byte) {
		own, err := Front().ReadOwn(data)
		if err != nil {
			return
		}
		again, err := Front().ReadOwn(own.Marshal())
		if err != nil || again.(*session).lost && !own.(*session).lost {
			t.Errorf("%v: what was read is not written again", err)
		}
	})
}

// TestKeptCode: a function's source alone is the same code, whatever stood around
// it and however that had to be read.
func TestKeptCode(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"f() { ls; }", "x=1; f() { ls; }; y=2", "function f { ls; }", "f() (ls) > out", "f() if true; then ls; fi", "f() { cat <<EOF\nls\nEOF\n}", "f() { ls; } <<EOF; echo\nls\nEOF\n",
		"f() { echo ${x~~}; }", "f() { echo $((1--1)); }", "f() { g() { ls; }; }", "[[ -f x ]] && ls; f() { echo $'\\x41'; }", "f() { rm <file>; }",
	} {
		for _, dialect := range []string{"bash", "sh"} {
			src, err := Parse(text, dialect)
			if err != nil {
				continue
			}
			st := &shell.State{Shell: dialect}
			e := &evaluator{text: src.Text, grammar: src.Grammar, end: len(text)}
			for _, s := range src.File.Stmts {
				if decl, ok := declared(s); ok {
					e.funcDecl(st, decl)
				}
			}
			f := st.Funcs["f"]
			if f == nil {
				t.Errorf("%q in %s declares nothing", text, dialect)
				continue
			}
			was, is := body(f), body(&shell.Func{Source: f.Source})
			if is == nil {
				t.Errorf("%q in %s: the source %q is no function", text, dialect, f.Source.Text)
				continue
			}
			if a, b := printed(t, was), printed(t, is); a != b {
				t.Errorf("%q in %s: %q and not %q", text, dialect, b, a)
			}
		}
	}
	for _, text := range []string{"", "ls", "f() {", "\x00"} {
		if c := body(&shell.Func{Source: shell.Source{Text: text, Dialect: "bash"}}); c != nil {
			t.Errorf("%q is a function", text)
		}
	}
	if c := body(&shell.Func{Source: shell.Source{Text: "f() { ls; }", Dialect: "fish"}}); c != nil {
		t.Error("a function in another language is one")
	}
}

func declared(s *syntax.Stmt) (*syntax.FuncDecl, bool) {
	decl, ok := s.Cmd.(*syntax.FuncDecl)
	return decl, ok
}

func printed(t *testing.T, c *code) string {
	t.Helper()
	var b strings.Builder
	if err := syntax.NewPrinter().Print(&b, c.stmts[0]); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
