package agent

import (
	"fmt"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// An Answer is a decision and the reason that people see. It is empty where
// nothing is decided.
type Answer struct {
	Decision policy.Action
	Reason   string
}

// AnswerTo says what was decided about a command to its agent.
func AnswerTo(a *risk.Assessment, d policy.Decision) Answer {
	reason := fmt.Sprintf("[%s] %s", a.Tier, a.Summary)
	switch d.Action {
	case policy.Deny:
		reason += denial(&d)
	case policy.Ask:
		if len(d.Broken) > 0 {
			reason += "\nEverything is asked about until this is mended: " + explain.Visible(d.Broken[0])
		}
		reason += safer(a.Safer)
	case policy.Leave:
		reason = ""
	}
	return Answer{d.Action, reason}
}

// denial says why a command is refused, and what the way on is.
func denial(d *policy.Decision) string {
	switch {
	case d.Never != "":
		return "\nheed lets no agent " + d.Never + ". If it is meant all the same, a person can do it in a terminal: heed run -- COMMAND."
	case d.Reason != "":
		return fmt.Sprintf("\nDenied by the %s rule %s: %s", d.Layer, explain.Visible(d.Rule), explain.Visible(d.Reason))
	case d.Final:
		return fmt.Sprintf("\nDenied by the %s rule %s.", d.Layer, explain.Visible(d.Rule))
	}
	return fmt.Sprintf("\nDenied by the %s rule %s. A person can run it in a terminal: heed run -- COMMAND.", d.Layer, explain.Visible(d.Rule))
}

// TooLate is the answer for a command whose assessment did not end in time.
func TooLate() Answer {
	return Answer{policy.Ask, "[REVIEW] Not inspected: heed took too long. Read the command yourself."}
}

// NotInspected is the answer for a command in a language that heed does not
// read.
func NotInspected(language string) Answer {
	return Answer{policy.Ask, "[REVIEW] Not inspected: heed does not read " + language + ". Read the command yourself."}
}

// maxSafer is the longest safer command that a prompt shows, in characters: a
// command that was cut is not safer.
const maxSafer = 400

func safer(all []risk.Safer) string {
	for _, s := range all {
		if c := explain.Visible(s.Command); utf8.RuneCountInString(c) <= maxSafer {
			return fmt.Sprintf("\nSafer: %s  (%s)", c, s.Why)
		}
	}
	return ""
}
