package flow

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Join adds what a second evaluation of the same request found, with a catalog
// that says more. Nothing of the first is taken away or made less.
func (t *Trace) Join(more *Trace) {
	seen := make(map[string]int, len(t.Effects))
	for i := range t.Effects {
		seen[identity(&t.Effects[i])] = i
	}
	at := t.joinProcesses(more)
	for i := range more.Effects {
		e := more.Effects[i]
		if e.By.Process >= 0 && e.By.Process < len(at) {
			e.By.Process = at[e.By.Process]
		}
		if j, ok := seen[identity(&e)]; ok {
			again(&t.Effects[j], &e)
			continue
		}
		seen[identity(&e)] = len(t.Effects)
		t.Effects = append(t.Effects, e)
	}
	for _, u := range more.Unknowns {
		if !slices.Contains(t.Unknowns, u) {
			t.Unknowns = append(t.Unknowns, u)
		}
	}
	for _, n := range more.NotInspected {
		if !slices.Contains(t.NotInspected, n) {
			t.NotInspected = append(t.NotInspected, n)
		}
	}
	if t.Left != nil {
		t.Left.Also(more.Left)
	}
	t.Steps += more.Steps
	t.Spent = t.Spent || more.Spent
}

// joinProcesses adds the invocations that t does not have, and returns where
// each of the others' stands now.
func (t *Trace) joinProcesses(more *Trace) []int {
	at := make([]int, len(more.Invocations))
	for i := range more.Invocations {
		inv := &more.Invocations[i]
		at[i] = slices.IndexFunc(t.Invocations, func(o risk.Invocation) bool {
			return o.Span == inv.Span && o.Dir == inv.Dir && o.Host == inv.Host && o.Reached == inv.Reached &&
				strings.Join(o.Via, "\x00") == strings.Join(inv.Via, "\x00") && slices.Equal(o.Argv, inv.Argv)
		})
		if at[i] < 0 {
			at[i] = len(t.Invocations)
			t.Invocations = append(t.Invocations, *inv)
			t.Starts = append(t.Starts, Start{}) // who says more does not speak in heed's words
			p := more.Processes[i]
			p.Parent = -1
			t.Processes = append(t.Processes, p)
		}
	}
	return at
}
