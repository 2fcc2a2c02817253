package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A Phrase says in a person's words what an invocation does.
type Phrase struct {
	Text string // see [Template]
	When Cond
}

// A Template is a phrase taken apart.
//
//	Deletes {file}            the words of an argument
//	Pushes to {vcs.push}      the targets of the effects of a verb
//	Deletes {vcs.local:branch-delete}    and of a kind
//	Runs {subcommand}         the subcommand's name as it was written
//	Builds with {called}      the program's name as it was written, without a path
//	Allows {rule...}          the words of an argument as they stand in a line
//	Sets {word:2}             the second word of an argument
//	Sets {word:2...}          it and all after it, as they stand in a line
//	Deletes {#branch branch/branches}    how many words: "1 branch", "3 branches"
//	Shows history[ of {path}]            left out where a slot in it is empty
//	Lists {file}[-R? and all below]      left out unless the condition holds
type Template []Piece

// A Piece is fixed text, a slot, or a part that may be left out.
type Piece struct {
	Text string

	Slot  string // the name of an argument, a verb, "subcommand", or "called"
	Line  bool   // the words are told as one line
	Count bool   // how many words there are, and the noun for them
	One   string
	Many  string

	Part Template
	When Cond
}

// maxPhrase bounds the text of a phrase.
const maxPhrase = 3072

// ParseTemplate takes a phrase apart.
func ParseTemplate(text string) (Template, error) {
	if len(text) > maxPhrase {
		return nil, fmt.Errorf("a phrase is longer than %d bytes", maxPhrase)
	}
	t, err := parseTemplate(text, false)
	if err != nil {
		return nil, fmt.Errorf("phrase %q: %w", text, err)
	}
	return t, nil
}

func parseTemplate(text string, inside bool) (Template, error) {
	var t Template
	for text != "" {
		i := strings.IndexAny(text, "{}[]")
		if i < 0 {
			i = len(text)
		}
		if i > 0 {
			t, text = append(t, Piece{Text: text[:i]}), text[i:]
			continue
		}
		end := map[byte]string{'{': "}", '[': "]"}[text[0]]
		body, rest, ok := strings.Cut(text[1:], end)
		switch {
		case end == "" || !ok:
			return nil, fmt.Errorf("%q is not closed, or not opened", text[:1])
		case end == "]" && inside:
			return nil, fmt.Errorf("a part stands in a part")
		}
		read := parseSlot
		if end == "]" {
			read = parsePart
		}
		p, err := read(body)
		if err != nil {
			return nil, err
		}
		t, text = append(t, p), rest
	}
	return t, nil
}

// parseSlot reads "name", or "#name one/many".
func parseSlot(body string) (Piece, error) {
	name, noun, _ := strings.Cut(body, " ")
	p := Piece{Slot: name}
	if rest, ok := strings.CutPrefix(name, "#"); ok {
		p.Slot, p.Count = rest, true
		p.One, p.Many, ok = strings.Cut(noun, "/")
		if !ok || p.One == "" || p.Many == "" {
			return p, fmt.Errorf("{%s}: write {#NAME one/many}", body)
		}
	} else if rest, ok := strings.CutSuffix(name, "..."); ok {
		p.Slot, p.Line = rest, true
	}
	if !p.Count && noun != "" {
		return p, fmt.Errorf("{%s}: a slot is one name", body)
	}
	if p.Slot == "" || strings.ContainsAny(p.Slot, "{[") {
		return p, fmt.Errorf("{%s}: a slot is the name of an argument, a verb, or subcommand", body)
	}
	return p, nil
}

// parsePart reads "text", or "condition?text".
func parsePart(body string) (Piece, error) {
	var p Piece
	if cond, text, ok := strings.Cut(body, "?"); ok {
		when, err := ParseCond(cond)
		if err != nil {
			return p, err
		}
		p.When, body = when, text
	}
	part, err := parseTemplate(body, true)
	if err == nil && len(part) == 0 {
		err = fmt.Errorf("a part is empty")
	}
	p.Part = part
	return p, err
}

// Show writes the words in a slot for a person: quoted, made visible, cut,
// joined. Where it returns "", the words cannot be told.
type Show func(slot string, words []value.Value) string

// Clause is the text of a slot that a hook has written as a part of the sentence, which stands
// as it is: those things, and that by which they are picked.
func Clause(slot string, words []value.Value) (string, bool) {
	if slot != "those" && slot != "that" || len(words) != 1 {
		return "", false
	}
	return words[0].Known()
}

// Said is a phrase that was filled.
type Said struct {
	Text   string
	Of     *Command // whose phrase it is; nil for one of no spec
	Below  bool     // it is one for subcommands that have none of their own
	Phrase int      // which of the command's it is
	Parts  []int    // which pieces of it were parts that are in
	// Thing is what it says is acted on, where that was made of the words of the command
	// line, Kind the same of one, and Several is set where it names more than one.
	Thing, Kind string
	Several     bool
	// Manners are those that stand behind it.
	Manners []Manner
}

// Say tells what the invocation does by the first of its command's phrases that
// holds and whose slots can all be filled, or else by one of those that the
// commands around it have for such.
func (r *Result) Say(show Show) (Said, bool) {
	said, ok := r.say(show)
	if ok {
		r.inManner(&said, show)
	}
	return said, ok
}

// Tell is Say, and plain is the same without what its options make of what it shows, as of
// an answer that goes elsewhere.
func (r *Result) Tell(show Show) (said Said, plain string, ok bool) {
	elsewhere := r.Elsewhere
	r.Elsewhere = true
	if said, ok = r.say(show); !ok {
		return said, "", false
	}
	plain, r.Elsewhere = said.Text, elsewhere
	if !elsewhere && said.Of != nil && said.Of.reading().printed {
		said, ok = r.say(show)
	}
	r.inManner(&said, show)
	return said, plain, ok
}

func (r *Result) say(show Show) (Said, bool) {
	if r.Match == nil || r.Help {
		return Said{}, false
	}
	node := r.Match.Node()
	read := node.reading()
	if r.blank(read.notes.Says) {
		return Said{}, false
	}
	said, ok, unshown := r.first(read.notes.Says, read.templates, filling{r: r, show: show})
	if said.Of = node; ok || unshown {
		return said, ok
	}
	return r.sayBelow(show)
}

// first fills the first of some phrases that holds. Where words were given that
// cannot be told, it is not as if they had not been given, and there is none.
func (r *Result) first(says []Phrase, templates []Template, f filling) (said Said, ok, unshown bool) {
	for i := range says {
		p, t := &says[i], templates[i]
		if t == nil || !p.When.surely(f.r.Match, f.r) {
			continue
		}
		said, ok := f.fill(t)
		if f.unshown {
			return Said{}, false, true
		}
		if ok {
			said.Phrase = i
			if r.Match.Has("dry") && !slices.Contains(p.When.Names(nil), "dry") {
				said.Text = rehearsal(said.Text)
			}
			return said, true, false
		}
	}
	return Said{}, false, false
}

// rehearsal makes of what a program does what a dry run of it says.
func rehearsal(text string) string {
	text, _, _ = strings.Cut(text, "; ") // what comes of it does not
	first := text[:min(1, len(text))]
	return "Shows what it would do: " + strings.ToLower(first) + text[len(first):]
}

// blank reports whether an argument that phrases tell of was given and is empty: that
// is not as if it had not been given.
func (r *Result) blank(says []Phrase) bool {
	return slices.ContainsFunc(r.Match.Args, func(b Bound) bool {
		return !b.Default && b.Value.Empty() && len(r.words(b.Arg.Name)) == 0 &&
			slices.ContainsFunc(says, func(p Phrase) bool { return strings.Contains(p.Text, "{"+b.Arg.Name+"}") })
	})
}

// filling fills the slots of one phrase.
type filling struct {
	r    *Result
	show Show
	over map[string][]value.Value // words that stand for those of the arguments
	told *telling                 // what the words of the command line say, if that is asked
	// unshown is set when a slot has words that cannot be told.
	unshown bool
}

func (f *filling) fill(t Template) (Said, bool) {
	var b strings.Builder
	b.Grow(64) // enough for most
	var said Said
	for i := range t {
		p := &t[i]
		switch {
		case p.Slot != "":
			text, ok := f.slot(p)
			if !ok {
				return Said{}, false
			}
			b.WriteString(text)
		case len(p.Part) > 0:
			if !p.When.holds(f.r.Match, f.r, true) {
				continue
			}
			if part, ok := f.fill(p.Part); ok && p.When.surely(f.r.Match, f.r) {
				b.WriteString(part.Text)
				said.Parts = append(said.Parts, i)
			}
		default:
			b.WriteString(p.Text)
		}
	}
	said.Text = b.String()
	return said, true
}

// slot returns the text for a slot; there is none where it is empty, or where a
// word that is to be counted could be several.
func (f *filling) slot(p *Piece) (string, bool) {
	if derived(p.Slot) {
		return f.derived(p)
	}
	if option, ok := strings.CutPrefix(p.Slot, "form:"); ok {
		return f.form(option)
	}
	words, ok := f.over[p.Slot]
	if !ok {
		arg, n := Ordinal(p.Slot)
		words = f.r.words(arg)
		if p.Line && n > 0 {
			words = words[min(n-1, len(words)):]
		} else {
			words = nth(words, n)
		}
	}
	if len(words) == 0 {
		return "", false
	}
	if p.Line {
		words = inLine(words)
	}
	if !p.Count {
		text := f.show(p.Slot, words)
		f.unshown = f.unshown || text == ""
		return text, text != ""
	}
	for i := range words {
		if !words[i].IsKnown() {
			return "", false
		}
	}
	noun := p.Many
	if len(words) == 1 {
		noun = p.One
	}
	return strconv.Itoa(len(words)) + " " + noun, true
}

// Words are those that a slot of a phrase stands for.
func (r *Result) Words(slot string) []value.Value { return r.words(slot) }

// words are those that a slot stands for.
func (r *Result) words(slot string) []value.Value {
	switch {
	case isVerb(slot):
		return r.targets(slot)
	case strings.HasPrefix(slot, "-"):
		return r.Match.spelled(slot)
	case slot == condCalled && r.Match.as != "":
		return []value.Value{value.Lit(r.Match.as)}
	case slot == condSubcommand && r.Match.verb != "":
		return []value.Value{value.Lit(r.Match.verb)}
	}
	var words []value.Value
	line := false
	for i := range r.Match.Args {
		if b := &r.Match.Args[i]; b.Arg.Name == slot && !b.Value.Empty() {
			words = append(words, b.Value)
			line = line || b.Arg.Role == Argv || b.Arg.Until != ""
		}
	}
	if line && len(words) > 0 { // a command line is told as one
		return inLine(words)
	}
	return words
}

// inLine joins words with blanks.
func inLine(words []value.Value) []value.Value {
	all := words[0]
	for _, w := range words[1:] {
		all = value.Concat(all, value.Lit(" "), w)
	}
	return []value.Value{all}
}

// does reports whether there is an effect of that name.
func (r *Result) does(name string) bool {
	verb, kind, err := ParseEffect(name)
	return err == nil && slices.ContainsFunc(r.Effects, func(e Effect) bool { return e.named(verb, kind) })
}

// targets are those of the effects of that name, in order, each once.
func (r *Result) targets(name string) []value.Value {
	verb, kind, err := ParseEffect(name)
	if err != nil {
		return nil
	}
	var out []value.Value
	seen := map[string]bool{}
	for i := range r.Effects {
		e := &r.Effects[i]
		if text := e.Target.String(); e.named(verb, kind) && !e.Target.Empty() && !seen[text] {
			seen[text] = true
			out = append(out, e.Target)
		}
	}
	return out
}

func (e *Effect) named(verb risk.Verb, kind risk.Kind) bool {
	return e.Verb == verb && (kind == risk.NoKind || e.Kind == kind)
}
