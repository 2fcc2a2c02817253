package calibrate

import "github.com/heedsh/heed/internal/audit"

// A Report is what the answers say. Lists are never nil.
type Report struct {
	Rows     int         `json:"rows"`
	From     audit.Stamp `json:"from"`
	To       audit.Stamp `json:"to"`
	Commands int         `json:"commands"`
	Answers  int         `json:"answers"` // of people
	Least    int         `json:"least"`   // fewer than so many say too little

	// Safe is how often people rejected what is SAFE, of those they were asked about.
	Safe Measure `json:"safe_rejected"`
	// Review is how often REVIEW was approved in under three seconds, of what was
	// approved and says how long it took.
	Review Measure `json:"review_hasty"`
	// Caution is how often people rejected what is CAUTION.
	Caution Measure `json:"caution_rejected"`
	// Alarms is of how many commands of a program somebody was asked.
	Alarms Measure `json:"alarms"`

	Pace  []Pace `json:"pace"`
	Drift Drift  `json:"drift"`
	// Mispredicted is what the kernel refused confined commands against the prediction.
	Mispredicted Mispredictions `json:"mispredicted"`
	// Findings are what somebody should look at, the surest first.
	Findings []Finding `json:"findings"`
}

// A Measure is a share over all, and by program: those of which most is known first.
type Measure struct {
	All      Share     `json:"all"`
	Programs []Program `json:"programs"`
}

// A Program is the share of one program.
type Program struct {
	Name string `json:"name"`
	Share
}

// A Pace is how long people took to answer about one tier in one hour of the day.
type Pace struct {
	Tier string `json:"tier"`
	Hour int    `json:"hour"` // 0 to 23; -1 for the whole day
	Of   int    `json:"of"`
	// The quartiles, in milliseconds.
	Lower  int64 `json:"lower_ms"`
	Median int64 `json:"median_ms"`
	Upper  int64 `json:"upper_ms"`
	Known  bool  `json:"known"`
}

// A Drift is what changed with the last catalog, or that it did not change.
type Drift struct {
	Changed bool        `json:"changed"` // the log knows a catalog before the last one
	At      audit.Stamp `json:"at"`      // of the first row with the last one
	Before  string      `json:"before,omitempty"`
	After   string      `json:"after,omitempty"`
	// Programs are those of which enough was seen with both catalogs.
	Programs []Shift `json:"programs"`
}

// A Shift is the tiers of one program's commands before and since.
type Shift struct {
	Name   string `json:"name"`
	Before [3]int `json:"before"` // SAFE, CAUTION, REVIEW
	After  [3]int `json:"after"`
	// Compared is how many commands of a kind that occurs on both sides there are.
	Compared int `json:"compared"`
	// By is how many tiers up (or down) the answers to the same kinds of commands moved
	// on average.
	By float64 `json:"by"`
	// Sigmas is how far that is from what chance does.
	Sigmas float64 `json:"sigmas"`
	Known  bool    `json:"known"`
	stands bool    // it is a finding
}

// The kinds of findings.
const (
	// SafeRejected: what is SAFE is rejected. heed says too little of it, or people
	// expect what it does not say.
	SafeRejected = "safe-rejected"
	// ReviewHasty: REVIEW is clicked through. Nobody reads it any more.
	ReviewHasty = "review-hasty"
	// NeverRejected: CAUTION that nobody rejects. The question can be spared (heed
	// suggest).
	NeverRejected = "caution-never-rejected"
	// AnswersShifted: a program's answers changed with the catalog.
	AnswersShifted = "answers-shifted"
)

// A Finding is something that somebody should look at.
type Finding struct {
	Kind    string      `json:"kind"`
	Program string      `json:"program,omitempty"` // none: it is of all programs
	Since   audit.Stamp `json:"since,omitzero"`
	Share   *Share      `json:"share,omitempty"`
	Shift   *Shift      `json:"shift,omitempty"`
}

// Drifts reports whether a finding says that something changed for the worse: all do,
// but those of questions that can be spared.
func (f *Finding) Drifts() bool { return f.Kind != NeverRejected }
