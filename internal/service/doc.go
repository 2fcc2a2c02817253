// Package service puts heed together, once, for everybody who asks.
//
// In go requests; out come answers: assessments, and what they show beside them
// (Assess, Script); the same for many requests on a stream (Batch); what the
// commands of one session say together (Session, InSession); the record of an answer and
// the answer to a record (Recording, Replay); and what policy makes of it
// (Decide). The command line, the hook, heed run, the scanner, the doctor and the
// library all go through here: nothing else joins this machine, the specs and
// rules of a person, the assessor and the detectors.
//
// Every method that works takes a context, and ends soon after it is cancelled.
// What cannot be assessed is an error, a [*Failure], beside an answer that is
// REVIEW. The package says nothing to people, and reads of the machine what
// package host shows it.
package service
