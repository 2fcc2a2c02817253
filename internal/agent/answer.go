package agent

import (
	"fmt"
	"strings"
	"unicode"
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
	// Command is what the agent is to run in the place of its command, where it is allowed;
	// "" for the command itself.
	Command string
}

// A Note is what an agent is told beside what was decided about its command.
type Note struct {
	// Digest names the request that waits for a person, as people type it; "" if there
	// is none.
	Digest string
	// Denied is set where a person denied it, with his reason.
	Denied bool
	Reason string
	// First is what of a line a person agreed to, where that is not all of it; "" if it is.
	First string
	// Rest names the request of what remains of a line whose first steps run now.
	Rest string
	// Approved is set where a person's yes was used.
	Approved bool
	// Changed is what changed since a yes that does not count any more.
	Changed []string
	// Trouble is what heed could not keep.
	Trouble string
}

// AnswerTo says what was decided about a command to its agent. A click in its dialog
// does for what is not REVIEW, if it asks its person; for the rest a person has to agree
// elsewhere, and the agent is refused until then.
func AnswerTo(a *risk.Assessment, d *policy.Decision, n *Note, asks bool) Answer {
	reason := fmt.Sprintf("[%s] %s", a.Tier, a.Summary)
	if a.Error != "" {
		reason += "\nWhy: " + explain.Cut(explain.Visible(a.Error), 200) + "."
	}
	answer := Answer{Decision: d.Action, Reason: reason}
	switch {
	case d.Action == policy.Leave:
		return Answer{Decision: d.Action}
	case d.Action == policy.Allow && n.Approved:
		answer.Reason += "\nA person approved exactly this, once."
		if n.Rest != "" {
			answer.Reason += "\nWhat follows it in the line waits for another yes: heed approve " + n.Rest
		}
		return answer
	case d.Action == policy.Allow:
		return answer
	case d.Action == policy.Ask && d.Consent == policy.Click && asks:
		if len(d.Broken) > 0 {
			answer.Reason += "\nEverything is asked about until this is mended: " + explain.Visible(d.Broken[0])
		}
		answer.Reason += trouble(n) + safer(a.Safer)
		return answer
	}
	answer.Decision = policy.Deny
	answer.Reason += denial(d, n) + trouble(n)
	if !n.Denied {
		answer.Reason += safer(a.Safer)
	}
	return answer
}

// denial says why a command is refused, and what the way on is.
func denial(d *policy.Decision, n *Note) string {
	by := ""
	switch {
	case n.Denied && n.Reason != "":
		return "\nA person denied this: " + explain.Visible(n.Reason)
	case n.Denied:
		return "\nA person denied this."
	case d.Never != "":
		by = "\nheed lets no agent " + d.Never + "."
	case d.Action == policy.Deny && d.Reason != "":
		by = fmt.Sprintf("\nDenied by the %s rule %s: %s.", d.Layer, explain.Visible(d.Rule), strings.TrimSuffix(explain.Visible(d.Reason), "."))
	case d.Action == policy.Deny:
		by = fmt.Sprintf("\nDenied by the %s rule %s.", d.Layer, explain.Visible(d.Rule))
	case len(d.Broken) > 0:
		by = "\nEverything is asked about until this is mended: " + explain.Visible(d.Broken[0])
	}
	if len(n.Changed) > 0 {
		by += "\nIt was approved, but since then this changed: " + strings.Join(n.Changed, ", ") + "."
	}
	switch {
	case d.Final:
		return by
	case n.First != "":
		return by + "\nA person agreed to the first steps of it only. Run exactly this, by itself, once:\n" + explain.Visible(n.First) + "\nWhat follows is asked about then. Do not try to reach the same in another way."
	case n.Digest == "":
		return by + "\nA person can run it in a terminal: heed run -- COMMAND."
	}
	return by + "\nNot run yet: a person has to agree, in a terminal of their own: heed approve " + n.Digest + "\nThen run exactly the same command again. Do not try to reach the same in another way."
}

func trouble(n *Note) string {
	if n.Trouble == "" {
		return ""
	}
	return "\n" + explain.Visible(n.Trouble)
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

// clean leaves a terminal nothing to obey: some agents hand it what a hook says as it
// is (Copilot CLI 1.0.102 does).
func clean(reason string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, reason)
}
