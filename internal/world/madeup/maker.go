package madeup

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

const (
	maxPath   = 4096 // PATH_MAX of Linux
	maxMounts = 256  // mount statements
)

// The phases of making a world. Statements of one phase are carried out in the
// order they were written.
const (
	phaseWho      = iota // os, host, user, account
	phaseWhere           // dir; then the default files are made
	phaseEnv             // env, unset
	phaseMounts          // paths with a mount
	phaseRepos           // git, worktree
	phaseHistory         // commits, remote
	phasePaths           // all other paths
	phaseRefs            // all else of a repository
	phases               // how many there are
	phaseDefaults = phaseEnv
)

// A maker turns statements into a world.
type maker struct {
	os, host string
	user     account
	accounts []account
	dir      string
	env      map[string]string
	tree     *tree
	git      *git
	stores   []*store // one for every git statement
	mounts   int      // mount statements so far
	synth    int      // generated files so far
}

type account struct {
	name string
	uid  int
	home string
}

func newMaker() *maker {
	return &maker{os: "linux", host: "box", git: newGit()}
}

// make carries out the statements.
func (m *maker) make(stmts []Statement) error {
	gits := -1
	for i := range stmts {
		if len(stmts[i].Words) == 0 {
			return atLine(stmts[i].Line, errNoWords)
		}
		if stmts[i].keyword() == "git" {
			gits++
		}
		stmts[i].git = gits
	}
	m.stores = make([]*store, gits+1)
	byPhase := make([][]*Statement, phases)
	for i := range stmts {
		phase := phaseOf(&stmts[i])
		byPhase[phase] = append(byPhase[phase], &stmts[i])
	}
	for phase, stmts := range byPhase {
		switch phase {
		case phaseWhere:
			m.homes()
		case phaseDefaults:
			if err := m.defaults(); err != nil {
				return fmt.Errorf("make the default files: %w", err)
			}
		}
		if phase == phaseMounts+1 {
			m.tree.trust(m.dir)
		}
		for _, s := range stmts {
			if err := m.do(s); err != nil {
				return atLine(s.Line, fmt.Errorf("%s: %w", s.Words[0].Text, err))
			}
		}
	}
	return m.writeRepos()
}

// keyword returns the first word if it may be one, else "".
func (s *Statement) keyword() string {
	if s.Words[0].Quoted {
		return ""
	}
	return s.Words[0].Text
}

func phaseOf(s *Statement) int {
	switch s.keyword() {
	case "os", "host", "user", "account":
		return phaseWho
	case "dir":
		return phaseWhere
	case "env", "unset":
		return phaseEnv
	case "git", "worktree":
		return phaseRepos
	case "commits", "remote":
		return phaseHistory
	case "upstream", "branch", "tag", "ref", "detached", "stash", "hook", "config":
		return phaseRefs
	}
	for _, w := range s.Words[1:] {
		if w == (Word{Text: "mount"}) {
			return phaseMounts
		}
	}
	return phasePaths
}

// do carries out one statement.
func (m *maker) do(s *Statement) error {
	a := s.after(1)
	switch s.keyword() {
	case "env":
		m.env[s.Name] = s.Value
		return a.end()
	case "config":
		if err := a.end(); err != nil {
			return err
		}
		return m.config(s)
	case "unset":
		return m.unset(a)
	case "os", "host", "user", "account", "dir":
		return m.who(s.keyword(), a)
	case "git":
		return m.repository(s.git, a)
	case "worktree", "commits", "remote", "upstream", "branch", "tag", "ref", "detached", "stash", "hook":
		if s.git < 0 {
			return errors.New("belongs below a git line")
		}
		return m.repoStmt(m.stores[s.git], s.keyword(), a)
	}
	return m.path(s.after(0))
}

func (m *maker) unset(a *args) error {
	for {
		name, err := a.next("a variable")
		if err != nil {
			return err
		}
		delete(m.env, name)
		if !a.more() {
			return a.end()
		}
	}
}

// who carries out the statements about the machine and its users.
func (m *maker) who(keyword string, a *args) error {
	value, err := a.next("a value")
	if err != nil {
		return err
	}
	switch keyword {
	case "os":
		if value != "linux" && value != "darwin" {
			return fmt.Errorf("want linux or darwin, not %q", value)
		}
		m.os = value
	case "host":
		m.host = value
	case "dir":
		if m.dir, err = m.abs(value); err != nil {
			return err
		}
	case "user":
		if m.user, err = parseAccount(value, 1000, a); err != nil {
			return err
		}
	case "account":
		acc, err := parseAccount(value, 1001+len(m.accounts), a)
		if err != nil {
			return err
		}
		m.accounts = append(m.accounts, acc)
	}
	return a.end()
}

// nameBytes may be in a user name: those of useradd(8), and capitals.
const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"

func parseAccount(name string, uid int, a *args) (acc account, err error) {
	if name == "" || strings.Trim(name, nameBytes) != "" {
		return acc, fmt.Errorf("%q is no user name", name)
	}
	acc = account{name: name, uid: uid}
	if name == "root" {
		acc.uid = 0
	}
	for a.more() && err == nil {
		switch {
		case a.take("uid"):
			acc.uid, err = a.number("uid", 1<<31-1)
		case a.take("home"):
			if acc.home, err = a.next("a directory"); err == nil && !path.IsAbs(acc.home) {
				err = fmt.Errorf("home %q is not absolute", acc.home)
			}
			acc.home = path.Clean(acc.home)
		default:
			err = a.end()
		}
	}
	return acc, err
}

// homes fills in what the accounts leave open.
func (m *maker) homes() {
	base, rootHome := "/home/", "/root"
	if m.os == "darwin" {
		base, rootHome = "/Users/", "/var/root"
	}
	if m.user.name == "" {
		m.user = account{name: "u", uid: 1000}
	}
	all := append([]account{m.user}, m.accounts...)
	if m.user.name != "root" {
		all = append(all, account{name: "root"})
	}
	for i := range all {
		switch {
		case all[i].home != "":
		case all[i].name == "root":
			all[i].home = rootHome
		default:
			all[i].home = base + all[i].name
		}
	}
	m.user, m.accounts = all[0], all
	m.dir = path.Join(m.user.home, "project")
}

// abs makes a path of the language absolute: "~" is the user's home, and what
// is relative is relative to dir.
func (m *maker) abs(name string) (string, error) {
	switch {
	case name == "":
		return "", errors.New("a path is empty")
	case name == "~", strings.HasPrefix(name, "~/"):
		name = path.Join(m.user.home, name[1:])
	case !path.IsAbs(name):
		name = path.Join(m.dir, name)
	}
	name = path.Clean(name)
	if len(name) > maxPath || strings.IndexByte(name, 0) >= 0 {
		return "", fmt.Errorf("no path: %.40q", name)
	}
	return name, nil
}

// world hands out what was made.
func (m *maker) world() *world.World {
	homes := make(map[string]string, len(m.accounts))
	for _, a := range slices.Backward(m.accounts) { // the first one of a name counts
		homes[a.name] = a.home
	}
	return &world.World{
		FS:   m.tree,
		Git:  m.git,
		OS:   m.os,
		Host: m.host,
		User: world.User{UID: m.user.uid, Name: m.user.name, Home: m.user.home, Homes: homes},
	}
}
