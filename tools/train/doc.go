// Command train makes the intent model of internal/detect/intent: it reads
// labelled commands, lets heed look at each in a fixture world, cross-validates
// the model over whole groups, and writes the model, its folds and the figures
// of its card.
//
//	go run ./tools/train -pool POOL.jsonl -world DIR            # from the top of the repository
//	go run ./tools/train -pool POOL.jsonl -world DIR -compare   # with the other candidates and the plot
//
// Examples are JSON objects, one a line, with at least "cmd", "intent" (BENIGN,
// RECONNAISSANCE, DESTRUCTIVE, EXFILTRATION or PERSISTENCE) and "group": rows of
// a group, such as those of one repository or one idea, are never divided
// between training and testing. The pool's rows may have "shell", "file" (the
// source) and "hint": "guard" marks cases of other guards, which are predicted
// and, without -guards, not learned from. Our own examples are all *.jsonl files of -own.
// The pool is not part of this repository. The world is a directory whose
// home/user/project is where commands are judged.
//
// Every run with the same input makes the same bytes: seeds are fixed, and so
// is the order of everything. With -cache what heed saw of each command is
// kept, so that a second run trains at once; delete the file when heed changed.
package main
