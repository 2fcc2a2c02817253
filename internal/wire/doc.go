// Package wire writes plain data in a compact form and reads it back strictly.
//
// In go numbers, truths and strings, in an order that writer and reader agree on;
// out come bytes, and the same again. A string that comes twice is written once.
// What is read may come from anybody: it costs no more memory than it has bytes,
// nothing panics, and whatever a [Writer] would not have written is an error, which
// stays: after it everything that is read is empty.
package wire
