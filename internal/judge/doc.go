// Package judge turns effects and flows into a tier.
//
// In go the effects that the engine found and the request's provenance; out
// come a band for every effect and one for the whole: tier, level, verdict and
// score are all read from it. The decision table in table.go is the whole of
// heed's judgement and can be checked by eye; the rest of the package only
// applies it. It is a pure function: it reads nothing but its arguments.
package judge
