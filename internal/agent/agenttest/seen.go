// Package agenttest holds what real agents were seen to do with heed's answers, and a
// stand-in for their model with which it is seen again.
package agenttest

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/agent"
)

// The cases beside those of [agent.Failures].
const (
	Allowed = "an allowed command"
	Asked   = "a command to ask about"
	Refused = "a refused command"
)

// A Sight is what one version of an agent did, and when.
type Sight struct {
	Agent, Version, Date string
	Case                 string // one of those above, or the fault of an [agent.Failure]
	Fate                 agent.Fate
	Note                 string
}

// seen are the sights, one a line, with tabs between their fields.
//
//go:embed seen.txt
var seen string

// Seen are all sights, in the order of the file.
func Seen(t testing.TB) []Sight {
	t.Helper()
	return parse(t, seen)
}

func parse(t testing.TB, text string) (all []Sight) {
	t.Helper()
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 6 || f[4] != string(agent.Stops) && f[4] != string(agent.Runs) {
			t.Fatalf("seen.txt: %q is no sight", line)
		}
		all = append(all, Sight{f[0], f[1], f[2], f[3], agent.Fate(f[4]), f[5]})
	}
	return all
}

// Format is the text of the file.
func Format(all []Sight) string {
	var b strings.Builder
	for i := range all {
		s := &all[i]
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Agent, s.Version, s.Date, s.Case, s.Fate, s.Note)
	}
	return b.String()
}
