package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/engine"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/shell/posix"
	"github.com/heedsh/heed/internal/specs"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// A toy is a front of its own: a language of lines, each `run WORD…`, `set NAME
// VALUE`, `cd DIR`, `say WORD…` or a comment, where 'a b' is one word and $NAME is a
// variable.
type toy struct{}

// toyOwn counts the lines that were evaluated.
type toyOwn int

func (n toyOwn) Marshal() []byte { return []byte(strconv.Itoa(int(n))) }

func (toy) Dialects() []shell.Dialect {
	return []shell.Dialect{{Name: "toy", Programs: []string{"toy", "toysh"}}}
}

func (toy) ReadOwn(data []byte) (shell.Own, error) {
	n, err := strconv.Atoi(string(data))
	return toyOwn(n), err
}

func (toy) Parse(text, dialect string) error {
	at := 0
	for line := range strings.Lines(text) {
		verb, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if verb != "" && verb[0] != '#' && !slices.Contains([]string{"run", "set", "cd", "say"}, verb) {
			return &shell.SyntaxError{Offset: at, Err: fmt.Errorf("parsing as %s: unknown verb %q", dialect, verb)}
		}
		at += len(line)
	}
	return nil
}

func (t toy) Eval(m shell.Machine, st *shell.State, text string, at *risk.Span, out *shell.Sink) error {
	return t.each(m, st, text, at, out, func(risk.Span) {})
}

func (toy) Steps(string, string) []shell.Step { return nil }

func (t toy) EvalEach(m shell.Machine, st *shell.State, text string, begin func(risk.Span)) error {
	return t.each(m, st, text, nil, nil, begin)
}

func (t toy) each(m shell.Machine, st *shell.State, text string, at *risk.Span, out *shell.Sink, begin func(risk.Span)) error {
	if err := t.Parse(text, st.Shell); err != nil {
		return err
	}
	from := 0
	for line := range strings.Lines(text) {
		span := risk.Span{Start: from, End: from + len(strings.TrimSpace(line))}
		from += len(line)
		if at != nil {
			span = *at
		}
		begin(span)
		if !m.Spend(1) {
			return nil
		}
		t.line(m, st, strings.TrimSpace(line), span, out)
		own, _ := st.Own.(toyOwn)
		st.Own = own + 1
	}
	return nil
}

func (t toy) line(m shell.Machine, st *shell.State, line string, span risk.Span, out *shell.Sink) {
	words := t.words(st, line)
	switch {
	case len(words) < 2 || line[0] == '#':
		return
	case line[0] == 'c':
		st.Dir = words[1]
		return
	case line[1] == 'e' && len(words) > 2:
		name, _ := words[1].Known()
		st.Vars.Set(name, shell.Var{Value: words[2], Exported: true, Changed: true})
		return
	}
	printed := words[1]
	if line[0] == 'r' {
		inv := &shell.Invocation{Span: span, Piped: out != nil}
		for _, w := range words[1:] {
			inv.Argv = append(inv.Argv, shell.Word{Value: w})
		}
		printed = m.Run(st, inv).Stdout
	}
	if out != nil {
		out.Write(printed)
	} else {
		m.Show(st, span, printed)
	}
}

func (toy) words(st *shell.State, line string) []value.Value {
	var words []value.Value
	for i, piece := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, value.Lit(piece))
			continue
		}
		for _, w := range strings.Fields(piece) {
			name, isVariable := strings.CutPrefix(w, "$")
			switch x := st.Vars.Get(name); {
			case !isVariable:
				words = append(words, value.Lit(w))
			case x == nil:
				words = append(words, value.Unknown(risk.CauseUnset, name))
			default:
				words = append(words, x.Value)
			}
		}
	}
	return words
}

const toyScene = `
git
src/app.go     tracked "package app\n"
notes.md       untracked
x.toy          tracked "set D src\nrun rm -rf $D\n"
run.toy        tracked exec "#!/usr/bin/toy\nrun rm -rf src\n"
/specs/toy.yaml "program: toy toysh\nsource: toy(1)\nsummary: Runs toy code\noptions:\n  -c: {name: code, role: shell, lang: toy}\noperands: [{script?: {role: script, lang: toy}}]\ncases: {toy -c ls: ['run shell/toy: ls']}\n"
`

// toyPlace is a place whose engine has the toy's front beside the others.
func toyPlace(tb testing.TB) *place {
	tb.Helper()
	w, dir, env := fakeworld.Must(tb, toyScene)
	set := specs.New("/specs").Load(w, nil)
	if len(set.Problems) > 0 {
		tb.Fatal(set.Problems)
	}
	return &place{
		engine: &engine.Engine{Catalog: set.Catalog, Fronts: shell.NewFronts(posix.Front(), toy{})},
		world:  w, req: risk.Request{Dir: dir, Env: env},
	}
}

func (p *place) run(dialect, command string) *flow.Trace {
	req := p.req
	req.Shell, req.Command = dialect, command
	return p.engine.Run(context.Background(), p.world, &req)
}

// told lists what a trace deletes, sends and shows blindness of.
func told(tr *flow.Trace) string {
	var all []string
	for _, e := range tr.Effects {
		switch e.Verb {
		case risk.FSDelete, risk.ExecRemote, risk.Blind, risk.SecretRead:
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s %v", e.Verb, e.Target, strings.Join(e.Via, "/"), e.Span)))
		}
	}
	return strings.Join(all, "; ")
}

// TestSecondFront: a front that is registered is reached by its name, in requests,
// from other shells and back, and nothing else has to know of it.
func TestSecondFront(t *testing.T) {
	t.Parallel()
	p := toyPlace(t)
	dir := p.req.Dir
	for _, c := range []struct{ dialect, command, want string }{
		{"toy", "run rm -rf src", "fs.delete " + dir + "/src  {0 14}"},
		{"toysh", "set D src\nrun rm -rf $D", "fs.delete " + dir + "/src  {10 23}"},
		{"toy", "cd /tmp\nrun rm -rf x", "fs.delete /tmp/x  {8 20}"},
		{"toy", "run bash -c 'rm -rf src'", "fs.delete " + dir + "/src  {0 24}"},
		{"toy", "run sudo rm -rf src", "fs.delete " + dir + "/src sudo {0 19}"},
		{"toy", "walk away", "blind toy  {0 9}"},
		{"toy", "run bash -c 'toy -c \"run rm -rf src\"'", "fs.delete " + dir + "/src  {0 37}"},
		{"bash", "toy -c 'run rm -rf src'", "fs.delete " + dir + "/src  {0 23}"},
		{"bash", "toysh -c \"run bash -c 'rm -rf src'\"", "fs.delete " + dir + "/src  {0 35}"},
		{"bash", "toy x.toy", "fs.delete " + dir + "/src x.toy {0 9}"},
		{"bash", "./run.toy", "fs.delete " + dir + "/src run.toy {0 9}"},
		{"bash", "rm -rf $(toy -c 'say src')", "fs.delete " + dir + "/src  {0 26}"},
		{"bash", "echo 'run rm -rf src' > n; toy n", "fs.delete " + dir + "/src n {27 32}"},
		{"bash", "D=src; export D; toy -c 'run rm -rf $D'", "fs.delete " + dir + "/src  {17 39}"},
		{"bash", "set -f; toy -c 'run bash -c ls'; rm -rf src/*", "fs.delete " + dir + "/src/*  {33 45}"},
		{"bash", "toy -c 'walk'", "blind toy  {0 13}"},
		{"zsh", "toy -c 'run rm -rf src'", "fs.delete " + dir + "/src  {0 23}"},
		{"klingon", "Qapla", "blind klingon  {0 5}"},
	} {
		if got := told(p.run(c.dialect, c.command)); got != c.want {
			t.Errorf("%s: %q\n got %s\nwant %s", c.dialect, c.command, got, c.want)
		}
	}
}

// TestSecondFrontsStatements: a second front evaluates scripts statement by
// statement, and says where they cannot be read.
func TestSecondFrontsStatements(t *testing.T) {
	t.Parallel()
	p := toyPlace(t)
	req := p.req
	req.Shell, req.Command = "toy", "set D src\nrun rm -rf $D\n"
	got := p.engine.Statements(context.Background(), p.world, &req)
	if len(got) != 2 || got[1].Span != (risk.Span{Start: 10, End: 23}) || len(got[1].Trace.Effects) != 1 {
		t.Errorf("%+v", got)
	}
	req.Command = "set D src\nwalk\n"
	got = p.engine.Statements(context.Background(), p.world, &req)
	if len(got) != 1 || got[0].Trace.Effects[0].Span != (risk.Span{Start: 10, End: 11}) {
		t.Errorf("%+v", got)
	}
}

// TestSecondFrontsSession: what only the front knows of a session is kept with it,
// and so is all that every front has.
func TestSecondFrontsSession(t *testing.T) {
	t.Parallel()
	p := toyPlace(t)
	p.req.Shell = "toy"
	s := p.begin(t)
	s.Run(context.Background(), "set D src\ncd /tmp")
	s = p.again(t, s, shell.DefaultBounds())
	if got := told(s.Run(context.Background(), "run rm -rf $D")); got != "fs.delete /tmp/src  {0 13}" {
		t.Error(got)
	}
	st, err := s.Snapshot(shell.DefaultBounds()).State(p.world, p.engine.Fronts)
	if err != nil || st.Own != toyOwn(3) {
		t.Errorf("%v, %v", st, err)
	}
	posixOnly := shell.NewFronts(posix.Front())
	if _, err := s.Snapshot(shell.DefaultBounds()).State(p.world, posixOnly); err == nil {
		t.Error("a session is read whose front is not there")
	}
}
