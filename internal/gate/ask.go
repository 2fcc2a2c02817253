package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/risk"
)

// A Choice is what a person says to a command.
type Choice uint8

// The choices.
const (
	No          Choice = iota // leave it, for a reason that whoever asks is told
	Once                      // run exactly this, now
	ThisSession               // and what is like it, in this session
	AsRule                    // and what is like it, by a rule of this person
	Edit                      // another command, which is judged anew
	Instead                   // the safer command
	Part                      // the first steps of it, now, and no more
)

// An Answer is what a person said, and how.
type Answer struct {
	Choice Choice
	// By is click, person (the word was typed) or pin.
	By string
	// Reason is why not.
	Reason string
	// Command is what is to be run in the place of what was asked about.
	Command string
	// Steps is how many of its steps are to be run, where that is a part of it.
	Steps int
	// Waited is how long the person took.
	Waited time.Duration
}

// A Question is what a person is asked at a terminal.
type Question struct {
	Shown *consent.Consent
	// Offers are the choices beside Once and No.
	Offers []Choice
	// Rule is the narrowest rule that would cover it, as in a file of rules, and Covers
	// what else of the log it would have covered; nil where nobody has looked.
	Rule   string
	Covers *Covers
	// Text is the command as it would be run, for who edits it; "" where it is not to be
	// shown as it is.
	Text string
	// Input says what the command will find on standard input, where that is not what it
	// was given.
	Input string
	// Exposure counts how often this person was asked lately. It varies what leads, and
	// where keys lie.
	Exposure int
	// Preview runs the command on top of the files, where nothing of it lasts, and says what
	// it changed there; nil where that cannot be seen beforehand. It ends by itself.
	Preview func() (string, error)
	// CheckPIN is nil where a yes takes none.
	CheckPIN func(pin []byte) error
}

// Covers is what else of the log a rule would have let run.
type Covers struct {
	Days int      `json:"days"`            // how many days of the log were looked at
	All  int      `json:"commands"`        // how many commands
	Some []string `json:"worst,omitempty"` // the worst of them, that first
	// Left says that there was more in the log than was looked at.
	Left bool `json:"at_least,omitempty"`
}

// Lead says in a line what a list of [Covers.Some] is.
func (c *Covers) Lead() string {
	days, least := fmt.Sprintf("Of the log's last %d days it would also have covered ", c.Days), ""
	switch {
	case c.All == 0 && c.Left:
		return days + "nothing else that was looked at, which is not all."
	case c.All == 0:
		return days + "nothing else."
	case c.Left:
		least = "at least "
	}
	if c.All > len(c.Some) {
		return fmt.Sprintf("%s%s%d commands, the worst:", days, least, c.All)
	}
	return fmt.Sprintf("%s%s%d:", days, least, c.All)
}

// Offered reports whether a choice is open. A REVIEW is never answered for later ones.
func (q *Question) Offered(c Choice) bool {
	if (q.Shown.Confirm.By != consent.ByClick || q.Shown.Tier == risk.Review) && (c == ThisSession || c == AsRule) {
		return false
	}
	if c == Part && q.divided() == 0 {
		return false
	}
	return slices.Contains(q.Offers, c)
}

// Up is a question about the first n steps of a line only. It fails where that cannot be
// asked.
func (q *Question) Up(n int) (*Question, error) {
	shown, err := q.Shown.Up(n)
	if err != nil {
		return nil, err
	}
	out := *q
	out.Shown, out.Offers, out.Rule, out.Covers, out.Text = shown, nil, "", nil, ""
	out.Preview = nil // it is of the whole
	return &out, nil
}

// Of is the answer to the whole where the question was put about its first n steps.
func (a Answer) Of(n int) Answer {
	if a.Choice == Once {
		a.Choice, a.Steps = Part, n
	}
	return a
}

// Plain asks in lines of text: on terminals that cannot be drawn on, and for people
// who have screens read to them.
func (t *Terminal) Plain(q *Question) (Answer, error) {
	return t.plain(q, time.Now())
}

func (t *Terminal) plain(q *Question, began time.Time) (Answer, error) {
	c := q.Shown
	text := Lines(q)
	by := "person"
	switch c.Confirm.By {
	case consent.ByWord:
		text += q.bySteps() + fmt.Sprintf("To run it, type the %s, %s, and Enter; anything else leaves it: ", c.Confirm.What, c.Confirm.Word)
	case consent.ByPin:
		text, by = text+q.bySteps()+"To run it, type your PIN and Enter; Enter alone leaves it: ", "pin"
	default:
		if q.Offered(ThisSession) || q.Offered(AsRule) {
			text += "  rule:\n    " + strings.ReplaceAll(strings.TrimSpace(q.Rule), "\n", "\n    ") + "\n"
			if q.Covers != nil {
				text += "  " + q.Covers.Lead() + "\n"
				for _, command := range q.Covers.Some {
					text += "    " + explain.Visible(command) + "\n"
				}
			}
		}
		text, by = text+q.bySteps()+"To run it, type yes"+q.alternatives()+" and Enter; anything else leaves it: ", "click"
	}
	if c.Confirm.By == consent.ByPin {
		return t.plainPIN(q, text, began)
	}
	line, err := t.ask(text)
	answer := Answer{By: by, Waited: time.Since(began)}
	if n, ok := q.step(line); ok && err == nil {
		return t.plainPart(q, n, began)
	}
	switch want := c.Confirm.Word; {
	case err != nil:
		return answer, err
	case c.Confirm.By == consent.ByWord && line == want, c.Confirm.By == consent.ByClick && (line == "yes" || line == "y"):
		answer.Choice = Once
	case line == "session" && q.Offered(ThisSession):
		answer.Choice = ThisSession
	case line == "always" && q.Offered(AsRule):
		answer.Choice = AsRule
	case line != "" && line != "no" && line != "n" && line != want:
		answer.Reason = line
	}
	return answer, nil
}

// bySteps says how a line is agreed to in part.
func (q *Question) bySteps() string {
	if !q.Offered(Part) {
		return ""
	}
	return fmt.Sprintf("For its first steps only, type step and how many, as in step %d.\n", q.divided())
}

// divided is the first step behind which the line can be divided; 0 if there is none.
func (q *Question) divided() int {
	for i := range q.Shown.Steps {
		if _, err := q.Shown.Up(i + 1); err == nil {
			return i + 1
		}
	}
	return 0
}

// step is how many steps a line of an answer names.
func (q *Question) step(line string) (n int, ok bool) {
	word, number, ok := strings.Cut(strings.TrimSpace(line), " ")
	n, err := strconv.Atoi(number)
	return n, ok && word == "step" && err == nil && q.Offered(Part)
}

// plainPart asks about the first n steps.
func (t *Terminal) plainPart(q *Question, n int, began time.Time) (Answer, error) {
	part, err := q.Up(n)
	if err != nil {
		return Answer{By: "click", Waited: time.Since(began)}, err
	}
	a, err := t.plain(part, began)
	return a.Of(n), err
}

// alternatives are the words for later ones as well.
func (q *Question) alternatives() string {
	text := ""
	if q.Offered(ThisSession) {
		text += ", session (what the rule covers runs in this terminal today)"
	}
	if q.Offered(AsRule) {
		text += ", always (it becomes a rule of yours)"
	}
	return text
}

// plainPIN asks for the PIN, until it is right or no more is tried.
func (t *Terminal) plainPIN(q *Question, text string, began time.Time) (Answer, error) {
	for {
		pin, err := t.Secret(text)
		if err != nil || len(pin) == 0 {
			return Answer{By: "pin", Waited: time.Since(began)}, err
		}
		if n, ok := q.step(string(pin)); ok {
			return t.plainPart(q, n, began)
		}
		err = q.CheckPIN(pin)
		clear(pin)
		if err == nil {
			return Answer{Choice: Once, By: "pin", Waited: time.Since(began)}, nil
		}
		text = "heed: " + err.Error() + "\nPIN, or Enter alone to leave it: "
	}
}

// Lines are what a person reads before he answers.
func Lines(q *Question) string {
	c := q.Shown
	var b strings.Builder
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "  %-9s%s\n", label, text)
		}
	}
	all := func(label string, texts []string) {
		for _, t := range texts {
			line(label, t)
			label = ""
		}
	}
	fmt.Fprintf(&b, "[%s] %s\n", c.Tier, c.Explanation)
	line("command:", c.Command)
	line("in:", c.Dir)
	line("asks:", c.Asks)
	if c.Follows != nil {
		line("follows:", explain.Visible(c.Follows.Text()))
	}
	all("why:", c.Why)
	all("then:", c.Consequences.Direct)
	all("and so:", c.Consequences.Indirect)
	all("lost:", c.Irreversible)
	for i, s := range c.Steps {
		line(fmt.Sprintf("step %d:", i+1), fmt.Sprintf("[%s] %s", s.Tier, explain.Visible(s.Text())))
	}
	for _, s := range c.Safer {
		line("safer:", s.Command+"  ("+s.Why+")")
	}
	if q.Covers != nil && q.Rule != "" && !q.Offered(ThisSession) && !q.Offered(AsRule) {
		line("like it:", "this rule would let it run unasked (heed suggest, heed policy):")
		for text := range strings.Lines(q.Rule) {
			line("", "  "+explain.Visible(strings.TrimRight(text, "\r\n")))
		}
		line("", q.Covers.Lead())
		for _, command := range q.Covers.Some {
			line("", "  "+explain.Visible(command))
		}
	}
	line("input:", q.Input)
	if c.ID != "" {
		line("digest:", approval.Show(c.ID))
	}
	return b.String()
}

// Confirm prints a text and reports whether the answer to it is yes.
func (t *Terminal) Confirm(text string) (bool, error) {
	line, err := t.ask(text)
	return line == "yes" || line == "y", err
}
