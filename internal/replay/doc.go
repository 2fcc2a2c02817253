// Package replay keeps an assessment with everything that it depends on, and
// makes it again from that.
//
// In goes a request, the log of all that was read of the world (package record)
// and the answer; out comes a record: JSON that another machine can answer from,
// byte for byte. Values that look like secrets are replaced by placeholders of
// their kind before anything is written, wherever the answer does not depend on
// them: each record is answered from once before it is handed out, and must give
// the answer that was given.
//
// Records that are read are hostile input. Nothing here touches the machine.
package replay
