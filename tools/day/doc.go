// Command day lives through days of an agent's work and holds heed to what was planted
// in them.
//
// Each day has a thousand commands, a person who is asked, and a log, all by one seed.
// A command goes the way that it goes behind a hook: it is assessed in a world that is
// made up, policy decides by the preset balanced, the person answers what is asked, and
// every step is a row of a real log in a directory of its own. The person reads with a
// stated probability; who reads takes a time that is log-normal, and sees sabotage
// nearly always; who does not says yes.
//
// Into the days are planted: attacks that must be stopped and quiet ones that look like
// the day's work; a catalog that answers otherwise about one program from some hour on;
// a person who begins to reject what is SAFE of one program, and one who clicks REVIEW
// of one program through. Days without them are the control.
//
// Then heed calibrate reads the first day's log, and is held to what was planted in it;
// heed suggest reads all days, knowing one half of the attacks of this repository, and
// its rules are held against the attacks that were planted and against the other half;
// and one day more is lived through with and without these rules, to count questions.
//
//	go run ./tools/day                                         # commands by a grammar
//	go run ./tools/day -suites '../shared/eval/dev/agent-*.jsonl'    # commands of agents
//
// The commands of suites are read when it runs, each file in a world of its own, where
// the scripts that they start are there, and harmless.
package main
