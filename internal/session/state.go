package session

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
)

// The bounds of a state.
const (
	MaxFiles   = 256
	MaxSecrets = 64
	MaxVars    = 256
	maxFuncs   = 64
	maxTexts   = 64
	maxCalls   = 64
	maxValues  = 8
	maxValue   = 4 << 10 // bytes of all values of a variable
	maxName    = 4 << 10 // bytes of any name
	// Keeps is for how many seconds an entry counts.
	Keeps = 24 * 60 * 60
)

// A State is what a session has behind it. Times are seconds since 1970. A nil
// State is that of a call without a session: it has nothing and learns nothing.
type State struct {
	Agent string `json:"agent"`
	// Now is the latest time that the state was told.
	Now int64 `json:"now"`
	// Told is the row of the log up to which the session was summed up to its person.
	Told uint64 `json:"told,omitempty"`
	// Unknown says until when anything may have happened that is not here.
	Unknown int64 `json:"unknown,omitempty"`

	Dir     string   `json:"dir,omitempty"`
	DirWhen int64    `json:"dir_when,omitempty"`
	Vars    []Var    `json:"vars,omitempty"`
	Funcs   []Func   `json:"funcs,omitempty"`
	Files   []File   `json:"files,omitempty"`
	Secrets []Secret `json:"secrets,omitempty"`
	Texts   []Text   `json:"texts,omitempty"`
	Calls   []Call   `json:"calls,omitempty"`
	// SomeVar is when variables were set that there was no room for.
	SomeVar int64 `json:"some_var,omitempty"`
	// Committed is when commits were last made.
	Committed int64 `json:"committed,omitempty"`
	// Staged is a secret that version control added, Kept one that it committed.
	Staged Secret `json:"staged,omitzero"`
	Kept   Secret `json:"kept,omitzero"`
}

// A Var is a variable that earlier calls set.
type Var struct {
	Name     string   `json:"name"`
	Values   []string `json:"values,omitempty"`
	Open     bool     `json:"open,omitempty"`
	Hidden   bool     `json:"hidden,omitempty"`
	Exported bool     `json:"exported,omitempty"`
	When     int64    `json:"when"`
}

// A Func is a function of the shell that earlier calls defined.
type Func struct {
	Name    string `json:"name"`
	Dialect string `json:"dialect,omitempty"`
	Text    string `json:"text,omitempty"` // the last that is known
	Open    bool   `json:"open,omitempty"` // it may be another
	When    int64  `json:"when"`
}

// A File is one whose contents came from elsewhere.
type File struct {
	Path    string    `json:"path"`
	Tree    bool      `json:"tree,omitempty"` // all that lies below
	Some    bool      `json:"some,omitempty"` // something below
	Network bool      `json:"network,omitempty"`
	Secret  bool      `json:"secret,omitempty"`
	Decoded bool      `json:"decoded,omitempty"`
	How     shell.How `json:"how,omitempty"`
	From    string    `json:"from,omitempty"` // the host
	When    int64     `json:"when"`
}

// A Secret is one that was read; without a path it is some secret.
type Secret struct {
	Path string `json:"path,omitempty"`
	When int64  `json:"when"`
}

// A Text is untrusted text that the agent has read.
type Text struct {
	Provenance risk.Provenance `json:"provenance"`
	What       string          `json:"what,omitempty"` // an address, a path
	When       int64           `json:"when"`
}

// A Call is one that was let run, or about which somebody was asked, and of which
// no outcome is known.
type Call struct {
	ID   string `json:"id"`
	When int64  `json:"when"`
}

// New begins the state of a session of an agent; without a session's id there is
// none.
func New(agent, id string) *State {
	if id == "" {
		return nil
	}
	return &State{Agent: agent}
}

// Lost is the state of a session whose own cannot be read: anything may have
// happened in it.
func Lost(agent, id string, now int64) *State {
	s := New(agent, id)
	if s != nil {
		s.Now, s.Unknown = now, now+Keeps
	}
	return s
}

// At tells how late it is, and forgets what is too old. A clock that was put back
// ages nothing.
func (s *State) At(now int64) {
	if s == nil {
		return
	}
	s.Now = max(s.Now, now)
	gone := func(when int64) bool { return s.Now-when > Keeps }
	s.Vars = slices.DeleteFunc(s.Vars, func(v Var) bool { return gone(v.When) })
	s.Funcs = slices.DeleteFunc(s.Funcs, func(f Func) bool { return gone(f.When) })
	s.Files = slices.DeleteFunc(s.Files, func(f File) bool { return gone(f.When) })
	s.Secrets = slices.DeleteFunc(s.Secrets, func(x Secret) bool { return gone(x.When) })
	s.Texts = slices.DeleteFunc(s.Texts, func(t Text) bool { return gone(t.When) })
	s.Calls = slices.DeleteFunc(s.Calls, func(c Call) bool { return gone(c.When) })
	if gone(s.DirWhen) {
		s.Dir, s.DirWhen = "", 0
	}
	for _, when := range []*int64{&s.SomeVar, &s.Committed} {
		if *when != 0 && gone(*when) {
			*when = 0
		}
	}
	for _, one := range []*Secret{&s.Staged, &s.Kept} {
		if gone(one.When) {
			*one = Secret{}
		}
	}
	if s.Unknown != 0 && s.Now > s.Unknown {
		s.Unknown = 0
	}
}

// lost reports whether something may have happened that the state does not have.
func (s *State) lost() bool { return s.Unknown != 0 }

// Read notes that the agent has read text: a page of the web, an issue, a mail, a
// file of the workspace. Adapters report it.
func (s *State) Read(p risk.Provenance, what string) {
	if s == nil || !slices.Contains(risk.Provenances(), p) {
		return
	}
	what = clip(what)
	for i := range s.Texts {
		if t := &s.Texts[i]; t.Provenance == p && t.What == what {
			t.When = s.Now
			return
		}
	}
	if len(s.Texts) >= maxTexts { // the mildest, and of these the oldest, says least
		i := 0
		for j := range s.Texts {
			if a, b := rank(s.Texts[j].Provenance), rank(s.Texts[i].Provenance); a < b || a == b && s.Texts[j].When < s.Texts[i].When {
				i = j
			}
		}
		if rank(s.Texts[i].Provenance) > rank(p) {
			return
		}
		s.Texts = slices.Delete(s.Texts, i, i+1)
	}
	s.Texts = append(s.Texts, Text{p, what, s.Now})
}

// Saw notes that the agent has read a secret, by its path.
func (s *State) Saw(name string) {
	if s == nil {
		return
	}
	name = clip(name)
	for i := range s.Secrets {
		if s.Secrets[i].Path == name {
			s.Secrets[i].When = s.Now
			return
		}
	}
	if len(s.Secrets) >= MaxSecrets {
		s.mergeSecrets()
	}
	s.Secrets = append(s.Secrets, Secret{name, s.Now})
}

// mergeSecrets makes room: the two oldest become some secret, read when the later
// of them was.
func (s *State) mergeSecrets() {
	slices.SortStableFunc(s.Secrets, func(a, b Secret) int { return int(sign(a.When - b.When)) })
	later := s.Secrets[1].When
	s.Secrets = append(slices.Delete(s.Secrets, 0, 2), Secret{When: later})
}

// Got notes that a file, or all that lies below a directory, came from another
// machine: an adapter saw it.
func (s *State) Got(name, from string, tree bool) {
	if s != nil && path.IsAbs(name) {
		s.file(File{Path: path.Clean(name), Tree: tree, Network: true, How: shell.Downloaded, From: clip(from)})
	}
}

// file adds a file, or what is new about one.
func (s *State) file(f File) {
	if len(f.Path) > maxName {
		f.Path, f.Some, f.Tree = path.Dir(f.Path[:maxName]), true, false
	}
	f.When = s.Now
	for i := range s.Files {
		o := &s.Files[i]
		if o.Path != f.Path || o.Some != f.Some || o.Tree != f.Tree {
			continue
		}
		if f.Network && !o.Network || f.From != "" && o.From == "" {
			o.How, o.From = f.How, f.From
		}
		o.Network, o.Secret, o.Decoded = o.Network || f.Network, o.Secret || f.Secret, o.Decoded || f.Decoded
		o.When = s.Now
		return
	}
	if len(s.Files) >= MaxFiles {
		s.mergeFiles()
	}
	s.Files = append(s.Files, f)
}

// mergeFiles makes room: the oldest file becomes something below its directory,
// and so do its neighbours; what is left without a neighbour goes to the directory
// above, together with the next.
func (s *State) mergeFiles() {
	slices.SortStableFunc(s.Files, func(a, b File) int { return int(sign(a.When - b.When)) })
	dir := path.Dir(s.Files[0].Path)
	if s.Files[0].Some {
		dir = s.Files[0].Path
	}
	for {
		all := File{Path: dir, Some: true, How: s.Files[0].How}
		rest := make([]File, 0, len(s.Files))
		for _, f := range s.Files {
			if !isBelow(f.Path, dir) {
				rest = append(rest, f)
				continue
			}
			all.Network, all.Secret, all.Decoded = all.Network || f.Network, all.Secret || f.Secret, all.Decoded || f.Decoded
			all.When = max(all.When, f.When)
			// What is known of a whole tree is not given up for a guess.
			if f.Tree {
				rest = append(rest, f)
			}
		}
		if len(rest)+1 < len(s.Files) {
			s.Files = append(rest, all)
			return
		}
		if dir == "/" { // trees alone
			s.Files = append(slices.Delete(s.Files, 0, 2), all)
			return
		}
		dir = path.Dir(dir)
	}
}

// isBelow reports whether a path is a directory's or of something in it.
func isBelow(name, dir string) bool {
	return name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")
}

// variable adds what a variable may hold.
func (s *State) variable(l *shell.LeftVar) {
	if l.Name == "" || len(l.Name) > maxName {
		s.SomeVar = s.Now
		return
	}
	i := slices.IndexFunc(s.Vars, func(v Var) bool { return v.Name == l.Name })
	if i < 0 {
		if len(s.Vars) >= MaxVars {
			slices.SortStableFunc(s.Vars, func(a, b Var) int { return int(sign(a.When - b.When)) })
			s.Vars, s.SomeVar = slices.Delete(s.Vars, 0, 1), s.Now
		}
		i = len(s.Vars)
		s.Vars = append(s.Vars, Var{Name: l.Name})
	}
	v := &s.Vars[i]
	v.When, v.Exported = s.Now, v.Exported || l.Exported
	v.Open, v.Hidden = v.Open || l.Open, v.Hidden || l.Hidden
	for _, text := range l.Values {
		if mask.Text(text) != text {
			v.Hidden = true
		} else if !slices.Contains(v.Values, text) {
			v.Values = append(v.Values, text)
		}
	}
	size := 0
	for _, text := range v.Values {
		size += len(text)
	}
	if len(v.Values) > maxValues || size > maxValue || len(v.Values) == 0 && !v.Hidden {
		v.Values, v.Open = nil, true
	}
}

// function adds a function. Of several texts the last is kept, and that there were
// others.
func (s *State) function(l *shell.LeftFunc) {
	if l.Name == "" || len(l.Name) > maxName || len(l.Dialect) > maxName {
		s.SomeVar = s.Now
		return
	}
	i := slices.IndexFunc(s.Funcs, func(f Func) bool { return f.Name == l.Name })
	if i < 0 {
		if len(s.Funcs) >= maxFuncs {
			slices.SortStableFunc(s.Funcs, func(a, b Func) int { return int(sign(a.When - b.When)) })
			s.Funcs, s.SomeVar = slices.Delete(s.Funcs, 0, 1), s.Now
		}
		i = len(s.Funcs)
		s.Funcs = append(s.Funcs, Func{Name: l.Name, Text: l.Text})
	}
	f := &s.Funcs[i]
	known := l.Text != "" && len(l.Text) <= maxName && mask.Text(l.Text) == l.Text
	f.Open = f.Open || !known || f.Text != l.Text
	f.Dialect, f.Text, f.When = l.Dialect, l.Text, s.Now
	if !known {
		f.Text = ""
	}
}

func clip(text string) string { return strings.ToValidUTF8(text[:min(len(text), maxName)], "") }

func sign(n int64) int64 {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// Check says what is wrong with a state that was kept, so that it cannot be one that
// this package made.
func (s *State) Check() error {
	for _, part := range []struct {
		what     string
		n, bound int
	}{
		{"variables", len(s.Vars), MaxVars},
		{"files", len(s.Files), MaxFiles},
		{"secrets", len(s.Secrets), MaxSecrets},
		{"functions", len(s.Funcs), maxFuncs},
		{"texts", len(s.Texts), maxTexts},
		{"calls", len(s.Calls), maxCalls},
	} {
		if part.n > part.bound {
			return fmt.Errorf("it has %d %s, and can have %d", part.n, part.what, part.bound)
		}
	}
	names := []string{s.Dir}
	for i := range s.Vars {
		v := &s.Vars[i]
		if v.Name == "" || len(v.Values) > maxValues || !v.Open && !v.Hidden && len(v.Values) == 0 {
			return errors.New("a variable has no name or no value")
		}
		names = append(append(names, v.Name), v.Values...)
	}
	for i := range s.Funcs {
		f := &s.Funcs[i]
		if f.Name == "" || f.Text == "" && !f.Open {
			return errors.New("a function has no name or no text")
		}
		names = append(names, f.Name, f.Dialect, f.Text)
	}
	for i := range s.Files {
		f := &s.Files[i]
		if !path.IsAbs(f.Path) || path.Clean(f.Path) != f.Path || !f.Network && !f.Secret && !f.Decoded {
			return errors.New("a file has no place, or came from nowhere")
		}
		names = append(names, f.Path, f.From, string(f.How))
	}
	for i := range s.Texts {
		if !slices.Contains(risk.Provenances(), s.Texts[i].Provenance) {
			return errors.New("a text has no provenance")
		}
	}
	if slices.ContainsFunc(names, func(n string) bool { return len(n) > maxName }) {
		return errors.New("a name in it is too long")
	}
	return nil
}
