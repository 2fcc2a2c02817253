package sqleffect

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// An Outcome is what statements do: the worst of what they do to the data, and
// everything that they run and touch. The zero Outcome is of none.
type Outcome struct {
	verb   risk.Verb // DBRead, DBChange, DBDestroy, or "" for nothing
	kind   risk.Kind
	object string // the table or database that is destroyed

	commands, reads, writes, libraries []found

	grants  risk.Kind
	grantee string
	opaque  bool // a statement, or a part of it, is not known
	strange bool // a statement begins with a word that is not known
}

// A found is a command, file or library that a statement names.
type found struct {
	text   value.Value
	client bool // it is of the client's machine, not the server's
}

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
	for _, s := range sql.Read(t.text, options) {
		o.opaque = o.opaque || s.Cut
		for i := range s.Statements {
			o.statement(t, &s.Statements[i])
		}
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
		o.verb, o.kind, o.object = verb, kind, object
	}
}

// Add joins another outcome to o.
func (o *Outcome) Add(p *Outcome) {
	o.worse(p.verb, p.kind, p.object)
	o.note(&o.commands, p.commands...)
	o.note(&o.reads, p.reads...)
	o.note(&o.writes, p.writes...)
	o.note(&o.libraries, p.libraries...)
	o.opaque = o.opaque || p.opaque
	o.strange = o.strange || p.strange
	if p.grants != risk.NoKind {
		o.grants, o.grantee = p.grants, p.grantee
	}
}

// Spare turns what cannot stay into reading: the database is in memory or
// opened for reading only.
func (o *Outcome) Spare() {
	if !o.Changes() {
		return
	}
	o.verb = risk.DBRead
	if !o.kind.With(risk.DBRead) {
		o.kind = risk.NoKind
	}
}

// statement adds what one statement does.
func (o *Outcome) statement(t Text, s *sql.Statement) {
	verb, kind := does(s)
	object := ""
	if verb == risk.DBDestroy && len(s.Objects) > 0 {
		object = s.Objects[0]
	}
	o.worse(verb, kind, object)
	o.opaque = o.opaque || s.Kind == sql.Opaque || s.More
	o.strange = o.strange || s.Kind == sql.Unknown
	for _, u := range s.Uses {
		f := found{text: t.Value(u.Text), client: u.Client}
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
	}
	if grants := gives(&s.Rights); grants != risk.NoKind {
		o.grants, o.grantee = grants, s.Rights.To
	}
	for i := range s.Inner {
		o.statement(t, &s.Inner[i])
	}
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

// does says what a statement by itself does to the data.
func does(s *sql.Statement) (risk.Verb, risk.Kind) {
	switch s.Kind {
	case sql.Query:
		if s.Into {
			return risk.DBChange, risk.NoKind
		}
		return risk.DBRead, risk.NoKind
	case sql.Show, sql.Explain, sql.Unload, sql.Attach:
		return risk.DBRead, risk.NoKind
	case sql.Pragma:
		if pragmaChanges(s.Setting) {
			return risk.DBChange, risk.NoKind
		}
		return risk.DBRead, risk.NoKind
	case sql.Set:
		if setsServer(s) {
			return risk.DBChange, risk.NoKind
		}
		return "", risk.NoKind
	case sql.Session, sql.Block, sql.Detach:
		return "", risk.NoKind
	case sql.Drop:
		if !s.Temporary {
			return risk.DBDestroy, risk.KindSQLDrop
		}
	case sql.Truncate:
		return risk.DBDestroy, risk.KindSQLTruncate
	case sql.Restore:
		return risk.DBDestroy, risk.KindDataIsLost
	case sql.Delete:
		if s.Rows != sql.SomeRows {
			return risk.DBDestroy, risk.KindSQLDeleteAll
		}
	case sql.Update:
		if s.Rows != sql.SomeRows {
			return risk.DBDestroy, risk.KindSQLUpdateAll
		}
	case sql.Alter:
		if slices.ContainsFunc(s.Drops, losesData) {
			return risk.DBDestroy, risk.KindSQLAlterDrop
		}
	}
	return risk.DBChange, risk.NoKind
}

// setsServer reports whether SET is for more than the connection (MySQL 8.4,
// SET, SET PASSWORD).
func setsServer(s *sql.Statement) bool {
	if s.Has("GLOBAL", "PERSIST", "PERSIST_ONLY", "PASSWORD") {
		return true
	}
	return slices.ContainsFunc(s.Tokens, func(t sql.Token) bool {
		return t.Kind == sql.Param && (strings.EqualFold(t.Text, "@@global") || strings.EqualFold(t.Text, "@@persist") || strings.EqualFold(t.Text, "@@persist_only"))
	})
}

// losesData reports whether data goes with what an ALTER drops: not with rules
// about it.
func losesData(what string) bool {
	return !oneOf("CONSTRAINT DEFAULT NOT INDEX KEY FOREIGN PRIMARY CHECK IDENTITY EXPRESSION ATTRIBUTE MEMBER", what)
}

// gives says which rights a statement gives that are more than reading or
// writing named tables, which every application's set-up gives.
func gives(r *sql.Rights) risk.Kind {
	has := func(list string, all []string) bool {
		return slices.ContainsFunc(all, func(w string) bool { return oneOf(list, w) })
	}
	switch {
	case r.Option:
		return risk.KindTheRightToGrant
	case r.All:
		return risk.KindAllRights
	case r.Roles, r.Member:
		return risk.KindRole
	case has("SUPER SYSTEM_USER SUPERUSER DBA SYSDBA IMPERSONATE CONTROL OWNERSHIP", r.Privileges),
		has("SUPERUSER CREATEROLE BYPASSRLS CREATEUSER CREATELOGIN ACCOUNTADMIN", r.Attributes):
		return risk.KindAdministratorOfTheDatabase
	}
	return risk.NoKind
}

// Deeds are an outcome's effects, nested commands and what is not known.
type Deeds struct {
	Effects  []catalog.Effect
	Runs     []catalog.Run
	Unknowns []risk.Unknown
}

// On says what an outcome means for a database.
func (o *Outcome) On(db Database) Deeds {
	var d Deeds
	if o.verb != "" {
		e := catalog.Effect{Verb: o.verb, Target: db.Name, Arg: "database", Kind: o.kind}
		if o.object != "" {
			e.Target = value.Lit(o.object)
			if !db.Name.Empty() {
				e.Target = value.Concat(e.Target, value.Lit(" in "), db.Name)
			}
		}
		d.Effects = append(d.Effects, e)
	}
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
		d.Effects = append(d.Effects, catalog.Effect{Verb: risk.FSRead, Target: f.text, Kind: risk.KindSQL, Shown: true, Host: host(f)})
	}
	for _, f := range o.writes {
		d.Effects = append(d.Effects, catalog.Effect{Verb: risk.FSWrite, Target: f.text, Kind: risk.KindSQL, Host: host(f)})
	}
	for _, f := range o.libraries {
		d.Runs = append(d.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: f.text, Wrap: wrap(f)})
	}
	if o.opaque {
		d.Unknowns = append(d.Unknowns, risk.Unknown{What: "SQL that is not known", Role: risk.RoleCode})
	}
	return d
}
