package foreign

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/risk"
)

// A converter makes rules of entries.
type converter struct {
	assess Assess
	agent  string
	out    Result
	rules  []policy.Rule
	set    *policy.Set // heed's default and the rules that were made
	seen   map[string]*risk.Assessment
}

// assessed is an assessment that is made once.
func (c *converter) assessed(command string) *risk.Assessment {
	a := c.seen[command]
	if a == nil {
		a = c.assess(command)
		c.seen[command] = a
	}
	return a
}

func (c *converter) leave(e *entry, format string, args ...any) {
	c.out.Left = append(c.out.Left, Note{e.String(), fmt.Sprintf(format, args...)})
}

func (c *converter) wider(e *entry, format string, args ...any) {
	c.out.Wider = append(c.out.Wider, Note{e.String(), fmt.Sprintf(format, args...)})
}

// convert makes a rule of an entry, or says why not.
func (c *converter) convert(e *entry) {
	if len(e.words) == 0 {
		c.everything(e)
		return
	}
	line := strings.Join(e.words, " ")
	program := e.words[0]
	switch {
	case strings.ContainsAny(line, "*?[]{}"):
		c.leave(e, "a pattern of text in the middle: rules speak of programs, subcommands and options")
		return
	case strings.ContainsAny(line, "\"'\\$`;|&<>()\n~"):
		c.leave(e, "more than plain words")
		return
	case strings.Contains(program, "="):
		c.leave(e, "a variable is set before the program")
		return
	}
	m := policy.Match{Program: []string{path.Base(program)}}
	if e.action == policy.Allow {
		if !e.more {
			if a := c.assessed(line); runs(a) {
				c.out.Needless = append(c.out.Needless, Note{e.String(), a.Summary})
				return
			}
		}
		if why := c.neverAllowed(e); why != "" {
			c.leave(e, "%s", why)
			return
		}
	}
	opts, ok := c.words(e, &m)
	if !ok {
		return
	}
	switch {
	case e.action == policy.Allow && !e.more:
		c.leave(e, "these words and no others: a rule would allow %s with any arguments", line)
		return
	case e.action == policy.Allow && len(opts) > 1:
		c.leave(e, "several options at once: a rule would allow each of them alone")
		return
	case len(opts) > 1:
		one := c.gravest(e, &m, opts)
		c.wider(e, "holds for %s %s, with or without %s", strings.Join(e.words[:len(e.words)-optionWords(e.words)], " "), one, strings.Join(slices.DeleteFunc(slices.Clone(opts), func(o string) bool { return o == one }), ", "))
		opts = []string{one}
	case !e.more:
		c.wider(e, "holds with other arguments as well")
	}
	if e.glued && e.action != policy.Allow {
		glue(&m, opts)
	}
	if program != path.Base(program) {
		c.wider(e, "holds for every program of the name %s", path.Base(program))
	}
	m.Option = opts
	c.keep(policy.Rule{Action: e.action, Match: m, Reason: reason(e)})
}

// glue lets the last word go on: what an entry asks about or denies stays that.
func glue(m *policy.Match, opts []string) {
	switch {
	case len(opts) > 0: // options are compared whole; there is no option that begins another
	case len(m.Subcommand) > 0:
		m.Subcommand[0] += "*"
	default:
		m.Program[0] += "*"
	}
}

func optionWords(words []string) (n int) {
	for _, w := range words {
		if strings.HasPrefix(w, "-") {
			n++
		}
	}
	return n
}

func reason(e *entry) string {
	if e.reason != "" {
		return cut(e.reason)
	}
	return cut("was: " + e.String())
}

// cut keeps a text within what a rule may hold.
func cut(text string) string {
	const longest = 300
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}

// runs reports whether heed lets a command run unasked as it is.
func runs(a *risk.Assessment) bool {
	return a.Error == "" && a.Verdict == risk.Allow && (a.Tier == risk.Safe || a.Level == risk.A)
}

// everything is an entry that holds for every command.
func (c *converter) everything(e *entry) {
	switch e.action {
	case policy.Allow:
		c.leave(e, "lets every command run: if that is meant, preset: unattended or log-only says so")
	case policy.Ask:
		c.leave(e, "asks about every command: preset: careful does")
	default:
		c.leave(e, "denies every command: whoever wants that gives the agent no shell")
	}
}

// neverAllowed says why no rule is made of an entry that allows, whatever follows.
func (c *converter) neverAllowed(e *entry) string {
	program := path.Base(e.words[0])
	switch {
	case strings.Contains(e.words[0], "/"):
		return "a path: a rule would allow every program of the name " + program
	case shellname.Is(program) || slices.Contains(interpreters(), strings.TrimRight(program, "0123456789.")):
		return program + " does whatever it is given: heed decides by what that is"
	case slices.Contains(others(), program):
		return program + " starts whatever it is given with the rights of somebody else"
	}
	for _, words := range fetchers() {
		if len(words) <= len(e.words) && slices.Equal(words, e.words[:len(words)]) {
			return strings.Join(words, " ") + " fetches programs and runs them"
		}
	}
	return ""
}

// words puts the words after the program into a match: subcommands, and options,
// which are returned. It reports whether all had a place.
func (c *converter) words(e *entry, m *policy.Match) (opts []string, ok bool) {
	if len(e.words) == 1 {
		return nil, true
	}
	inv := c.invocation(e.words)
	if inv == nil {
		c.leave(e, "heed cannot read these words")
		return nil, false
	}
	subs := inv.Subcommand
	var called []string
	for _, w := range e.words[1:] {
		if len(subs) > 0 && w == subs[0] {
			called, subs = append(called, w), subs[1:]
			continue
		}
		names := options(w, inv.Options)
		if names == nil {
			c.leave(e, "names %q: rules speak of no arguments but subcommands and options that heed knows", w)
			return nil, false
		}
		opts = append(opts, names...)
	}
	if len(called) > 0 {
		m.Subcommand = []string{strings.Join(called, " ")}
	}
	return opts, true
}

// invocation is the program that words would start, with its words read.
func (c *converter) invocation(words []string) *risk.Invocation {
	for _, more := range []string{"", " x"} { // an option may want a value
		a := c.assessed(strings.Join(words, " ") + more)
		for i := range a.Invocations {
			inv := &a.Invocations[i]
			if len(inv.Argv) >= len(words) && slices.Equal(inv.Argv[:len(words)], words) && (len(inv.Options) > 0 || optionWords(words) == 0) {
				return inv
			}
		}
	}
	return nil
}

// options are the options that a word stands for: -rf is two. known are those that
// heed read.
func options(word string, known []string) (names []string) {
	if slices.Contains(known, word) {
		return []string{word}
	}
	if !strings.HasPrefix(word, "-") || strings.HasPrefix(word, "--") || len(word) < 3 {
		return nil
	}
	for _, letter := range word[1:] {
		name := "-" + string(letter)
		if !slices.Contains(known, name) {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// gravest is the option that makes most of a program, so that a rule about it alone
// is the narrowest that holds for all of them together.
func (c *converter) gravest(e *entry, m *policy.Match, opts []string) string {
	return slices.MaxFunc(opts, func(a, b string) int {
		weigh := func(o string) int {
			words := slices.Concat(e.words[:1], m.Subcommand, []string{o, "."})
			as := c.assessed(strings.Join(words, " "))
			return int(as.Tier)*4 + int(as.Level)
		}
		return weigh(a) - weigh(b)
	})
}

// keep keeps a rule.
func (c *converter) keep(r policy.Rule) { c.rules = append(c.rules, r) }

// merged are the rules, those about subcommands of one program as one, with ids.
func (c *converter) merged() []policy.Rule {
	var out []policy.Rule
	at := map[string]int{}
	for _, r := range c.rules {
		bare := r.Match
		bare.Subcommand = nil
		key := fmt.Sprint(r.Action, bare, len(r.Match.Subcommand) > 0)
		i, ok := at[key]
		if !ok || len(out[i].Match.Subcommand)+len(r.Match.Subcommand) > maxSubcommands {
			at[key] = len(out)
			out = append(out, r)
			continue
		}
		for _, s := range r.Match.Subcommand {
			if !slices.Contains(out[i].Match.Subcommand, s) {
				out[i].Match.Subcommand = append(out[i].Match.Subcommand, s)
				out[i].Reason = joined(out[i].Reason, r.Reason)
			}
		}
	}
	taken := map[string]bool{}
	for i := range out {
		out[i].Layer = policy.User
		out[i].ID = c.id(&out[i], taken)
	}
	return out
}

func first(words []string) []string { return words[:min(1, len(words))] }

const maxSubcommands = 100

// joined is the reason of two rules.
func joined(a, b string) string {
	b = strings.TrimPrefix(b, "was: ")
	if a == b || strings.HasSuffix(a, "…") {
		return a
	}
	return cut(a + ", " + b)
}

// id names a rule by what it says.
func (c *converter) id(r *policy.Rule, taken map[string]bool) string {
	words := slices.Concat([]string{c.agent, r.Action.String()}, r.Match.Program, r.Match.Option)
	if len(r.Match.Program) == 0 {
		words = slices.Concat(words, first(r.Match.Verb), first(r.Match.Target), r.Match.Host)
	}
	plain := func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return '-'
	}
	var parts []string
	for _, w := range words {
		if p := strings.Trim(strings.Map(plain, w), "-"); p != "" {
			parts = append(parts, p)
		}
	}
	base := strings.Join(parts, ".")
	base = strings.TrimRight(base[:min(len(base), 70)], ".-")
	id := base
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s.%d", base, n)
	}
	taken[id] = true
	return id
}
