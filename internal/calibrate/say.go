package calibrate

import (
	"fmt"
	"math"
)

// Sentence says a finding in words. The name of its program comes from elsewhere and
// is as the row has it.
func (f *Finding) Sentence() string {
	switch f.Kind {
	case SafeRejected:
		return fmt.Sprintf("%d of the last %d answers about SAFE commands of %s were no, since %s (%s).", f.Share.Count, f.Share.Of, f.Program, f.Since, f.Share.Percent())
	case ReviewHasty:
		return fmt.Sprintf("%d of the last %d times that REVIEW of %s was approved, it took less than three seconds, since %s (%s).", f.Share.Count, f.Share.Of, f.Program, f.Since, f.Share.Percent())
	case NeverRejected:
		return fmt.Sprintf("None of %d answers about CAUTION of %s was no (%s): heed suggest may spare the question.", f.Share.Of, f.Program, f.Share.Percent())
	case AnswersShifted:
		way := "higher"
		if f.Shift.By < 0 {
			way = "lower"
		}
		return fmt.Sprintf("Since the catalog of %s, the same kinds of commands of %s are judged %s, by %.1f of a tier on average (%s before, %s since).",
			f.Since, f.Program, way, math.Abs(f.Shift.By), counts(f.Shift.Before), counts(f.Shift.After))
	}
	return f.Kind + " " + f.Program
}

// Percent says a share with its interval.
func (s *Share) Percent() string {
	if s.Of == 0 {
		return "nothing to count"
	}
	return fmt.Sprintf("%.0f %%, %.0f to %.0f %% is likely", 100*s.Share, 100*s.Low, 100*s.High)
}

func counts(tiers [3]int) string {
	return fmt.Sprintf("%d SAFE, %d CAUTION, %d REVIEW", tiers[0], tiers[1], tiers[2])
}
