package caller

import (
	"errors"
	"fmt"
)

// A Finding says who runs this process, as far as can be told.
type Finding struct {
	// Agent names a coding agent that started this process or holds its terminal; ""
	// if none was found.
	Agent string
	// Shared says that it is an editor or terminal in which people type as well.
	Shared bool
	// How says what shows the agent.
	How string
	// Nobody says why no person can answer here, though no agent was found; "" if
	// one can.
	Nobody string
	// Unknown says what could not be looked at, or told; "" if nothing. It is no
	// proof of anything.
	Unknown string
}

// Look finds out who runs this process. getenv is its environment.
func Look(getenv func(string) string) Finding {
	if f := Variables(getenv); f.Agent != "" {
		return f
	}
	m, self, err := newMachine()
	if err != nil {
		return Finding{Unknown: err.Error()}
	}
	w := walk{machine: m}
	return w.finding(self)
}

// Variables is as much of [Look] as an environment shows by itself.
func Variables(getenv func(string) string) Finding {
	if a, name, ok := byVariable(getenv); ok {
		return Finding{Agent: a.name, Shared: a.shared, How: name + " is set"}
	}
	return Finding{}
}

// Refuse fails where a coding agent runs this process, or nobody can be at its
// terminal. The error says what was found, and the way on. env is the environment
// of the process, NAME=VALUE.
func Refuse(env []string) error { return Look(getenv(env)).Refuse() }

// Refuse is the error of [Refuse] for what was found.
func (f Finding) Refuse() error {
	switch {
	case f.Agent != "" && f.Shared:
		return fmt.Errorf("this terminal belongs to %s, whose agent can type here as well (%s): use a terminal outside of it", f.Agent, f.How)
	case f.Agent != "":
		return fmt.Errorf("only a person may do this, and %s is at work here (%s): use a terminal that no agent started", f.Agent, f.How)
	case f.Nobody != "":
		return errors.New("only a person may do this, and nobody is at this terminal: " + f.Nobody + "; use a terminal of your own")
	}
	return nil
}

// Of is [Look] for another process, one that this one works for: who started it, and
// holds its terminal. getenv is the environment that it began with.
func Of(pid int, getenv func(string) string) Finding {
	if f := Variables(getenv); f.Agent != "" {
		return f
	}
	m, _, err := newMachine()
	if err != nil {
		return Finding{Unknown: err.Error()}
	}
	w := walk{machine: m}
	return w.finding(pid)
}
