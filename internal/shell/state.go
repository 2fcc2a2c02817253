package shell

import (
	"maps"
	"slices"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// A State is a shell session at one point of its evaluation.
type State struct {
	World   *world.World
	FS      *overlay.FS
	Shell   string // dialect: bash, sh, mksh, zsh
	Dir     value.Value
	Alts    []Alt // where the session is instead, if a `cd` failed
	Vars    *Vars
	Funcs   map[string]*Func
	Aliases map[string]string
	Options Options
	Params  []value.Value // $1 …
	Zero    value.Value   // $0
	Status  Status        // $?
	// Statement is where the statement of the command stands that is evaluated now.
	Statement risk.Span
	Reached   []risk.Condition // conditions under which this point is reached, outermost first
	Maybe     bool             // this point is not surely reached
	Gone      bool             // exit, exec or return was surely passed
	Traps     map[string]value.Value
	// Frame holds, inside a function, what its local variables were before.
	Frame   map[string]*Var
	Context Context
	// Absent, if set, is the value of a variable that nobody has set; without
	// it such a variable is unset. AnyArgs says that the positional parameters
	// are not known as long as Params is empty.
	Absent             func(name string) value.Value
	AnyArgs            bool
	Depth              int // nesting of shells, scripts and functions
	Stdin              value.Value
	StdinSet, StdinNet bool
	// Open are the descriptors above 2 that the shell was started with and that
	// are network connections.
	Open map[string]Connection
}

// An Alt is the directory that the session stays in if a change of directory
// fails that nobody checks.
type Alt struct {
	Dir    value.Value
	If     risk.Condition
	Status Status // of the last command, on this alternative
}

// Image is the Container of commands that run in an image that is being built.
const Image = "the image"

// A Context says where and with which rights commands run.
type Context struct {
	Via        []string // wrappers, outermost first
	Privileged bool
	Host       string // another machine; "" is this one
	Container  string
	Limited    bool // under a limit of time
	Changed    bool // HOME, PATH or the like were replaced for an unknown account
}

// Func is a shell function.
type Func struct {
	Body  any // the front end's own tree
	Calls int // how many calls are being evaluated now
	// Exported says that shells which are started from here know it, too.
	Exported bool
}

// Options are the shell options that change evaluation.
type Options struct {
	ErrExit, NoUnset, NoGlob, PipeFail, NullGlob, DotGlob, GlobStar, ExpandAliases, NoExec bool
	AllExport, NoClobber, NoCaseGlob, NoCaseMatch                                          bool
	WordSplit, GlobSubst, KshArrays, ExtendedGlob                                          bool // of zsh
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

// A Var is a shell variable.
type Var struct {
	Value                      value.Value
	List                       []value.Value // an indexed array; Value is its first element
	Map                        map[string]value.Value
	Array                      bool
	Exported                   bool
	Changed                    bool // set by the command and not by the session before it
	Integer, Upper, Lower, Ref bool
	ReadOnly                   bool
	Unset                      bool
}

// Vars are a session's variables. Cloning is cheap: a clone shares what
// neither side has changed since.
type Vars struct {
	parent *Vars // never changed once it has children
	own    map[string]*Var
	depth  int
}

// NewVars returns variables that hold an environment.
func NewVars(env map[string]string) *Vars {
	v := &Vars{own: make(map[string]*Var, len(env))}
	for name, text := range env {
		v.own[name] = &Var{Value: value.Lit(text), Exported: true}
	}
	return v
}

// Start sets the variables that a shell sets itself when it starts and that
// are not in its environment: bash sets SHELL to the user's login shell
// (bash(1), "Shell Variables").
func (v *Vars) Start(dialect string) {
	if dialect == "bash" && !v.Mentions("SHELL") {
		v.Set("SHELL", Var{Value: value.Lit("/bin/bash")})
	}
}

// maxChain bounds how many layers a look-up walks before they are merged.
const maxChain = 12

// Clone returns variables that change independently of v.
func (v *Vars) Clone() *Vars {
	if len(v.own) == 0 && v.parent != nil {
		return &Vars{parent: v.parent, depth: v.depth}
	}
	frozen := &Vars{parent: v.parent, own: v.own, depth: v.depth}
	if v.depth > maxChain {
		frozen = frozen.flat()
	}
	v.parent, v.own, v.depth = frozen, nil, frozen.depth+1
	return &Vars{parent: frozen, depth: frozen.depth + 1}
}

// flat returns the same variables in two layers: the session's, which may be
// many and are shared, and all that has changed since.
func (v *Vars) flat() *Vars {
	root := v
	var layers []*Vars
	for ; root.parent != nil; root = root.parent {
		layers = append(layers, root)
	}
	own := map[string]*Var{}
	for _, l := range slices.Backward(layers) {
		maps.Copy(own, l.own)
	}
	return &Vars{parent: root, own: own, depth: 1}
}

// Get returns a variable, or nil if it is not set.
func (v *Vars) Get(name string) *Var {
	for l := v; l != nil; l = l.parent {
		if x, ok := l.own[name]; ok {
			if x.Unset {
				return nil
			}
			return x
		}
	}
	return nil
}

// Declared returns a variable with its attributes, even if it has no value, or
// nil.
func (v *Vars) Declared(name string) *Var {
	for l := v; l != nil; l = l.parent {
		if x, ok := l.own[name]; ok {
			return x
		}
	}
	return nil
}

// Mentions reports whether a variable was ever set or unset.
func (v *Vars) Mentions(name string) bool {
	for l := v; l != nil; l = l.parent {
		if _, ok := l.own[name]; ok {
			return true
		}
	}
	return false
}

// Set replaces a variable.
func (v *Vars) Set(name string, x Var) {
	if v.own == nil {
		v.own = map[string]*Var{}
	}
	v.own[name] = &x
}

// Unset removes a variable.
func (v *Vars) Unset(name string) { v.Set(name, Var{Unset: true}) }

// All returns every variable that is set.
func (v *Vars) All() map[string]*Var {
	var layers []*Vars
	for l := v; l != nil; l = l.parent {
		layers = append(layers, l)
	}
	all := map[string]*Var{}
	for _, l := range slices.Backward(layers) {
		for name, x := range l.own {
			if x.Unset {
				delete(all, name)
			} else {
				all[name] = x
			}
		}
	}
	return all
}

// Exported returns what a program that is started gets of v: its environment.
func (v *Vars) Exported() *Vars {
	own := v.All()
	for name, x := range own {
		if !x.Exported {
			delete(own, name)
		}
	}
	return &Vars{own: own}
}

// Names returns the names of all set variables with a prefix, sorted.
func (v *Vars) Names(keep func(name string) bool) []string {
	var names []string
	for n := range v.All() {
		if keep(n) {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	return names
}

// Assign sets a variable's value and keeps its attributes, unless nobody may.
func (v *Vars) Assign(name string, x value.Value) {
	n := Var{Changed: true}
	if old := v.Declared(name); old != nil {
		if old.ReadOnly {
			return
		}
		n.Exported, n.Integer, n.Upper, n.Lower = old.Exported, old.Integer, old.Upper, old.Lower
	}
	n.Value = x
	v.Set(name, n)
}

// maxJoin is how many alternatives a variable keeps when branches meet.
const maxJoin = 32

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
	if s.Status != t.Status {
		s.Status = Perhaps
	}
	if s.Dir.String() != t.Dir.String() {
		s.Dir = value.Join(s.Dir, t.Dir, 8)
	}
}

func joinVars(a, b *Vars) *Vars {
	shared := map[*Vars]bool{}
	for l := a; l != nil; l = l.parent {
		shared[l] = true
	}
	changed := map[string]bool{}
	var meet *Vars
	for l := b; l != nil; l = l.parent {
		if shared[l] {
			meet = l
			break
		}
		for n := range l.own {
			changed[n] = true
		}
	}
	for l := a; l != nil && l != meet; l = l.parent {
		for n := range l.own {
			changed[n] = true
		}
	}
	out := a.Clone()
	for n := range changed {
		x, y := a.Get(n), b.Get(n)
		switch {
		case x == nil && y == nil:
		case x == nil:
			out.Set(n, orUnset(n, *y))
		case y == nil:
			out.Set(n, orUnset(n, *x))
		case x.Array || y.Array:
			z := *x
			if len(y.List) > len(x.List) {
				z = *y
			}
			z.Changed = true
			out.Set(n, z)
		default:
			z := *x
			z.Value = value.Join(x.Value, y.Value, maxJoin)
			z.Exported, z.Changed = x.Exported || y.Exported, x.Changed || y.Changed
			out.Set(n, z)
		}
	}
	return out
}

// orUnset is a variable that may have kept being unset.
func orUnset(_ string, x Var) Var {
	if !x.Array {
		x.Value = value.Join(x.Value, value.Lit(""), maxJoin)
	}
	return x
}
