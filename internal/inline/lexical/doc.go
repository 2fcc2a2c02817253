// Package lexical reads code in languages without a parser: the commands it runs
// and the files it names, as far as they stand there literally.
//
// In goes text, out comes an [inline.Result] that is never whole: nothing is
// concluded from what is not found.
package lexical
