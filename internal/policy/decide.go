package policy

import "github.com/heedsh/heed/risk"

// An Action is what is done about a command.
type Action uint8

// The actions.
const (
	Leave Action = iota // nothing is decided: whoever asks goes by rules of his own
	Allow               // run it without asking
	Ask                 // ask a person
	Deny                // do not run it, whatever anybody else says
)

var actions = [...]string{"leave", "allow", "ask", "deny"}

// String returns the word of the action.
func (a Action) String() string { return actions[a] }

// A Front is where a command waits for a decision.
type Front uint8

// The fronts.
const (
	Agent Front = iota // a coding agent is about to run it, and has rules and a dialog of its own
	Run                // heed is about to run it, and asks at the terminal if there is one
	fronts
)

// A Session is what a decision depends on beside the assessment.
type Session struct {
	Front Front
	Home  string // the home directory; "" if there is none
}

// A Decision is what is done about one command, and why.
type Decision struct {
	Action Action
	// Warn says that what is allowed is told to whoever can see it.
	Warn bool
	// Rule names what decided: a row of a table in builtin.go.
	Rule string
	// Never is, in a denial, what nobody is let do. It completes "heed lets no
	// agent …".
	Never string
}

// Decide turns an assessment into a decision. A denial wins over everything;
// else the strictest of tier, level and verdict counts, and one that was not
// possible counts as REVIEW.
func Decide(a *risk.Assessment, s Session) Decision {
	if row := neverMeant(a.Effects, s.Home); row != nil {
		return Decision{Action: Deny, Rule: row.rule, Never: row.what}
	}
	band := bandOf(a)
	row := bands()[band]
	action := row.at[s.Front]
	return Decision{Action: action, Warn: action == Allow && band.Verdict() == risk.Warn, Rule: row.rule}
}

// bandOf is the lowest band that holds all that an assessment says.
func bandOf(a *risk.Assessment) risk.Band {
	if a.Error != "" {
		return risk.BandReview
	}
	band := risk.BandSafe
	for band < risk.BandReview && (band.Tier() < a.Tier || band.Level() < a.Level || band.Verdict() < a.Verdict) {
		band++
	}
	return band
}
