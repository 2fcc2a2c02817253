// Package covers says what else of the log rules would have let run without a question:
// what a person looks at before he makes a rule, or agrees to something once more.
//
// In go rules and the log; out come a number and the worst commands, each judged anew by
// the rules in force with and without these. It takes a tenth of a second at most, because
// a person waits for the question, and says where it has not looked at everything. It asks
// nobody, and keeps nothing.
package covers
