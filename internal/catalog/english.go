package catalog

import (
	"strings"

	"github.com/heedsh/heed/internal/once"
)

// The words of subcommands are mostly English: a verb, and the things that it
// is done to. What is here makes sentences of them. A word that is no verb of
// these makes none.

// readingActs are the verbs of subcommands that ask and change nothing, behind
// the word that a sentence has for them.
const readingActs = `
Lists: list ls
Shows: show describe get view info inspect read head lookup print details display dump
Checks: check validate verify exists
Searches: search query
Finds: find
Tests: test
Compares: compare diff
Counts: count
Waits for: wait
Follows: tail watch
Estimates: estimate
Previews: preview
`

// eitherActs are the verbs of subcommands that are true whether or not something is
// changed by it, as above.
const eitherActs = `
Downloads: download
Exports: export
Generates: generate gen
Calls: call
Opens: open browse
Receives: receive
Runs: run exec execute
Invokes: invoke
`

// nounActs are subcommands that name what they show.
const nounActs = " status version logs log usage history stats statistics events metrics permissions health url "

// changingActs are the verbs of subcommands that do more than ask, as above.
const changingActs = `
Deletes: delete del rm
Removes: remove
Destroys: destroy
Terminates: terminate
Creates: create new make mk
Adds: add
Sets: set put
Initializes: init
Selects: select use
Unsets: unset
Changes: change modify update edit configure patch
Starts: start
Stops: stop
Sends: send
Moves: move mv
Copies: copy cp
Logs in to: login
Purges: purge
Clears: clear
Rolls back: rollback
Shuts down: shutdown
Fails over: failover
Empties: empty flush
`

// plainActs are verbs that a sentence has as they are.
const plainActs = ` abort accept activate allocate apply approve archive assign associate assume attach authorize backup bind block
 annotate build cancel change clean clone close comment compact complete confirm connect convert create cancel deactivate deallocate decrease decrypt demote deny deploy
 deprecate deregister destroy detach disable disassociate disconnect drain drop enable encrypt evict expire expose
 finalize fork forget freeze generalize grant halt import increase index init initialize initiate install invalidate invite
 issue join kick kill leave lease link load lock merge migrate mount open pause unpause pin ping post process produce promote provision
 prune publish pull push reboot rebuild recover redeploy redirect reformat refresh register reimage reinstall reject release reload
 rename renew reopen replace replay request requeue rerun reset resize resolve restart restore restrict resume resync retry
 revoke roll rotate save scale schedule seal select share sign signal simulate snapshot stage
 store submit subscribe suspend swap switch sync synchronize tag take trigger truncate unarchive unassign unbind unblock
 undelete uninstall unlink unlock unmount unpublish unregister unsubscribe untag upgrade upload
 withdraw write `

// acts are what sentences say for the verbs of subcommands; true for those
// that change nothing.
var acts = once.Value[map[string]act]{Make: func() map[string]act {
	all := map[string]act{}
	for w := range strings.FieldsSeq(plainActs) {
		third := thirdPerson(w)
		all[w] = act{says: strings.ToUpper(third[:1]) + third[1:]}
	}
	table := func(text string, reads, either bool) {
		for line := range strings.Lines(strings.TrimSpace(text)) {
			says, words, _ := strings.Cut(line, ":")
			for w := range strings.FieldsSeq(words) {
				all[w] = act{says: says, reads: reads, either: either}
			}
		}
	}
	table(changingActs, false, false)
	table(readingActs, true, false)
	table(eitherActs, false, true)
	return all
}}

// isAct reports whether a subcommand is a verb of these.
func isAct(word string) bool {
	_, is := acts.Get()[strings.ToLower(word)]
	return is
}

// An act is what a sentence says for a verb.
type act struct {
	says   string // third person, with a capital letter
	reads  bool   // it changes nothing
	either bool   // it may change something or not
}

// thirdPerson is how a verb stands in a sentence: deploys, retries, pushes.
func thirdPerson(verb string) string {
	switch {
	case strings.HasSuffix(verb, "y") && !strings.ContainsAny(verb[max(0, len(verb)-2):len(verb)-1], "aeiou"):
		return verb[:len(verb)-1] + "ies"
	case strings.HasSuffix(verb, "s"), strings.HasSuffix(verb, "x"), strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "o"):
		return verb + "es"
	}
	return verb + "s"
}

// plural reports whether a noun is written as more than one.
func plural(noun string) bool {
	letters, s := strings.CutSuffix(noun, "s")
	switch {
	case s && len(letters) > 1 && strings.ToUpper(letters) == letters: // VMs
		return true
	case noun != "ids" && len(noun) < 4, strings.ToUpper(noun) == noun, strings.HasSuffix(noun, "ss"), strings.HasSuffix(noun, "us"), strings.HasSuffix(noun, "is"), strings.HasSuffix(noun, "ws"):
		return false
	case noun == "kubernetes", noun == "https", noun == "series", noun == "postgres", noun == "sms", noun == "cors":
		return false
	}
	return strings.HasSuffix(noun, "s")
}

// one writes a noun as of one thing.
func one(noun string) string {
	head, last := lastWord(noun)
	switch {
	case !plural(last), strings.HasSuffix(last, "Ops"): // DevOps
		return noun
	case last == "indices":
		last = "index"
	case strings.HasSuffix(last, "ies") && len(last) > 4:
		last = last[:len(last)-3] + "y"
	case strings.HasSuffix(last, "sses"), strings.HasSuffix(last, "xes"), strings.HasSuffix(last, "ches"), strings.HasSuffix(last, "shes"), strings.HasSuffix(last, "uses"):
		last = last[:len(last)-2]
	default:
		last = last[:len(last)-1]
	}
	return head + last
}

// many writes a noun as of several things.
func many(noun string) string {
	head, last := lastWord(noun)
	switch {
	case last == "", plural(last), massNoun(last) && !(head != "" && last == "network"): // virtual networks
		return noun
	case strings.HasSuffix(last, "y") && !strings.ContainsAny(last[max(0, len(last)-2):max(0, len(last)-1)], "aeiou") && strings.ToLower(last) == last:
		last = last[:len(last)-1] + "ies"
	case strings.HasSuffix(last, "s"), strings.HasSuffix(last, "x"), strings.HasSuffix(last, "ch"), strings.HasSuffix(last, "sh"):
		last += "es"
	default:
		last += "s"
	}
	return head + last
}

// massNoun reports whether a noun has no plural.
func massNoun(noun string) bool {
	switch noun {
	case "DNS", "storage", "network", "info", "information", "data", "metadata", "access", "status", "usage", "history", "health", "monitoring",
		"logging", "billing", "auth", "support", "capacity", "content", "traffic", "identity", "config", "configuration", "output", "progress":
		return true
	}
	return false
}

// lastWord cuts a noun of several words before its last.
func lastWord(noun string) (head, last string) {
	i := strings.LastIndexByte(noun, ' ') + 1
	return noun[:i], noun[i:]
}

// article is a or an, as it is spoken.
func article(noun string) string {
	if noun == "" {
		return "a"
	}
	first, _, _ := strings.Cut(noun, " ")
	if strings.ToUpper(first) == first { // letters: an SQL database, a VPC
		if strings.ContainsRune("AEFHILMNORSX", rune(first[0])) {
			return "an"
		}
		return "a"
	}
	if strings.ContainsRune("aeiouAEIO", rune(noun[0])) && !strings.HasPrefix(noun, "user") && !strings.HasPrefix(noun, "one") {
		return "an"
	}
	return "a"
}
