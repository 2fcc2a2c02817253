package catalog

import (
	_ "embed" // the compiled specs
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

//go:embed catalog.bin
var compiled string

// A Catalog answers what programs do. It is safe for concurrent use.
type Catalog struct {
	blob  blob
	hooks Hooks
	cache sync.Map // name -> *Program

	// Of a catalog with layers (layer.go):
	under  *Catalog            // looked into for what is not here
	beside map[string]*Program // descriptions that only add to those under it
	names  []string            // of the programs that were added
	sum    string              // its digest
}

// A Hook says in Go what a spec cannot. It is called after the spec's own
// roles and rules and may change the result; it must not depend on anything
// but its arguments.
type Hook func(m *Match, s *Site, r *Result)

// Hooks finds a hook by the name that specs use; nil is none.
type Hooks func(name string) Hook

func (h Hooks) find(name string) Hook {
	if h == nil {
		return nil
	}
	return h(name)
}

// A Site is what a hook may know about the place of an invocation.
type Site struct {
	World *world.World
	Dir   string // absolute; "" when it is not known
	// Env returns an environment variable of the invocation. changed is true
	// when the command itself set it, and not the session before it.
	Env func(name string) (v value.Value, set, changed bool)
	// EnvKept says that the command set no variable: Env answers changed for none.
	EnvKept bool
	// Args are the words after the program's name, as given.
	Args []value.Value
	// Name is the name by which the program was called.
	Name string
	// Stdin is the text on standard input, if any is piped in or redirected.
	Stdin    value.Value
	HasStdin bool
	// Installed names the programs that install packages earlier in the same
	// command; nil where nothing is known of it.
	Installed func() []string
	// Unread says that nothing in the command reads what it prints.
	Unread bool
	// AsFound says that this is the first program that the command starts, once and
	// with nothing beside it: all is as it was found.
	AsFound bool
	// Walk counts entries of a directory that a hook looks at, and reports false
	// where one request has had enough of it; nil sets no bound.
	Walk func(dir string, entries int) bool
	// Read reads a small file if its contents are nobody's secret; nil where nothing
	// is read.
	Read func(name string) ([]byte, error)
}

// New returns the embedded catalog with the given hooks.
func New(hooks Hooks) *Catalog {
	return &Catalog{blob: blob(compiled), hooks: hooks}
}

// FromPrograms returns a catalog of just these programs; the compiler checks
// specs with it.
func FromPrograms(programs []*Program, hooks Hooks) *Catalog {
	c := &Catalog{hooks: hooks}
	for _, p := range programs {
		for _, n := range p.Names {
			c.cache.Store(n, p)
		}
	}
	return c
}

// Lookup finds a program by the base name of its command word.
func (c *Catalog) Lookup(name string) (*Program, bool) {
	if p, ok := c.cache.Load(name); ok {
		return p.(*Program), true
	}
	if c.under != nil {
		return c.lookUnder(name)
	}
	p, ok := c.blob.find(name)
	if !ok {
		return nil, false
	}
	kept, _ := c.cache.LoadOrStore(name, p)
	return kept.(*Program), true
}

// Digest identifies the data, for the record.
func (c *Catalog) Digest() string {
	if c.under != nil {
		return c.sum
	}
	return "sha256:" + hex.EncodeToString([]byte(c.blob.digest()))
}

// Names lists the names of every program, sorted.
func (c *Catalog) Names() []string {
	if c.under != nil {
		return c.allNames()
	}
	return c.blob.names()
}

// Describe says what p does with args at a site.
func (c *Catalog) Describe(p *Program, args []value.Value, s *Site) *Result {
	e := c.extra(s.Name)
	switch {
	case e == nil:
		return c.describe(p, args, s)
	case e == p:
		return c.bounded(p, args, s)
	}
	r := c.describe(p, args, s)
	r.tighten(c.bounded(e, args, s))
	return r
}

func (c *Catalog) describe(p *Program, args []value.Value, s *Site) *Result {
	s.Args = args
	m := p.match(s.Name, args, p.options(s))
	m.listed(s)
	r := m.Apply()
	r.Traits = m.traits(s.Name)
	if r.Help || len(args) == 1 && asksVersion(args) {
		what := "Shows help for"
		if r.Version = slices.ContainsFunc(args, func(v value.Value) bool { text, _ := v.Known(); return text == "--version" }); r.Version || versionAlone(args) {
			what = "Shows the version of"
		}
		r.Summary = strings.Join(append([]string{what, s.Name}, m.called...), " ")
	}
	r.sign("spec")
	r.athome(s)
	for _, node := range m.Chain {
		if node.Hook != "" && (!m.Help || node.Syntax&HookedHelp != 0) {
			if h := c.hooks.find(node.Hook); h != nil {
				h(m, s, r)
				r.sign(node.Hook)
			}
		}
		for i := range node.Settings {
			m.setting(&node.Settings[i], s, r)
		}
	}
	r.helps(m, s)
	r.commands(s)
	r.addresses(m)
	r.doubts(m)
	r.loose(m, s)
	r.locate()
	return r
}

// helps takes a subcommand that is called help and does nothing for what it is: it shows
// the help of the words behind it, whatever else the command does that it shares its place with.
func (r *Result) helps(m *Match, s *Site) {
	if r.Help || m.Written() != "help" || len(m.Chain) < 2 || len(r.Effects)+len(r.Runs) > 0 || len(m.Unknown) > 0 || !m.Missing.Empty() {
		return
	}
	written := func(_ string, words []value.Value) string { return words[0].String() }
	if _, said := r.Say(written); said { // in words of its own
		return
	}
	what := append([]string{"Shows help for", s.Name}, m.called[:len(m.called)-1]...)
	for _, w := range m.operands {
		text, known := w.Known()
		if !known || !tellable(text) {
			return
		}
		what = append(what, text)
	}
	r.Help, r.Summary = true, strings.Join(what, " ")
}

// athome puts the home directory in the place of the ~ of a spec's own paths.
func (r *Result) athome(s *Site) {
	for i := range r.Effects {
		e := &r.Effects[i]
		text, known := e.Target.Known()
		rest, tilde := strings.CutPrefix(text, "~/")
		if !known || !tilde || !e.Own && !r.Match.defaults(text) {
			continue
		}
		e.Target = s.AtHome(rest)
	}
}

// AtHome is a path in the user's home directory, with a ~ before it where that
// is not known.
func (s *Site) AtHome(rest string) value.Value {
	home := value.Value{}
	if s.Env != nil {
		home, _, _ = s.Env("HOME")
	}
	if home.Empty() && s.World != nil {
		home = value.Lit(s.World.User.Home)
	}
	if home.Empty() {
		home = value.Lit("~")
	}
	return value.Concat(home, value.Lit("/"+rest))
}

// defaults reports whether a text is what a place has that was given no word.
func (m *Match) defaults(text string) bool {
	return slices.ContainsFunc(m.Args, func(b Bound) bool { return b.Default && b.Value.String() == text })
}

// sign says of the effects that are new what stated them.
func (r *Result) sign(rule string) {
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Rule == "" {
			e.Rule = rule
		}
	}
}

// asksVersion reports whether words ask a program for its version in the usual
// way, where its grammar does not say so.
func asksVersion(args []value.Value) bool {
	return slices.ContainsFunc(args, func(v value.Value) bool { s, _ := v.Known(); return s == "--help" || s == "--version" })
}

// versionAlone reports whether a single word that a grammar has for help asks for the
// version by its usual letter.
func versionAlone(args []value.Value) bool {
	if len(args) != 1 {
		return false
	}
	s, _ := args[0].Known()
	return s == "-v" || s == "-V" || s == "-version"
}

// locate tells every remote effect where it is.
func (r *Result) locate() {
	for i := range r.Effects {
		if e := &r.Effects[i]; r.Where != "" && strings.HasPrefix(string(e.Verb), "remote.") {
			e.Where = r.Where
		}
	}
}
