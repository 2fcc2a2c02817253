package eval

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// maxSought is how many names of processes are followed.
const maxSought = 16

// pythonListings are psutil, whose processes are objects (psutil
// documentation, "Process class"), and os.kill of numbers that came from it or
// from ps, pgrep and pidof.
func pythonListings(t *table) {
	processes := func(s *scan, _ *call) val {
		s.impure()
		p := object("osprocess", value.Value{})
		p.listed = true
		return val{k: vList, list: []val{p}}
	}
	t.call(processes, "psutil.process_iter")
	t.call(func(*scan, *call) val { v := dull(); v.listed = true; return v }, "psutil.pids")
	t.call(func(s *scan, c *call) val {
		s.impure()
		p := object("osprocess", value.Value{})
		if v := c.arg(0, "pid"); v.k == vNum || v.listed {
			p.s, p.listed = v.value(), v.listed
		}
		return p
	}, "psutil.Process")
	t.method("osprocess", func(_ *scan, c *call) val { v := dull(); v.listed = c.recv.listed; return v },
		"name cmdline exe username pid ppid status create_time as_dict info cwd cpu_percent memory_percent memory_info is_running oneshot")
	t.method("osprocess", func(s *scan, c *call) val { s.signal(c.recv); return dull() }, "kill terminate suspend send_signal")
	t.method("osprocess", func(_ *scan, c *call) val {
		p := object("osprocess", value.Value{})
		return val{k: vList, list: []val{p}}
	}, "children parents")
	t.method("osprocess", quiet, "wait")
	t.call(func(s *scan, c *call) val { s.signal(c.arg(0)); return dull() }, "os.kill os.killpg")
	t.call(func(_ *scan, c *call) val { v := dull(); v.listed = c.arg(0).listed; return v }, "int")
}

// signal sends a signal to a process, or to those that the program searched
// for by a name.
func (s *scan) signal(v val) {
	target := v.value()
	if v.k == vObj && len(v.s.Parts()) == 0 {
		target = value.Unknown(risk.CauseOther, "a process")
	}
	if !v.listed || len(s.sought) == 0 {
		s.effect(catalog.Effect{Verb: risk.ProcSignal, Target: target})
		return
	}
	for _, name := range s.sought {
		e := catalog.Effect{Verb: risk.ProcSignal, Target: value.Lit(name)}
		catalog.NamedProcesses(&e)
		s.effect(e)
	}
}

// seek notes a text that what is known of a listed process is compared with.
// Where the comparison only leaves processes out, it says nothing.
func (s *scan) seek(op string, a, b val) {
	if s.leaves || !a.listed && !b.listed {
		return
	}
	switch op {
	case "==", "in":
	default:
		return
	}
	words := []val{a}
	if a.listed {
		words = flat([]val{b})
	}
	for _, w := range words {
		s.seekName(w)
	}
}

func (s *scan) seekName(w val) {
	name, ok := w.known()
	if !ok || w.k != vStr || name == "" || len(s.sought) >= maxSought {
		return
	}
	for _, n := range s.sought {
		if n == name {
			return
		}
	}
	s.sought = append(s.sought, name)
}

// compares notes what a method of a text about a listed process looks for.
func (s *scan) compares(c *call) {
	if !c.recv.listed || s.leaves {
		return
	}
	switch c.name {
	case "startswith", "endswith", "find", "index", "count", "__contains__":
		s.seekName(c.arg(0))
	}
}

// lists marks the output of a command that lists processes, and notes what it
// searches them for.
func (s *scan) lists(command val) bool {
	var words []string
	if command.k == vList {
		for _, w := range command.list {
			text, _ := w.known()
			words = append(words, text)
		}
	} else if text, ok := command.known(); ok {
		for w := range syntax.FieldsQuoted(text) {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return false
	}
	program, found := "", false
	for i, w := range words {
		starts := i == 0 || words[i-1] == "|"
		switch {
		case starts:
			program = path.Base(w)
			found = found || program == "ps" || program == "pgrep" || program == "pidof"
		case w == "|" || strings.HasPrefix(w, "-"):
			if program == "grep" && strings.HasPrefix(w, "-v") {
				program = ""
			}
		case found && (program == "pgrep" || program == "pidof" || program == "grep"):
			s.seekName(str(w))
			program = ""
		}
	}
	return found
}

// endsTurn reports whether statements leave a turn of a loop.
func endsTurn(body []*syntax.Node) bool {
	if len(body) == 0 {
		return false
	}
	last := body[len(body)-1]
	return last.Op == syntax.OpJump && last.Text != "pass" || last.Op == syntax.OpReturn && last.Text == "return"
}
