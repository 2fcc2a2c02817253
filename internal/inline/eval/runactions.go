package eval

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline/syntax"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// shell makes an action that runs argument i as shell text, or as an argument
// vector if it is a list.
func shell(i int, names ...string) action {
	return func(s *scan, c *call) val {
		v := c.arg(i, names...)
		s.handOver(c)
		if v.k == vList {
			return s.argv(v.list)
		}
		return s.shellText(v)
	}
}

// shellText runs text.
func (s *scan) shellText(v val) val {
	if v.sock {
		s.handed = true
	}
	s.run(catalog.Run{Kind: catalog.RunShell, Text: v.value(), Lang: "sh"})
	out := s.output(v)
	out.listed = s.lists(v)
	return out
}

// output is what a command printed.
func (s *scan) output(v val) val {
	t, _ := v.value().Known()
	return hole(risk.CauseOutput, clip(t))
}

func clip(t string) string { return t[:min(len(t), 40)] }

// argv runs words.
func (s *scan) argv(words []val) val {
	r := catalog.Run{Kind: catalog.RunArgv}
	for _, w := range flat(words) {
		if w.sock {
			s.handed = true
		}
		if w.k == vDict || w.k == vFunc {
			continue
		}
		r.Argv = append(r.Argv, w.value())
	}
	if len(r.Argv) == 0 {
		r = catalog.Run{Kind: catalog.RunShell, Lang: "sh", Text: unknown().s}
	}
	s.run(r)
	if len(words) > 0 {
		return s.output(words[0])
	}
	return dull()
}

// words makes an action that runs its arguments from i on as a command: one
// text by the shell, several words directly.
func words(i int) action {
	return func(s *scan, c *call) val {
		s.handOver(c)
		if len(c.args) <= i {
			return s.shellText(unknown())
		}
		args := c.args[i:]
		if len(args) > 1 && (args[0].k == vDict || args[0].env) {
			args = args[1:]
		}
		if last := args[len(args)-1]; len(args) > 1 && last.k == vDict {
			args = args[:len(args)-1]
		}
		if len(args) == 1 && args[0].k != vList {
			return s.shellText(args[0])
		}
		return s.argv(args)
	}
}

// program makes an action of a program, argument i, and a list of arguments.
func program(i int, separate bool) action {
	return func(s *scan, c *call) val {
		s.handOver(c)
		if !separate {
			return s.argv(c.args[min(i, len(c.args)):])
		}
		prog, list := c.arg(i), c.arg(i+1)
		if list.k != vList {
			if list.k == vUnknown {
				return s.argv([]val{prog, list})
			}
			return s.argv([]val{prog})
		}
		return s.argv(append([]val{prog}, list.list...))
	}
}

// handOver notices that a process gets a socket as its input or output.
func (s *scan) handOver(c *call) {
	for _, v := range c.all() {
		if v.sock || v.k == vObj && v.name == "socket" {
			s.handed = true
		}
		if v.k == vDict || v.k == vList {
			for _, x := range v.list {
				s.handed = s.handed || x.sock || x.k == vObj && x.name == "socket"
			}
		}
	}
}

// evaluate runs code in text.
func evaluate(i int) action {
	return func(s *scan, c *call) val { return s.evalText(c.arg(i), s.lang) }
}

func (s *scan) evalText(v val, lang string) val {
	if v.k == vFunc {
		return s.invoke(v.fn, nil)
	}
	if v.k == vObj && v.name == "code" {
		return dull()
	}
	t, ok := v.known()
	if v.value().Taint().Has(value.Network) {
		s.effect(catalog.Effect{Verb: risk.ExecRemote, Kind: risk.KindDownloaded})
		s.handed = s.handed || v.sock
	}
	if !ok || s.evals >= syntax.MaxEval || len(t) > syntax.MaxText {
		s.run(catalog.Run{Kind: catalog.RunCode, Lang: lang, Text: v.value()})
		s.seen = false
		return unknown()
	}
	s.evals++
	defer func() { s.evals-- }()
	body, good := syntax.Parse(lang, t, s.evals)
	if !good {
		s.notSeen()
	}
	s.declare(body, 0)
	var last val
	for _, n := range body {
		last = s.eval(n)
	}
	return last
}
