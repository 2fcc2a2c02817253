package shell

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

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
	Cut                        bool // a snapshot did not keep the value
	// IfSet, where it may be unset, is its value if it is set; Value can be empty
	// as well then.
	IfSet *value.Value
}

// Vars are a session's variables. Cloning is cheap: a clone shares what
// neither side has changed since.
type Vars struct {
	parent *Vars // never changed once it has children
	own    map[string]*Var
	depth  int
	lost   *loss // what a snapshot did not keep, if anything
}

// NewVars returns variables that hold an environment.
func NewVars(env map[string]string) *Vars {
	v := &Vars{own: make(map[string]*Var, len(env))}
	vars := make([]Var, 0, len(env))
	for name, text := range env {
		vars = append(vars, Var{Value: value.Lit(text), Exported: true})
		v.own[name] = &vars[len(vars)-1]
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
		return &Vars{parent: v.parent, depth: v.depth, lost: v.lost}
	}
	frozen := &Vars{parent: v.parent, own: v.own, depth: v.depth}
	if v.depth > maxChain {
		frozen = frozen.flat()
	}
	v.parent, v.own, v.depth = frozen, nil, frozen.depth+1
	return &Vars{parent: frozen, depth: frozen.depth + 1, lost: v.lost}
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
			if x.Cut {
				v.lost.asked = true
			}
			if x.Unset {
				return nil
			}
			return x
		}
	}
	v.absent(name)
	return nil
}

// absent notes that a variable was asked for which is not there. What a front
// keeps for itself, under names that no shell has, comes first in a snapshot and
// is never lost.
func (v *Vars) absent(name string) {
	if strings.HasPrefix(name, "\x00") {
		return
	}
	if v.lost != nil && v.lost.vars {
		v.lost.asked = true
	}
}

// Declared returns a variable with its attributes, even if it has no value, or
// nil.
func (v *Vars) Declared(name string) *Var {
	for l := v; l != nil; l = l.parent {
		if x, ok := l.own[name]; ok {
			if x.Cut {
				v.lost.asked = true
			}
			return x
		}
	}
	v.absent(name)
	return nil
}

// Mentions reports whether a variable was ever set or unset.
func (v *Vars) Mentions(name string) bool {
	for l := v; l != nil; l = l.parent {
		if _, ok := l.own[name]; ok {
			return true
		}
	}
	v.absent(name)
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
	v.absent("")
	all := v.flatten()
	maps.DeleteFunc(all, func(_ string, x *Var) bool { return x.Unset })
	return all
}

// Changed yields each variable that was set since the session began, in no order.
// Nothing is asked for: the value of one may be lost.
func (v *Vars) Changed() iter.Seq2[string, *Var] {
	return func(yield func(string, *Var) bool) {
		for l := v; l != nil; l = l.parent {
			for name, x := range l.own {
				if x.Changed && (l == v || v.latest(name) == x) && !yield(name, x) {
					return
				}
			}
		}
	}
}

// latest is a variable as it is now, set or unset.
func (v *Vars) latest(name string) *Var {
	for l := v; l != nil; l = l.parent {
		if x, ok := l.own[name]; ok {
			return x
		}
	}
	return nil
}

// flatten returns every variable that was set or unset.
func (v *Vars) flatten() map[string]*Var {
	var layers []*Vars
	for l := v; l != nil; l = l.parent {
		layers = append(layers, l)
	}
	all := map[string]*Var{}
	for _, l := range slices.Backward(layers) {
		maps.Copy(all, l.own)
	}
	return all
}

// Exported returns what a program that is started gets of v: its environment.
func (v *Vars) Exported() *Vars {
	own := v.flatten()
	maps.DeleteFunc(own, func(_ string, x *Var) bool { return x.Unset || !x.Exported })
	return &Vars{own: own, lost: v.lost}
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

// Kept returns the names of all set variables with a prefix that are known,
// sorted: what was lost is not asked for.
func (v *Vars) Kept(prefix string) []string {
	var names []string
	for n, x := range v.flatten() {
		if strings.HasPrefix(n, prefix) && !x.Unset {
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
			if z.IfSet = nil; x.IfSet != nil || y.IfSet != nil {
				set := value.Join(x.whenSet(), y.whenSet(), maxJoin)
				z.IfSet = &set
			}
			z.Exported, z.Changed = x.Exported || y.Exported, x.Changed || y.Changed
			out.Set(n, z)
		}
	}
	return out
}

// whenSet is the value of a variable if it is set.
func (v *Var) whenSet() value.Value {
	if v.IfSet != nil {
		return *v.IfSet
	}
	return v.Value
}

// orUnset is a variable that may have kept being unset.
func orUnset(_ string, x Var) Var {
	if !x.Array {
		set := x.whenSet()
		x.IfSet = &set
		x.Value = value.Join(x.Value, value.Lit(""), maxJoin)
	}
	return x
}
