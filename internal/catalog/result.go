package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A Result says what one invocation would do, as far as the program's own
// grammar tells.
type Result struct {
	Match   *Match
	Summary string
	Help    bool // it only shows its help or version
	Version bool // it shows its version
	Effects []Effect
	Runs    []Run
	// Where says what the remote targets belong to: "context prod".
	Where string
	// ShowsStdin is set when standard input reaches standard output.
	ShowsStdin bool
	// ShowsStaged is set when what version control was given to keep is printed, whole.
	ShowsStaged bool
	// ShowsAdded is set when so is what it was told that it will be given (git add -N).
	ShowsAdded bool
	// ReadsStdin is set when standard input is used at all.
	ReadsStdin bool
	// PerInput is set when it runs what it runs for each part of its input alone, and so
	// nothing where there is none.
	PerInput bool
	Prints   Output
	// Elsewhere is set when what it prints goes to another program, a file, a variable or nowhere.
	Elsewhere bool
	// Stdout, if set, is what the program prints.
	Stdout *value.Value
	// Echoed, if set, is what it prints of its words where that cannot be computed.
	Echoed *value.Value
	// Traits are what is unusual about the program when it is called so.
	Traits Trait
	// Sought are names of files that it looks for.
	Sought []string
	// Brings are files, and directories, that have other contents afterwards,
	// which are not known: version control checks them out.
	Brings []Brought
	// Lists is set when it prints a list of more than names.
	Lists value.Listing
	// Unknowns are words that the grammar does not explain.
	Unknowns []risk.Unknown
	// Lacks says why it surely does not do its work, where a hook has looked; "" otherwise.
	Lacks string
	// Never says that it would not do its work whatever else there were: it asks for what
	// cannot be.
	Never bool
	// Spares says why it surely leaves everything as it is, where a hook has looked; "" otherwise.
	Spares string
	// Fails is set when the program can only print an error.
	Fails bool
	// Proceeds is set when it makes its file without what it is to put into it, where that
	// is not there, and then ends with an error.
	Proceeds bool
	// Module is the module of Python that it imports from where it works, or "".
	Module string
	// Unbounded is what loops without end in its own code do.
	Unbounded Unbounded
}

// A Brought is a file that a program brings, or a directory below which it may
// bring any.
type Brought struct {
	Path value.Value
	From value.Value // what is called so from then on; empty if it comes from elsewhere
	All  bool        // a directory
}

// An Unbounded says what the loops without end of a program do.
type Unbounded struct {
	// Kind names what there is more and more of: memory, processes; none if
	// nothing is.
	Kind risk.Kind
	// Prints is set when such a loop prints.
	Prints bool
}

// An Effect is a verb on a target as the program sees it.
type Effect struct {
	Verb      risk.Verb
	Target    value.Value
	Arg       string // the name of the argument that holds the target
	Kind      risk.Kind
	Recursive bool
	Forced    bool
	Many      bool
	Shown     bool     // what is read reaches standard output
	Where     string   // what a remote target belongs to
	Needed    bool     // the program fails if the target is not there
	FilesOnly bool     // a directory is left as it is
	Own       bool     // the target is a path that the spec itself names
	Host      string   // the machine that it happens on, if that is another
	Repo      string   // a directory of the repository that it is on, if that is another; absolute
	Rev       string   // the revision that takes the target's place on a remote; "" where it is not known
	Carries   []Source // what flows into the target
	// Link is what a symbolic link that is created points at, if HasLink.
	Link    value.Value
	HasLink bool
	// Loses, if set, is what would be lost: whoever stated the effect has looked.
	Loses *risk.Counts
	// Same is whether what is written is what the target holds already: whoever stated
	// the effect has compared them.
	Same bool
	// Stored is whether what is read of the target is a copy that a repository has.
	Stored bool
	// Rule is what stated it: "spec", or the hook by its name.
	Rule string
}

// A Source is where contents come from: standard input, or a file.
type Source struct {
	Stdin bool
	Path  value.Value
}

// An Assignment sets a variable for a nested run.
type Assignment struct {
	Name  string
	Value value.Value
}

// Apply turns a match into what it would do: first by the roles of its words,
// then by the rules of its commands.
func (m *Match) Apply() *Result {
	node := m.Node()
	r := &Result{Match: m, Summary: node.Summary, Prints: node.Prints}
	for i := len(m.Chain) - 1; r.Summary == "" && i >= 0; i-- {
		r.Summary = m.Chain[i].Summary
	}
	if m.Help || m.Has("help") {
		r.Summary, r.Prints, r.Help = "", PrintsText, true
		r.opened(m)
		return r
	}
	for i := range m.Args {
		b := &m.Args[i]
		if b.Arg.Role == Argv {
			continue
		}
		if b.Arg.When.Holds(m) {
			r.role(m, b.Arg.Role, b.Arg, b.Value)
		}
	}
	r.argv(m)
	for _, c := range m.Chain {
		for i := range c.Effects {
			if c.Effects[i].When.Holds(m) {
				r.rule(m, &c.Effects[i])
			}
		}
	}
	for _, u := range m.Unknown {
		r.Unknowns = append(r.Unknowns, risk.Unknown{What: u, Role: risk.RoleOption})
	}
	if !m.Missing.Empty() {
		r.missing(m)
	}
	r.verbs(m)
	if m.Has("dry") {
		r.dry(m)
	}
	return r
}

// changingWords are the usual names of subcommands that change the state of a
// service.
var changingWords = []string{
	"add", "apply", "assign", "attach", "create", "deploy", "detach", "disable", "edit", "enable", "import", "invite", "new", "promote", "put", "publish", "reboot",
	"rename", "restart", "restore", "rollback", "rotate", "scale", "set", "start", "stop", "transfer", "update", "upgrade", "upload",
}

// readingWords are the usual names of subcommands that read: what follows them
// is no verb.
var readingWords = []string{"get", "describe", "list", "ls", "show", "view", "logs", "explain", "help", "search", "find", "inspect", "info", "status", "diff", "wait", "can-i"}

// verbs corrects what is told as reading although the next word is a verb of
// another kind: tools name a thing and then what to do with it, and new verbs
// come with new versions.
func (r *Result) verbs(m *Match) {
	if len(m.operands) == 0 || len(m.Chain) < 2 || slices.Contains(readingWords, m.verb) {
		return
	}
	word, known := m.operands[0].Known()
	if !known {
		return
	}
	verb := risk.RemoteRead
	switch word := strings.ToLower(word); {
	case slices.Contains(destructiveWords, word), word == "rm", word == "remove", word == "del":
		verb = risk.RemoteDestroy
	case slices.Contains(changingWords, word):
		verb = risk.RemoteChange
	default:
		return
	}
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Verb == risk.RemoteRead {
			e.Verb = verb
		}
	}
	named := func(e Effect) bool { // the verb is no thing
		text, known := e.Target.Known()
		return known && text == word && e.Verb == verb
	}
	if n := slices.IndexFunc(r.Effects, named); n >= 0 && len(r.Effects) > 1 {
		r.Effects = slices.DeleteFunc(r.Effects, named)
	} else if n >= 0 {
		r.Effects[n].Target = value.Value{}
	}
}

// dry keeps what a dry run still does: it reads, and starts the project's code
// that it would start. Only the program's own effects are left out.
// A log or a report that an option names is written all the same.
func (r *Result) dry(m *Match) {
	reported := map[string]bool{}
	for i := range m.Args {
		if b := &m.Args[i]; b.Arg.Name != "" && (b.Arg.Role == Writes || b.Arg.Role == Appends) && !m.IsOperand(b) {
			reported[b.Arg.Name] = true
		}
	}
	r.Effects = slices.DeleteFunc(r.Effects, func(e Effect) bool {
		if reported[e.Arg] {
			return false
		}
		switch e.Verb {
		case risk.FSRead, risk.RemoteRead, risk.NetFetch, risk.NetConnect, risk.ExecProject, risk.ExecUnknown:
			return false
		}
		return true
	})
}

// destructiveWords in an unlisted subcommand make it worth a review.
var destructiveWords = []string{"delete", "destroy", "drop", "purge", "wipe", "terminate", "erase", "nuke", "truncate", "uninstall-all", "factory-reset"}

// Destructive reports whether a subcommand's name says that it destroys.
func Destructive(word string) bool {
	word = strings.ToLower(camelPieces(word))
	for piece := range strings.FieldsFuncSeq(word, func(r rune) bool { return r == '-' || r == '_' || r == ':' || r == '.' }) {
		if slices.Contains(destructiveWords, piece) {
			return true
		}
	}
	return false
}

// camelPieces separates the words of a name like deleteUser with dashes.
func camelPieces(word string) string {
	var b strings.Builder
	for i := range len(word) {
		if i > 0 && word[i] >= 'A' && word[i] <= 'Z' && word[i-1] >= 'a' && word[i-1] <= 'z' {
			b.WriteByte('-')
		}
		b.WriteByte(word[i])
	}
	return b.String()
}

func (r *Result) missing(m *Match) {
	word := m.Missing.String()
	if Destructive(word) {
		r.Effects = append(r.Effects, Effect{Verb: risk.RemoteDestroy, Target: m.Missing, Kind: risk.KindUnlistedSubcommand})
		return
	}
	r.Unknowns = append(r.Unknowns, risk.Unknown{What: cmp.Or(m.as, m.Program.Names[0]) + " " + word, Role: risk.RoleSubcommand})
}

// verb is what a role means by itself.
func (r Role) verb() risk.Verb {
	switch r {
	case Reads, Shows, Uploads, Config:
		return risk.FSRead
	case Writes, Appends:
		return risk.FSWrite
	case Creates:
		return risk.FSCreate
	case Deletes:
		return risk.FSDelete
	case Moves:
		return risk.FSMove
	case Attr:
		return risk.FSAttr
	case URL:
		return risk.NetFetch
	case Host:
		return risk.NetConnect
	case Process:
		return risk.ProcSignal
	}
	return ""
}

// role records what a word means by its role alone.
func (r *Result) role(m *Match, role Role, arg *Arg, v value.Value) {
	text, known := v.Known()
	std := known && text == "-" || known && text == "stdin" && role != Deletes
	switch role {
	case Data, Pattern, SecretArg, Dir, Object, Argv:
	case Shell:
		r.Runs = append(r.Runs, Run{Kind: RunShell, Text: v, Lang: arg.Lang, Wrap: m.wrapped(), Arg: arg.Name})
	case Code:
		r.Runs = append(r.Runs, Run{Kind: RunCode, Text: v, Lang: arg.Lang, Wrap: m.wrapped()})
	case Script:
		r.Runs = append(r.Runs, Run{Kind: RunScript, Text: v, Lang: arg.Lang, Stdin: std, Wrap: m.wrapped()})
		r.ReadsStdin = r.ReadsStdin || std
	case Exec:
		run := Run{Kind: RunExec, Text: v, Wrap: m.wrapped(), Arg: arg.Name}
		if arg.Lang != "" {
			run = Reader(v)
			run.Wrap, run.Arg = m.wrapped(), arg.Name
		}
		r.Runs = append(r.Runs, run)
	case Plugin:
		r.Runs = append(r.Runs, Run{Kind: RunPlugin, Text: v, Wrap: m.wrapped(), Arg: arg.Name})
	default:
		if std {
			r.std(role)
			return
		}
		if role != Process && role != Host && role != URL && known && text == "" {
			return
		}
		r.add(m, Effect{Verb: role.verb(), Target: v, Arg: arg.Name, Shown: role == Shows, Kind: roleKind(role), Recursive: m.deletesWhole(role.verb(), arg.Flat)})
	}
}

// roleKind is the kind of the effect that a role alone makes.
func roleKind(role Role) risk.Kind {
	switch role {
	case Appends:
		return risk.KindAppend
	case Config:
		return risk.KindConfiguration
	}
	return risk.NoKind
}

// std handles the operand "-": standard input or output.
func (r *Result) std(role Role) {
	switch role {
	case Shows:
		r.ShowsStdin, r.ReadsStdin = true, true
	case Reads, Config, Uploads:
		r.ReadsStdin = true
	}
}

// deletesWhole reports whether what is deleted goes with all that is in it: it
// does unless the spec says otherwise, or has an option that decides.
func (m *Match) deletesWhole(verb risk.Verb, flat bool) bool {
	if verb != risk.FSDelete || flat {
		return false
	}
	return !slices.ContainsFunc(m.Chain, func(c *Command) bool { return c.Flag("recursive") })
}

// add appends an effect with the conventional flags filled in.
func (r *Result) add(m *Match, e Effect) {
	e.Recursive = e.Recursive || m.Has("recursive")
	e.Forced = e.Forced || m.Has("force")
	r.Effects = append(r.Effects, e)
}

// argv collects the words that make up a nested command line.
func (r *Result) argv(m *Match) {
	var run Run
	for i := range m.Args {
		if b := &m.Args[i]; b.Arg.Role == Argv && b.Arg.When.Holds(m) {
			run.Argv = append(run.Argv, b.Value)
		}
	}
	if len(run.Argv) > 0 {
		run.Wrap = m.wrapped()
		r.Runs = append(r.Runs, run)
	}
}

// Wrapped are the circumstances that the matched commands put around what they
// run; hooks use it for runs that the grammar cannot say.
func (m *Match) Wrapped() Wrapped { return m.wrapped() }

// withoutAsking stands for the name of an argument where the answer is always yes.
const withoutAsking = "true"

// wrapped resolves the circumstances that the matched commands put around
// what they run.
func (m *Match) wrapped() Wrapped {
	var w Wrapped
	for _, c := range m.Chain {
		if c.Wrap == (Wrap{}) {
			continue
		}
		w.Label = strings.Join(m.Path(), " ")
		w.Privileged = w.Privileged || c.Wrap.Privileged
		w.Secrets = w.Secrets || c.Wrap.Secrets == withoutAsking || m.Has(c.Wrap.Secrets)
		if v, ok := m.Value(c.Wrap.Host); ok && c.Wrap.Host != "" {
			w.Host = v.String()
			w.Label += " " + w.Host
		} else if c.Wrap.Remote {
			w.Host = "remote"
		}
		if v, ok := m.Value(c.Wrap.Container); ok && c.Wrap.Container != "" {
			w.Container = v.String()
			w.Label += " " + w.Container
		}
	}
	return w
}

// rule applies a stated effect, once for every word in its target's place.
func (r *Result) rule(m *Match, rule *Rule) {
	if rule.Role != Data {
		r.ruleRole(m, rule)
		return
	}
	e := Effect{Verb: rule.Verb, Kind: rule.Kind, Arg: rule.Target, Carries: r.sources(m, rule.Carries)}
	literal, isLiteral := strings.CutPrefix(rule.Target, "=")
	switch {
	case rule.Target == "":
		r.add(m, e)
	case isLiteral:
		e.Own, e.Recursive = true, m.deletesWhole(rule.Verb, rule.Flat)
		for _, where := range m.besides(rule.Kind, literal) {
			e.Target = value.Lit(where)
			r.add(m, e)
		}
	default:
		for _, v := range m.Values(rule.Target) {
			if s, ok := v.Known(); ok && s == "-" && strings.HasPrefix(string(rule.Verb), "fs.") {
				continue
			}
			e.Target, e.Recursive = v, m.deletesWhole(rule.Verb, rule.Flat)
			r.add(m, e)
		}
	}
}

func (r *Result) ruleRole(m *Match, rule *Rule) {
	arg := &Arg{Name: rule.Target, Role: rule.Role, Lang: rule.Lang, Flat: rule.Flat}
	if rule.Target == "stdin" {
		r.stdinRole(m, rule)
		return
	}
	if literal, ok := strings.CutPrefix(rule.Target, "="); ok {
		r.role(m, rule.Role, arg, value.Lit(literal))
		return
	}
	if rule.Role == Argv {
		if vs := m.Values(rule.Target); len(vs) > 0 {
			r.Runs = append(r.Runs, Run{Argv: vs, Wrap: m.wrapped()})
		}
		return
	}
	for _, v := range m.Values(rule.Target) {
		r.role(m, rule.Role, arg, v)
	}
}

// stdinRole says what becomes of standard input.
func (r *Result) stdinRole(m *Match, rule *Rule) {
	r.ReadsStdin = true
	switch rule.Role {
	case Shows:
		r.ShowsStdin = true
	case Shell, Script:
		lang := rule.Lang
		if lang == "" {
			lang = "sh"
		}
		r.Runs = append(r.Runs, Run{Kind: RunScript, Lang: lang, Stdin: true, Wrap: m.wrapped()})
	case Code:
		r.Runs = append(r.Runs, Run{Kind: RunCode, Lang: rule.Lang, Stdin: true, Wrap: m.wrapped()})
	}
}

func (r *Result) sources(m *Match, names []string) []Source {
	var out []Source
	for _, n := range names {
		if n == "stdin" {
			out = append(out, Source{Stdin: true})
			r.ReadsStdin = true
			continue
		}
		for _, v := range m.Values(n) {
			if s, ok := v.Known(); ok && s == "-" {
				out = append(out, Source{Stdin: true})
				r.ReadsStdin = true
				continue
			}
			out = append(out, Source{Path: v})
		}
	}
	return out
}
