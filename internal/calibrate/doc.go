// Package calibrate holds what people answered against the tiers they were shown.
//
// In go rows of the log, in their order; out comes a report: SAFE that was rejected,
// REVIEW that was approved in under three seconds, CAUTION that nobody ever rejected,
// how often each program makes heed ask, how long answers take by tier and hour, and
// programs whose answers changed with the last catalog; and what the kernel refused
// confined commands that no assessment had predicted. Every share has its Wilson
// interval, and where there is too little to know it says that instead of a finding.
//
// The package reads nothing but the rows, asks no clock and changes nothing: what it
// finds never lowers a tier. Texts in a report are those of the rows, which come from
// elsewhere; who shows them makes them visible.
package calibrate
