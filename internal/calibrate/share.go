package calibrate

import "math"

// Least is how many observations there have to be at least before anything is said
// of a share: of fewer, an interval of 95 % is wider than half of all there is.
const Least = 10

// The quantiles of the normal distribution that are used.
const (
	likely = 1.959964 // 95 % between: the intervals that are shown
	sure   = 2.967738 // 99.7 % between: what a finding needs, as many shares are looked at
)

// A Share is how many of some had something, with the interval of 95 % in which the
// share lies that more of them would show.
type Share struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	// Known is false where there is too little to know.
	Known bool `json:"known"`
}

func shareOf(count, of int) Share {
	low, high := Wilson(count, of, likely)
	s := Share{Count: count, Of: of, Low: low, High: high, Known: of >= Least}
	if of > 0 {
		s.Share = float64(count) / float64(of)
	}
	return s
}

// Wilson is the score interval of a share, for a quantile z of the normal
// distribution; everything is possible of none. Source: E. B. Wilson, "Probable
// inference, the law of succession, and statistical inference", JASA 22 (1927).
func Wilson(count, of int, z float64) (low, high float64) {
	if of <= 0 {
		return 0, 1
	}
	n, p := float64(of), float64(count)/float64(of)
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	low, high = max(middle-half, 0), min(middle+half, 1)
	if count == 0 {
		low = 0 // and not what rounding leaves
	}
	if count == of {
		high = 1
	}
	return low, high
}
