// Package record keeps everything that was read of a world, and answers from
// such a record.
//
// In goes a world.World; out come a world that answers the same and a Log of
// each distinct question with its answer. A question that is asked again is
// answered from the Log, so one recorded world never contradicts itself and
// whatever is concluded from it is a function of the Log. Replay makes a world
// that answers from the Log alone and refuses any other question.
//
// A Log is JSON on disk: questions are readable ("lstat" "/etc/hosts"), and bytes
// that are not text survive. It holds the contents of files that were read: who
// writes it somewhere chooses the mode, and who asks chooses what is read. Nothing
// here touches the machine.
//
// Answers are shared between the asker and the Log and must not be changed.
package record
