package assess

import "strings"

// orders reports whether words that stand where a program's name and arguments
// would are orders to a language model: prose about its instructions, safety or
// role. A person who types no such program has no reason for such words, so
// they may be looser than what [intent.Injection] finds in any text: words of
// two groups that belong together, or of three; where the first word happens to
// be the name of a program that is known, both.
func orders(argv []string, known bool) bool {
	if len(argv) < 3 {
		return false
	}
	var has [orderGroups]bool
	n := 0
	for i, w := range argv {
		if i == maxOrderWords {
			break
		}
		if strings.HasPrefix(w, "-") && len(w) > 1 || strings.ContainsAny(w, "/=$") {
			return false // options, paths and assignments: a command line after all
		}
		if g := orderGroup(strings.ToLower(strings.Trim(w, ".,:;!?\"'()[]"))); g != noOrder && !has[g] {
			has[g] = true
			n++
		}
	}
	order := has[orderVerb] && has[orderNoun]
	if known {
		return order && n >= 3
	}
	return order || n >= 3
}

// maxOrderWords is how many words are looked at.
const maxOrderWords = 40

// The groups of words that orders to a model are made of.
const (
	orderVerb  = iota // leave something behind
	orderNoun         // what a model is told
	orderRole         // who speaks, or who is spoken to
	orderLeave        // that it may
	orderGroups
	noOrder
)

func orderGroup(w string) int {
	switch w {
	case "ignore", "disregard", "forget", "override", "bypass", "overlook", "neglect", "discard":
		return orderVerb
	case "instructions", "instruction", "rules", "guidelines", "guideline", "prompt", "prompts", "restrictions", "policies", "policy",
		"guardrails", "safety", "constraints", "everything", "training", "context":
		return orderNoun
	case "system", "assistant", "ai", "agent", "model", "operator", "developer", "admin", "administrator", "user", "chatgpt", "claude", "gpt", "you":
		return orderRole
	case "approve", "allow", "allowed", "disabled", "unrestricted", "permitted", "authorized", "asking", "confirmation", "mode", "jailbreak", "dan":
		return orderLeave
	}
	return noOrder
}
