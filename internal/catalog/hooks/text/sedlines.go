package text

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/sed"
	"github.com/heedsh/heed/internal/value"
)

// sedTold names, for the sentence, what a script of one command does with which lines.
func sedTold(m *catalog.Match, w *sedWalk) {
	script := w.script
	if script.Cut || script.Err != nil || len(script.Commands) != 1 {
		return
	}
	t := sedTeller{m, w, &script.Commands[0]}
	quiet := m.Has("quiet")
	switch {
	case t.c.Name == 's' && !quiet:
		t.replaced()
	case t.c.Name == 'p' && quiet:
		t.picked()
	case t.c.Name == 'd' && !quiet && t.c.Not:
		t.picked()
	case t.c.Name == 'd' && !quiet:
		t.dropped()
	case t.c.Name == 'q' && !quiet && !t.c.Not && t.c.First.Kind == sed.Line && t.c.First.N > 0 && t.c.Number < 0:
		m.Bind("head", value.Lit(strconv.Itoa(t.c.First.N)))
	case t.c.Name == '=' && quiet && !t.c.Not && t.c.First.Kind == sed.Last:
		m.Set("counts")
	}
}

// A sedTeller tells of one command.
type sedTeller struct {
	m *catalog.Match
	w *sedWalk
	c *sed.Command
}

// replaced names the text that s replaces, and by what: s/old/new/ and s/old/new/g. A
// pattern that may match other texts is named as one.
func (t *sedTeller) replaced() {
	sub := t.c.Sub
	if t.c.Not || sub == nil || !t.where() {
		return
	}
	from, to := t.w.script.In(sub.Regex), t.w.script.In(sub.Replacement)
	if sub.Number > 0 || sub.Print || sub.Evaluate || sub.Writes || from == "" || strings.Contains(to, "\n") {
		return
	}
	name := "word"
	if strings.ContainsAny(from, `.*[]^$\+?(){}|`) || sub.Fold {
		name = "pattern"
	}
	if name += "-once"; sub.Global {
		name = strings.TrimSuffix(name, "-once")
	}
	t.m.BindPattern(name, t.w.in(sub.Regex))
	if to != "" {
		t.m.BindPattern("by", t.w.in(sub.Replacement))
	}
}

// where names the lines that a command is for, where it has an address; it reports false
// for one that is not told.
func (t *sedTeller) where() bool {
	if t.c.Second.Kind != sed.None {
		return false
	}
	switch t.c.First.Kind {
	case sed.None:
	case sed.Line:
		t.m.Bind("on-line", value.Lit(strconv.Itoa(t.c.First.N)))
	case sed.Last:
		t.m.Set("on-last")
	case sed.Regex:
		if t.pattern(&t.c.First) == "" {
			return false
		}
		t.m.BindPattern("on", t.w.in(t.c.First.Regex))
	default:
		return false
	}
	return true
}

// picked names the lines that alone are printed: "5p" and "5,10p" behind -n (GNU sed 4.9
// manual, "Addresses"), or "5!d"; of "/x/p" what they match, of "/x/,/y/p" what the first and
// the last of them do.
func (t *sedTeller) picked() {
	if t.c.Not != (t.c.Name == 'd') {
		return
	}
	first, second := &t.c.First, &t.c.Second
	switch {
	case first.Kind == sed.Regex && t.pattern(first) != "":
		switch {
		case second.Kind == sed.None:
			t.m.BindPattern("matching", t.w.in(first.Regex))
		case second.Kind == sed.Regex && t.pattern(second) != "":
			t.m.BindPattern("matching", t.w.in(first.Regex))
			t.m.BindPattern("until", t.w.in(second.Regex))
		}
	case first.Kind == sed.Last && second.Kind == sed.None:
		t.m.Set("last-only")
	default:
		t.lines("from", "to", "on-to-end")
	}
}

// dropped names the lines that are left out: "/x/d", "5d", "5,10d", "$d".
func (t *sedTeller) dropped() {
	first := &t.c.First
	switch {
	case first.Kind == sed.Regex && t.c.Second.Kind == sed.None:
		switch t.pattern(first) {
		case "":
		case "^$", `^\s*$`, "^[[:space:]]*$", "^[[:blank:]]*$", `^[ \t]*$`, "^ *$":
			t.m.Set("without-blank")
		default:
			t.m.BindPattern("without", t.w.in(first.Regex))
		}
	case first.Kind == sed.Last && t.c.Second.Kind == sed.None:
		t.m.Set("without-last")
	default:
		t.lines("without-from", "without-to", "without-rest")
	}
}

// lines names lines by their numbers: the first, and the last or that all behind it are
// meant.
func (t *sedTeller) lines(from, to, rest string) {
	first, second := &t.c.First, &t.c.Second
	if first.Kind != sed.Line || first.N < 1 {
		return
	}
	switch second.Kind {
	case sed.None:
	case sed.Line:
		t.m.Bind(to, value.Lit(strconv.Itoa(second.N)))
	case sed.Last:
		t.m.Set(rest)
	default:
		return
	}
	t.m.Bind(from, value.Lit(strconv.Itoa(first.N)))
}

// pattern is the expression of an address that is one, "" where letter case does not count.
func (t *sedTeller) pattern(a *sed.Address) string {
	if a.Fold || a.Multiline {
		return ""
	}
	return t.w.script.In(a.Regex)
}
