package dialogs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/audit/dialogs"
)

// TestDialogs is what rows show of answers.
func TestDialogs(t *testing.T) {
	t.Parallel()
	minute := audit.Stamp(60_000)
	row := func(kind audit.Kind, session, request string, at audit.Stamp) audit.Row {
		return audit.Row{Kind: kind, Session: session, Request: request, Time: at * minute, Seq: uint64(at), Tier: "CAUTION", Command: "c" + request, By: "policy", Decision: "ask"}
	}
	ended := func(session, request string, at audit.Stamp, ms int64) audit.Row {
		return audit.Row{Kind: audit.Finished, Session: session, Request: request, Time: at * minute, Seq: uint64(at), Outcome: &audit.Outcome{MS: ms}}
	}
	for _, c := range []struct {
		name string
		rows []audit.Row
		want string
	}{
		{"it ran", []audit.Row{row(audit.Asked, "s", "1", 1), ended("s", "1", 3, 50_000)}, "approved c1 at 3 after 70000"},
		{"how long it ran is not told", []audit.Row{row(audit.Asked, "s", "1", 1), {Kind: audit.Finished, Session: "s", Request: "1", Time: 3 * minute, Seq: 3}}, "approved c1 at 3 after 0"},
		{"it did not run", []audit.Row{row(audit.Asked, "s", "1", 1), row(audit.Asked, "s", "2", 2), ended("s", "2", 12, 0)}, "approved c2 at 12 after 600000, denied c1 at 1 after 0"},
		{"it may still run", []audit.Row{row(audit.Asked, "s", "1", 3), row(audit.Asked, "s", "2", 3), ended("s", "2", 12, 0)}, "approved c2 at 12 after 540000"},
		{"the session went on", []audit.Row{row(audit.Asked, "t", "2", 1), ended("t", "2", 1, 0), row(audit.Asked, "s", "1", 2), row(audit.Assessed, "s", "3", 12)}, "approved c2 at 1 after 0, denied c1 at 2 after 0"},
		{"the session went on for a while", []audit.Row{row(audit.Asked, "t", "2", 1), ended("t", "2", 1, 0), row(audit.Asked, "s", "1", 3), row(audit.Assessed, "s", "3", 12)}, "approved c2 at 1 after 0"},
		{"the agent tells nothing", []audit.Row{row(audit.Asked, "s", "1", 1), row(audit.Assessed, "s", "2", 30)}, ""},
		{"another session goes on", []audit.Row{row(audit.Asked, "s", "1", 1), row(audit.Asked, "t", "2", 2), ended("t", "2", 30, 0)}, "approved c2 at 30 after 1680000"},
		{"it was written down", []audit.Row{row(audit.Asked, "s", "1", 1), row(audit.Denied, "s", "1", 2), row(audit.Asked, "s", "2", 3), row(audit.Approved, "s", "2", 4), ended("s", "2", 30, 0)}, ""},
		{"it was not asked about", []audit.Row{row(audit.Assessed, "s", "1", 1), ended("s", "1", 2, 0)}, ""},
		{"no session, no call", []audit.Row{row(audit.Asked, "", "1", 1), ended("", "1", 2, 0), row(audit.Asked, "s", "", 1), ended("s", "", 2, 0)}, ""},
		{"told twice", []audit.Row{row(audit.Asked, "s", "1", 1), ended("s", "1", 2, 0), ended("s", "1", 3, 0)}, "approved c1 at 2 after 60000"},
	} {
		var d dialogs.Dialogs
		var got []string
		given := 0
		next := func(r *audit.Row) {
			if given < len(c.rows) && r == &c.rows[given] {
				given++
				return
			}
			if r.By != "click" || r.Decision != "" || r.Tier != "CAUTION" {
				t.Errorf("%s: %+v", c.name, r)
			}
			got = append(got, fmt.Sprintf("%s %s at %d after %d", r.Kind, r.Command, r.Time/minute, r.WaitedMS))
		}
		for i := range c.rows {
			d.Add(&c.rows[i], next)
		}
		d.End(next)
		d.End(next)
		if g := strings.Join(got, ", "); g != c.want || given != len(c.rows) {
			t.Errorf("%s: %s, want %s; %d of %d rows handed on", c.name, g, c.want, given, len(c.rows))
		}
	}
}
