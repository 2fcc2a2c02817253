// Package token turns text into the numbers that a BERT or RoBERTa model
// reads.
//
// In come the tokenizer files of a model, as Hugging Face writes them:
// tokenizer.json, or vocab.json with merges.txt, or vocab.txt. Two kinds are
// known: byte-level BPE (RoBERTa, CodeBERT, GPT-2) and WordPiece (BERT). What
// a file asks for beyond that is refused, not left out. Out come token
// numbers with the model's own at both ends, cut to a length.
//
// The text is hostile: special tokens that are spelled out in it are text, so
// that a command cannot end its own sequence. Work is linear in the length of
// the text but for a logarithm, and 64 kB of it are read.
package token
