package posix_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/shell/posix"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// recorder is a machine that writes down what the shell asks of it. Programs
// print nothing that is known, but for echo, and come out as their names say.
type recorder struct {
	log   []string
	steps int
	spans []risk.Span
}

func (r *recorder) note(span risk.Span, format string, args ...any) {
	r.spans = append(r.spans, span)
	r.log = append(r.log, fmt.Sprintf(format, args...))
}

func (r *recorder) Run(_ *shell.State, inv *shell.Invocation) shell.Outcome {
	var words []string
	for _, w := range inv.Argv {
		word := w.Value.String()
		if w.Many {
			word += "..."
		}
		words = append(words, word)
	}
	line := "run " + strings.Join(words, " ")
	for _, a := range inv.Assign {
		line += fmt.Sprintf(" [%s=%s]", a.Name, a.Value)
	}
	if inv.HasStdin {
		line += fmt.Sprintf(" < %q", inv.Stdin)
	}
	for _, is := range []struct {
		set  bool
		word string
	}{{inv.StdinNet, "from net"}, {inv.StdoutNet, "to net"}, {inv.Piped, "piped"}} {
		if is.set {
			line += " " + is.word
		}
	}
	r.note(inv.Span, "%s", line)
	switch name, _ := inv.Argv[0].Value.Known(); name {
	case "echo":
		return shell.Outcome{Stdout: value.Lit(strings.Join(words[1:], " ") + "\n"), Status: shell.OK}
	case "cat":
		return shell.Outcome{Stdout: inv.Stdin, Status: shell.OK}
	}
	return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, words[0])}
}

func (r *recorder) Make(_ *shell.State, span risk.Span, path value.Value) {
	r.note(span, "make %s", path)
}

func (r *recorder) Store(st *shell.State, span risk.Span, path, content value.Value, how shell.Writing) {
	add := how.Add
	if name, known := path.Known(); known && len(name) < 100 {
		before, _, _ := st.FS.Content("/w/" + name)
		if !add {
			before = value.Lit("")
		}
		st.FS.Create("/w/"+name, value.Concat(before, content), true)
	}
	r.note(span, "%s %s %q", map[bool]string{true: "add", false: "store"}[add], path, content)
}

func (r *recorder) Load(st *shell.State, span risk.Span, path value.Value) value.Value {
	r.note(span, "load %s", path)
	if name, known := path.Known(); known {
		if v, whole, written := st.FS.Content("/w/" + name); written && whole {
			return v
		}
	}
	return value.Unknown(risk.CauseFile, path.String())
}

func (r *recorder) Connect(_ *shell.State, span risk.Span, address value.Value) value.Value {
	r.note(span, "connect %s", address)
	return value.Unknown(risk.CauseInput, "network").With(value.Network)
}

func (r *recorder) Send(_ *shell.State, span risk.Span, address, content value.Value) {
	r.note(span, "send %s %q", address, content)
}

func (r *recorder) Show(_ *shell.State, span risk.Span, content value.Value) {
	r.note(span, "show %q", content)
}

func (r *recorder) Effect(_ *shell.State, span risk.Span, e shell.Effect) {
	r.note(span, "effect %s %s %s", e.Verb, e.Target, e.Kind)
}

func (r *recorder) Unknown(_ *shell.State, span risk.Span, role risk.Role, what string) {
	r.note(span, "unknown %s: %s", role, what)
}

func (r *recorder) Code(_ *shell.State, span risk.Span, text value.Value, lang string) {
	r.note(span, "code %s %q", lang, text)
}

// budget is like the engine's, so that what is bounded there is bounded here.
const budget = 20_000

func (r *recorder) Spend(n int) bool {
	r.steps += n
	return r.steps <= budget
}
func (r *recorder) Settled() bool { return true }

func (r *recorder) Unsure(string) bool { return false }

func (r *recorder) Denied(*shell.State, value.Value, world.Access) bool { return false }

func (r *recorder) Tell(*shell.State, risk.Span, shell.Telling) {}

func (r *recorder) Deeds() (int, bool) { return len(r.log), r.steps < budget*3/4 }
func (r *recorder) Mark() shell.Mark   { return shell.Mark{Effects: len(r.log)} }

func (r *recorder) Forever(_ *shell.State, span risk.Span, since shell.Mark, deeper bool) bool {
	r.note(span, "forever since %d, deeper %t", since.Effects, deeper)
	return false
}

// session is a shell in an empty directory.
func session(tb testing.TB, dialect string) *shell.State {
	tb.Helper()
	w, _, _, err := fakeworld.New().Dir("/w").Dir("/w/sub").Build()
	if err != nil {
		tb.Fatal(err)
	}
	return newSession(w, dialect)
}

func newSession(w *world.World, dialect string) *shell.State {
	return &shell.State{
		World: w, FS: overlay.New(w.FS), Shell: dialect, Dir: value.Lit("/w"),
		Vars: shell.NewVars(map[string]string{"HOME": "/home/u", "PATH": "/bin"}), Zero: value.Lit(dialect),
	}
}

// TestMachine: what the machine is told of a script.
func TestMachine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script string
		want   []string
	}{
		{`a b | c`, []string{`run a b piped`, `run c < "<a>"`, `show "<c>"`}},
		{`X=1 a "$X" & b`, []string{`run a $X [X=1]`, `show "<a>"`, `run b`, `show "<b>"`}},
		{`echo a > f`, []string{`run echo a piped`, `store f "a\n"`}},
		{`echo a >> f; cat < f`, []string{`run echo a piped`, `add f "a\n"`, `load f`, `run cat < "a\n"`, `show "a\n"`}},
		{`: > f; : 3<> g; : <> h`, []string{`store f ""`, `load g`, `make g`, `make h`, `load h`}},
		{`echo a > /dev/null; echo b >&2`, []string{`run echo a piped`, `run echo b`, `show "b\n"`}},
		{`exec > f; echo a; echo b`, []string{`store f ""`, `run echo a piped`, `add f "a\n"`, `run echo b piped`, `add f "b\n"`}},
		{`echo a > /dev/tcp/h/1`, []string{`connect h/1`, `run echo a to net piped`, `send h/1 "a\n"`}},
		{`read x < /dev/tcp/h/1; $x`, []string{`connect h/1`, `run <x>...`, `show "<<x>...>"`}},
		{`exec 3<>/dev/tcp/h/1; cat <&3; echo q >&3`, []string{`connect h/1`, `send h/1 ""`, `run cat < "<network>" from net`, `show "<network>"`, `run echo q to net piped`, `send h/1 "q\n"`}},
		{`a <(b) >(c)`, []string{`run b piped`, `run a /dev/heed-fd/62 /dev/heed-fd/61`, `show "<a>"`, `run c < "<a>"`, `show "<c>"`}},
		{`eval "$(a)"`, []string{`run a piped`, `code bash "<a>"`}},
		{`set -u; a $nope; b`, []string{"unknown unset: $nope is not set, so `set -u` stops here"}},
		{`while :; do a; done`, []string{`run a piped`, `run a`, `show "<a>"`, `forever since 0, deeper false`}},
		{`while a; do b; done`, []string{`run a`, `show "<a>"`, `run b`, `show "<b>"`}},
		{`f() { f | f & }; f`, []string{`effect resource.exhaust f fork bomb`, `effect resource.exhaust f fork bomb`}},
		{`PATH=/x:$PATH a`, []string{`run a [PATH=/x:/bin]`, `show "<a>"`}},
		{`unset HISTFILE`, []string{`effect defense.evade  history`}},
		{`coproc a; read x <&${COPROC[0]}; b "$x"`, []string{`run a piped`, `run b <x>`, `show "<b>"`}},
		{`a <<E
$HOME \$
E`, []string{`run a < "/home/u $\n"`, `show "<a>"`}},
	} {
		r := &recorder{}
		if err := posix.Eval(r, session(t, "bash"), c.script, nil, nil); err != nil {
			t.Errorf("%s: %v", c.script, err)
		}
		if diff := cmp.Diff(c.want, r.log); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.script, diff)
		}
	}
}

// FuzzEval holds the evaluator to what must be true of every text: it ends
// within its budget, it says the same of the same text again, and what it points
// at is in the text.
func FuzzEval(f *testing.F) {
	for _, rows := range tables() {
		for i, r := range rows {
			if i%6 == 0 { // what is known of all of them has to be found out first
				f.Add(r.script, byte(i/6))
			}
		}
	}
	w, _, _, err := fakeworld.New().Dir("/w").Dir("/w/sub").File("/w/a.txt", "alpha\n").Build()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string, dialect byte) {
		names := posix.Front().Dialects()
		name := names[int(dialect)%len(names)]
		var logs [2][]string
		for i := range logs {
			r := &recorder{}
			if err := posix.Eval(r, newSession(w, name.Name), text, nil, nil); err != nil && len(r.log) > 0 {
				t.Errorf("%q cannot be read, and something is told of it: %q", text, r.log)
			}
			for _, s := range r.spans {
				if s.Start < 0 || s.Start > s.End || s.End > len(text) {
					t.Errorf("%q: the span %v", text, s)
				}
			}
			if r.steps > 2*budget {
				t.Errorf("%q takes %d steps", text, r.steps)
			}
			logs[i] = r.log
		}
		if !slices.Equal(logs[0], logs[1]) {
			t.Errorf("%q: twice the same, and\n%s", text, cmp.Diff(logs[0], logs[1]))
		}
	})
}
