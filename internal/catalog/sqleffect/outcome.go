package sqleffect

import (
	"slices"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// An Outcome is what statements do: the worst of what they do to the data, and
// everything that they run and touch. The zero Outcome is of none.
type Outcome struct {
	verb   risk.Verb // DBRead, DBChange, DBDestroy, or "" for nothing
	kind   risk.Kind // how, where nothing is destroyed
	losses []loss    // what is destroyed, if anything is

	commands, reads, writes, libraries []found
	attached                           []found // other databases, which later statements may change

	grants  risk.Kind
	grantee string
	opaque  bool // a statement, or a part of it, is not known
	strange bool // a statement begins with a word that is not known
	untold  bool // a query calls what is not known

	credentials bool     // a query shows columns of a system table that holds credentials
	bare        []string // names of such tables that are written without their schema
	schemas     []string // those that the statements say to look in
}

// A found is a command, file or library that a statement names.
type found struct {
	text   value.Value
	client bool // it is of the client's machine, not the server's
}

// A loss is a table or database that is destroyed, and how. Its name is empty
// where it is not known.
type loss struct {
	object string
	kind   risk.Kind
}

// maxLosses bounds how many losses are told one by one.
const maxLosses = 8

// maxFound bounds what is told of each sort.
const maxFound = 64

// Read reads a text in a dialect. What it does not know counts as a change.
func Read(v value.Value, d sql.Dialect) Outcome {
	t := TextOf(v)
	o, _ := Script(t, sql.Options{Dialect: d})
	return o
}

// Script reads a text as the options say, and returns the commands of the
// client in it, too.
func Script(t Text, options sql.Options) (Outcome, []sql.Span) {
	var o Outcome
	var commands []sql.Span
	if len(t.holes) > 0 {
		options.Hole = mark
	}
	for n, s := range sql.Read(t.text, options) {
		one := Outcome{opaque: s.Cut}
		for i := range s.Statements {
			one.statement(t, &s.Statements[i])
		}
		if n == 0 {
			o = one
		}
		o.or(&one)
		for _, c := range s.Commands {
			if !slices.Contains(commands, c) {
				commands = append(commands, c)
			}
		}
	}
	return o, commands
}

// Of is the outcome of a client's own command.
func Of(verb risk.Verb, kind risk.Kind) Outcome { return Outcome{verb: verb, kind: kind} }

// Blind is the outcome of statements that nobody can see.
func Blind(kind risk.Kind) Outcome {
	return Outcome{verb: risk.DBChange, kind: kind, opaque: true}
}

// Data is what of the outcome concerns the data and the accounts: no files,
// commands and libraries.
func (o *Outcome) Data() Outcome {
	data := *o
	data.commands, data.reads, data.writes, data.libraries = nil, nil, nil, nil
	return data
}

// Verb is the worst that happens to the data: [risk.DBRead], [risk.DBChange],
// [risk.DBDestroy], or "" for nothing.
func (o *Outcome) Verb() risk.Verb { return o.verb }

// Known reports whether every statement was one that is known, and there was
// one.
func (o *Outcome) Known() bool { return !o.opaque && !o.strange && o.verb != "" }

// Changes reports whether data is changed or lost.
func (o *Outcome) Changes() bool { return rank(o.verb) >= rank(risk.DBChange) }

func rank(v risk.Verb) int {
	switch v {
	case risk.DBRead:
		return 1
	case risk.DBChange:
		return 2
	case risk.DBDestroy:
		return 3
	}
	return 0
}

// worse takes note of something done to the data.
func (o *Outcome) worse(verb risk.Verb, kind risk.Kind, object string) {
	if rank(verb) > rank(o.verb) {
		o.verb, o.kind = verb, kind
	}
	if l := (loss{object, kind}); verb == risk.DBDestroy && len(o.losses) < maxLosses && !slices.Contains(o.losses, l) {
		o.losses = append(o.losses, l)
	}
}

// Add joins what is done behind o to it.
func (o *Outcome) Add(p *Outcome) {
	if len(p.losses) == 0 {
		o.worse(p.verb, p.kind, "")
	}
	for _, l := range p.losses {
		o.worse(p.verb, l.kind, l.object)
	}
	o.touch(p)
}

// or takes the worse of o and another reading of the same text, or the one
// that knows more names, with all that either runs and touches.
func (o *Outcome) or(p *Outcome) {
	if rank(p.verb) > rank(o.verb) || p.verb == o.verb && p.names() > o.names() {
		o.verb, o.kind, o.losses = p.verb, p.kind, p.losses
	}
	o.touch(p)
}

// names is how many losses have a name that is known.
func (o *Outcome) names() int {
	n := 0
	for _, l := range o.losses {
		if l.object != "" {
			n++
		}
	}
	return n
}

// touch joins what another outcome runs and touches, and what is not known of
// it.
func (o *Outcome) touch(p *Outcome) {
	o.note(&o.commands, p.commands...)
	o.note(&o.reads, p.reads...)
	o.note(&o.writes, p.writes...)
	o.note(&o.libraries, p.libraries...)
	o.opaque = o.opaque || p.opaque
	o.strange = o.strange || p.strange
	o.untold = o.untold || p.untold
	o.credentials = o.credentials || p.credentials
	o.bare, o.schemas = append(o.bare, p.bare...), append(o.schemas, p.schemas...)
	if p.grants != risk.NoKind {
		o.grants, o.grantee = p.grants, p.grantee
	}
}

// Untold reports whether a query calls a function that is not known.
func (o *Outcome) Untold() bool { return o.untold }

// Spare turns what cannot stay into reading: the database is in memory or
// opened for reading only.
func (o *Outcome) Spare() {
	if !o.Changes() {
		return
	}
	o.verb = risk.DBRead
	for i := range o.losses {
		if l := &o.losses[i]; !l.kind.With(risk.DBRead) {
			l.kind = risk.NoKind
		}
	}
	o.kind = risk.NoKind
}

// statement adds what one statement does.
func (o *Outcome) statement(t Text, s *sql.Statement) {
	verb, kind := does(s)
	if len(s.Objects) == 0 {
		o.worse(verb, kind, "")
	}
	for _, object := range s.Objects {
		o.worse(verb, kind, object)
	}
	if rank(verb) >= rank(risk.DBChange) { // which of the databases it is in, is not looked at
		o.note(&o.writes, o.attached...)
	}
	o.opaque = o.opaque || s.Kind == sql.Opaque || s.More
	o.strange = o.strange || s.Kind == sql.Unknown
	o.credentials = o.credentials || showsCredentials(s, "")
	if o.schemas = append(o.schemas, looksIn(s)...); len(o.bare) < maxBare && showsCredentials(s, "*") {
		o.bare = append(o.bare, bareNames(s)...)
	}
	for _, u := range s.Uses {
		f := found{text: t.Value(u.Text), client: u.Client}
		if s.Kind == sql.Attach {
			o.note(&o.attached, f)
		}
		switch u.Role {
		case sql.Reads:
			o.note(&o.reads, f)
		case sql.Writes:
			o.note(&o.writes, f)
		case sql.Runs:
			o.note(&o.commands, f)
		case sql.Loads:
			o.note(&o.libraries, f)
		}
	}
	for _, c := range s.Calls {
		o.call(t, c)
		if asks(s) && !told(&c) {
			o.worse(risk.DBChange, risk.NoKind, "")
			o.untold = true
		}
	}
	if grants := gives(&s.Rights); grants != risk.NoKind {
		o.grants, o.grantee = grants, s.Rights.To
	}
	for i := range s.Inner {
		o.statement(t, &s.Inner[i])
	}
}

// asks reports whether the expressions of a statement are computed, and it does nothing
// else: a query, one whose result is copied or measured, or what a variable is set to.
func asks(s *sql.Statement) bool {
	switch s.Kind {
	case sql.Query, sql.Set:
		return true
	case sql.Explain:
		return len(s.Inner) > 0
	case sql.Unload, sql.Copy:
		return len(s.Tokens) > 1 && s.Tokens[0].Is("COPY") && s.Tokens[1].Kind == sql.Sign && s.Tokens[1].Text == "("
	}
	return false
}

// note adds to one of o's lists what is not on it. Lists are short: what is
// left out is said to be.
func (o *Outcome) note(to *[]found, all ...found) {
	for _, f := range all {
		same := func(g found) bool { return g.client == f.client && g.text.String() == f.text.String() }
		switch {
		case slices.ContainsFunc(*to, same):
		case len(*to) >= maxFound:
			o.opaque = true
		default:
			*to = append(*to, f)
		}
	}
}

// Deeds are an outcome's effects, nested commands and what is not known.
type Deeds struct {
	Effects  []catalog.Effect
	Runs     []catalog.Run
	Unknowns []risk.Unknown
}

// data says what happens to the data.
func (o *Outcome) data(db Database) []catalog.Effect {
	if o.verb == "" {
		return nil
	}
	if len(o.losses) == 0 {
		return []catalog.Effect{{Verb: o.verb, Target: db.Name, Arg: "database", Kind: o.kind}}
	}
	var all []catalog.Effect
	for _, l := range o.losses {
		e := catalog.Effect{Verb: o.verb, Target: db.Name, Arg: "database", Kind: l.kind, Many: len(o.losses) == maxLosses}
		switch {
		case l.object == "":
		case db.Name.Empty():
			e.Target = value.Lit(l.object)
		default:
			e.Target = value.Concat(value.Lit(l.object), value.Lit(" in "), db.Name)
		}
		all = append(all, e)
	}
	return all
}

// On says what an outcome means for a database.
func (o *Outcome) On(db Database) Deeds {
	var d Deeds
	d.Effects = append(d.Effects, o.data(db)...)
	if o.grants != risk.NoKind {
		e := catalog.Effect{Verb: risk.PrivGain, Target: value.Lit(o.grantee), Kind: o.grants}
		if o.grantee == "" {
			e.Target = db.Name
		}
		d.Effects = append(d.Effects, e)
	}
	host := func(f found) string {
		if f.client || db.Embedded {
			return ""
		}
		return db.Host
	}
	wrap := func(f found) catalog.Wrapped {
		if f.client || db.Embedded {
			return catalog.Wrapped{}
		}
		return catalog.Wrapped{Host: db.Host, Privileged: true} // the server's own account
	}
	for _, c := range o.commands {
		if !c.client && !db.Embedded {
			d.Effects = append(d.Effects, catalog.Effect{Verb: risk.ExecShell, Target: c.text, Kind: risk.KindServerCommand, Host: db.Host})
		}
		d.Runs = append(d.Runs, catalog.Run{Kind: catalog.RunShell, Text: c.text, Wrap: wrap(c)})
	}
	for _, f := range o.reads {
		if e, away := overNet(f.text, risk.NetFetch); away && (f.client || db.Embedded) {
			d.Effects = append(d.Effects, e)
			continue
		}
		d.Effects = append(d.Effects, catalog.Effect{Verb: risk.FSRead, Target: f.text, Kind: risk.KindSQL, Shown: true, Host: host(f)})
	}
	for _, f := range o.writes {
		if e, away := overNet(f.text, risk.NetSend); away && (f.client || db.Embedded) {
			d.Effects = append(d.Effects, e)
			continue
		}
		d.Effects = append(d.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f.text, Kind: risk.KindSQL, Host: host(f)})
	}
	for _, f := range o.libraries {
		d.Runs = append(d.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: f.text, Wrap: wrap(f)})
	}
	if o.credentials || o.within(db.Name) {
		d.Effects = append(d.Effects, catalog.Effect{Verb: risk.SecretRead, Target: value.Lit("password hashes of the database's accounts"), Host: db.Host})
	}
	if o.opaque {
		d.Unknowns = append(d.Unknowns, risk.Unknown{What: "SQL that is not known", Role: risk.RoleCode})
	}
	return d
}
