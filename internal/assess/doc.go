// Package assess joins the stages: engine, judge and explain make one
// assessment of one request in one world.
//
// In go a request and a world; out comes the record that heed prints, logs and
// replays. It is the pure heart of the library's front door: no clock, no
// machine, no randomness.
package assess
