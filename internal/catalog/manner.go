package catalog

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// What an option makes of an answer is said once for a program: its manners stand
// behind each phrase of what it shows, and of what its subcommands show. These slots
// are for them, and for options that have no name in the grammar:
//
//	{--query}           the words of an option, by one of its spellings
//	{-r|--range}        the words of one that is listed as several
//	{form:-o|--output}  what its word makes of the answer: " as JSON", " by name only"
//
// The form itself need not be said of options that are called --output, -o, --format or
// --output-format and whose word has no other meaning, nor of --json without a word. A
// manner that is "-" ends them: those of the commands around do not count.

// noManner ends the manners.
const noManner = "-"

// roomForManner is how long a sentence may have become, in characters, with a manner.
const roomForManner = 100

// showing are the verbs of phrases that tell what is put before a reader.
var showing = []string{"Lists", "Shows", "Prints", "Describes", "Searches", "Finds", "Explains", "Compares", "Counts"}

// inManner adds to what is said what options make of the answer.
func (r *Result) inManner(said *Said, show Show) {
	if r.changes() {
		return
	}
	f := filling{r: r, show: show}
	own := r.Match.manners()
	if verb, _, _ := strings.Cut(said.Text, " "); slices.Contains(showing, verb) && !slices.ContainsFunc(own, Manner.none) {
		for _, o := range r.Match.given {
			if o.inJSON() {
				said.add(" as JSON", true)
			} else if o.answers() {
				how, ok := f.form(o.Names[0])
				said.add(how, ok)
			}
		}
		for _, name := range r.Match.accepted {
			if slices.Contains(asJSON, name) {
				said.add(" as JSON", true)
			}
		}
	}
	for _, m := range own {
		if m.none() {
			return
		}
		if f.unshown = false; !m.phrase().When.surely(r.Match, r) {
			continue
		}
		if how, ok := f.fill(m.Of.reading().manner[m.N]); said.add(how.Text, ok && !f.unshown) {
			said.Manners = append(said.Manners, m)
		}
	}
}

// add puts a manner behind the first clause, where there is room and nothing says it.
func (s *Said) add(how string, ok bool) bool {
	how = ofOne(how)
	main, behind, more := strings.Cut(s.Text, "; ")
	if !ok || strings.Contains(main, how) || len([]rune(s.Text+how)) > roomForManner {
		return false
	}
	if s.Text = main + how; more {
		s.Text += "; " + behind
	}
	return true
}

// ofOne is a manner as it is told of one.
func ofOne(how string) string {
	switch how {
	case ", 1 times":
		return ", once"
	case ", 1 levels deep":
		return ", 1 level deep"
	}
	return how
}

// asJSON are options by which, without a word, an answer is JSON.
var asJSON = []string{"--json", "-json"}

// answers reports whether an option names the form of an answer: by its name, where the
// grammar has no other meaning for it.
func (o *Option) answers() bool {
	if o.Value == nil || o.Optional {
		return o.inJSON()
	}
	named := o.Value.Name != "" && o.Value.Name != "format"
	return !named && o.Value.Role == Data && slices.ContainsFunc(o.Names, func(n string) bool {
		return n == "--output" || n == "-o" || n == "--format" || n == "--output-format"
	})
}

// inJSON reports whether an option says that an answer is JSON, with a word or without.
func (o *Option) inJSON() bool {
	return len(o.Sets) == 0 && (o.Value == nil || o.Optional && o.Value.Name == "") && slices.ContainsFunc(o.Names, func(n string) bool { return slices.Contains(asJSON, n) })
}

// manners are those of the matched commands, the innermost first.
func (m *Match) manners() (all []Manner) {
	for _, c := range slices.Backward(m.Chain) {
		for i, t := range c.reading().manner {
			if t != nil {
				all = append(all, Manner{c, i})
			}
		}
	}
	return all
}

// A Manner is one of those that a command has.
type Manner struct {
	Of *Command
	N  int
}

func (m Manner) phrase() *Phrase { return &m.Of.reading().notes.Manner[m.N] }

func (m Manner) none() bool { return m.phrase().Text == noManner }

// changes reports whether there is an effect of more than reading.
func (r *Result) changes() bool {
	return len(r.Runs) > 0 || slices.ContainsFunc(r.Effects, func(e Effect) bool { return e.Verb != risk.SecretRead && !readsOnly(e.Verb, Data) })
}

// spelled are the words of an option that was given, by one of its spellings, listed or
// not; none where they are no text.
func (m *Match) spelled(spellings string) (words []value.Value) {
	options := strings.Split(spellings, "|")
	among := func(name string) bool { return slices.Contains(options, name) }
	for i := range m.Args {
		b := &m.Args[i]
		if (b.Arg.Role == Data || b.Arg.Role == Pattern) && !b.Default && slices.ContainsFunc(m.given, func(o *Option) bool { return o.Value == b.Arg && slices.ContainsFunc(o.Names, among) }) {
			words = append(words, b.Value)
		}
	}
	for i := range m.params {
		p := &m.params[i]
		if slices.ContainsFunc(m.accepted, func(name string) bool { return among(name) && p.name == strings.TrimLeft(name, "-") }) {
			words = append(words, p.words...)
		}
	}
	return words
}

// inForm is what a word that names the form of an answer makes of it; "" of others.
func inForm(word string) string {
	switch strings.ToLower(word) {
	case "json", "jsonc":
		return "as JSON"
	case "yaml", "yamlc", "yml":
		return "as YAML"
	case "csv":
		return "as CSV"
	case "tsv":
		return "as columns with tabs between"
	case "xml":
		return "as XML"
	case "table":
		return "as a table"
	case "html":
		return "as HTML"
	case "markdown", "md":
		return "as Markdown"
	case "toml":
		return "as TOML"
	case "text", "plain":
		return "as plain text"
	case "jsonl", "json-lines", "ndjson", "json-stream":
		return "as lines of JSON"
	case "junit":
		return "as JUnit XML"
	case "sarif":
		return "as SARIF"
	case "wide":
		return "with more columns"
	case "name":
		return "by name only"
	case "hcl":
		return "as HCL"
	case "dot":
		return "as a graph for Graphviz"
	}
	return ""
}

// form says what the word of an option makes of the answer.
func (f *filling) form(option string) (string, bool) {
	words := f.r.Match.spelled(option)
	if len(words) == 0 {
		return "", false
	}
	text, known := words[len(words)-1].Known()
	text = strings.TrimPrefix(text, "=") // -o=json, as programs in Go read it
	if how := inForm(text); known && how != "" {
		return " " + how, true
	}
	if !known {
		return "", false
	}
	table := ""
	if fields, ok := strings.CutPrefix(text, "table "); ok {
		table, text = " as a table", fields
	}
	if fields := templateFields(text); len(fields) > 0 && len(fields) <= 3 {
		var all []value.Value
		for _, name := range fields {
			all = append(all, value.Lit(name))
		}
		picked := f.show(option, all)
		return table + ", only " + picked, picked != ""
	}
	for _, prefix := range [...]string{"jsonpath=", "custom-columns=", "go-template=", "value(", "csv(", "table("} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			picked := f.show(option, []value.Value{value.Lit(strings.TrimSuffix(rest, ")"))})
			return ", only " + picked, picked != "" && len(picked) <= 30
		}
	}
	return "", false
}

// templateFields are the fields that a template of Go shows one after the other; none
// where it does more with them.
func templateFields(text string) (fields []string) {
	for {
		before, rest, ok := strings.Cut(text, "{{")
		if strings.ContainsAny(before, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") && strings.Trim(before, "\\tn") != "" {
			return nil
		}
		if !ok {
			return fields
		}
		field, after, closed := strings.Cut(rest, "}}")
		field = strings.TrimSpace(field)
		if field = strings.TrimPrefix(strings.TrimPrefix(field, "json "), "."); !closed || field == "" || !tellable(strings.ReplaceAll(field, ".", "")) {
			return nil
		}
		fields, text = append(fields, field), after
	}
}
