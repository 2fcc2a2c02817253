package policy

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/heedsh/heed/risk"
)

// Narrow is the narrowest rule that would let run what one program of a command does: this
// program and subcommand, these deeds, on exactly these targets. There is none for what
// is REVIEW, for what could not be inspected, and for what needs no yes. today (YYYY-MM-DD)
// ends it with that day, if it is not empty.
func Narrow(d *Deed, today string) (Rule, bool) {
	r := Rule{Action: Allow, Until: today, Match: Match{Level: []string{risk.A.String(), risk.B.String()}}}
	if d.Program == "" || !word(d.Program) {
		return r, false
	}
	r.Match.Program = []string{d.Program}
	if d.Subcommand != "" {
		r.Match.Subcommand = []string{d.Subcommand}
	}
	for _, f := range d.Effects {
		switch {
		case f.Band == risk.BandReview, f.Effect.Verb == risk.Blind:
			return r, false
		case f.Band <= risk.BandCautionA:
			continue
		case f.Effect.Target == "" || f.Effect.Unresolved != "" || f.Effect.Many || !word(f.Effect.Target):
			return r, false // what it is about is not known, so nothing narrow can be said of it
		}
		r.Match.Verb = once(r.Match.Verb, string(f.Effect.Verb))
		r.Match.Target = once(r.Match.Target, f.Effect.Target)
	}
	if len(r.Match.Verb) == 0 {
		return r, false
	}
	h := fnv.New32a()
	fmt.Fprint(h, r.Match)
	r.ID = fmt.Sprintf("approved.%08x", h.Sum32())
	return r, true
}

// Narrowest are the narrowest rules by which a command would run unasked; none where one of
// its programs can have none.
func Narrowest(a *risk.Assessment, d *Decision, today string) []Rule {
	var all []Rule
	deeds := Deeds(a)
	for i := range deeds {
		part := slices.IndexFunc(d.Parts, func(p Part) bool { return p.Process == deeds[i].Process })
		if part < 0 || d.Parts[part].Action != Ask {
			continue
		}
		r, ok := Narrow(&deeds[i], today)
		if !ok {
			return nil
		}
		all = append(all, r)
	}
	return all
}

// word reports whether a text stands for itself as a pattern, and is no longer than rules
// allow.
func word(text string) bool {
	return len(text) <= 200 && !slices.Contains([]byte(text), '*')
}

func once(all []string, s string) []string {
	if slices.Contains(all, s) {
		return all
	}
	return append(all, s)
}
