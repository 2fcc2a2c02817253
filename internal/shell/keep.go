package shell

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/wire"
	"github.com/heedsh/heed/risk"
)

// The parts of a snapshot, each beside the reader of what it writes.

var statusWords = [...]string{Perhaps: "perhaps", OK: "ok", Failed: "failed"}

func readStatus(r *wire.Reader) Status { return Status(r.Word(statusWords[:])) }

// place writes where the session is, and with which rights.
func (k *keeper) place(s *State) {
	k.must(s.Dir)
	k.w.Count(len(s.Alts))
	for _, a := range s.Alts {
		text, err := a.If.MarshalText()
		if err != nil || !k.fits(string(text)) {
			k.missed, text = true, nil
		}
		k.must(a.Dir)
		k.w.String(string(text))
		k.w.String(statusWords[a.Status])
		k.w.Bool(a.Sure)
	}
	k.w.String(statusWords[s.Status])
	c := s.Context
	if !k.fits(append([]string{c.Host, c.Container}, c.Via...)...) {
		k.missed, c.Host, c.Container, c.Via = true, "", "", nil
	}
	k.w.Strings(c.Via)
	k.w.Bool(c.Privileged)
	k.w.String(c.Host)
	k.w.String(c.Container)
	k.w.Bool(c.Limited)
	k.w.Bool(c.Changed)
}

func readPlace(r *wire.Reader, s *State) {
	s.Dir = value.Read(r)
	for range r.Count() {
		a := Alt{Dir: value.Read(r)}
		if text := r.String(); text != "" {
			if err := a.If.UnmarshalText([]byte(text)); err != nil {
				r.Fail(err)
			}
		}
		if a.Status = readStatus(r); r.Err() != nil {
			return
		}
		a.Sure = r.Bool()
		s.Alts = append(s.Alts, a)
	}
	s.Status = readStatus(r)
	s.Context = Context{Via: r.Strings(), Privileged: r.Bool(), Host: r.String(), Container: r.String(), Limited: r.Bool(), Changed: r.Bool()}
}

// varWords are the words for what is true of a variable.
var varWords = []string{"array", "map", "exported", "changed", "integer", "upper", "lower", "reference", "readonly", "unset", "cut"}

func (v *Var) flags(hasMap *bool) []*bool {
	return []*bool{&v.Array, hasMap, &v.Exported, &v.Changed, &v.Integer, &v.Upper, &v.Lower, &v.Ref, &v.ReadOnly, &v.Unset, &v.Cut}
}

// vars writes variables. Those that there is no room for are lost without their
// names.
func (k *keeper) vars(vars *Vars) {
	all := vars.flatten()
	names := slices.Sorted(maps.Keys(all))
	n := 0
	for n < len(names) && n < k.Vars && k.fits(names[n]) {
		n++
	}
	k.w.Count(n)
	for _, name := range names[:n] {
		k.w.String(name)
		k.variable(name, *all[name])
	}
	k.w.Bool(n < len(names) || vars.lost != nil && vars.lost.vars)
}

func (k *keeper) variable(name string, v Var) {
	if k.SecretName(name) {
		v = concealed(name, v)
	} else if !k.whole(&v) {
		v.Value, v.List, v.Map, v.Cut = value.Unknown(risk.CauseOther, name).With(v.Taints()), nil, nil, true
		v.IfSet = nil
	}
	hasMap := v.Map != nil
	var set []string
	for i, flag := range v.flags(&hasMap) {
		if *flag {
			set = append(set, varWords[i])
		}
	}
	k.w.Strings(set)
	v.Value.Write(&k.w)
	k.w.Bool(v.IfSet != nil)
	if v.IfSet != nil {
		v.IfSet.Write(&k.w)
	}
	k.w.Count(len(v.List))
	for _, x := range v.List {
		x.Write(&k.w)
	}
	k.w.Count(len(v.Map))
	for _, key := range slices.Sorted(maps.Keys(v.Map)) {
		k.w.String(key)
		v.Map[key].Write(&k.w)
	}
}

// whole reports whether all of a variable may be written.
func (k *keeper) whole(v *Var) bool {
	_, all := k.value(v.Value)
	if v.IfSet != nil {
		_, fits := k.value(*v.IfSet)
		all = all && fits
	}
	for _, x := range v.List {
		_, fits := k.value(x)
		all = all && fits
	}
	for key, x := range v.Map {
		_, fits := k.value(x)
		all = k.fits(key) && all && fits
	}
	return all
}

// Taints are the sources of all that a variable holds.
func (v *Var) Taints() value.Taint {
	t := v.Value.Taint()
	for _, x := range v.List {
		t |= x.Taint()
	}
	for _, x := range v.Map {
		t |= x.Taint()
	}
	return t
}

// concealed is a variable that holds a credential, as an environment that holds it
// shows it: one word that is not known. What cannot be one word is cut.
func concealed(name string, v Var) Var {
	text := v.Value.Fill(func(*value.Hole) string { return "" })
	if v.Unset || text == "" && !v.Array {
		return v
	}
	h := value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.Word}
	if strings.Contains(text, "/") {
		h.Shape = value.AnyText
	}
	v.Cut = v.Cut || v.Array || text[0] == '-' || strings.ContainsAny(text, " \t\n*?[")
	v.Value, v.List, v.Map, v.IfSet = value.Of(h).With(v.Taints()|value.Credential), nil, nil, nil
	return v
}

func readVars(r *wire.Reader) *Vars {
	vars := &Vars{own: map[string]*Var{}}
	cut := false
	r.Names(func(name string) {
		v := readVar(r)
		cut = cut || v.Cut
		vars.own[name] = v
	})
	lost := r.Bool()
	if lost || cut {
		vars.lost = &loss{vars: lost}
	}
	return vars
}

func readVar(r *wire.Reader) *Var {
	var v Var
	hasMap := false
	for _, word := range r.Words(varWords) {
		*v.flags(&hasMap)[slices.Index(varWords, word)] = true
	}
	v.Value = value.Read(r)
	if r.Bool() {
		set := value.Read(r)
		v.IfSet = &set
	}
	for range r.Count() {
		if v.List = append(v.List, value.Read(r)); r.Err() != nil {
			return &v
		}
	}
	if hasMap {
		v.Map = map[string]value.Value{}
	}
	r.Names(func(key string) {
		if x := value.Read(r); hasMap {
			v.Map[key] = x
		} else {
			r.Fail(errors.New("a variable has keys and is no map"))
		}
	})
	return &v
}

// funcs writes functions. One that there is no room for keeps its name: what it
// does is not known any more.
func (k *keeper) funcs(funcs map[string]*Func) {
	names := slices.Sorted(maps.Keys(funcs))
	n := min(len(names), k.Funcs)
	k.missed = k.missed || n < len(names)
	k.w.Count(n)
	for _, name := range names[:n] {
		src := funcs[name].Source
		if !k.fits(name, src.Text) {
			src.Text = ""
		}
		k.w.String(name)
		k.w.String(src.Text)
		k.w.String(src.Dialect)
		k.w.Count(src.Span.Start)
		k.w.Count(src.Span.End)
		k.w.Bool(funcs[name].Exported)
	}
}

// maxSpan bounds the places of a text.
const maxSpan = 1 << 30

func readFuncs(r *wire.Reader) map[string]*Func {
	var funcs map[string]*Func
	r.Names(func(name string) {
		if funcs == nil {
			funcs = map[string]*Func{}
		}
		src := Source{Text: r.String(), Dialect: r.String()}
		start, end := r.Uint(), r.Uint()
		if start > end || end > maxSpan {
			r.Fail(errors.New("a function has no place in a text"))
			return
		}
		src.Span = risk.Span{Start: int(start), End: int(end)}
		funcs[name] = &Func{Source: src, Exported: r.Bool()}
	})
	return funcs
}

// aliases writes aliases.
func (k *keeper) aliases(aliases map[string]string) {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(aliases)) {
		if len(names) < k.Aliases && k.fits(name, aliases[name]) {
			names = append(names, name)
		} else {
			k.missed = true
		}
	}
	k.w.Count(len(names))
	for _, name := range names {
		k.w.String(name)
		k.w.String(aliases[name])
	}
}

func readAliases(r *wire.Reader) map[string]string {
	var aliases map[string]string
	r.Names(func(name string) {
		if aliases == nil {
			aliases = map[string]string{}
		}
		aliases[name] = r.String()
	})
	return aliases
}

// named writes values that have names.
func (k *keeper) named(values map[string]value.Value) {
	k.w.Count(len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		k.w.String(name)
		k.must(values[name])
	}
}

func readNamed(r *wire.Reader) map[string]value.Value {
	var values map[string]value.Value
	r.Names(func(name string) {
		if values == nil {
			values = map[string]value.Value{}
		}
		values[name] = value.Read(r)
	})
	return values
}

// parameters writes what the shell was started with.
func (k *keeper) parameters(s *State) {
	k.must(s.Zero)
	k.w.Count(len(s.Params))
	for _, v := range s.Params {
		k.must(v)
	}
	k.w.Bool(s.AnyArgs)
	k.w.Bool(s.FewerArgs)
	k.must(s.Sourced)
	k.must(s.Stdin)
	k.w.Bool(s.StdinSet)
	k.w.Bool(s.StdinNet)
	k.w.Count(len(s.Open))
	for _, fd := range slices.Sorted(maps.Keys(s.Open)) {
		k.w.String(fd)
		k.must(s.Open[fd].Path)
		k.must(s.Open[fd].In)
	}
}

func readParameters(r *wire.Reader, s *State) {
	s.Zero = value.Read(r)
	for range r.Count() {
		if s.Params = append(s.Params, value.Read(r)); r.Err() != nil {
			return
		}
	}
	s.AnyArgs, s.FewerArgs, s.Sourced = r.Bool(), r.Bool(), value.Read(r)
	s.Stdin, s.StdinSet, s.StdinNet = value.Read(r), r.Bool(), r.Bool()
	r.Names(func(fd string) {
		if s.Open == nil {
			s.Open = map[string]Connection{}
		}
		s.Open[fd] = Connection{Path: value.Read(r), In: value.Read(r)}
	})
}

// own writes what only the front knows.
func (k *keeper) own(own Own) {
	var text string
	if own != nil {
		text = string(own.Marshal())
	}
	if !k.fits(text) {
		k.missed, text = true, ""
	}
	k.w.String(text)
}
