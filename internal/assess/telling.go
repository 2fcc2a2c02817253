package assess

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// What the sentence is told of a trace: the programs that would start, what they print, and
// what stands for words that are not known.

// maxTold is how many programs a sentence tells of by their own phrases.
const maxTold = 6

// maxManners is how many programs there may be for a sentence to tell of their options.
const maxManners = 4

// programs are the names of the programs that would start, each once.
func programs(t *flow.Trace) []string {
	var names []string
	for i := range t.Invocations {
		if n := path.Base(t.Invocations[i].Argv[0]); !slices.Contains(names, n) {
			names = append(names, explain.Visible(n))
		}
	}
	return names
}

// told is what the shell itself does as the sentence tells of it.
func told(t *flow.Trace) []explain.Told {
	out := make([]explain.Told, len(t.Told))
	for i, x := range t.Told {
		out[i] = explain.Told{Text: explain.Visible(x.Text), Dir: x.Dir, Span: x.Span}
	}
	return out
}

// loops are those of the shell as the sentence tells of them.
func loops(t *flow.Trace) []explain.Loop {
	out := make([]explain.Loop, len(t.Loops))
	for i := range t.Loops {
		l := t.Loops[i].Loop
		out[i] = explain.Loop{
			Span: t.Loops[i].Span, Times: l.Times, Turns: l.Turns, Words: l.Words, AtMost: l.AtMost, Forever: l.Forever, Until: l.Until, Holds: l.Holds,
		}
	}
	return out
}

// again counts the programs that start in the later turns of loops, which are walked one by one,
// and those that a program starts once more with other words.
func again(t *flow.Trace) (n int) {
	for i := 1; i < len(t.Processes); i++ {
		one, next, parent := &t.Invocations[i-1], &t.Invocations[i], t.Processes[i].Parent
		if parent < 0 || parent != t.Processes[i-1].Parent || one.Span != next.Span || len(one.Argv) != len(next.Argv) {
			continue
		}
		if len(one.Argv) == 0 || one.Argv[0] == next.Argv[0] {
			n++
		}
	}
	for i := range t.Loops {
		if turns := t.Loops[i].Loop.Turns; len(turns) > 1 {
			n += max(0, min(turns[len(turns)-1], len(t.Starts))-turns[1])
		}
	}
	return n
}

// acts are the invocations as the sentence tells of them.
func acts(t *flow.Trace, dir, home string) []explain.Act {
	out := make([]explain.Act, len(t.Invocations))
	few := len(t.Starts)-again(t) <= maxTold || len(slices.DeleteFunc(slices.Clone(t.Starts), func(s flow.Start) bool { return s.Astray })) <= maxTold
	for i := range t.Invocations {
		inv := &t.Invocations[i]
		a := &out[i]
		a.Argv, a.Span, a.Dir, a.Host, a.Ends, a.Unreached = asShellHas(inv.Argv), inv.Span, inv.Dir, inv.Host, inv.Ends, inv.Unreached
		a.Inner, a.Parent = !outermost(t, i), t.Processes[i].Parent
		a.Captured, a.Background = t.Starts[i].Captured, t.Starts[i].Background
		a.Otherwise, a.Else, a.Tested = t.Starts[i].Otherwise, t.Starts[i].Else, t.Starts[i].Tested
		a.Astray, a.Instead = t.Starts[i].Astray, t.Starts[i].Instead
		a.Inner = a.Inner || a.Astray
		a.Uses, a.Conditional = t.Starts[i].Uses, inv.Reached != ""
		a.Prints, a.Piped, a.Unseen = t.Starts[i].Prints, t.Starts[i].Piped, t.Starts[i].Unseen
		a.Lost, a.Aside, a.Wanting = t.Starts[i].Lost, t.Starts[i].Aside, t.Starts[i].Wanting
		a.Fed = t.Starts[i].Fed || slices.ContainsFunc(inv.Argv, func(w string) bool { return strings.HasPrefix(w, shell.SubstPath) })
		if r := t.Starts[i].Result; r != nil && few {
			a.Takes = r.ReadsStdin
			a.Summary, a.Echoes, a.Passes = r.Summary, r.Traits.Has(catalog.Echoes), len(r.Runs) > 0
			a.Gist, a.Reads = r.Gist(), r.Match != nil && r.Gist() != "" && r.Match.OnlyReads()
			if r.Match != nil {
				a.Placeholder, a.Sure = r.Match.Placeholder()
				if m := r.Match; m.Missing.IsKnown() && !m.Missing.Empty() {
					a.Of = strings.Join(append([]string{path.Base(inv.Argv[0])}, m.Path()[1:]...), " ")
				}
				a.Grouped = len(r.Match.Program.Sub) > 0 && len(r.Match.Program.Operands) == 0 && len(r.Effects) == 0
			}
			a.Sends = sends(r)
			a.Seeks = r.Traits.Has(catalog.Searches)
			a.Narrows = r.ShowsStdin && !r.Traits.Has(catalog.Searches) && len(r.Runs) == 0
			slots := slot(dir, home, inv.Dir)
			show := func(name string, words []value.Value) string {
				text := slots(name, words)
				if len(words) > 0 && explain.IsFound(text) {
					a.Found = text
				}
				return text
			}
			alone := !a.Captured && inv.Host == "" && len(t.Invocations) <= maxManners
			r.Elsewhere = !alone || a.Piped || a.Unseen
			if said, plain, ok := r.Tell(show); ok {
				a.Says, a.Thing, a.Kind, a.Several = plain, said.Thing, said.Kind, said.Several
				if alone && said.Text != plain {
					a.Says, a.Plain = said.Text, plain
				}
			} else if a.Echoes && a.Prints == nil {
				a.Says = echoed(r, a.Piped)
			}
			if t.Starts[i].Nothing {
				findsNone(a)
			}
			if words := slots("command", r.Words("command")); a.Passes && words != "" {
				if each, ok := strings.CutPrefix(a.Says, "Runs "+words+" for "); ok {
					a.Each = each
				}
			}
			if p := a.Parent; p >= 0 && t.Starts[p].Result != nil && handsOn(t.Starts[p].Result) {
				a.Handed = true
				if words := commandOf(t.Starts[p].Result); len(words) > 0 {
					a.Idle = len(inv.Argv) == len(words)
				}
			}
			if p := a.Parent; p >= 0 && t.Starts[p].Result != nil && t.Starts[p].Result.Match != nil {
				a.Applet = t.Starts[p].Result.Match.Has("applet")
			}
			for j := range r.Runs {
				if text, known := r.Runs[j].Text.Known(); known && r.Runs[j].Kind == catalog.RunScript {
					a.Script = text
				}
			}
			for j := range r.Effects {
				a.Does = append(a.Does, r.Effects[j].Verb)
			}
		}
		if a.Prints == nil {
			continue
		}
		if text := descriptors(*a.Prints); ofFile(out[:i+1]) {
			a.Prints = nil
			if text == "" && a.Seeks {
				findsNone(a)
			}
		} else {
			a.Prints = &text
		}
	}
	return out
}

// findsNone tells of a search as it ends where nothing is found now: of nothing options make
// nothing else.
func findsNone(a *explain.Act) {
	says := cmp.Or(a.Plain, a.Says)
	for _, shows := range [...]string{"Shows the lines ", "Prints the lines "} {
		if lines, ok := strings.CutPrefix(says, shows); ok {
			a.Says, a.Plain = "Finds no lines "+lines, ""
		}
	}
}

// sends is the one text among the words of a program that it sends as it stands, by the names
// that specs have for such an argument; "" where there are more, or it may be a secret.
func sends(r *catalog.Result) (text string) {
	if r.Match == nil || !slices.ContainsFunc(r.Effects, func(e catalog.Effect) bool { return e.Verb == risk.NetSend }) {
		return ""
	}
	for _, name := range [...]string{"data", "raw", "urlencode", "body"} {
		for _, w := range r.Match.Values(name) {
			word, known := w.Known()
			if !known || w.Taint() != 0 || text != "" || word == "" || word[0] == '@' || word[0] == '<' || name == "urlencode" && strings.Contains(word, "@") {
				return ""
			}
			text = strings.Join(strings.Fields(word), " ")
		}
	}
	secret := slices.ContainsFunc(strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune("&;,{}[]\"' :=", c) }), value.CredentialName)
	if secret || mask.Text(text) != text {
		return ""
	}
	return text
}

// echoed tells of words that are printed of which some are what other programs print, or
// variables; "" where it is not known what they are.
func echoed(r *catalog.Result, piped bool) string {
	if r.Match == nil {
		return ""
	}
	var text strings.Builder
	var others []string
	unset := false
	for i, w := range r.Match.Values("text") {
		if word, known := w.Known(); known && i == 0 && strings.HasPrefix(word, "-") && strings.Trim(word, "-neE") == "" {
			continue
		}
		if text.Len() > 0 {
			text.WriteByte(' ')
		}
		for _, p := range w.Parts() {
			h := p.Hole
			if h == nil {
				text.WriteString(p.Lit)
				continue
			}
			name := explain.Visible(h.Name)
			switch {
			case name == "" || len(name) > maxEchoed || strings.ContainsAny(name, " `\n"):
				return ""
			case h.Cause == risk.CauseOutput:
				name = "what " + path.Base(name) + " prints"
			case h.Cause == risk.CauseUnset && h.Shape == value.AnyText:
				unset = true
				continue
			case strings.HasPrefix(h.String(), "$"):
				name = h.String()
			default:
				return ""
			}
			text.WriteString("…")
			if !slices.Contains(others, name) {
				others = append(others, name)
			}
		}
	}
	said := strings.TrimSpace(text.String())
	switch {
	case len(others) == 0 && unset && piped && said == "":
		return "Prints an empty line"
	case len(others) == 0 && unset && piped:
		return "Prints “" + explain.Cut(explain.Visible(said), maxEchoed) + "”"
	case len(others) == 0, len(others) > 2, piped:
		return ""
	}
	what := strings.Join(others, " and ")
	if strings.Trim(said, " …") != "" {
		return "Prints “" + explain.Cut(explain.Visible(said), maxEchoed) + "” with " + what
	}
	return "Prints " + what
}

// maxEchoed is how long a text that is printed, or a name in it, may be, in characters.
const maxEchoed = 50

// descriptors is a text in which the names that stand for what a shell puts in place of
// <(command) are as the shell has them, but for their numbers.
func descriptors(text string) string {
	before, after, ok := strings.Cut(text, shell.SubstPath)
	if !ok {
		return text
	}
	return before + "/dev/fd/…" + descriptors(strings.TrimLeft(after, "0123456789"))
}

// asShellHas are words, each as [descriptors] has it.
func asShellHas(words []string) []string {
	own := func(w string) bool { return strings.Contains(w, shell.SubstPath) }
	if !slices.ContainsFunc(words, own) {
		return words
	}
	words = slices.Clone(words)
	for i := range words {
		words[i] = descriptors(words[i])
	}
	return words
}

// ofFile reports whether what the last of these acts prints is, or comes through pipes
// from, what one of them reads or was found out by: that is told in other words.
func ofFile(acts []explain.Act) bool {
	for i := len(acts) - 1; i >= 0; i-- {
		if len(acts[i].Does) > 0 {
			return true
		}
		if !acts[i].Fed || i == 0 || !acts[i-1].Piped {
			return false
		}
	}
	return false
}

// handsOn reports whether a program hands the words of its input to those that it starts.
func handsOn(r *catalog.Result) bool {
	return r.Traits.Has(catalog.Filters) && r.ReadsStdin && len(r.Runs) > 0 && r.Runs[0].Kind == catalog.RunArgv
}

// commandOf are the words of the command that a program is given to run.
func commandOf(r *catalog.Result) []value.Value {
	if r.Match == nil {
		return nil
	}
	for i := range r.Match.Args {
		if b := &r.Match.Args[i]; b.Arg.Role == catalog.Argv {
			return r.Match.Values(b.Arg.Name)
		}
	}
	return nil
}

// outermost reports whether an invocation is one of the command's own, or the command
// that such a one only passes on: what sudo, env or timeout starts.
func outermost(t *flow.Trace, i int) bool {
	for range len(t.Processes) {
		p := t.Processes[i].Parent
		if p < 0 {
			return true
		}
		r := t.Starts[p].Result
		if r == nil || r.Match == nil || len(r.Runs) != 1 || t.Invocations[i].Host != "" {
			return false
		}
		run := &r.Runs[0]
		own := slices.ContainsFunc(r.Match.Args, func(b catalog.Bound) bool { return b.Arg.Role == catalog.Argv })
		if run.Kind != catalog.RunArgv || !own || run.Open || run.Many || run.Dir != nil {
			return false
		}
		i = p
	}
	return false
}

// variables reports whether all that is not known of a word are variables, which a
// sentence names as the command does.
func variables(w value.Value) bool {
	return !slices.ContainsFunc(w.Holes(), func(h *value.Hole) bool {
		name := h.String()
		return !strings.HasPrefix(name, "$") || strings.HasPrefix(name, "$(")
	})
}

// gap names a word of which all is unknown; "" where that cannot be told.
func gap(w value.Value, dir, home string) string {
	holes := w.Holes()
	if len(holes) != 1 || w.String() != holes[0].String() {
		return ""
	}
	if h := holes[0]; h.Shape == value.Below && h.Base != "" && !h.Self {
		return explain.Found(h.Base, h.Last, dir, home)
	}
	return explain.Gap(holes[0].String(), holes[0].Cause, dir, home)
}

// slot fills those of a phrase: with nothing where a word is not known, but for
// variables. A word that is only the directory where the program works is told as that
// where it is another (at) than the one from which paths are told.
func slot(dir, home, at string) catalog.Show {
	moved := path.IsAbs(at) && at != dir
	return func(name string, words []value.Value) string {
		if text, ok := catalog.Clause(name, words); ok {
			return explain.Visible(text)
		}
		var known []string
		var unknown []string
		fed := ""
		for _, w := range words {
			text, ok := w.Known()
			switch {
			case !ok && variables(w):
				known = append(known, w.String())
			case !ok:
				if w.String() == explain.Rest && len(words) > 1 {
					continue
				}
				if text = gap(w, dir, home); text == "" {
					return ""
				}
				unknown = append(unknown, text)
			case !strings.HasPrefix(text, shell.SubstPath):
				if moved && ofPaths(name) && text != "" && (path.Clean(text) == "." || path.Clean(text) == "..") {
					text = path.Join(at, text)
				}
				known = append(known, text)
			case fed == "": // what another command prints, which is told before
				fed = "it"
			default:
				fed = "them"
			}
		}
		if fed != "" {
			known = append(known, fed)
		}
		if len(unknown) > 0 { // the first says where they come from
			if len(known) > 0 {
				return ""
			}
			return unknown[0]
		}
		return explain.Words(known, dir, home)
	}
}

// ofPaths reports whether a slot is for paths, by what specs call it.
func ofPaths(slot string) bool {
	return slices.Contains([]string{"file", "dir", "directory", "path", "start", "root", "source", "target", "from", "to", "dest", "into", "test"}, slot)
}

// idle says why a command runs no program, where there is a reason.
func idle(t *flow.Trace) string {
	for _, u := range t.Unknowns {
		if u.Role == risk.RoleUnset {
			return "Stops at once: " + explain.Visible(u.What)
		}
	}
	return ""
}
