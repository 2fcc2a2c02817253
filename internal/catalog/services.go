package catalog

import (
	"strings"

	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/risk"
)

// derived reports whether a slot is filled from the words of the command line.
func derived(slot string) bool { return slot != "" && slot[0] >= 'A' && slot[0] <= 'Z' }

// service has the phrases for programs of services for which nobody wrote any.
type service struct {
	phrases   []Phrase
	templates []Template
}

var defaults = once.Value[service]{Make: func() (s service) {
	for _, p := range [][2]string{
		{"Act=Searches and Named", "Searches for {Named} with {Program}"},
		{"Act=Lists and Things", "Lists the {Things}[ of {Owner}][ {From}] with {Program}"},
		{"Act=Changes and Thing and Named and Settings", "{Act} the {Thing} {Named}[ of {Owner}] with {Program}: {Settings}"},
		{"Act and Thing and Named", "{Act} the {Thing} {Named}[ of {Owner}][ {From}] with {Program}"},
		{"Act=Creates and Thing", "Creates {Noun}[ of {Owner}][ {From}] with {Program}"},
		{"Act and Thing", "{Act} the {Thing}[ of {Owner}][ {From}] with {Program}"},
		{"Act and Named", "{Act} {Named} with {Program}"},
	} {
		when, err := ParseCond(p[0])
		if err != nil { // which a test would tell of
			continue
		}
		s.phrases = append(s.phrases, Phrase{When: when, Text: p[1]})
	}
	s.templates = templates(s.phrases)
	return s
}}

// agrees reports whether an act is no other than the effects say: nothing that
// changes is told as a question, and no question as a change.
func (r *Result) agrees(a act, asked bool) bool {
	changes, remote, secret := false, false, false
	for i := range r.Effects {
		switch r.Effects[i].Verb {
		case risk.RemoteRead, risk.DBRead, risk.FSRead:
		case risk.RemoteChange, risk.RemoteDestroy, risk.DBChange, risk.DBDestroy, risk.PrivGain, risk.DefenseEvade:
			changes = true
		case risk.SecretRead: // what is shown, or what is made and then shown
			secret = true
		default:
			return false
		}
		remote = remote || strings.HasPrefix(string(r.Effects[i].Verb), "remote.")
	}
	return (remote || secret || asked) && a.says != "" && (a.either || secret && !changes || a.reads != changes)
}
