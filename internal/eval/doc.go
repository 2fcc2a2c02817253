// Package eval measures heed against labelled commands.
//
// In go JSONL suites (shared/eval/README.md describes a row) and an assessor;
// out comes a table of wrong answers per suite and per class, and the shares
// of every level; of cases that people rated, how often heed stands outside of
// what they accept. It changes nothing and judges nothing itself.
package eval
