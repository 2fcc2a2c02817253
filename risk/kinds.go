package risk

import (
	"fmt"
	"slices"
	"strings"
)

//go:generate go run ./internal/generate

// A Kind is the declared word for what an effect touches or how: a hook, a
// stash, an append. Together with the verb it says what an effect means; both
// are heed's own and never text from a command. Kinds are declared in
// kinds.txt, each with the verbs that it goes with, and nowhere else: a spec or
// Go code that uses another word does not compile. In JSON a kind is its word.
type Kind uint16

// NoKind is the kind of an effect of which the verb says everything.
const NoKind Kind = 0

// A kindRow is what kinds.txt declares of one kind.
type kindRow struct {
	id        string
	workspace bool
	uses      []kindUse
}

// A kindUse is a kind with one of its verbs.
type kindUse struct {
	verb        Verb
	attack, asi string
	says        string
}

// Kinds lists every declared kind, in the order of their words.
func Kinds() []Kind {
	all := make([]Kind, 0, len(kindRows)-1)
	for i := range kindRows[1:] {
		all = append(all, Kind(i+1))
	}
	return all
}

// KindOf finds the kind that a word declares; the empty word is [NoKind].
func KindOf(word string) (Kind, bool) {
	i, ok := slices.BinarySearchFunc(kindRows[:], word, func(r kindRow, w string) int { return strings.Compare(r.id, w) })
	return Kind(i), ok
}

// String returns the kind's word.
func (k Kind) String() string {
	if int(k) < len(kindRows) {
		return kindRows[k].id
	}
	return fmt.Sprintf("kind(%d)", uint16(k))
}

// Of returns the kind's word with what it is about, as of a text that cannot
// be read: "it cannot be parsed as bash".
func (k Kind) Of(what string) string {
	switch {
	case what == "":
		return k.String()
	case k == KindOtherShell:
		return fmt.Sprintf("heed does not evaluate %q", what)
	}
	return k.String() + " as " + what
}

// MarshalText writes the kind's word.
func (k Kind) MarshalText() ([]byte, error) {
	if int(k) >= len(kindRows) {
		return nil, fmt.Errorf("kind %d is not declared", uint16(k))
	}
	return []byte(kindRows[k].id), nil
}

// UnmarshalText reads a word; one that is not declared is an error.
func (k *Kind) UnmarshalText(text []byte) error {
	found, ok := KindOf(string(text))
	if !ok {
		return fmt.Errorf("%.60q is no declared kind (docs/words.md lists them)", text)
	}
	*k = found
	return nil
}

// use returns what is declared of the kind with a verb, or nil.
func (k Kind) use(v Verb) *kindUse {
	if int(k) >= len(kindRows) {
		return nil
	}
	uses := kindRows[k].uses
	for i := range uses {
		if uses[i].verb == v {
			return &uses[i]
		}
	}
	return nil
}

// With reports whether the kind is declared to go with a verb. No kind goes
// with every verb.
func (k Kind) With(v Verb) bool { return k == NoKind || k.use(v) != nil }

// Verbs lists the verbs that the kind goes with.
func (k Kind) Verbs() []Verb {
	var all []Verb
	if int(k) < len(kindRows) {
		for _, u := range kindRows[k].uses {
			all = append(all, u.verb)
		}
	}
	return all
}

// Says returns the phrases for an effect of this kind and verb, each verb
// first and in the present tense, with " | " between them: a sentence takes the
// first of which it can fill every slot ([Slots]). A slot {who:it} says what
// stands there if nothing is known. It is empty where the verb's own phrase
// serves.
func (k Kind) Says(v Verb) string {
	if u := k.use(v); u != nil {
		return u.says
	}
	return ""
}

// Slots lists what a phrase may have in braces.
func Slots() []string {
	return []string{
		"target", // what is acted on; behind the phrase is told what is lost with it
		"name",   // the target, if it is a word of the command
		"new",    // the target, if nothing is there now
		"where",  // the place that something is put into, or picked from
		"who",    // the program, or what stands for it
		"what",   // what a service keeps, whose name may not be known
		"named",  // the pattern that names of files match
		"secret", // the secret that is read or sent
		"file",   // the file that a secret goes to
		"end",    // nothing: here the main clause ends, and what follows takes the place of the verb's own notes
	}
}

// Technique returns the ATT&CK technique and the OWASP ASI id of this kind with
// a verb, where it has some of its own.
func (k Kind) Technique(v Verb) (attack, asi string, ok bool) {
	u := k.use(v)
	if u == nil || u.attack == "" {
		return "", "", false
	}
	return u.attack, u.asi, true
}

// FromWorkspace reports whether a workspace's own spec may say the kind: only
// those by which the decision table tells effects apart. Others would be its
// author's words in heed's sentence.
func (k Kind) FromWorkspace() bool { return int(k) < len(kindRows) && kindRows[k].workspace }
