package buildfile

import (
	"path"
	"slices"
	"strings"

	makefile "github.com/heedsh/heed/internal/lang/make"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// A Make evaluates makefiles as GNU make 4.4 does, whose manual is the source of
// every fact here. It is for one goroutine.
type Make struct {
	site     Site
	vars     map[string]*variable
	rules    map[string]*rule
	patterns []*rule
	all      []*body // in the order of the files
	first    string  // the default goal
	oneShell bool
	second   bool // prerequisites are expanded twice (.SECONDEXPANSION)
	// partial is set when something was met that is not understood, so that
	// more may happen than is seen.
	partial bool

	exports  []string
	every    bool // export: every variable
	calls    []call
	printers []value.Value
	met      map[string]bool // printers, by their text
	files    []FileUse
	read     []string // the makefiles, as they were named
	missing  []string // that an include names and nobody wrote yet
	shown    []shownText
	goals    []string

	// unsure counts the conditionals around what is read that may not hold,
	// and dead those that do not, where all branches are looked at.
	unsure, dead int
	depth        int // of files in files, and of text that is read as one
	steps, bytes int
	used         int  // steps and bytes of evaluations that are over
	whole        bool // everything was read
	scoped       int  // how often something of a scope was asked for
}

// A shownText is a text that make itself prints.
type shownText struct {
	text  value.Value
	quiet bool // a recipe line that begins with @
}

// A FileUse is what $(file …) does: it overwrites, appends to or reads a file.
type FileUse struct {
	Op     string // > >> <
	Target value.Value
}

// A source is a text that nodes and parts point into.
type source struct {
	text string
	main bool
	file bool // of another makefile
	at   int  // in the main text, of what stands in another
}

// place is where a byte of the text stands in the main text.
func (s *source) place(at int) int {
	if s.main {
		return at
	}
	return s.at
}

// NewMake returns a Make that has read nothing yet.
func NewMake(site Site) *Make {
	return &Make{site: site, vars: map[string]*variable{}, rules: map[string]*rule{}, met: map[string]bool{}}
}

// Partial reports whether something was met that is not understood.
func (m *Make) Partial() bool { return m.partial }

// Doubt notes that something is not known of which the caller has to know.
func (m *Make) Doubt() { m.partial = true }

// Set sets a variable as on the command line of make, which what the makefile
// says does not change ("Overriding Variables").
func (m *Make) Set(name string, v value.Value) {
	x := &variable{name: name, strong: true}
	if text, known := v.Known(); known {
		x.texts = []written{{makefile.ParseText(text), &source{text: text}}}
	} else {
		x.fixed = &v
	}
	m.vars[name] = x
}

// Goals says what make is asked to make, before it reads anything; nothing is
// the default goal ("Arguments to Specify the Goals").
func (m *Make) Goals(names ...string) {
	m.goals = names
	v := value.Lit(strings.Join(names, " "))
	m.vars["MAKECMDGOALS"] = &variable{name: "MAKECMDGOALS", fixed: &v}
}

// Read evaluates the text of a makefile that is named so, but for its recipes.
func (m *Make) Read(name, text string) {
	m.text(name, text, &source{text: text, main: true})
}

func (m *Make) text(name, text string, src *source) {
	if name != "" {
		m.read = append(m.read, name)
	}
	f := makefile.Parse(text)
	m.partial = m.partial || f.Deep
	r := reading{Make: m, src: src}
	r.nodes(f.Body)
}

// Load reads a makefile; it reports false if that cannot be read.
func (m *Make) Load(name string) bool { return m.load(name, 0) }

func (m *Make) load(name string, at int) bool {
	full, ok := m.path(name)
	if !ok || m.site.FS == nil {
		return false
	}
	data, err := m.site.FS.ReadFile(full, maxFile)
	if err != nil {
		return false
	}
	m.text(name, string(data), &source{text: string(data), file: true, at: at})
	return true
}

// path is a file's absolute path, if it is known.
func (m *Make) path(name string) (string, bool) {
	if !path.IsAbs(name) {
		if m.site.Dir == "" {
			return "", false
		}
		name = path.Join(m.site.Dir, name)
	}
	return path.Clean(name), true
}

// Absent reports whether a file is surely not there.
func (m *Make) Absent(name string) bool {
	kind, known := m.kindOf(name)
	return known && kind == world.Missing
}

// kindOf is what a name leads to, if that can be told.
func (m *Make) kindOf(name string) (kind world.Kind, known bool) {
	full, ok := m.path(name)
	if !ok || m.site.FS == nil {
		return world.Missing, false
	}
	info, err := world.Stat(m.site.FS, full)
	return info.Kind, err == nil
}

// A reading is the state of reading one text.
type reading struct {
	*Make
	src *source
	cur *body // that recipe lines belong to
}

func (r *reading) nodes(body []makefile.Node) {
	for _, n := range body {
		switch n := n.(type) {
		case *makefile.If:
			r.branches(n)
			continue
		case *makefile.Recipe:
			if r.cur != nil {
				r.cur.lines = append(r.cur.lines, n)
			}
			continue
		case *makefile.Rule:
			r.rule(n)
			continue
		}
		r.cur = nil
		if r.dead == 0 {
			r.directive(n)
		}
	}
}

// directive evaluates a node that is no rule.
func (r *reading) directive(n makefile.Node) {
	switch n := n.(type) {
	case *makefile.Assign:
		name := r.known(n.Name, r.src)
		r.noteCalls(n.Value, name)
		r.assign(r.vars, name, n)
		if n.Export {
			r.export(name)
		}
	case *makefile.Include:
		r.include(n)
	case *makefile.Export:
		if names := r.known(n.Names, r.src); !n.Off {
			r.every = r.every || n.Names.Empty()
			r.export(strings.Fields(names)...)
		}
	case *makefile.Undefine:
		delete(r.vars, r.known(n.Name, r.src))
	case *makefile.Directive:
		r.partial = r.partial || n.Word != "vpath"
	case *makefile.Expand:
		r.noteCalls(n.Text, "")
		r.expand(n.Text, r.src, nil, 0)
	}
}

// known expands a text that has to be known, and returns "" if it is not.
func (m *Make) known(t makefile.Text, src *source) string {
	text, known := m.expand(t, src, nil, 0).Known()
	if !known {
		m.partial = true
	}
	return strings.TrimSpace(text)
}

// maxExports is how many variables are handed to recipes.
const maxExports = 40

func (m *Make) export(names ...string) {
	for _, name := range names {
		switch {
		case slices.Contains(m.exports, name):
		case len(m.exports) == maxExports:
			m.partial = true
			return
		default:
			m.exports = append(m.exports, name)
		}
	}
}

// maxIncludes is how deep makefiles are followed into each other.
const maxIncludes = 3

// include reads other makefiles in place.
func (r *reading) include(n *makefile.Include) {
	text, known := r.expand(n.Files, r.src, nil, 0).Known()
	if !known || r.depth >= maxIncludes {
		r.partial = true
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	for name := range strings.FieldsSeq(text) {
		names := []string{name}
		if strings.ContainsAny(name, "*?[") {
			found, ok := r.glob(name)
			r.partial = r.partial || !ok
			names = found
		}
		for _, name := range names {
			if r.load(name, r.src.place(n.At)) {
				continue
			}
			if r.Absent(name) {
				r.missing = append(r.missing, name)
				r.partial = r.partial || !n.Optional
			} else {
				r.partial = true
			}
		}
	}
}

// branches evaluates a conditional: the branch that holds, every one that may,
// and where nothing is known of the surroundings the rules of the others too.
func (r *reading) branches(n *makefile.If) {
	unsure, over := 0, false // over: a branch before surely held
	for i := range n.Branches {
		b := &n.Branches[i]
		holds, known := true, true
		if b.Word != "" && !over && r.dead == 0 {
			holds, known = r.condition(b)
		}
		switch {
		case over || known && !holds:
			if r.site.Absent != nil {
				r.dead++
				r.nodes(b.Body)
				r.dead--
			}
			continue
		case !known:
			unsure = 1
		case known && b.Word != "":
			over = true
		}
		r.unsure += unsure
		r.nodes(b.Body)
		r.unsure -= unsure
	}
}

// condition evaluates what a branch depends on.
func (r *reading) condition(b *makefile.Branch) (holds, known bool) {
	switch {
	case b.Bad:
		return false, false
	case strings.HasSuffix(b.Word, "def"):
		name, ok := r.expand(b.A, r.src, nil, 0).Known()
		if !ok {
			return false, false
		}
		holds, known = r.defined(strings.TrimSpace(name))
	default:
		holds, known = same(r.expand(b.A, r.src, nil, 0), r.expand(b.B, r.src, nil, 0))
	}
	return holds != strings.HasPrefix(b.Word, "ifn"), known
}

// defined reports whether a variable has a value that is not empty, before it
// is expanded.
func (m *Make) defined(name string) (yes, known bool) {
	if v := m.vars[name]; v != nil {
		switch {
		case len(v.either) > 0:
			return false, false
		case v.fixed == nil:
			return slices.ContainsFunc(v.texts, func(w written) bool { return !w.text.Empty() }), true
		case v.fixed.IsKnown() || v.fixed.Len() > 0:
			return !v.fixed.Empty(), true
		}
		return true, false
	}
	if v, set := m.site.env(name); set {
		return !v.Empty(), v.IsKnown() || v.Len() > 0
	}
	if _, ok := builtin(name); ok {
		return true, true
	}
	return false, m.site.Absent == nil && m.site.Env != nil && !m.partial
}

// same reports whether two values are the same text.
func same(a, b value.Value) (equal, known bool) {
	if b.IsKnown() {
		a, b = b, a
	}
	text, ok := a.Known()
	all, closed := b.Candidates(maxChoices)
	switch {
	case ok && b.Len() > len(text): // what is not known makes it no shorter
		return false, true
	case !ok || !closed:
		return false, false
	}
	n := 0
	for _, s := range all {
		if s == text {
			n++
		}
	}
	return n > 0, n == 0 || n == len(all)
}
