// Package export writes rows of the log for other programs to read.
//
// In go rows in their order, and where they come from; out come lines of JSON: the
// rows as they are (jsonl), events of OCSF 1.9 (ocsf), or log records of
// OpenTelemetry in the JSON of OTLP (otlp). Each format keeps the number and the hash
// of every row, so that whoever keeps an export can later hold the log against it.
//
// Nothing is sent and nothing is read: rows come as they are given, their secrets
// already taken out.
package export
