package fakeworld

import (
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// Parse makes the world that a text describes: the machine, the directory a
// command runs in and its environment. Errors name the line.
func Parse(text string) (w *world.World, dir string, env map[string]string, err error) {
	return New().Add(text).Build()
}

// A Builder collects statements in Go. The methods return the Builder itself,
// so that calls can be chained; Build reports the first error of all.
type Builder struct {
	stmts []stmt
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
		stmts[i].line += b.lines
	}
	b.stmts = append(b.stmts, stmts...)
	b.lines += strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	return b
}

// File appends a file with this content and these attributes ("tracked", "exec").
func (b *Builder) File(path, content string, attributes ...string) *Builder {
	words := []word{{path, true}}
	for _, a := range attributes {
		words = append(words, word{text: a})
	}
	return b.add(append(words, word{content, true}))
}

// Dir appends a directory with these attributes.
func (b *Builder) Dir(path string, attributes ...string) *Builder {
	words := []word{{path, true}, {text: "dir"}}
	for _, a := range attributes {
		words = append(words, word{text: a})
	}
	return b.add(words)
}

// Link appends a symbolic link.
func (b *Builder) Link(path, target string) *Builder {
	return b.add([]word{{path, true}, {text: "->"}, {target, true}})
}

// Env appends a variable of the environment.
func (b *Builder) Env(name, value string) *Builder {
	b.lines++
	b.stmts = append(b.stmts, stmt{line: b.lines, words: []word{{text: "env"}}, name: name, value: value})
	return b
}

func (b *Builder) add(words []word) *Builder {
	b.lines++
	b.stmts = append(b.stmts, stmt{line: b.lines, words: words})
	return b
}

// Build makes the world.
func (b *Builder) Build() (w *world.World, dir string, env map[string]string, err error) {
	if b.err != nil {
		return nil, "", nil, b.err
	}
	m := newMaker()
	if err := m.make(append([]stmt(nil), b.stmts...)); err != nil {
		return nil, "", nil, err
	}
	return m.world(), m.dir, m.env, nil
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
