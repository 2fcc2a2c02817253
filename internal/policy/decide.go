package policy

import (
	"slices"

	"github.com/heedsh/heed/risk"
)

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
	Run                // heed is about to run it, and can ask at the terminal
	Alone              // heed is about to run it, and nobody can be asked
	fronts
)

// A Consent is what a person has to do for a yes.
type Consent uint8

// What consent takes.
const (
	Click Consent = iota // a yes
	Typed                // the decisive word of this very command, or the PIN
)

// A Session is what a decision depends on beside the assessment.
type Session struct {
	Front Front
	Home  string // the home directory; "" if there is none
	// Agent is who asks, and Provenance who or what asked for the command.
	Agent      string
	Provenance risk.Provenance
	// Today is the day of the session, YYYY-MM-DD; "" if it is not known: rules that
	// allow until some day then allow nothing.
	Today string
}

// A Decision is what is done about one command, and why.
type Decision struct {
	Action Action
	// Warn says that what is allowed is told to whoever can see it.
	Warn bool
	// Confined says that what is allowed runs within what its assessment says, where heed
	// runs it.
	Confined bool
	// Rewrite says that its agent is to run what is allowed through heed, which confines it.
	Rewrite bool
	// Rule names what decided: a rule, or a row of a table in builtin.go.
	Rule   string
	Layer  Layer
	Reason string // what the rule's owner says; "" for heed's own and for a workspace's
	// Consent is what a question takes, where one is asked.
	Consent Consent
	// Final is set where a person or an organisation denied it by a rule of theirs:
	// nobody is asked, and no approval lets it run.
	Final bool
	// Never is, in a denial of heed's own, what nobody is let do unasked. It completes
	// "heed lets no agent …".
	Never string
	// Parts are the decisions about each program, in the order of the invocations.
	Parts []Part
	// Broken says why nothing is allowed unasked.
	Broken []string
}

// Decide turns an assessment into a decision by heed's own rules alone.
func Decide(a *risk.Assessment, s Session) Decision { return (&Set{}).Decide(a, s) }

// Decide turns an assessment into a decision. Each program is decided by itself
// and the strictest counts; so does what the whole command comes to, where that is
// more than any of its programs. A denial wins over everything.
func (s *Set) Decide(a *risk.Assessment, at Session) Decision {
	band := bandOf(a)
	whole := Part{Process: -1, Action: s.at(band, at.Front), Rule: bandRule(band)}
	d := Decision{Broken: s.Broken}
	highest := risk.BandSafe
	if a.Error == "" {
		for _, deed := range deeds(a) {
			d.Parts = append(d.Parts, s.part(deed, &at))
			highest = max(highest, deed.band())
		}
	}
	if band > highest || len(d.Parts) == 0 {
		d.Parts = append(d.Parts, whole)
	}
	by := strictest(d.Parts)
	d.Action, d.Rule, d.Layer, d.Reason = by.Action, by.Rule, by.Layer, by.Reason
	if d.Layer == Workspace {
		d.Reason = "" // its words are not shown: whoever wrote the workspace wrote them
	}
	d.Final = d.Action == Deny && (d.Layer == Managed || d.Layer == User || d.Layer == OfSession)
	if row := neverMeant(a.Effects, at.Home); row != nil && !d.Final {
		d.Action, d.Rule, d.Layer, d.Reason, d.Never = Deny, row.rule, BuiltIn, "", row.what
	}
	switch {
	case strictness(d.Action) >= strictness(Ask):
	case len(s.Broken) > 0:
		d.Action, d.Rule, d.Layer, d.Reason = Ask, "builtin.broken-policy", BuiltIn, ""
	case s.Asks:
		d.Action, d.Rule, d.Layer, d.Reason = Ask, "managed.ask-always", Managed, ""
	}
	// One program that is let run so takes the whole command with it: they share what they may.
	d.Confined = d.Action == Allow && (s.Confine[band] || slices.ContainsFunc(d.Parts, func(p Part) bool { return p.Confine }))
	d.Rewrite = d.Action == Allow && band == risk.BandSafe && at.Front == Agent && slices.Contains(s.ConfineAgents, at.Agent)
	d.Warn = d.Action == Allow && band.Verdict() == risk.Warn
	if (band == risk.BandReview || d.Action == Deny) && (at.Front != Agent || !s.Dialog) {
		d.Consent = Typed
	}
	return d
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
