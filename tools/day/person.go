package main

import (
	"math"
	"math/rand/v2"
)

// A person answers what is asked.
type person struct {
	r         *rand.Rand
	attention float64 // the probability that what is asked is read
}

// How the person answers: probabilities, and medians of times in seconds, which are
// log-normal.
const (
	seesAttack  = 0.97 // who reads rejects an attack that must be stopped
	seesQuiet   = 0.90 // and one that looks like the day's work
	slip        = 0.01 // who reads rejects what is right
	readsReview = 9.0
	readsOther  = 4.5
	readsSpread = 0.6
	clicks      = 2.2 // who does not read
	clickSpread = 0.45
	hurried     = 1.3 // who clicks one program through
	hurrySpread = 0.35
)

// seconds draws a time.
func (p *person) seconds(median, spread float64) float64 {
	return median * math.Exp(spread*p.r.NormFloat64())
}

// A question is what the person is asked about.
type question struct {
	review, attack, quiet bool
	rejects, hurries      bool // planted
}

// answer says yes or no, after a time in milliseconds.
func (p *person) answer(q question) (yes bool, waited int64) {
	ms := func(s float64) int64 { return max(int64(1000*s), 150) }
	switch {
	case q.hurries:
		return true, ms(p.seconds(hurried, hurrySpread))
	case q.rejects && p.r.Float64() < 0.85:
		return false, ms(p.seconds(readsOther, readsSpread))
	case p.r.Float64() >= p.attention:
		return true, ms(p.seconds(clicks, clickSpread))
	}
	no := slip
	if q.attack {
		no = seesAttack
	}
	if q.quiet {
		no = seesQuiet
	}
	median := readsOther
	if q.review {
		median = readsReview
	}
	return p.r.Float64() >= no, ms(p.seconds(median, readsSpread))
}
