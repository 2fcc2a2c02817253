// Package inline reads one-liners and small scripts in scripting languages
// and says what they would do, as far as literal arguments tell, without
// running them. In goes program text, out come effects and nested commands in
// the catalog's terms. Each language has a tokenizer of its own; the parser
// and the evaluator, which folds constants, are shared. What is not understood
// is said so, never guessed. That a Python program does nothing else than what was
// found, a second reader says, the voucher. It may not touch the machine.
package inline
