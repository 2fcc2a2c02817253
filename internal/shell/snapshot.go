package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/wire"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// A Snapshot is a session in a form that can be kept: its state between two
// commands, without the world around it. It begins with the number of its form; a
// later form has another number, and is not read.
//
// It holds no secret that was told to the session: variables whose names say that
// they are credentials, and contents of files of secrets, are holes in it. It is
// bounded, and what a bound cut is marked: whatever is asked for that was cut is
// noted, and from then on [State.Missed] is true. Whoever judges then takes the
// worst, so that a session read back is never judged lower than the one that was
// kept.
type Snapshot []byte

// form is the number of the form that is written, and the only one that is read.
const form = 4

// magic begins every snapshot.
const magic = "heed session"

// maxSnapshot is how many bytes a snapshot may have that is read.
const maxSnapshot = 16 << 20

// Bounds say how much of a session a snapshot keeps, and what it may not hold.
type Bounds struct {
	Vars, Funcs, Aliases, Files int // how many of each
	Text                        int // bytes of one text: a value, a function, the content of a file
	Bytes                       int // bytes of all of them
	// SecretFile reports whether a path is that of a file of secrets, SecretName
	// whether a variable's name says that it holds one.
	SecretFile, SecretName func(name string) bool
}

// DefaultBounds are those within which every session lies that people and agents
// have. Nothing is a secret for them.
func DefaultBounds() Bounds {
	never := func(string) bool { return false }
	return Bounds{Vars: 4096, Funcs: 4096, Aliases: 1024, Files: 8192, Text: 256 << 10, Bytes: 2 << 20, SecretFile: never, SecretName: never}
}

// A loss says what of a session is not known any more. All states that came of
// one snapshot share it.
type loss struct {
	vars  bool // variables that are not named
	asked bool // something was asked for that is not known any more
}

// Missed reports whether evaluation asked for something that a snapshot did not
// keep: from then on nothing that is said of the session is the worst.
func (s *State) Missed() bool {
	return s.lost != nil && s.lost.asked || s.Vars.lost != nil && s.Vars.lost.asked || s.FS.Missed()
}

// Miss notes that the session had something which is not known any more: the
// source of a function that is called, a descriptor.
func (s *State) Miss() {
	if s.lost == nil {
		s.lost = &loss{}
	}
	s.lost.asked = true
}

// Snapshot returns the session as it is between two commands: with nothing that is
// being evaluated, and no conditions.
func (s *State) Snapshot(b Bounds) Snapshot {
	k := keeper{Bounds: b, left: b.Bytes, missed: s.Missed()}
	k.learn(s)
	k.w.String(magic)
	k.w.Uint(form)
	k.w.String(s.Shell)
	k.place(s)
	k.vars(s.Vars)
	k.funcs(s.Funcs)
	k.aliases(s.Aliases)
	k.named(s.Traps)
	k.parameters(s)
	k.own(s.Own)
	s.FS.Write(&k.w, &k)
	k.w.Bool(k.missed)
	return k.w.Bytes()
}

// State returns the session again, in a world. The bytes may be anybody's: what is
// wrong with them is an error.
func (snap Snapshot) State(w *world.World, fronts *Fronts) (*State, error) {
	s, err := snap.read(w, fronts)
	if err != nil {
		return nil, fmt.Errorf("reading the snapshot of a session: %w", err)
	}
	return s, nil
}

var (
	errNoSnapshot = errors.New("it is none")
	errTooLarge   = errors.New("it is too large")
)

func (snap Snapshot) read(w *world.World, fronts *Fronts) (*State, error) {
	if len(snap) > maxSnapshot {
		return nil, errTooLarge
	}
	r := wire.NewReader(snap)
	if r.String() != magic {
		return nil, errNoSnapshot
	}
	if n := r.Uint(); n != form && r.Err() == nil {
		return nil, fmt.Errorf("its form is %d, and only %d is read", n, form)
	}
	s := &State{World: w, Shell: r.String(), lost: &loss{}}
	readPlace(r, s)
	s.Vars = readVars(r)
	s.Funcs = readFuncs(r)
	s.Aliases = readAliases(r)
	s.Traps = readNamed(r)
	readParameters(r, s)
	own := r.String()
	s.FS = overlay.Read(r, w.FS)
	s.lost.asked = r.Bool()
	if err := r.End(); err != nil {
		return nil, err
	}
	front, err := fronts.front(s.Shell)
	if err != nil {
		return nil, err
	}
	if own != "" {
		if s.Own, err = front.ReadOwn([]byte(own)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// A keeper writes a session within bounds.
type keeper struct {
	Bounds
	w       wire.Writer
	left    int  // bytes that may still be written
	files   int  // changes that were seen
	missed  bool // something is not kept that everything may depend on
	secrets []string
}

// What a credential must be for its text to be looked for in others: shorter ones
// are words like others. With more of them nothing is kept.
const (
	minSecret  = 8
	maxSecrets = 256
)

// learn notes the credentials that the session was told, so that no copy of one is
// kept either.
func (k *keeper) learn(s *State) {
	for name, v := range s.Vars.flatten() {
		if text, ok := v.Value.Known(); ok && k.SecretName(name) {
			k.secrets = append(k.secrets, text)
		}
	}
	s.FS.Contents(func(name string, content value.Value) {
		if !k.SecretFile(name) {
			return
		}
		for _, p := range content.Parts() {
			for line := range strings.Lines(p.Lit) {
				_, text, _ := strings.Cut(line, "=")
				k.secrets = append(k.secrets, strings.TrimSpace(line), strings.Trim(text, " \t\r\n\"'"))
			}
		}
	})
	k.secrets = slices.DeleteFunc(k.secrets, func(s string) bool { return len(s) < minSecret })
	slices.Sort(k.secrets)
	if k.secrets = slices.Compact(k.secrets); len(k.secrets) > maxSecrets {
		k.left = -1
	}
}

// Change implements [overlay.Keeper].
func (k *keeper) Change(names ...string) bool {
	k.files++
	return k.files <= k.Files && k.fits(names...)
}

// Content implements [overlay.Keeper].
func (k *keeper) Content(name string, content value.Value) (value.Value, bool) {
	if !content.Empty() && k.SecretFile(name) {
		return value.Unknown(risk.CauseFile, name).With(content.Taint() | value.Secret), false
	}
	return k.value(content)
}

// thingBytes is about what anything takes beside its texts.
const thingBytes = 8

// fits takes what some texts need from what may be written, and reports whether
// there was as much and they may be written at all.
func (k *keeper) fits(texts ...string) bool {
	n := thingBytes
	for _, text := range texts {
		n += len(text)
		if slices.ContainsFunc(k.secrets, func(s string) bool { return strings.Contains(text, s) }) {
			return false
		}
	}
	if n > k.Text || n > k.left {
		return false
	}
	k.left -= n
	return true
}

// holeBytes is about what a hole takes.
const holeBytes = 64

// value returns what is kept of a value, and whether that is all of it.
func (k *keeper) value(v value.Value) (value.Value, bool) {
	var texts []string
	for _, p := range v.Parts() {
		if p.Hole == nil {
			texts = append(texts, p.Lit)
			continue
		}
		texts = append(texts, p.Hole.Name, p.Hole.Base, p.Hole.Last)
		texts = append(texts, p.Hole.OneOf...)
		k.left -= holeBytes
	}
	if k.fits(append(texts, v.Pattern())...) {
		return v, true
	}
	return value.Unknown(risk.CauseOther, "").With(v.Taint()), false
}

// must writes a value that has no other place where its loss is told.
func (k *keeper) must(v value.Value) {
	kept, all := k.value(v)
	k.missed = k.missed || !all
	kept.Write(&k.w)
}
