package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Variables that are not set leave nothing of a word, or take it away. What is judged is
// the command with any value of them; what is told is how it ends as things are.

// An emptied invocation is one whose variables that are not set have become nothing.
type emptied struct {
	name   string        // the program's, where that is known
	words  []value.Value // without it
	names  []string      // of the variables, as they are written
	silent []string      // why nothing comes of others, as things are
	blank  bool          // one of the words is there and empty
	before string        // the option whose value went away, "" for none
	taken  string        // the word that is its value then
	last   bool          // there is none: it was the last word
}

// empty is what is left of an invocation; ok is false where no variable is known to be
// unset. A credential may well be set in the shell that runs it.
func empty(inv *shell.Invocation, m *catalog.Match) (out emptied, ok bool) {
	if !slices.ContainsFunc(inv.Argv, func(w shell.Word) bool { return !w.Value.IsKnown() }) {
		return out, false
	}
	var gone []int // how many words stand before those that went away
	valueAt := 0   // how many before the value of the option
	for i, w := range inv.Argv {
		if w.Value.IsKnown() {
			out.words = append(out.words, w.Value)
			continue
		}
		var b value.Builder
		some := false
		for _, p := range w.Value.Parts() {
			switch h := p.Hole; {
			case h == nil:
				b.WriteString(p.Lit)
			case h.Cause == risk.CauseUnset && h.Shape == value.AnyText && len(h.OneOf) == 0 && !value.CredentialName(h.Name):
				if some = true; !slices.Contains(out.names, h.String()) {
					out.names = append(out.names, h.String())
				}
			case h.Nothing:
				why := "`" + h.Name + "` prints nothing"
				if h.Cause == risk.CauseFile {
					why = path.Base(h.Name) + " is not there"
				}
				if some = true; !slices.Contains(out.silent, why) {
					out.silent = append(out.silent, why)
				}
			default:
				b.Add(value.Of(*h))
			}
		}
		switch left := b.Value(); {
		case !some:
			out.words = append(out.words, w.Value)
		case !left.Empty():
			out.words = append(out.words, left.FromPattern(w.Value.Pattern()))
		case w.Many && i > 0:
			gone = append(gone, len(out.words))
			if option := inv.Argv[i-1].Value.Prefix(); m != nil && strings.HasPrefix(option, "-") && valueOf(m, option, w.Value) {
				out.before, valueAt = option, len(out.words)
			}
		default:
			out.words, out.blank = append(out.words, left), true
		}
	}
	if len(out.names)+len(out.silent) == 0 || len(out.words) == 0 {
		return out, false
	}
	if out.before != "" && len(gone) > 0 {
		if out.last = valueAt == len(out.words); !out.last {
			out.taken, _ = out.words[valueAt].Known()
		}
	}
	out.name, _ = out.words[0].Known()
	out.words = out.words[1:]
	return out, true
}

// unset says which variables are not set, "" for none.
func (left emptied) unset() string {
	switch n := len(left.names); {
	case n > 2:
		return left.names[0] + " and other variables are not set"
	case n > 0:
		return strings.Join(left.names, " and ") + map[bool]string{true: " is", false: " are"}[n == 1] + " not set"
	}
	return ""
}

// why says what left nothing behind.
func (left emptied) why() string {
	switch unset, n := left.unset(), len(left.silent); {
	case n == 0:
		return unset
	case unset == "":
		return left.silent[n-1]
	default:
		return unset + " and " + left.silent[n-1]
	}
}

// of is an invocation with the words that are left of it.
func (left emptied) of(inv *shell.Invocation) *shell.Invocation {
	out := *inv
	out.Argv = []shell.Word{inv.Argv[0]}
	for _, w := range left.words {
		out.Argv = append(out.Argv, shell.Word{Value: w, Many: !w.IsKnown()})
	}
	return &out
}

// valueOf reports whether a word is the value of an option, and not of one, or of several in
// one word, that take none.
func valueOf(m *catalog.Match, option string, w value.Value) bool {
	flag := func(name string) bool {
		return slices.ContainsFunc(m.Options(), func(o *catalog.Option) bool { return o.Value == nil && slices.Contains(o.Names, name) })
	}
	if flag(option) || !strings.HasPrefix(option, "--") && !strings.ContainsFunc(option[1:], func(c rune) bool { return !flag("-" + string(c)) }) {
		return false
	}
	return slices.ContainsFunc(m.Args, func(b catalog.Bound) bool { return !m.IsOperand(&b) && b.Value.String() == w.String() })
}

// unset says how an invocation ends because of variables that are not set, or nil; aside is
// what is to be said of them where that is not known.
func (o outlook) unset(p program, site *catalog.Site) (e *risk.Ending, aside string) {
	left, ok := empty(o.inv, o.r.Match)
	if !ok || !o.Settled() || !o.understood() || o.r.Traits.Has(catalog.Echoes|catalog.ShellWord) {
		return nil, ""
	}
	names := left.why()
	as := *site
	then := outlook{o.machine, o.st, left.of(o.inv), o.catalog.Describe(p.spec, left.words, &as)}
	if then.r.Match == nil || then.r.Help {
		return nil, left.unset()
	}
	if o.r.Match.Excused() {
		return nil, ""
	}
	if left.last {
		return &risk.Ending{How: risk.EndFails, Because: left.before + " is given nothing, as " + names}, ""
	}
	if m := then.r.Match; m.Missing.Empty() && !m.Loose() {
		lacks := ""
		if m.Incomplete && len(then.r.Effects) == 0 && len(then.r.Runs) == 0 {
			lacks = telling(m.Lacking())
		}
		switch {
		case lacks != "" && len(m.Unknown) == 0:
			return &risk.Ending{How: risk.EndFails, Because: "no " + strings.ReplaceAll(lacks, "-", " ") + " is given, as " + names}, ""
		case left.blank && then.refusesEmpty():
			return &risk.Ending{How: risk.EndFails, Because: names}, ""
		}
	}
	if e := then.ending(); e != nil && (e.How == risk.EndFails || e.How == risk.EndWaits) {
		if e.Because == "" {
			e.Because = names
		} else {
			e.Because += ", as " + names
		}
		return e, ""
	}
	if left.taken != "" {
		return nil, names + ", so " + left.before + " takes " + left.taken
	}
	return nil, left.unset()
}

// refusesEmpty reports whether a word is empty that names a file or an address.
func (o outlook) refusesEmpty() bool {
	m := o.r.Match
	return slices.ContainsFunc(m.Args, func(b catalog.Bound) bool {
		if b.Default || !b.Value.Empty() || !m.IsOperand(&b) {
			return false
		}
		switch b.Arg.Role {
		case catalog.Reads, catalog.Shows, catalog.Writes, catalog.Creates, catalog.Deletes, catalog.Moves, catalog.Attr, catalog.Uploads, catalog.URL, catalog.Host, catalog.Script:
			return true
		}
		return false
	})
}
