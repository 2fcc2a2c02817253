// Package heuristic scores a command from 0 to 100 as the CommandRisk seed
// describes: complexity of its form, sensitivity of what it touches, weights of
// the techniques it amounts to.
//
// What comes in are the programs, effects and findings of a request, the
// effects with the tier that the decision table gave them. What goes out is
// the score with each contribution to it. It decides no tier: the judge holds
// the score inside the tier's band (DESIGN section 7).
package heuristic
