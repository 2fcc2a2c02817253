package eval

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/loops"
	"github.com/heedsh/heed/internal/inline/syntax"
	"github.com/heedsh/heed/internal/inline/vouch"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A scan evaluates one program abstractly.
type scan struct {
	lang  string
	host  inline.Host
	t     *table
	res   inline.Result
	vars  map[string]val
	funcs map[string]*syntax.Node
	ran   map[*syntax.Node]bool

	active map[*syntax.Node]int // functions that are being called, how deep

	folded, steps, calls, evals int
	cond, loop, endless         int          // how deep in branches, loops, loops that may not end
	dir                         *value.Value // where the program has moved to
	pure, seen                  bool
	vague                       bool // something happens that no effect tells of
	given                       int  // effects that read files which arguments name, as a filter does
	stashed                     bool // a file's contents are put where they are not followed
	source                      string
	body                        []*syntax.Node
	called                      map[*syntax.Node]bool // calls that were evaluated
	prints                      bool                  // something unknown is printed
	shown                       map[string]bool
	wrote                       map[int]bool // effects of opening files that are written to
	wroteAny                    bool
	sockets                     []value.Value // peers of sockets
	handed                      bool          // descriptors or a shell were given to a socket
	shellRun                    bool          // an interactive shell is started
	forks                       int
	sought                      []string // what listed processes are compared with
	guarded                     int      // how deep in what goes on where something fails
	leaves                      bool     // in a condition under which a turn of a loop is left
	ret                         []val
	deferred                    []*syntax.Node
}

// Scan reads a program. Text that is too long, or in a language without a
// reader, gives the zero Result.
func Scan(lang, text string, host inline.Host) inline.Result {
	if lang == "javascript" || lang == "typescript" {
		lang = "node"
	} else if lang == "expect" {
		lang = "tcl"
	}
	if !inline.Reads(lang) || len(text) > syntax.MaxText {
		return inline.Result{}
	}
	s := newScan(lang)
	s.host = host
	switch lang {
	case "tcl":
		s.tclScript(text)
	case "applescript":
		s.appleScript(text)
	default:
		s.program(text)
	}
	return s.finish()
}

func newScan(lang string) *scan {
	return &scan{
		lang: lang, t: tableOf(lang), vars: map[string]val{}, funcs: map[string]*syntax.Node{}, ran: map[*syntax.Node]bool{}, active: map[*syntax.Node]int{},
		pure: true, seen: true, shown: map[string]bool{}, wrote: map[int]bool{}, called: map[*syntax.Node]bool{},
	}
}

// program scans a whole program.
func (s *scan) program(text string) {
	body, ok := syntax.Parse(s.lang, text, 0)
	if ok {
		if s.res.Output = constantOutput(s.lang, body); s.host.Prints {
			s.res.Output = shown(s.lang, body)
		}
		s.res.Uses = onlyPrints(s.lang, body)
	} else {
		s.notSeen()
	}
	s.source, s.body = text, body
	s.declare(body, 0)
	if s.lang == "perl" && hidesCode(text) {
		s.notSeen()
	}
	if s.lang == "r" {
		s.printing(body)
	} else if last := s.statements(body); s.host.Prints {
		printed(s, &call{args: []val{last}})
	}
	s.vague = s.vague || len(s.deferred) > 256
	for i := 0; i < len(s.deferred) && i < 256; i++ { // functions that nothing called
		if f := s.deferred[i]; !s.ran[f] {
			s.cond++
			s.invoke(f, nil)
			s.cond--
		}
	}
}

// declare notes the functions that statements define, since they may be
// called before.
func (s *scan) declare(body []*syntax.Node, depth int) {
	if depth > syntax.MaxDepth {
		return
	}
	for _, n := range body {
		if n == nil {
			continue
		}
		if n.Op == syntax.OpFunc && n.Text != "" && n.Text != "{" {
			s.funcs[n.Text] = n
			s.deferred = append(s.deferred, n)
		}
		if n.Op == syntax.OpClass {
			for _, m := range n.Body {
				if m.Op == syntax.OpFunc && m.Text != "" {
					s.funcs["."+m.Text] = m
					s.deferred = append(s.deferred, m)
				}
			}
			s.funcs[n.Text] = &syntax.Node{Op: syntax.OpFunc, Text: n.Text}
			continue
		}
		if n.Op == syntax.OpBlock || n.Op == syntax.OpIf || n.Op == syntax.OpTry {
			s.declare(n.Body, depth+1)
		}
	}
}

// notSeen records that something was not understood.
func (s *scan) notSeen() { s.pure, s.seen, s.vague = false, false, true }

// impure records that something other than computing happens, of which no
// effect tells.
func (s *scan) impure() { s.pure, s.vague = false, true }

// effect records an effect and returns its index.
func (s *scan) effect(e catalog.Effect) int {
	s.pure = false
	if strings.HasPrefix(string(e.Verb), "fs.") {
		e.Target = s.place(e.Target)
		e.Many = e.Many || e.Target.Pattern() != ""
	}
	if len(s.res.Effects) >= 512 {
		s.seen = false
		return 0
	}
	for i := range s.res.Effects {
		x := &s.res.Effects[i]
		if x.Verb == e.Verb && x.Kind == e.Kind && x.Recursive == e.Recursive && x.Host == e.Host && x.Target.String() == e.Target.String() && x.Link.String() == e.Link.String() {
			x.Carries = carry(x.Carries, e.Carries)
			return i
		}
	}
	s.res.Effects = append(s.res.Effects, e)
	return len(s.res.Effects) - 1
}

// carry adds sources, each once.
func carry(to, more []catalog.Source) []catalog.Source {
	for _, m := range more {
		same := func(t catalog.Source) bool { return t.Stdin == m.Stdin && t.Path.String() == m.Path.String() }
		if len(to) < 16 && !slices.ContainsFunc(to, same) {
			to = append(slices.Clip(to), m)
		}
	}
	return to
}

// run records a nested command.
func (s *scan) run(r catalog.Run) {
	s.pure = false
	if len(s.res.Runs) >= 256 {
		s.seen = false
		return
	}
	for i := range s.res.Runs {
		if inline.SameRun(&s.res.Runs[i], &r) {
			return
		}
	}
	if r.Dir == nil {
		r.Dir = s.dir
	}
	if opensShell(&r) {
		s.shellRun = true
	}
	s.res.Runs = append(s.res.Runs, r)
}

// finish settles what depends on the whole program.
func (s *scan) finish() inline.Result {
	r := &s.res
	content := map[string]bool{} // files whose contents are read
	for i := range r.Effects {
		e := &r.Effects[i]
		if e.Verb == risk.FSRead && e.Arg == "content" {
			e.Arg = ""
			content[e.Target.String()] = true
			e.Shown = s.prints || s.stashed || !s.seen || s.shown[e.Target.String()]
		}
		if e.Verb == risk.FSWrite && e.Arg == "opened" {
			e.Arg = ""
			if e.Kind == risk.NoKind && !s.wroteAny && s.seen {
				e.Kind = risk.KindTruncate
			}
		}
		if e.Verb == risk.FSWrite && e.Kind == risk.NoKind && content[e.Target.String()] {
			e.Kind = risk.KindInPlace // what is read first is there, and is edited
		}
	}
	if len(s.sockets) > 0 {
		r.Network = true
		if s.handed || s.shellRun {
			r.Shell = true
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecRemote, Kind: risk.KindReverseShell, Target: s.sockets[0]})
		}
	}
	if s.forks > 0 {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.Exhaust, Kind: risk.KindForkBomb})
	}
	if s.lang != "tcl" && s.lang != "applescript" {
		u := loops.UnboundedIn(s.lang, s.source)
		if u.Kind != risk.NoKind && s.forks == 0 {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.Exhaust, Kind: u.Kind})
		}
		if u.Prints {
			r.Output = r.Output.With(value.Endless)
		}
	}
	r.Inspected = s.seen
	r.Pure = s.pure && s.seen && len(r.Effects) == s.given && len(r.Runs) == 0
	switch {
	case s.lang == "python" && s.seen:
		s.vouched()
	case s.lang == "node":
		s.vouchedNode()
	}
	return s.res
}

// vouched settles whether a Python program that was understood may be taken at
// its word: the files that it reads must be known.
func (s *scan) vouched() {
	r := &s.res
	if !r.Pure && s.vague {
		return
	}
	modules, ok := vouch.Python(s.source, s.body, s.called, vouch.Known{Harmless: s.t.harmless, Modules: s.t.modules, Methods: s.t.pureMethods})
	r.Modules = modules
	r.Pure = r.Pure && ok
	r.Complete = ok && !s.vague
	for i := range r.Effects {
		e := &r.Effects[i]
		if e.Verb != risk.FSRead {
			continue
		}
		for _, h := range e.Target.Holes() {
			if h.Cause != risk.CauseMatch && h.Cause != risk.CauseLoop {
				r.Complete = false
			}
		}
	}
}

// opensShell reports whether a command is a shell that waits for commands.
func opensShell(r *catalog.Run) bool {
	var words []string
	if r.Kind == catalog.RunArgv {
		for _, v := range r.Argv {
			w, _ := v.Known()
			words = append(words, w)
		}
	} else {
		t, _ := r.Text.Known()
		words = strings.Fields(t)
	}
	if len(words) == 0 {
		return false
	}
	if !shellname.Is(words[0][strings.LastIndexByte(words[0], '/')+1:]) {
		return false
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && w != "0>&1" && !strings.ContainsAny(w, "<>") || w == "-c" {
			return false
		}
	}
	return true
}
