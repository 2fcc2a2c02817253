package fakeworld

import (
	"strings"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/madeup"
)

// Parse makes the world that a text describes: the machine, the directory a
// command runs in and its environment. Errors name the line.
func Parse(text string) (w *world.World, dir string, env map[string]string, err error) {
	return New().Add(text).Build()
}

// Statements are what a text says.
func Statements(text string) ([]madeup.Statement, error) { return scan(text) }

// A Builder collects statements in Go. The methods return the Builder itself,
// so that calls can be chained; Build reports the first error of all.
type Builder struct {
	stmts []madeup.Statement
	lines int
	err   error
}

// New returns a Builder of the default world.
func New() *Builder { return &Builder{} }

// Add appends statements in the language of this package.
func (b *Builder) Add(text string) *Builder {
	stmts, err := scan(text)
	if b.err == nil {
		b.err = err
	}
	for i := range stmts {
		stmts[i].Line += b.lines
	}
	b.stmts = append(b.stmts, stmts...)
	b.lines += strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	return b
}

// File appends a file with this content and these attributes ("tracked", "exec").
func (b *Builder) File(path, content string, attributes ...string) *Builder {
	return b.add(madeup.About(path, attributes...).Holding(content))
}

// Dir appends a directory with these attributes.
func (b *Builder) Dir(path string, attributes ...string) *Builder {
	return b.add(madeup.About(path, append([]string{"dir"}, attributes...)...))
}

// Link appends a symbolic link.
func (b *Builder) Link(path, target string) *Builder {
	s := madeup.About(path, "->")
	s.Words = append(s.Words, madeup.Word{Text: target, Quoted: true})
	return b.add(s)
}

// Env appends a variable of the environment.
func (b *Builder) Env(name, value string) *Builder { return b.add(madeup.Set("env", name, value)) }

func (b *Builder) add(s madeup.Statement) *Builder {
	b.lines++
	s.Line = b.lines
	b.stmts = append(b.stmts, s)
	return b
}

// Build makes the world.
func (b *Builder) Build() (w *world.World, dir string, env map[string]string, err error) {
	if b.err != nil {
		return nil, "", nil, b.err
	}
	return madeup.Make(b.stmts)
}

// TB is the part of testing.TB that Must needs.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Must is Parse for tests: a text that is wrong ends the test.
func Must(t TB, text string) (w *world.World, dir string, env map[string]string) {
	t.Helper()
	w, dir, env, err := Parse(text)
	if err != nil {
		t.Fatalf("fake world: %v", err)
	}
	return w, dir, env
}
