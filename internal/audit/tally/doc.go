// Package tally counts what the log holds.
//
// In go rows in their order; out come numbers: commands by tier, what was decided
// and answered about them and how long people took, programs, risks, agents. It
// draws no conclusions from them: that is calibration's business.
package tally
