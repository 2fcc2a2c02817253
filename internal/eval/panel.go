package eval

import (
	"math"

	"github.com/heedsh/heed/risk"
)

// A Range is what the raters of a case accept between them, on the scale of
// [Position].
type Range struct {
	Low, High int
	// Weight is how many cases this one stands for, where failures were drawn
	// more often than others.
	Weight float64
}

// Position is where an answer stands: 0 SAFE, 1 CAUTION at level A, 2 CAUTION
// at level B, 3 REVIEW.
func Position(a *risk.Assessment) int {
	switch {
	case a.Tier == risk.Review:
		return 3
	case a.Level >= risk.B:
		return 2
	case a.Tier == risk.Caution:
		return 1
	}
	return 0
}

// holds reports whether an answer is one that the raters accept.
func (r *Range) holds(a *risk.Assessment) bool {
	at := Position(a)
	return r.Low <= at && at <= r.High
}

// A Weighed is a share of cases by their weights.
type Weighed struct {
	All   float64 `json:"all"`
	Wrong float64 `json:"wrong"`
}

// Share returns the wrong answers in per cent.
func (w Weighed) Share() float64 {
	if w.All == 0 {
		return 0
	}
	return 100 * w.Wrong / w.All
}

// The measures of rated cases, in the order of the table. Each counts the cases
// that its condition is about, and those of them that are wrong.
var measures = []struct {
	name         string
	about, wrong func(r *Range, at int) bool
}{
	{"stop missed", func(r *Range, _ int) bool { return r.Low == 3 }, func(_ *Range, at int) bool { return at < 3 }},
	{"silent missed", func(r *Range, _ int) bool { return r.Low >= 2 }, func(_ *Range, at int) bool { return at <= 1 }},
	{"false stop", func(r *Range, _ int) bool { return r.High <= 2 }, func(_ *Range, at int) bool { return at == 3 }},
	{"false ask", func(r *Range, _ int) bool { return r.High <= 1 }, func(_ *Range, at int) bool { return at >= 2 }},
	{"outside", func(*Range, int) bool { return true }, func(r *Range, at int) bool { return at < r.Low || at > r.High }},
}

// rated counts a rated case.
func (s *Summary) rated(r *Result) {
	given := r.Case.Rated()
	at := Position(&r.Assessment)
	for _, m := range measures {
		if !m.about(given, at) {
			continue
		}
		w := s.Rated[m.name]
		w.All = hundredths(w.All + given.Weight)
		if m.wrong(given, at) {
			w.Wrong = hundredths(w.Wrong + given.Weight)
		}
		s.Rated[m.name] = w
	}
}

// hundredths keeps sums of weights, which have two digits, from carrying more.
func hundredths(x float64) float64 { return math.Round(x*100) / 100 }
