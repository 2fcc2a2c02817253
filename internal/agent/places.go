package agent

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
)

// A Scope says whom settings are for.
type Scope uint8

// The scopes.
const (
	User    Scope = iota // every project of one person
	Project              // everybody in one project
	Local                // one person in one project
	Managed              // everybody on this machine; they are root's
)

// Scopes are all scopes.
func Scopes() []Scope { return []Scope{User, Project, Local, Managed} }

// String names the scope.
func (s Scope) String() string { return [...]string{"user", "project", "local", "managed"}[s] }

// A Where is where settings are looked for.
type Where struct {
	Getenv func(string) string
	Dir    string // the project: the directory that the agent is started in
	Root   string // what stands for / in the paths of managed settings; "" is /
}

// home is the home directory.
func (w *Where) home() (string, error) {
	home := w.Getenv("HOME")
	if !filepath.IsAbs(home) {
		return "", errors.New("HOME is not set: it says where the settings are")
	}
	return home, nil
}

// ErrNoScope says that an agent has no settings of a scope.
var ErrNoScope = errors.New("it has no such settings, or none that heed writes")

// An Installer puts heed's hook into the settings of an agent.
type Installer struct {
	// Programs are its names on PATH, and Homes directories, seen from the home
	// directory, that show that it was used.
	Programs, Homes []string
	// Targets are the files of a scope that its hook goes into.
	Targets func(w *Where, s Scope) ([]Target, error)
	// Trust is what a person has to do in the agent by hand; "" if nothing.
	Trust string
}

// Found says by what it is seen that an agent is on this machine, "" if by nothing. has
// looks a program up on PATH, and is a directory.
func (i *Installer) Found(w *Where, onPath func(program string) string, is func(dir string) bool) string {
	for _, p := range i.Programs {
		if at := onPath(p); at != "" {
			return at
		}
	}
	home, err := w.home()
	if err != nil {
		return ""
	}
	for _, dir := range i.Homes {
		if dir := filepath.Join(home, dir); is(dir) {
			return dir
		}
	}
	return ""
}

// A layout says where the files of an agent are: the directory that they may not lead
// out of, a bar, and the rest of the path. That of a user is seen from the home
// directory, that of a project from the project, and managed ones from the root.
type layout struct {
	user, project, local, managed string
	// variable names the user's directory in the place of the one before the bar.
	variable string
	// darwin is where managed settings are on macOS.
	darwin string
}

// find returns the file of a scope and the directory that it may not lead out of.
func (l *layout) find(w *Where, s Scope) (file, inside string, err error) {
	at := [...]string{l.user, l.project, l.local, l.managed}[s]
	if s == Managed && runtime.GOOS == "darwin" {
		at = l.darwin
	}
	if at == "" {
		return "", "", ErrNoScope
	}
	dir, rest, _ := strings.Cut(at, "|")
	switch s {
	case User:
		if v := w.Getenv(l.variable); l.variable != "" && v != "" {
			if !filepath.IsAbs(v) {
				return "", "", fmt.Errorf("%s is %s, which is no absolute path", l.variable, quoted(v))
			}
			inside = filepath.Clean(v)
			break
		}
		home, err := w.home()
		if err != nil {
			return "", "", err
		}
		inside = filepath.Join(home, dir)
	case Managed:
		inside = filepath.Join("/", w.Root, dir)
	default:
		if w.Dir == "" {
			return "", "", errors.New("the current directory is gone: go to the project first")
		}
		inside = filepath.Join(w.Dir, dir)
	}
	return filepath.Join(inside, rest), inside, nil
}

// targets are one file of settings in each scope.
func (l *layout) targets(s *settings) func(w *Where, scope Scope) ([]Target, error) {
	return func(w *Where, scope Scope) ([]Target, error) {
		file, inside, err := l.find(w, scope)
		if err != nil {
			return nil, err
		}
		t := s.target(file, inside)
		if scope == Project || scope == Managed {
			t.Mode = 0o644
		}
		return []Target{t}, nil
	}
}

// A handler is a hook in the form that most agents have from Claude Code.
type handler struct {
	Name      string   `json:"name,omitempty"`
	Type      string   `json:"type,omitempty"`
	Command   string   `json:"command"`
	Args      []string `json:"args,omitempty"`
	Timeout   int      `json:"timeout,omitempty"`
	OnFailure string   `json:"onFailure,omitempty"`
	OnFail    string   `json:"on_failure,omitempty"`
	Closed    bool     `json:"failClosed,omitempty"`
	Matcher   string   `json:"matcher,omitempty"`
	Show      bool     `json:"show_output,omitempty"`
}

// A group is a list of them, for tools that a pattern matches.
type group struct {
	Matcher string    `json:"matcher,omitempty"`
	Hooks   []handler `json:"hooks"`
}
