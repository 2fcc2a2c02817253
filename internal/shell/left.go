package shell

import (
	"maps"
	"slices"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A Left is what a command leaves to those that come after it in its session:
// where its shell is, the variables and functions that it set, and the files whose
// contents came from elsewhere.
type Left struct {
	// Dir is where the shell is in the end, "" if that is not known or told elsewhere.
	Dir   string
	Vars  []LeftVar
	Funcs []LeftFunc
	Files []LeftFile
	// Staged is a secret that version control added, Kept one that it committed.
	Staged, Kept string
}

// A LeftVar is a variable as a command left it, or as earlier ones may have.
type LeftVar struct {
	Name     string
	Values   []string // what it may hold
	Open     bool     // it may hold anything
	Hidden   bool     // it holds a credential, which is not told
	Exported bool
}

// A LeftFunc is a function of the shell.
type LeftFunc struct {
	Name, Dialect string
	Text          string // "" if it is not told: then it may do anything
}

// A LeftFile is a file, or all files of a tree, of which one knows where the
// contents came from.
type LeftFile struct {
	Path  string
	Tree  bool        // all that lies below
	Some  bool        // something below, of which the name is not known
	Holds value.Taint // Network, Secret, Decoded
	How   How
	From  string // the address it came from, if it is known
}

// A How says in what way a file got its contents.
type How string

// The ways, as one says of a command that it did so.
const (
	Downloaded How = "downloaded"
	Cloned     How = "cloned"
	Unpacked   How = "unpacked out of what came from"
	FromNet    How = "wrote with what came from"
	Told       How = "wrote with what was told by"
	Decoded    How = "decoded"
	OfSecret   How = "wrote a secret into"
)

// Carried are the sources that a file keeps beyond the command that wrote it.
const Carried = value.Network | value.Secret | value.Credential | value.Decoded

// Empty reports whether nothing is left.
func (l *Left) Empty() bool {
	return l == nil || l.Dir == "" && len(l.Vars) == 0 && len(l.Funcs) == 0 && len(l.Files) == 0 && l.Staged == "" && l.Kept == ""
}

// Also adds what another evaluation of the same command left.
func (l *Left) Also(more *Left) {
	if more == nil {
		return
	}
	if more.Dir != "" {
		l.Dir = more.Dir
	}
	for _, v := range more.Vars {
		i := slices.IndexFunc(l.Vars, func(o LeftVar) bool { return o.Name == v.Name })
		if i < 0 {
			l.Vars = append(l.Vars, v)
			continue
		}
		o := &l.Vars[i]
		o.Open, o.Hidden, o.Exported = o.Open || v.Open, o.Hidden || v.Hidden, o.Exported || v.Exported
		for _, text := range v.Values {
			if !slices.Contains(o.Values, text) {
				o.Values = append(slices.Clip(o.Values), text)
			}
		}
	}
	for _, f := range more.Funcs {
		if !slices.Contains(l.Funcs, f) {
			l.Funcs = append(l.Funcs, f)
		}
	}
	for _, f := range more.Files {
		if !slices.Contains(l.Files, f) {
			l.Files = append(l.Files, f)
		}
	}
	if l.Staged == "" {
		l.Staged = more.Staged
	}
	if l.Kept == "" {
		l.Kept = more.Kept
	}
}

// The bounds of what one command leaves.
const (
	maxLeft       = 256
	maxLeftText   = 4 << 10
	maxLeftValues = 8
)

// Changed are the variables that were set since the session began, as they are
// now, by their names; not those that it inherited.
func (s *State) Changed() []LeftVar {
	found := map[string]LeftVar{}
	for name, x := range s.Vars.Changed() {
		if name == "" || name[0] == 0 || x.Unset || name == "_" || s.inherited[name] == x {
			continue
		}
		found[name] = leftVar(name, x)
	}
	all := make([]LeftVar, 0, min(len(found), maxLeft))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if len(all) < maxLeft {
			all = append(all, found[name])
		}
	}
	return all
}

// Defined are the functions of the session; not those that it inherited.
func (s *State) Defined() []LeftFunc {
	var all []LeftFunc
	for _, name := range slices.Sorted(maps.Keys(s.Funcs)) {
		f := s.Funcs[name]
		if s.inheritedFuncs[name] == f || len(all) >= maxLeft {
			continue
		}
		l := LeftFunc{Name: name, Dialect: f.Source.Dialect, Text: f.Source.Text}
		if len(l.Text) > maxLeftText {
			l.Text = ""
		}
		all = append(all, l)
	}
	return all
}

func leftVar(name string, x *Var) LeftVar {
	v := LeftVar{Name: name, Exported: x.Exported}
	if value.CredentialName(name) || x.Taints().Has(value.Secret|value.Credential) {
		v.Hidden = true
		return v
	}
	all, few := x.Value.Candidates(maxLeftValues)
	if x.Array || !few {
		v.Open = true
		return v
	}
	for _, text := range all {
		if len(text) > maxLeftText {
			v.Values, v.Open = nil, true
			return v
		}
		if !slices.Contains(v.Values, text) {
			v.Values = append(v.Values, text)
		}
	}
	return v
}

// Inherit makes s a session in which earlier commands left this: each variable
// holds what it holds now, or what they may have given it, as if this command had
// done so.
func (s *State) Inherit(l *Left) {
	if l.Dir != "" {
		s.Dir = value.Lit(l.Dir)
	}
	for i := range l.Vars {
		s.inheritVar(&l.Vars[i])
	}
	for _, f := range l.Funcs {
		if f.Text == "" {
			continue
		}
		if s.Funcs == nil {
			s.Funcs = map[string]*Func{}
		}
		if s.inheritedFuncs == nil {
			s.inheritedFuncs = map[string]*Func{}
		}
		was := NewFunc(Source{Text: f.Text, Dialect: f.Dialect}, nil)
		s.Funcs[f.Name], s.inheritedFuncs[f.Name] = was, was
	}
	for i := range l.Files {
		s.inheritFile(&l.Files[i])
	}
}

func (s *State) inheritVar(l *LeftVar) {
	var x Var
	if old := s.Vars.Declared(l.Name); old != nil {
		if old.Array || old.ReadOnly {
			return
		}
		x = *old
	}
	var v value.Value
	switch {
	case l.Hidden:
		v = value.Of(value.Hole{Cause: risk.CauseUnknown, Name: l.Name, Shape: value.Word}).With(value.Credential)
	case l.Open:
		v = value.Unknown(risk.CauseUnknown, l.Name)
	default:
		for i, text := range l.Values {
			if i == 0 {
				v = value.Lit(text)
			} else {
				v = value.Join(v, value.Lit(text), 2*maxLeftValues)
			}
		}
	}
	if old := s.Vars.Get(l.Name); old != nil {
		v = value.Join(v, old.Value, 2*maxLeftValues)
	}
	x.Value, x.Exported, x.Changed, x.Unset, x.IfSet = v, x.Exported || l.Exported, true, false, nil
	s.Vars.Set(l.Name, x)
	if s.inherited == nil {
		s.inherited = map[string]*Var{}
	}
	s.inherited[l.Name] = s.Vars.latest(l.Name)
}

func (s *State) inheritFile(l *LeftFile) {
	switch {
	case l.Some: // which one is not known
	case l.Tree:
		s.FS.FetchedBefore(l.Path)
	default:
		s.FS.Inherit(l.Path, l.Holds)
	}
}
