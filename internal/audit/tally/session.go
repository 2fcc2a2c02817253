package tally

import (
	"fmt"
	"strings"

	"github.com/heedsh/heed/internal/audit"
)

// Session says in one paragraph what became of the commands of a session, by its rows;
// "" if there are no commands. It holds no text of theirs.
func Session(rows []audit.Row) string {
	var t Tally
	for i := range rows {
		t.Add(&rows[i])
	}
	r := t.Report()
	if r.Commands == 0 {
		return ""
	}
	var parts []string
	var waits []int64
	for i := range r.Tiers {
		x := &r.Tiers[i]
		x.Refused = max(x.Refused-t.waiting[x.Tier], 0) // it was asked about
		if x.Commands > 0 {
			parts = append(parts, fmt.Sprintf("%d %s%s", x.Commands, x.Tier, answers(x)))
		}
		waits = append(waits, t.waits[r.Tiers[i].Tier]...)
	}
	all := []string{plural(r.Commands, "command") + ": " + strings.Join(parts, ", ") + "."}
	switch {
	case len(waits) == 1:
		all = append(all, "The answer took "+span(waits[0])+".")
	case len(waits) > 1:
		sum := int64(0)
		for _, w := range waits {
			sum += w
		}
		all = append(all, fmt.Sprintf("%d answers took %s in all, the median %s.", len(waits), span(sum), span(median(waits))))
	}
	if n := r.Outcomes.Failed; n > 0 {
		all = append(all, plural(n, "command")+" failed.")
	}
	if r.Drifted > 0 {
		all = append(all, plural(r.Drifted, "command")+" did not run because the world had changed since the yes.")
	}
	return strings.Join(all, " ")
}

// answers says what was answered about a tier, and of how many questions no answer is
// known: agents do not tell what their own dialogs were answered.
func answers(x *Tier) string {
	var all []string
	for _, n := range []struct {
		count int
		what  string
	}{
		{x.Asked - x.Approved - x.Denied, "asked"},
		{x.Approved, "approved"},
		{x.Denied, "denied"},
		{x.Refused, "refused"},
	} {
		if n.count > 0 {
			all = append(all, fmt.Sprintf("%d %s", n.count, n.what))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// span writes a time as people say it.
func span(ms int64) string {
	switch s := (ms + 500) / 1000; {
	case ms < 10_000:
		return fmt.Sprintf("%.1f s", float64(ms)/1000)
	case s < 120:
		return fmt.Sprintf("%d s", s)
	default:
		return fmt.Sprintf("%d min", (s+30)/60)
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
