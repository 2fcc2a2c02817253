package caller

import (
	"fmt"
	"slices"
	"strings"
)

// The bounds of a walk.
const (
	maxProcesses = 256 // that are looked at closely
	maxNested    = 4   // terminals in terminals in …
)

// A machine shows processes.
type machine interface {
	// process is one process.
	process(pid int) (*process, error)
	// holders are the processes that hold the other end of a pseudo-terminal. unseen
	// says whether there may be more.
	holders(terminal int) (pids []int, unseen bool)
	// all are the processes of this account, in no order.
	all() []*process
	// reaps reports whether orphans come to the first process only, and nothing else
	// that starts by itself does.
	reaps() bool
}

// A walk goes from a process to all that started it or can type where it reads.
type walk struct {
	machine
	looked int
}

// A way is what a walk has met.
type way struct {
	agent    agent
	how      string
	person   bool   // a way in for people
	nobody   string // why no person is there
	unknown  []string
	unseen   []string // the same, of terminals: it does not count where a person or an agent is
	top      *process // the last before a service manager
	terminal bool     // it has one
}

// finding walks from this process.
func (w *walk) finding(self int) Finding {
	at := w.from(self, true, 0)
	if !at.person && at.agent.name == "" {
		at.unknown = append(at.unknown, at.unseen...)
	}
	switch {
	case at.agent.name != "":
		return Finding{Agent: at.agent.name, Shared: at.agent.shared, How: at.how, Unknown: strings.Join(at.unknown, "; ")}
	case at.person:
		return Finding{Unknown: strings.Join(at.unknown, "; ")}
	case at.nobody == "" && !at.terminal && w.cutOff(at.top):
		at.nobody = "whoever started this process has cut it off"
	}
	return Finding{Nobody: at.nobody, Unknown: strings.Join(at.unknown, "; ")}
}

// cutOff reports whether the last process before a service manager came to it as an
// orphan.
func (w *walk) cutOff(top *process) bool { return top != nil && w.reaps() && !top.service }

// from walks from one process. self says that it is heed's own, which is no sign of
// anything.
func (w *walk) from(pid int, self bool, depth int) way {
	var at way
	seen := map[int]bool{}
	seenTerminal := map[int]bool{}
	var below *process
	for todo := []int{pid}; len(todo) > 0; todo = todo[1:] {
		pid := todo[0]
		if pid <= 0 || seen[pid] {
			continue
		}
		seen[pid] = true
		if w.looked++; w.looked > maxProcesses {
			at.note("there are too many processes")
			return at
		}
		p, err := w.process(pid)
		if err != nil {
			at.note(err.Error())
			continue
		}
		if !self && at.shows(p) {
			return at
		}
		if !self && p.hidden != "" && !wayIn(p) && pid != 1 {
			at.note(p.hidden)
		}
		if at.top == nil && manager(p) {
			at.top = below
		}
		self, below = false, p
		at.person = at.person || p.console || pid != 1 && wayIn(p) // orphans come to the first process, whatever it is
		at.terminal = at.terminal || p.console || len(p.terminals) > 0
		if m := serverOf(p); m != nil && w.clients(&at, m, p, depth) {
			return at
		}
		todo = append(todo, p.parent)
		for _, t := range p.terminals {
			if !seenTerminal[t] {
				seenTerminal[t] = true
				todo = append(todo, w.behind(&at, t)...)
			}
		}
	}
	if at.person {
		at.nobody = ""
	}
	return at
}

// manager reports whether orphans come to a process: the first one, and systemd for
// the account.
func manager(p *process) bool { return p.pid == 1 || p.parent == 1 && p.called("systemd") }

func (at *way) note(what string) {
	if !slices.Contains(at.unknown, what) {
		at.unknown = append(at.unknown, what)
	}
}

// shows reports whether a process is an agent's, or was started by one.
func (at *way) shows(p *process) bool {
	if a, ok := byProgram(p); ok {
		at.agent, at.how = a, "process "+p.String()
		return true
	}
	a, name, ok := byVariable(getenv(p.env))
	if ok && !a.shared { // an editor's variables live on in terminals that people opened elsewhere
		at.agent, at.how = a, fmt.Sprintf("process %s was started with %s", p, name)
		return true
	}
	return false
}

// String is how a process is called in messages: number and name, nothing that it
// can choose freely.
func (p *process) String() string {
	name := strings.Map(func(r rune) rune {
		if r < 0x20 || r > 0x7e {
			return '?'
		}
		return r
	}, p.name)
	return fmt.Sprintf("%d (%s)", p.pid, name)
}

// behind are the processes that hold the other end of a terminal.
func (w *walk) behind(at *way, terminal int) []int {
	pids, unseen := w.holders(terminal)
	if len(pids) == 0 {
		at.unseen = append(at.unseen, fmt.Sprintf("who holds the other end of /dev/pts/%d", terminal))
		return nil
	}
	if unseen {
		at.unseen = append(at.unseen, fmt.Sprintf("whether anybody else holds the other end of /dev/pts/%d", terminal))
	}
	for _, pid := range pids {
		p, err := w.process(pid)
		switch {
		case err != nil || wayIn(p) || serverOf(p) != nil || len(p.terminals) > 0 || p.console:
		case slices.ContainsFunc(makers(), p.called):
			at.nobody = fmt.Sprintf("process %s has made it, and has none itself", p)
		default:
			at.unseen = append(at.unseen, fmt.Sprintf("whether process %s shows the terminal to a person", p))
		}
	}
	return pids
}

// serverOf is the multiplexer that a process is the server of.
func serverOf(p *process) *multiplexer {
	for _, m := range multiplexers() {
		if m.server(p) {
			return &m
		}
	}
	return nil
}

// clients looks who is attached to a multiplexer: a person, if one of its clients
// has no agent behind it. It reports whether only agents are.
func (w *walk) clients(at *way, m *multiplexer, server *process, depth int) (onlyAgents bool) {
	if depth >= maxNested {
		at.note("terminals lie too deep in each other")
		return false
	}
	attached := 0
	var by way
	for _, p := range w.all() {
		if p.pid == server.pid || !m.client(p) || len(p.terminals) == 0 && !p.console || m.socket != nil && m.socket(p) != m.socket(server) {
			continue
		}
		attached++
		c := w.from(p.pid, false, depth+1)
		if c.agent.name != "" {
			by = c
			continue
		}
		if c.nobody == "" {
			at.person = true
			return false
		}
	}
	switch {
	case by.agent.name != "":
		at.agent, at.how = by.agent, by.how+", the only one attached to "+m.name
		return true
	case attached == 0:
		at.nobody = "no terminal is attached to " + m.name
	default:
		at.nobody = "nobody is attached to " + m.name
	}
	return false
}
