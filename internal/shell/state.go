package shell

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// A State is a shell session at one point of its evaluation: what every front
// has in common, and what only the one knows that evaluates it.
type State struct {
	World   *world.World
	FS      *overlay.FS
	Shell   string // the dialect, which says whose Own is
	Dir     value.Value
	Alts    []Alt // where the session is instead, if a `cd` failed
	Vars    *Vars
	Funcs   map[string]*Func
	Aliases map[string]string
	Own     Own
	Params  []value.Value // $1 …
	Zero    value.Value   // $0
	// Parts are what another program put into the texts of this shell before it
	// read them (internal/splice). A child has them too: it may be handed a text
	// with one of them. No snapshot is taken inside of such a text.
	Parts  []value.Value
	Status Status // $?
	// Statement is where the statement of the command stands that is evaluated now.
	Statement risk.Span
	Reached   []risk.Condition // conditions under which this point is reached, outermost first
	Maybe     bool             // this point is not surely reached
	Gone      bool             // exit, exec or return was surely passed
	// Doomed is how the last command ends if it fails as things are now, and Unreached
	// how one ends that this point is behind. Both are for telling, and decide nothing.
	Doomed, Unreached *risk.Ending
	// Met is why the last command succeeds as things are now, where it only asks for
	// something. Its status is not known all the same.
	Met *risk.Ending
	// Astray is set where the session would be in a directory that is not there, and Instead
	// where it is so, as things are now. Both are for telling.
	Astray, Instead bool
	// Sure is whether nothing is known that the last command could fail at. It is for telling.
	Sure bool
	// Nothing is why the last command prints nothing, as things are now. It is for telling.
	Nothing *risk.Ending
	// Shaky says that the last command, whose status is OK, may have failed all the
	// same: a file that it is redirected to or from may not be had.
	Shaky bool
	// Captured says that what is printed here goes into a word of the shell, as in
	// $(…). It is for telling, and decides nothing.
	Captured bool
	// Behind says that the shell does not wait for what runs here (cmd &). It is for
	// telling, and decides nothing.
	Behind bool
	Traps  map[string]value.Value // code that is run at a signal or the end
	// Stays says that the session goes on behind the text that is evaluated: what
	// it leaves for its end is told, and stays.
	Stays bool
	// Frame holds, inside a function, what its local variables were before.
	Frame   map[string]*Var
	Context Context
	// Absent, if set, is the value of a variable that nobody has set; without
	// it such a variable is unset. AnyArgs says that the positional parameters
	// are not known as long as Params is empty, and FewerArgs that the last of them
	// may not be there.
	Absent    func(name string) value.Value
	AnyArgs   bool
	FewerArgs bool
	// Sourced, if it holds a secret, is a text that set variables whose names are
	// not known: what nobody has set may be one of them.
	Sourced            value.Value
	Depth              int // nesting of shells, scripts and functions
	Stdin              value.Value
	StdinSet, StdinNet bool
	// Open are the descriptors above 2 that the shell was started with and that
	// are network connections.
	Open map[string]Connection
	lost *loss // what a snapshot did not keep
	// inherited are the variables that earlier commands of the session may have set, and
	// inheritedFuncs the functions.
	inherited      map[string]*Var
	inheritedFuncs map[string]*Func
}

// An Alt is the directory that the session stays in if a change of directory
// fails that nobody checks.
type Alt struct {
	Dir    value.Value
	If     risk.Condition
	Status Status // of the last command, on this alternative
	Sure   bool   // the session is there, as things are now; for telling
}

// Image is the Container of commands that run in an image that is being built.
const Image = "the image"

// A Context says where and with which rights commands run.
type Context struct {
	Via        []string // wrappers, outermost first
	Privileged bool
	Host       string // another machine; "" is this one
	Container  string
	Binds      []Bind // files of this machine that the container sees
	Limited    bool   // under a limit of time
	Changed    bool   // HOME, PATH or the like were replaced for an unknown account
}

// A Bind is a file or directory of this machine, and the name that a container
// has for it.
type Bind struct {
	Source   value.Value // absolute here
	Target   string      // absolute there
	ReadOnly bool
}

// Bound returns the mount through which a container sees an absolute path, or
// nil: the one whose name there is the longest.
func (c *Context) Bound(name string) *Bind {
	var best *Bind
	for i := range c.Binds {
		b := &c.Binds[i]
		inside := name == b.Target || strings.HasPrefix(name, strings.TrimSuffix(b.Target, "/")+"/")
		if inside && (best == nil || len(b.Target) > len(best.Target)) {
			best = b
		}
	}
	return best
}

// Real is the path on this machine of one that a container sees, if it is
// known; any other is its own.
func (c *Context) Real(name string) string {
	b := c.Bound(name)
	if b == nil || !b.Source.IsKnown() {
		return name
	}
	return path.Join(b.Source.String(), strings.TrimPrefix(name, b.Target))
}

// An Own is what only one front knows of a session: its options, what it has
// open. It is never changed in place, because states share it; the front puts
// another one into the state. One that is nil or of another front is that of a
// session which has just begun.
type Own interface {
	// Marshal writes it so that the front's ReadOwn reads it back.
	Marshal() []byte
}

// A Source is code that a session keeps, to be run later.
type Source struct {
	Text    string
	Dialect string    // that Text is written in
	Span    risk.Span // where it stood in the text that it came with
}

// A Func is a shell function.
type Func struct {
	Source Source
	Calls  int // how many calls are being evaluated now
	// Exported says that shells which are started from here know it, too.
	Exported bool
	parsed   any
}

// NewFunc returns the function with this source, of which parsed is what its
// front made.
func NewFunc(src Source, parsed any) *Func { return &Func{Source: src, parsed: parsed} }

// Parsed returns what the front made of the source. Where it is not known any
// more, as behind a snapshot, parse makes it again; nothing else depends on it.
func (f *Func) Parsed(parse func(Source) any) any {
	if f.parsed == nil {
		f.parsed = parse(f.Source)
	}
	return f.parsed
}

// Here reports whether the commands run on this machine and as the files are now: not
// elsewhere, and not as a part of a file that may run anywhere, at any time.
func (s *State) Here() bool {
	return s.Context.Host == "" && s.Context.Container == "" && s.Absent == nil
}

// Clone returns a state that changes independently.
func (s *State) Clone() *State {
	c := *s
	c.FS = s.FS.Clone()
	c.Vars = s.Vars.Clone()
	c.Funcs = maps.Clone(s.Funcs)
	c.Aliases = maps.Clone(s.Aliases)
	c.Traps = maps.Clone(s.Traps)
	c.Reached = slices.Clip(s.Reached)
	c.Params = slices.Clip(s.Params)
	c.Context.Via = slices.Clip(s.Context.Via)
	c.Alts = slices.Clone(s.Alts)
	return &c
}

// Under returns s with one more condition on being reached.
func (s *State) Under(condition risk.Condition) {
	s.Maybe = true
	if !condition.IsZero() {
		s.Reached = append(slices.Clip(s.Reached), condition)
	}
}

// Join makes s a state in which either s or t holds.
func (s *State) Join(t *State) {
	if t.Gone {
		return
	}
	if s.Gone {
		*s = *t
		return
	}
	s.FS.Join(t.FS)
	s.Vars = joinVars(s.Vars, t.Vars)
	for n, f := range t.Funcs {
		if s.Funcs == nil {
			s.Funcs = map[string]*Func{}
		}
		s.Funcs[n] = f
	}
	for n, a := range t.Aliases {
		if s.Aliases == nil {
			s.Aliases = map[string]string{}
		}
		s.Aliases[n] = a
	}
	s.joinTraps(t)
	s.joinParams(t)
	s.Shaky = s.Shaky || t.Shaky
	if s.Status != t.Status {
		s.Status = Perhaps
	}
	if s.Dir.String() != t.Dir.String() {
		s.Dir = value.Join(s.Dir, t.Dir, 8)
	}
}

// maxParams is how many alternatives a positional parameter keeps.
const maxParams = 8

// joinParams makes the positional parameters of s those of either state, where both
// are known: one that only one of them has may be nothing.
func (s *State) joinParams(t *State) {
	if s.AnyArgs || t.AnyArgs {
		return
	}
	s.FewerArgs = s.FewerArgs || t.FewerArgs || len(s.Params) != len(t.Params)
	params := make([]value.Value, max(len(s.Params), len(t.Params)))
	for i := range params {
		var a, b value.Value
		if i < len(s.Params) {
			a = s.Params[i]
		}
		if i < len(t.Params) {
			b = t.Params[i]
		}
		params[i] = value.Join(a, b, maxParams)
	}
	s.Params = params
}

// joinTraps makes s run what either state would: where they differ, both.
func (s *State) joinTraps(t *State) {
	for signal, code := range t.Traps {
		switch old, ok := s.Traps[signal]; {
		case !ok:
			if s.Traps == nil {
				s.Traps = map[string]value.Value{}
			}
			s.Traps[signal] = code
		case old.String() != code.String():
			s.Traps[signal] = value.Concat(old, value.Lit("\n"), code)
		}
	}
}
