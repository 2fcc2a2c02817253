package eval

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline/vouchjs"
	"github.com/heedsh/heed/risk"
)

// vouchedNode settles whether a JavaScript program may be taken at its word: a
// second reader must know all that it calls, and the evaluator must have come by
// every file that it names.
func (s *scan) vouchedNode() {
	r := &s.res
	said, ok := vouchjs.Node(s.source)
	r.Pure = r.Pure && ok
	if !ok || len(r.Runs) > 0 || !s.came(&said) {
		return
	}
	if len(said.Reads)+len(said.Loads) > 0 && !said.Prints && !s.host.Prints && len(said.Writes) == 0 {
		return // it reads for nothing: there is more to it than is seen
	}
	for i := range r.Effects {
		e := &r.Effects[i]
		if len(e.Target.Holes()) > 0 {
			return
		}
		if e.Verb == risk.FSRead && (said.Prints || s.host.Prints && !s.seen) {
			e.Shown = true
		}
	}
	r.Modules = said.Loads
	r.ReadsStdin = r.ReadsStdin || said.Stdin
	r.ShowsEnv = r.ShowsEnv || said.Env && (said.Prints || s.host.Prints)
	r.Pure, r.Complete, r.Inspected = len(r.Effects) == 0, true, true
}

// came reports whether the evaluator came by all that is said of a program.
func (s *scan) came(said *vouchjs.Said) bool {
	has := func(name string, verb risk.Verb) bool {
		for i := range s.res.Effects {
			e := &s.res.Effects[i]
			if text, known := e.Target.Known(); known && e.Verb == verb && path.Clean(text) == path.Clean(name) {
				return true
			}
		}
		return false
	}
	for _, name := range said.Reads {
		if !has(name, risk.FSRead) {
			return false
		}
	}
	for _, name := range said.Lists {
		if !has(name, risk.FSRead) {
			return false
		}
	}
	for _, name := range said.Writes {
		if !has(name, risk.FSWrite) {
			return false
		}
	}
	for _, name := range said.Loads {
		if !has(s.beside(name), risk.FSRead) {
			return false
		}
	}
	return true
}

// beside is where a file lies that a program requires by a relative name: beside the
// file that the program is in, or in the current directory (Node.js, "Modules:
// CommonJS modules").
func (s *scan) beside(name string) string {
	if s.host.Script != "" && !strings.HasPrefix(name, "/") {
		return path.Join(path.Dir(s.host.Script), name)
	}
	return name
}

// requireData is require of a file of JSON, which is read; ok is false for what
// may be code.
func (s *scan) requireData(name string) (v val, ok bool) {
	if !strings.HasSuffix(name, ".json") || !strings.HasPrefix(name, "./") && !strings.HasPrefix(name, "../") && !strings.HasPrefix(name, "/") {
		return val{}, false
	}
	file := str(s.beside(name))
	s.effect(catalog.Effect{Verb: risk.FSRead, Target: file.value(), Arg: "content"})
	out := derived(file)
	out.src = []catalog.Source{{Path: s.place(file.value())}}
	return out, true
}

// programDir is the directory of the file that the program was read from: for a program
// that is a word of its command the current one.
func programDir(s *scan, _ *call) val {
	switch {
	case s.host.Script != "":
		return str(path.Dir(s.host.Script))
	case s.host.Word:
		return str(".")
	}
	return dull()
}
