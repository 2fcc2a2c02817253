// Package eval measures heed against labelled commands.
//
// In go JSONL suites (shared/eval/README.md describes a row) and an assessor;
// out comes a table of wrong answers per suite and per class, and the shares
// of every level. It changes nothing and judges nothing itself.
package eval
