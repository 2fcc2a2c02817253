// Package foreign makes rules of policy of the lists by which coding agents decide
// what they run unasked.
//
// In go the text of an agent's file (Claude Code, Codex, VS Code, Gemini CLI, Cursor)
// and what assesses commands; out come rules, and a report: which entries became
// none, and why; which let more run than they read; what heed lets run anyway. Such
// lists compare text, rules of policy meaning: an entry that allows becomes a rule only
// where the rule allows no more, and one that asks or denies where it asks about no
// less. It reads and writes no files.
package foreign
