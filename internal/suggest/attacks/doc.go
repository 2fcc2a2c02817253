// Package attacks judges the attacks of this repository where a person works.
//
// In go a person's name, home and directory; out come the attacks with what they would
// do to that person: in a small project in that directory, on a machine that is made
// up. Nothing of the real one is looked at, and nothing is run.
package attacks
