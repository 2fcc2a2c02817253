package catalog

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/value"
)

// Many programs are a table of things and of what can be done to them: `az vm
// delete`, `aws ec2 terminate-instances`, `doctl compute droplet list`. What they
// do is told by their words, with what a spec says of these: its terms are what
// people call the things, and its phrases `below` are those of all subcommands
// that have none of their own. These slots are filled from the words:
//
//	{Act}     the verb: Deletes, Lists
//	{Thing}   what it is done to: virtual machine; several if several are named, as it
//	          is written if none is
//	{Things}  the same of several: virtual machines
//	{Noun}    the same, with a or an before it
//	{Named}   which of them: operands, or parameters that are called so
//	{Owner}   what they belong to: resource group web
//	{From}    what they are taken from or added to: from group web
//	{Settings} what the other parameters say: size-gb 200
//	{Program} the program's name

// A Term is what people call a word, or several words, of a command line.
type Term struct {
	Word string // "nic", "network nic"; "" for what a verb alone acts on
	Says string // "network interface"; "-" for nothing
}

// DerivedSlots are the names of slots that the words of a command line fill.
func DerivedSlots() []string {
	return []string{"Act", "Thing", "Things", "Noun", "Named", "Owner", "From", "Settings", "Program"}
}

// derivedArgs are the arguments that the derived slots are bound as.
var derivedArgs = once.Value[[]Arg]{Make: func() []Arg {
	var args []Arg
	for _, name := range DerivedSlots() {
		args = append(args, Arg{Name: name, Role: Object})
	}
	return args
}}

// A parameter is an option with its words, of those that the grammar does not
// list too.
type parameter struct {
	name  string // without dashes
	words []value.Value
	// attached says that the first word stands behind an equals sign.
	attached bool
}

// A telling is what the words of an invocation say.
type telling struct {
	act act
	// written is what the things are called in the number in which they are written.
	written, thing, things string

	stems []string // the things as parameters name them: db-instance
	// groups are the words that lead to a verb with nothing behind it: of these the last is
	// the thing, and those before it what it belongs to (the variables of a pipeline).
	groups []string
	// whose is what the plain --name names, where that is what the things belong to.
	whose string
	named []value.Value
	// deep is set where the things are of other things, and --name may be of these.
	deep  bool
	owner string // "resource group"
	owned value.Value
	// from is how the things and what they are taken from or added to are joined, and
	// other what that is as parameters name it: from, group.
	from, other string
	program     string
	// settings are the parameters that name neither.
	settings []parameter
	// operands is set where those that are named are operands, and line where several of
	// them are told as they stand in a line, since they may be of several kinds.
	operands, line bool
}

// sayBelow tells by the phrases that the commands around the innermost one have for
// those without, the innermost first, and then by those for every service.
func (r *Result) sayBelow(show Show) (Said, bool) {
	m := r.Match
	if len(m.Chain) < 2 || !m.Missing.Empty() || len(m.Unknown) > 0 {
		return Said{}, false
	}
	t := r.tell()
	with := *r
	with.Match = t.bound(m)
	f := filling{r: &with, show: show, told: t}
	for _, c := range slices.Backward(m.Chain) {
		read := c.reading()
		if len(read.below) == 0 || t.act.says != "" && !r.agrees(t.act, true) {
			continue
		}
		if r.blank(read.notes.Below) {
			return Said{}, false
		}
		said, ok, unshown := r.first(read.notes.Below, read.below, f)
		if said.Of, said.Below = c, true; ok || unshown {
			return t.ofThing(said, read.notes.Below), ok
		}
	}
	if !r.agrees(t.act, false) {
		return Said{}, false
	}
	says := defaults.Get()
	t.line = t.operands && len(t.named) > 1
	if t.line {
		t.thing = one(t.written)
		with.Match = t.bound(m)
	}
	said, ok, _ := r.first(says.phrases, says.templates, f)
	return t.ofThing(said, says.phrases), ok
}

// ofThing adds to what is said which things it is said of, where its phrase has them.
func (t *telling) ofThing(said Said, of []Phrase) Said {
	if said.Text != "" && strings.Contains(of[said.Phrase].Text, "{Thing}") {
		said.Thing, said.Kind, said.Several = t.thing, one(t.thing), len(t.named) > 1 && !t.line
	}
	return said
}

// derived fills a slot from the words of the command line.
func (f *filling) derived(p *Piece) (string, bool) {
	if f.told == nil {
		return "", false
	}
	if p.Slot == "Settings" {
		text := f.settings()
		return text, text != ""
	}
	own, words := f.told.slot(p.Slot)
	if len(words) == 0 {
		return own, own != ""
	}
	text := ""
	if f.told.line && p.Slot == "Named" {
		var all []string
		for _, w := range words[:min(len(words), 4)] {
			all = append(all, f.show(p.Slot, []value.Value{w}))
		}
		if text = strings.Join(all, " "); slices.Contains(all, "") {
			text = ""
		}
	} else {
		text = f.show(p.Slot, words)
	}
	f.unshown = f.unshown || text == ""
	if own != "" {
		own += " "
	}
	return own + text, text != ""
}

// maxSettings is how many parameters are told of what is changed.
const maxSettings = 3

// settings are the parameters of what is changed with their words: "" where one of them
// cannot be told.
func (f *filling) settings() string {
	var all []string
	for _, p := range f.told.settings {
		words := f.show("Settings", p.words)
		if words == "" || len(all) == maxSettings {
			return ""
		}
		all = append(all, p.name+" "+words)
	}
	return strings.Join(all, ", ")
}

// sets reports whether a parameter says to what something is changed, and no secret: it
// neither says which thing, nor where, nor how the answer looks.
func (p *parameter) sets() bool {
	for _, word := range []string{"password", "secret", "token", "key", "credential", "pass", "pwd", "auth", "cert", "file", "body", "json"} {
		if strings.Contains(p.name, word) {
			return false
		}
	}
	switch p.name {
	case "output", "query", "o", "n", "g", "p", "f", "s", "resource-group", "subscription", "filter", "format", "profile", "region", "project", "location", "zone",
		"org", "organization", "ids", "id", "arn", "name", "account", "configuration", "verbosity", "endpoint-url", "no-cli-pager", "context", "namespace", "cluster", "host", "url", "limit":
		return false
	}
	return len(p.words) > 0 && tellable(p.name)
}

// tell takes the words of the invocation apart.
func (r *Result) tell() *telling {
	m := r.Match
	t := &telling{program: m.Program.Names[0]}
	if m.as != "" {
		t.program = m.as
	}
	terms, within := m.terms()
	called, _ := m.acted()
	verb, before, after := t.verb(called)
	if len(before) > 1 && before[0] == "admin" { // who may, not what
		before = before[1:]
	}
	if verb {
		after = t.parted(after)
		if len(before) > 0 && slices.Contains(within, before[0]+"/name") && strings.Join(slices.Concat(before[1:], after), "") != "" && slices.ContainsFunc(m.parameters(), func(p parameter) bool { return stemOf(p.name) == "" }) {
			t.whose, before = before[0], before[1:] // az webapp log tail --name
		}
		t.name(terms, before, after)
	}
	t.find(m, within, terms)
	return t
}

// parted takes from the words behind a verb what the things are taken from, added to, or
// of: remove-user-from-group, list-tags-for-stream.
func (t *telling) parted(after []string) []string {
	joins := []string{"for", "in"}
	switch t.act.says {
	case "Removes", "Deregisters", "Detaches", "Disassociates", "Unassigns":
		joins = []string{"from"}
	case "Adds", "Attaches", "Associates", "Assigns":
		joins = []string{"to"}
	}
	if len(after) != 1 {
		return after
	}
	for _, join := range joins {
		if things, other, ok := strings.Cut(after[0], "-"+join+"-"); ok && things != "" && other != "" {
			t.from, t.other = join, one(other)
			return []string{things}
		}
	}
	return after
}

// terms are those of the matched commands, the innermost first.
func (m *Match) terms() (terms []Term, within []string) {
	for _, c := range slices.Backward(m.Chain) {
		n := c.Notes()
		terms, within = append(terms, n.Terms...), append(within, n.Within...)
	}
	return terms, within
}

// verb finds the verb in the words of subcommands: the last word that is one, or
// that begins or ends with one. It returns the words before it, and those behind
// it.
func (t *telling) verb(called []string) (ok bool, before, after []string) {
	var words [][]string
	for _, w := range called {
		if i := strings.Index(w, "-by-"); i > 0 {
			w = w[:i]
		}
		for part := range strings.SplitSeq(w, ":") { // heroku apps:destroy
			if !tellable(part) {
				return false, nil, nil
			}
			split := strings.FieldsFunc(strings.ToLower(part), func(r rune) bool { return r == '-' || r == '_' })
			if len(split) > 1 && split[0] == "admin" || len(split) > 2 && split[0] == "batch" { // who may, or how many, not what: admin-create-user
				split = split[1:]
			}
			words = append(words, split)
		}
	}
	table := acts.Get()
	join := func(words [][]string) (out []string) {
		for _, w := range words {
			out = append(out, strings.Join(w, "-"))
		}
		return out
	}
	for i, w := range slices.Backward(words) {
		whole := strings.Join(w, "-")
		rest := join(words[i+1:])
		first, isFirst := table[w[0]]
		last, isLast := table[w[len(w)-1]]
		if a, is := table[whole]; is {
			t.act = a
			return true, join(words[:i]), rest
		}
		switch {
		case strings.Contains(nounActs, " "+whole+" "):
			t.act = act{says: "Shows", reads: true}
			return true, join(words[:i]), append([]string{whole}, rest...)
		case isFirst:
			t.act = first
			return true, join(words[:i]), append([]string{strings.Join(w[1:], "-")}, rest...)
		case isLast:
			t.act = last
			return true, append(join(words[:i]), strings.Join(w[:len(w)-1], "-")), rest
		}
	}
	return false, nil, nil
}

// tellable reports whether a word may stand in a sentence as it is.
func tellable(w string) bool {
	return w != "" && len(w) <= 40 && w[0] != '-' && w[0] != '_' && strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == "" && strings.Trim(w, "-_") != ""
}

// name says what the things are called: those behind the verb, of those before
// it.
func (t *telling) name(terms []Term, before, after []string) {
	whose, things := called(terms, before), called(plain(terms), after)
	if whose == "" && things == "" { // what a verb that stands alone acts on
		for i := range terms {
			if terms[i].Word == "" {
				things = terms[i].Says
				break
			}
		}
	}
	for _, w := range slices.Concat(after, before) {
		t.stems = append(t.stems, one(w))
	}
	t.deep = deep(terms, before)
	if len(after) == 0 {
		t.groups = before
	}
	proper := whose != "" && whose[0] >= 'A' && whose[0] <= 'Z'
	switch {
	case things == "":
		t.written, t.thing, t.things = whose, one(whose), many(whose)
	case whose == "":
		t.written, t.thing, t.things = things, one(things), many(things)
	case proper: // EC2 instances
		whose += " "
		t.written, t.thing, t.things = whose+things, whose+one(things), whose+many(things)
	default: // IP addresses of the virtual machine
		t.written = things + " of the " + one(whose)
		t.thing, t.things = t.written, t.written
	}
}

// deep reports whether the groups that lead to a verb are several things, by what
// people call them: the repository of a registry. Those that a term has for one, or
// leaves out, are not.
func deep(terms []Term, before []string) bool {
	things := 0
	for i, word := range before {
		rest := strings.Join(before[i:], " ")
		if i+1 < len(before) && slices.ContainsFunc(terms, func(t Term) bool { return t.Word == rest || t.Word == one(rest) }) {
			return things > 0
		}
		if k := slices.IndexFunc(terms, func(t Term) bool { return t.Word == word }); k < 0 || terms[k].Says != "-" && !brand(terms[k].Says) {
			things++
		}
	}
	return things > 1
}

// called writes words as people call what they stand for: by the terms of as
// many of the last words as there are, else as they are.
func called(terms []Term, words []string) string {
	find := func(key string) (string, bool) {
		for _, form := range []string{key, one(key)} {
			for i := range terms {
				if terms[i].Word == form {
					says := strings.TrimPrefix(terms[i].Says, "-")
					if form != key {
						says = many(says)
					}
					return says, true
				}
			}
		}
		return "", false
	}
	for i := range words {
		if says, ok := find(strings.Join(words[i:], " ")); ok {
			if i > 0 {
				if before := called(terms, words[:i]); before != "" && before[0] >= 'A' && before[0] <= 'Z' && says != "" && !(says[0] >= 'A' && says[0] <= 'Z') {
					return before + " " + says
				}
			}
			return says
		}
	}
	var out []string
	for i, w := range words {
		if says, ok := find(w); ok {
			w = says
		} else {
			parts := strings.Split(w, "-")
			for j, p := range parts {
				if says, ok := find(p); ok && !brand(says) {
					parts[j] = says
				}
			}
			w = strings.Join(parts, " ")
		}
		if i+1 < len(words) {
			w = one(w)
		}
		if len(out) > 0 { // DNS, and DNS record set
			_, last := lastWord(out[len(out)-1])
			w = strings.TrimPrefix(w, last+" ")
		}
		if w != "" {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// brand reports whether a word is the name of a service, which as a part of another
// word is no more than that word: the log-events of CloudWatch are none of EventBridge.
func brand(says string) bool {
	return says != "" && says[0] >= 'A' && says[0] <= 'Z' && strings.ToUpper(says) != says && !plural(says)
}

// plain are the terms that are no names of services.
func plain(terms []Term) []Term {
	return slices.DeleteFunc(slices.Clone(terms), func(t Term) bool { return brand(t.Says) })
}

// find takes from the parameters and operands which things are meant, and what
// they belong to.
func (t *telling) find(m *Match, within []string, terms []Term) {
	params := m.parameters()
	fallback := []value.Value(nil)
	group := one(called(terms, []string{"resource-group"})) // which says less than others
	if t.from != "" {
		t.owner = one(called(terms, []string{t.other}))
	}
	// --name is then the thing, and --nsg-name what it belongs to
	named := t.whose == "" && slices.ContainsFunc(params, func(p parameter) bool { return stemOf(p.name) == "" && len(p.words) > 0 })
	for _, p := range params {
		stem := stemOf(p.name)
		words := p.words
		if len(words) > 1 && !strings.HasSuffix(p.name, "s") {
			words = words[:1]
		}
		switch {
		case len(words) == 0:
		case strings.HasPrefix(p.name, "max-"): // how many
			if p.sets() {
				t.settings = append(t.settings, p)
			}
		case stem == "" && t.whose != "":
			if t.owner == "" || t.owner == group {
				t.owner, t.owned = one(called(terms, []string{t.whose})), words[0]
			}
		case stem == "":
			if fallback == nil {
				fallback = words
			}
		case t.from != "" && (stem == t.other || sameThing(t.other, stem) && !slices.Contains(t.stems, stem)):
			t.owned = words[0]
		case len(words) == 1 && t.ofGroup(terms, stem):
			t.owned = words[0]
		case t.named == nil && t.from == "" && slices.Contains(within, stem) && slices.ContainsFunc(t.stems, func(s string) bool { return strings.HasSuffix(s, "-"+stem) }):
			t.named = words // the --group-id of a security-group
		case t.named == nil && (slices.Contains(t.stems, stem) && !(named && slices.Contains(within, stem)) || !slices.Contains(within, stem) && slices.ContainsFunc(t.stems, func(s string) bool { return sameThing(s, stem) })):
			t.named = words
		case (t.owner == "" && t.from == "" || t.owner == group && stem != "resource-group") && slices.Contains(within, stem) && len(words) == 1:
			t.owner, t.owned = one(called(terms, []string{stem})), words[0]
		case p.sets() && !slices.Contains(within, stem):
			t.settings = append(t.settings, p)
		}
	}
	if t.named == nil && !t.deep {
		t.named = fallback
	}
	if t.named == nil && t.whose == "" {
		t.named, t.operands = m.operandNames(params), true
	}
	if len(t.named) == 0 && t.owner == "" && t.from == "" && t.whose == "" {
		t.about(params, terms)
	}
	switch len(t.named) {
	case 0:
		if t.thing = t.written; len(t.groups) > 0 && slices.Contains([]string{"Deletes", "Removes", "Destroys", "Disables"}, t.act.says) && !m.Given("--all") && !m.Given("-a") {
			t.thing = one(t.written) // sites:delete
		}
	case 1:
	default:
		t.thing = t.things
	}
}

// about takes the first parameter that names something for what the things belong to, or
// are made for, where nothing else says which are meant: --volume-id of create-snapshot.
func (t *telling) about(params []parameter, terms []Term) {
	at := slices.IndexFunc(params, func(p parameter) bool {
		stem := stemOf(p.name)
		switch stem {
		case "", one(p.name), "account", "aws-account", "catalog", "client", "client-request", "kms-key", "owner", "project", "request", "role", "subscription", "tenant":
			return false
		}
		return len(p.words) == 1 && tellable(stem) && !strings.HasSuffix(p.name, "url") && !strings.Contains(stem, "token")
	})
	if at < 0 {
		return
	}
	t.owner, t.owned = one(called(terms, []string{stemOf(params[at].name)})), params[at].words[0]
	if t.act.says == "Creates" {
		t.from = "for"
	}
}

// ofGroup takes a parameter for what the things belong to, where its stem is that of a
// group around theirs: --pipeline-id of `az pipelines variable`. The things are then
// called without that group, and --name is theirs.
func (t *telling) ofGroup(terms []Term, stem string) bool {
	last := len(t.groups) - 1
	if last < 1 || sameThing(one(t.groups[last]), stem) || t.groups[last] == "" {
		return false
	}
	at := slices.IndexFunc(t.groups[:last], func(g string) bool { return sameThing(one(g), stem) })
	if at < 0 {
		return false
	}
	owner := one(called(terms, t.groups[:at+1]))
	if owner == "" {
		return false
	}
	t.owner, t.deep = owner, false
	if whole := strings.Join(t.groups[at:], " "); slices.ContainsFunc(terms, func(t Term) bool { return t.Word == whole || t.Word == one(whole) }) {
		return true // people have a name for both together
	}
	t.groups = slices.Delete(slices.Clone(t.groups), at, at+1)
	t.written = called(terms, t.groups)
	t.thing, t.things = one(t.written), many(t.written)
	return true
}

// sameThing reports whether a parameter's stem is that of a thing: a group of an
// auto-scaling-group, the username of a user, the key of a key-pair.
func sameThing(thing, stem string) bool {
	return stem == thing || thing != "" && (stem == thing+"name" || thing == stem+"-pair" || strings.HasSuffix(thing, "-"+stem) || strings.HasSuffix(stem, "-"+thing))
}

// stemOf is what a parameter is about: --db-instance-identifier is of a
// db-instance, --name of nothing that it says.
func stemOf(name string) string {
	for _, end := range []string{"ids", "id", "identifiers", "identifier", "names", "name", "arns", "arn", "urn", "display-name", "url"} {
		if name == end && end != "url" {
			return ""
		}
		if stem, ok := strings.CutSuffix(name, "-"+end); ok {
			return one(stem)
		}
	}
	return one(name)
}

// parameters are the options that were given with words.
func (m *Match) parameters() []parameter {
	var out []parameter
	seen := map[*Option]bool{}
	for _, o := range m.given {
		if o.Value == nil || seen[o] {
			continue
		}
		seen[o] = true
		name := ""
		for _, n := range o.Names {
			if n = strings.TrimLeft(n, "-"); len(n) > len(name) {
				name = n
			}
		}
		var words []value.Value
		for i := range m.Args {
			if m.Args[i].Arg == o.Value {
				words = append(words, m.Args[i].Value)
			}
		}
		out = append(out, parameter{name: name, words: words})
	}
	return append(out, m.params...)
}

// acted returns the subcommands up to a verb behind which any word may stand, and what is
// named behind them. Where another verb stands there, it is no name that does.
func (m *Match) acted() (called []string, named []value.Value) {
	if m.names == 0 || slices.ContainsFunc(m.called[m.names:], isAct) {
		return m.called, m.operands
	}
	for i, w := range m.called[m.names:] {
		if m.ofOption>>(m.names+i)&1 == 0 {
			named = append(named, value.Lit(w))
		}
	}
	return m.called[:m.names], append(named, m.operands...)
}

// operandNames are the operands that are no words of parameters: of key=value only the
// key, since the value may be a secret.
func (m *Match) operandNames(params []parameter) (out []value.Value) {
	_, words := m.acted()
	for _, w := range words {
		taken := slices.ContainsFunc(params, func(p parameter) bool {
			return slices.ContainsFunc(p.words, func(v value.Value) bool { return v.String() == w.String() })
		})
		if text, _ := w.Known(); taken || text == "" && w.IsKnown() || text == "..." {
			continue
		}
		if key, _, ok := strings.Cut(w.Prefix(), "="); ok && key != "" && !strings.Contains(key, "/") {
			if !tellable(strings.ReplaceAll(key, ".", "-")) { // a comparison, of which the key is a part
				continue
			}
			w = value.Lit(key)
		}
		out = append(out, w)
	}
	return out
}

// slot returns the words of a derived slot: what stands before them in the
// catalog's own words, and those that are the command's.
func (t *telling) slot(name string) (own string, words []value.Value) {
	switch name {
	case "Act":
		return t.act.says, nil
	case "Thing":
		return t.thing, nil
	case "Things":
		return t.things, nil
	case "Noun":
		if t.thing == "" {
			return "", nil
		}
		return article(one(t.thing)) + " " + one(t.thing), nil
	case "Named":
		return "", t.named
	case "Owner":
		if t.owner == "" || t.from != "" {
			return "", nil
		}
		return t.owner, []value.Value{t.owned}
	case "From":
		switch {
		case t.from == "":
			return "", nil
		case t.owned.Empty():
			return t.from + " " + article(t.owner) + " " + t.owner, nil
		}
		return t.from + " " + t.owner, []value.Value{t.owned}
	case "Settings":
		for _, p := range t.settings {
			words = append(words, p.words...)
		}
		return "", words
	case "Program":
		return "", []value.Value{value.Lit(t.program)}
	}
	return "", nil
}

// bound returns the match with the derived slots as arguments, for conditions.
func (t *telling) bound(m *Match) *Match {
	with := *m
	args := derivedArgs.Get()
	with.Args = append(make([]Bound, 0, len(m.Args)+len(args)), m.Args...)
	for i := range args {
		own, words := t.slot(args[i].Name)
		if own != "" && len(words) == 0 {
			with.Args = append(with.Args, Bound{Arg: &args[i], Value: value.Lit(own)})
		}
		for _, w := range words {
			with.Args = append(with.Args, Bound{Arg: &args[i], Value: w})
		}
	}
	return &with
}
