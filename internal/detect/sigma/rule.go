package sigma

// Meta is what a rule says about itself. Dates, status, level and tags are as
// written; level and status are lower-case.
type Meta struct {
	ID, Name, Title, Description string
	Status                       string // stable, test, experimental, deprecated, unsupported
	Level                        string // informational, low, medium, high, critical
	Author, Date, Modified       string
	License, Taxonomy            string
	Tags, References             []string
	FalsePositives, Fields       []string
	Scope                        []string
	Related                      []Related
	Source                       LogSource // empty for a correlation
	Correlation                  bool      // the rule is a correlation rule
	File                         string    // as given to [Parse]
	Line                         int       // of the document's first key
}

// Related is a reference to another rule.
type Related struct {
	ID, Type string // type: derived, obsolete, merged, renamed, similar
}

// Label names the rule in a message: its id, or name, or title.
func (m *Meta) Label() string {
	switch {
	case m.ID != "":
		return m.ID
	case m.Name != "":
		return m.Name
	}
	return m.Title
}

// A Rule is one parsed rule, ready for [Compile].
type Rule struct {
	Meta
	detection   *detection
	correlation *correlation
}

// Refers returns the ids or names of the rules that a correlation rule counts.
func (r *Rule) Refers() []string {
	if r.correlation == nil {
		return nil
	}
	return r.correlation.Rules
}

// detection is a parsed detection section.
type detection struct {
	searches   []search // in the order of the file
	conditions []*cond  // linked with OR
}

// search is one search identifier and what it stands for.
type search struct {
	name string
	line int
	expr *expr
}

// find returns the search of a name, or nil.
func (d *detection) find(name string) *search {
	for i := range d.searches {
		if d.searches[i].name == name {
			return &d.searches[i]
		}
	}
	return nil
}

// exprKind says how an expr is made up.
type exprKind uint8

const (
	exprItem exprKind = iota // one field compared with values
	exprAll                  // a map: all must hold
	exprAny                  // a list: one must hold
)

// expr is the value of a search identifier as a tree.
type expr struct {
	kind exprKind
	kids []*expr // of exprAll, exprAny
	// Of exprItem:
	field     string // empty: keywords, any field's value
	modifiers []string
	values    []scalar
	line      int
}

// has reports whether the item carries a modifier.
func (e *expr) has(modifier string) bool {
	for _, m := range e.modifiers {
		if m == modifier {
			return true
		}
	}
	return false
}

// scalar is a value as YAML has it: its text, and whether it is null, a number
// or a boolean rather than a string.
type scalar struct {
	text string
	kind scalarKind
}

type scalarKind uint8

const (
	scalarString scalarKind = iota
	scalarNull
	scalarNumber
	scalarBool
)
