package screen

import (
	"fmt"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/risk"
)

// The smallest window that a question is put in.
const (
	minWidth  = 64
	minHeight = 16
)

// labelWidth is the room of what a fact is called.
const labelWidth = 9

// maxSafer is how much of a safer command is shown beside the others, in characters.
const maxSafer = 160

// A fact is something that a person reads below the command, with what it is called.
type fact struct {
	label string
	rows  []row
}

// A row of a fact is folded below itself. badge leads it where it has one.
type row struct {
	badge  *risk.Tier
	text   string
	indent int
}

// factsOf are the facts of a question, without the command.
func factsOf(q *gate.Question) []fact {
	c := q.Shown
	var out []fact
	add := func(label string, texts ...string) {
		f := fact{label: label}
		for _, t := range texts {
			if t != "" {
				f.rows = append(f.rows, row{text: explain.Visible(t)})
			}
		}
		if len(f.rows) > 0 {
			out = append(out, f)
		}
	}
	add("why", c.Why...)
	add("then", c.Consequences.Direct...)
	add("and so", c.Consequences.Indirect...)
	add("lost", c.Irreversible...)
	var safer []string
	for _, s := range c.Safer {
		safer = append(safer, explain.Cut(explain.Visible(s.Command), maxSafer)+"  ("+s.Why+")") // in full where it is chosen
	}
	add("safer", safer...)
	if c.Follows != nil {
		add("follows", c.Follows.Text())
	}
	if q.Covers != nil && q.Rule != "" && !q.Offered(gate.AsRule) && !q.Offered(gate.ThisSession) { // else it is read before it is made
		f := fact{label: "like it", rows: []row{{text: "this rule would let it run unasked (heed suggest, heed policy):"}}}
		for line := range strings.Lines(q.Rule) {
			f.rows = append(f.rows, row{text: explain.Visible(strings.TrimRight(line, "\r\n")), indent: 2})
		}
		f.rows = append(f.rows, row{text: q.Covers.Lead()})
		for _, text := range q.Covers.Some {
			f.rows = append(f.rows, row{text: explain.Visible(text), indent: 2})
		}
		out = append(out, f)
	}
	add("asks", c.Asks)
	add("input", q.Input)
	add("rule", ruleOf(c.Decision, c.Rule, c.Layer, c.Reason))
	if len(c.Steps) > 0 && len(c.Parts) == 0 { // of a part of a line
		f := fact{label: "steps"}
		for i := range c.Steps {
			f.rows = append(f.rows, stepRows(q, i)...)
		}
		out = append(out, f)
	}
	if len(c.Parts) > 1 {
		f := fact{label: "parts"}
		for i := range c.Parts {
			f.rows = append(f.rows, partRows(q, i)...)
		}
		out = append(out, f)
	}
	if c.ID != "" {
		add("digest", approval.Show(c.ID))
	}
	return out
}

// ruleOf says what was decided, by which rule.
func ruleOf(decision, rule, layer, reason string) string {
	if rule == "" {
		return decision
	}
	text := fmt.Sprintf("%s, by %s (%s)", decision, rule, layer)
	if reason != "" {
		text += ": " + reason
	}
	return text
}

// partRows are what one program would do, and what was decided about it.
func partRows(q *gate.Question, i int) []row {
	p := &q.Shown.Parts[i]
	out := []row{{badge: &p.Tier, text: explain.Visible(p.Command)}}
	out = append(out, doingRows(p.Does, p.Tier)...)
	return append(out, row{text: explain.Visible(ruleOf(p.Decision, p.Rule, p.Layer, "")), indent: 2})
}

// stepRows are what one command of a line's top level would do.
func stepRows(q *gate.Question, i int) []row {
	s := &q.Shown.Steps[i]
	out := []row{{badge: &s.Tier, text: explain.Visible(s.Text())}}
	out = append(out, doingRows(s.Does, s.Tier)...)
	for _, lost := range s.Irreversible {
		out = append(out, row{text: "lost: " + explain.Visible(lost), indent: 2})
	}
	if s.Together != "" {
		out = append(out, row{text: "the line is not divided behind it: " + explain.Visible(s.Together), indent: 2})
	}
	return out
}

// doingRows are effects, each with its badge.
func doingRows(all []string, of risk.Tier) []row {
	var out []row
	for _, does := range all {
		tier, text := of, does
		for _, t := range []risk.Tier{risk.Safe, risk.Caution, risk.Review} {
			if rest, ok := strings.CutPrefix(does, "["+t.String()+"] "); ok {
				tier, text = t, rest
			}
		}
		out = append(out, row{badge: &tier, text: explain.Visible(text), indent: 2})
	}
	return out
}

// lines draws a fact.
func (f *fact) lines(w int) []line {
	var out []line
	label := pad(f.label, labelWidth)
	for _, r := range f.rows {
		lead := strings.Repeat(" ", r.indent)
		room := w - labelWidth - r.indent
		var first line
		if r.badge != nil {
			b := badge(*r.badge)
			first = line{b, {" ", plain}}
			room -= width(b.text) + 1
		}
		for i, text := range fold(r.text, room) {
			l := line{{label, faint}, {lead, plain}}
			if i == 0 {
				l = append(l, first...)
			} else if r.badge != nil {
				l = append(l, piece{strings.Repeat(" ", width(first.text())), plain})
			}
			out = append(out, append(l, piece{text, plain}))
			label = strings.Repeat(" ", labelWidth)
		}
	}
	return out
}

// lines draws the whole question: exactly h lines, none wider than w. The first begins
// with the badge.
func (a *ask) lines(w, h int) []line {
	c := a.q.Shown
	if a.small = w < minWidth || h < minHeight; a.small {
		return fill([]line{
			{badge(c.Tier), {" The window is too small to", plain}},
			{{"ask: make it larger. Esc leaves it.", plain}},
		}, h, w)
	}
	head := a.head(w)
	foot := a.foot(w, h/2)
	body := a.kept(w, h)
	room := h - len(head) - len(foot) - 2
	a.scroll = max(0, min(a.scroll, len(body)-room))
	if a.mode == reading && a.scroll+room >= len(body) {
		a.seen = true
	}
	out := append(head, rule(w, ""))
	out = append(out, fill(body[a.scroll:min(len(body), a.scroll+room)], room, w)...)
	more := ""
	if below := len(body) - room - a.scroll; below > 0 || a.scroll > 0 {
		more = fmt.Sprintf("lines %d to %d of %d: up, down, space", a.scroll+1, min(len(body), a.scroll+room), len(body))
	}
	out = append(out, rule(w, more))
	return fill(append(out, foot...), h, w)
}

// rule is a line across the screen, with a word in it.
func rule(w int, says string) line {
	if says == "" {
		return line{{strings.Repeat("─", w), faint}}
	}
	says = cut(says, w-6)
	return line{{"── ", faint}, {says, strong}, {" " + strings.Repeat("─", max(0, w-4-width(says))), faint}}
}

// fill makes exactly h lines that are no wider than w.
func fill(lines []line, h, w int) []line {
	out := make([]line, 0, h)
	for _, l := range lines[:min(len(lines), h)] {
		room := w
		var fits line
		for _, p := range l {
			if room <= 0 {
				break
			}
			p.text = cut(p.text, room)
			room -= width(p.text)
			fits = append(fits, p)
		}
		out = append(out, fits)
	}
	for len(out) < h {
		out = append(out, nil)
	}
	return out
}

// maxHead is how many lines the sentence may take.
const maxHead = 5

// head is the badge with its sentence.
func (a *ask) head(w int) []line {
	b := badge(a.q.Shown.Tier)
	lead := width(b.text) + 1
	texts := fold(explain.Visible(a.q.Shown.Explanation), w-lead)
	switch {
	case len(texts) == 0:
		texts = []string{""}
	case len(texts) > maxHead:
		texts[maxHead-1] = cut(texts[maxHead-1], w-lead-2) + " …"
	}
	var out []line
	for i, text := range texts[:min(len(texts), maxHead)] {
		if i == 0 {
			out = append(out, line{b, {" ", plain}, {text, strong}})
			continue
		}
		out = append(out, line{{strings.Repeat(" ", lead), plain}, {text, strong}})
	}
	return out
}

// A frame is what the body depends on.
type frame struct {
	w, h int
	mode mode
	step int
	rule gate.Choice
}

// kept is the body, worked out once: a script is long, and drawn at each key.
func (a *ask) kept(w, h int) []line {
	if now := (frame{w, h, a.mode, a.step, a.rule}); a.body == nil || a.of != now {
		a.body, a.of = a.read(w, h), now
	}
	return a.body
}

// read is what is read: the question, or what is asked further.
func (a *ask) read(w, h int) []line {
	switch a.mode {
	case ruling:
		return a.ruleBody(w)
	case choosing:
		return a.saferBody(w)
	case awaiting, viewing:
		return a.previewBody(w)
	case stepping:
		f := fact{label: fmt.Sprintf("%d of %d", a.step+1, a.steps())}
		if len(a.q.Shown.Steps) > 0 {
			f.rows = stepRows(a.q, a.step)
		} else {
			f.rows = partRows(a.q, a.step)
		}
		return f.lines(w)
	}
	command, deciding := a.command(w)
	var facts []line
	for i := range a.facts {
		facts = append(facts, a.facts[i].lines(w)...)
	}
	if len(command) <= h/3 {
		return append(command, facts...)
	}
	// What is long comes last, and what decided in it first.
	var out []line
	if deciding >= 0 {
		out = append(out, line{{"what decides, of the long command that is shown below:", faint}})
		out = append(out, command[deciding:min(len(command), deciding+4)]...)
	} else {
		out = append(out, line{{fmt.Sprintf("the command is long: its %d lines are shown below", len(command)), faint}})
	}
	return append(append(out, facts...), command...)
}

// command is the command in full, and where it would run.
func (a *ask) command(w int) (out []line, deciding int) {
	c := a.q.Shown
	text, spans := explain.Visible(c.Command), c.Spans
	if text != c.Command {
		spans = nil // they are of another text
	}
	rows, deciding := commandLines(text, spans, w-labelWidth)
	label := pad("command", labelWidth)
	for _, l := range rows {
		out = append(out, append(line{{label, faint}}, l...))
		label = strings.Repeat(" ", labelWidth)
	}
	if c.Masked {
		out = append(out, line{{label, faint}, {"(secrets in it are left out)", faint}})
	}
	in := fact{label: "in", rows: []row{{text: explain.Visible(c.Dir)}}}
	return append(out, in.lines(w)...), deciding
}

// ruleBody shows a rule before it is made.
func (a *ask) ruleBody(w int) []line {
	until := "from now on"
	if a.rule == gate.ThisSession {
		until = "until this session ends"
	}
	out := []line{{{"This rule would let it run " + until + ", without a question:", strong}}, nil}
	for text := range strings.Lines(strings.TrimRight(a.q.Rule, "\n")) {
		for _, l := range fold(explain.Visible(strings.TrimRight(text, "\r\n")), w-4) {
			out = append(out, line{{"    " + l, plain}})
		}
	}
	out = append(out, nil)
	if a.q.Covers == nil { // nobody has looked
		return out
	}
	for _, text := range fold(a.q.Covers.Lead(), w) {
		out = append(out, line{{text, plain}})
	}
	for _, text := range a.q.Covers.Some {
		for _, l := range fold(explain.Visible(text), w-4) {
			out = append(out, line{{"    " + l, plain}})
		}
	}
	return out
}

// saferBody shows the safer commands, each with its letter.
func (a *ask) saferBody(w int) []line {
	out := []line{{{"Another command, which is judged and, where it has to be, asked about itself:", strong}}}
	for i, s := range a.safer() {
		out = append(out, nil)
		for j, text := range fold(explain.Visible(s.Command), w-6) {
			lead := piece{"      ", plain}
			if j == 0 {
				lead = piece{"  (" + string(a.spare[i]) + ") ", strong}
			}
			out = append(out, line{lead, {text, plain}})
		}
		for _, text := range fold(explain.Visible(s.Why), w-6) {
			out = append(out, line{{"      " + text, faint}})
		}
	}
	return out
}

// foot is what can be said, at most h lines.
func (a *ask) foot(w, h int) []line {
	var out []line
	say := func(is style, texts ...string) {
		for _, t := range texts {
			for _, text := range fold(t, w) {
				out = append(out, line{{text, is}})
			}
		}
	}
	switch a.mode {
	case typing:
		what, word := a.word()
		say(strong, "To run "+a.it()+" once, type the "+what+", "+explain.Visible(word)+", and Enter. Esc goes back.")
		say(plain, a.line.lines("> ", w, h-3)...)
	case pinning:
		say(strong, "To run "+a.it()+" once, type your PIN and Enter; "+keepsQuiet+". Esc goes back.")
	case checking:
		say(strong, "Looking at the PIN …")
	case editing:
		say(strong, "Change the command; Enter has it judged anew. Esc goes back.")
		say(plain, a.line.lines("> ", w, h-3)...)
	case reasoning:
		say(strong, "Why not? Whoever asks is told. Enter leaves the command. Esc goes back.")
		say(plain, a.line.lines("> ", w, h-3)...)
	case ruling:
		say(strong, "("+string(a.spare[0])+") make this rule, and run it. Esc goes back.")
	case awaiting:
		say(strong, "Running it on top of the files, where nothing of it lasts. That ends by itself …")
	case viewing:
		say(strong, "This is what it would change; nothing was changed. Esc goes back to the question.")
	case choosing:
		say(strong, "The letter of a command runs it in the place of this one. Esc goes back.")
	case stepping:
		text := fmt.Sprintf("(%c) agree to %s %d of %d. ", a.stepLetter(), a.stepWord(), a.step+1, a.steps())
		switch {
		case a.upTo() && a.step == 1:
			text += fmt.Sprintf("(%c) run the first only; what follows waits. ", a.partLetter())
		case a.upTo():
			text += fmt.Sprintf("(%c) run the first %d only; what follows waits. ", a.partLetter(), a.step)
		default:
			text += "Only a yes to all of them runs anything. "
		}
		say(strong, text+"Esc goes back.")
	default:
		out = append(out, a.grid(w)...)
		leave := "Esc leaves it."
		if a.desk {
			leave = a.place + "Esc goes back to the list."
		}
		if a.previews() {
			leave = "Tab shows what it would change. " + leave
		}
		if a.stood() < settle {
			leave = "A moment: no key counts yet."
		} else {
			leave += " Enter does nothing."
		}
		say(faint, leave)
	}
	if a.note != "" {
		say(strong, a.note)
	}
	return out
}

// stepWord is what is gone through one by one.
func (a *ask) stepWord() string {
	if len(a.q.Shown.Steps) > 0 {
		return "step"
	}
	return "part"
}

// it is what a yes runs.
func (a *ask) it() string {
	switch a.upto {
	case 0:
		return "it"
	case 1:
		return "the first step"
	}
	return fmt.Sprintf("the first %d steps", a.upto)
}

// grid draws the keys in their places.
func (a *ask) grid(w int) []line {
	col := w / (2 * halfCols)
	out := make([]line, keyRows)
	for r := range out {
		for c := range 2 * halfCols {
			text := piece{strings.Repeat(" ", col), plain}
			for _, k := range a.keys {
				if k.row == r && k.col == c {
					text = piece{pad("("+string(k.letter)+") "+k.label(), col), strong}
				}
			}
			out[r] = append(out[r], text)
		}
	}
	return out
}
