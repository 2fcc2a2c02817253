// Package mask takes secrets out of texts before they are kept.
//
// In goes a text, or a command with its environment; out comes the same text
// with a placeholder of its kind, like <secret:token>, where something looks
// like a secret. Text knows secrets by their own shape, wherever they stand. A
// Masker knows more of one command: the values of credentials in its
// environment, and what it gives to a password option, a header or a variable;
// it takes those out of every text about that command.
//
// The package computes; it keeps nothing and touches no machine. It cannot know
// a secret that looks like any other word.
package mask
