// Package syntax cuts programs in scripting languages into tokens and parses them
// into trees that all languages share.
//
// In goes text, out come tokens or nodes; what is not understood is marked and
// passed over, so that what follows is still seen. Each language has a tokenizer
// of its own. It knows no effects, and all its work is linear in the text.
package syntax
