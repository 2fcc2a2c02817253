package calibrate_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/calibrate"
	"github.com/heedsh/heed/internal/confine"
)

// start is ten in the morning.
const start = audit.Stamp(1_764_151_200_000)

// fed is a calibration of rows, a minute apart where they do not say when.
func fed(rows ...audit.Row) calibrate.Report {
	var c calibrate.Calibration
	for i := range rows {
		if rows[i].Time == 0 {
			rows[i].Time = start + audit.Stamp(i)*60_000
		}
		c.Add(&rows[i])
	}
	return c.Report()
}

func answered(tier, program string, kind audit.Kind, waited int64) audit.Row {
	return audit.Row{Kind: kind, By: "click", Tier: tier, Programs: []string{program}, WaitedMS: waited}
}

func times(n int, r audit.Row) (rows []audit.Row) {
	for range n {
		rows = append(rows, r)
	}
	return rows
}

func join(parts ...[]audit.Row) (rows []audit.Row) {
	for _, p := range parts {
		rows = append(rows, p...)
	}
	return rows
}

// found lists findings as kind and program.
func found(r *calibrate.Report) string {
	var all []string
	for i := range r.Findings {
		all = append(all, strings.TrimSpace(r.Findings[i].Kind+" "+r.Findings[i].Program))
	}
	return strings.Join(all, ", ")
}

// TestWilson holds intervals against those of other programs: R's
// prop.test(correct=FALSE) and Agresti and Coull (1998).
func TestWilson(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		count, of int
		low, high float64
	}{
		{0, 0, 0, 1},
		{0, 10, 0, 0.2775},
		{10, 10, 0.7225, 1},
		{5, 10, 0.2366, 0.7634},
		{1, 20, 0.0089, 0.2361},
		{81, 263, 0.2553, 0.3662},
	} {
		low, high := calibrate.Wilson(c.count, c.of, 1.959964)
		if math.Abs(low-c.low) > 1e-4 || math.Abs(high-c.high) > 1e-4 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", c.count, c.of, low, high, c.low, c.high)
		}
	}
}

// TestWilsonHolds: at least 93 of 100 intervals of 95 % hold the true share, over
// many shares and sizes.
func TestWilsonHolds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	holds, all := 0, 20_000
	for range all {
		p, n, hits := r.Float64(), 10+r.IntN(200), 0
		for range n {
			if r.Float64() < p {
				hits++
			}
		}
		if low, high := calibrate.Wilson(hits, n, 1.959964); low <= p && p <= high {
			holds++
		}
	}
	if holds < all*93/100 {
		t.Errorf("%d of %d intervals hold the share", holds, all)
	}
}

// TestFindings is what is found, and what is not.
func TestFindings(t *testing.T) {
	t.Parallel()
	no, yes := audit.Denied, audit.Approved
	for _, c := range []struct {
		name string
		rows []audit.Row
		want string
	}{
		{"nothing", nil, ""},
		{"SAFE is rejected", join(times(6, answered("SAFE", "ls", no, 900)), times(6, answered("SAFE", "ls", yes, 900))), "safe-rejected ls"},
		{"it began after months", join(times(500, answered("SAFE", "ls", yes, 900)), times(10, answered("SAFE", "ls", no, 900))), "safe-rejected ls"},
		{"it began just now", join(times(500, answered("SAFE", "ls", yes, 900)), times(7, answered("SAFE", "ls", no, 900))), "safe-rejected ls"},
		{"a slip", join(times(30, answered("SAFE", "ls", yes, 900)), times(1, answered("SAFE", "ls", no, 900))), ""},
		{"too little to know", times(9, answered("SAFE", "ls", no, 900)), ""},
		{"nobody answered", times(20, audit.Row{Kind: no, By: "timeout", Tier: "SAFE", Programs: []string{"ls"}}), ""},
		{"a rule answered", times(20, audit.Row{Kind: yes, By: "rule", Tier: "REVIEW", WaitedMS: 1, Programs: []string{"rm"}}), ""},
		{"REVIEW is clicked through", times(12, answered("REVIEW", "terraform", yes, 2999)), "review-hasty terraform"},
		{"REVIEW is read", times(40, answered("REVIEW", "terraform", yes, 3000)), ""},
		{"now and then quick", join(times(30, answered("REVIEW", "git", yes, 8000)), times(3, answered("REVIEW", "git", yes, 1000))), ""},
		{"quick is no", times(40, answered("REVIEW", "git", no, 800)), ""},
		{"how long is not said", times(40, answered("REVIEW", "git", yes, 0)), ""},
		{"CAUTION that nobody rejects", times(40, answered("CAUTION", "npm", yes, 4000)), "caution-never-rejected npm"},
		{"twelve say too little", times(12, answered("CAUTION", "npm", yes, 4000)), ""},
		{"CAUTION rejected once", append(times(60, answered("CAUTION", "npm", yes, 4000)), answered("CAUTION", "npm", no, 4000)), ""},
		{"another in the same commands", join(
			times(12, audit.Row{Kind: no, By: "click", Tier: "SAFE", Programs: []string{"docker", "head"}}),
			times(12, audit.Row{Kind: no, By: "click", Tier: "SAFE", Programs: []string{"docker"}}),
		), "safe-rejected docker"},
		{"what decided counts", times(12, audit.Row{Kind: yes, By: "pin", Tier: "REVIEW", WaitedMS: 700, Programs: []string{"cd", "rm"}, Decisive: []string{"rm"}}), "review-hasty rm"},
	} {
		r := fed(c.rows...)
		if got := found(&r); got != c.want {
			t.Errorf("%s: found %q, want %q", c.name, got, c.want)
		}
	}
}

func assessed(catalog, tier, command string) audit.Row {
	return audit.Row{Kind: audit.Assessed, Catalog: catalog, Tier: tier, Command: command, Programs: []string{strings.Fields(command)[0]}}
}

// TestDrift is what counts as a change of answers.
func TestDrift(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		rows []audit.Row
		want string
	}{
		{"higher", join(times(15, assessed("1", "SAFE", "frob status")), times(15, assessed("2", "CAUTION", "frob status"))), "answers-shifted frob"},
		{"lower", join(times(15, assessed("1", "REVIEW", "frob status")), times(15, assessed("2", "SAFE", "frob status"))), "answers-shifted frob"},
		{"one catalog", join(times(15, assessed("1", "SAFE", "frob status")), times(15, assessed("1", "REVIEW", "frob status"))), ""},
		{"no catalog", join(times(15, assessed("", "SAFE", "frob status")), times(15, assessed("", "REVIEW", "frob status"))), ""},
		{"other work", join(times(50, assessed("1", "SAFE", "git status")), times(50, assessed("2", "CAUTION", "git push"))), ""},
		{"too little to know", join(times(30, assessed("1", "SAFE", "frob status")), times(9, assessed("2", "REVIEW", "frob status"))), ""},
		{"two workspaces", join(
			times(10, assessed("1", "SAFE", "frob status")), times(5, assessed("2", "CAUTION", "frob status")), times(10, assessed("1", "SAFE", "frob status")),
			times(10, assessed("2", "CAUTION", "frob status")), times(1, assessed("1", "SAFE", "frob status")),
		), "answers-shifted frob"},
		{"another in the same commands", join(
			times(15, audit.Row{Kind: audit.Assessed, Catalog: "1", Tier: "SAFE", Command: "frob status | head", Programs: []string{"frob", "head"}}), times(9, assessed("1", "SAFE", "frob ls")),
			times(15, audit.Row{Kind: audit.Assessed, Catalog: "2", Tier: "CAUTION", Command: "frob status | head", Programs: []string{"frob", "head"}}), times(9, assessed("2", "CAUTION", "frob ls")),
		), "answers-shifted frob"},
	} {
		r := fed(c.rows...)
		if got := found(&r); got != c.want {
			t.Errorf("%s: found %q, want %q\n%+v", c.name, got, c.want, r.Drift)
		}
	}
}

// TestDriftByChance: where answers are drawn from the same tiers before and since, a
// shift is found in few of 300 days.
func TestDriftByChance(t *testing.T) {
	t.Parallel()
	wrong := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		var rows []audit.Row
		for i := range 1000 {
			p := r.IntN(20)
			tier := []string{"SAFE", "CAUTION", "REVIEW"}[min(r.IntN(4)*(p%3)/2, 2)]
			rows = append(rows, assessed([]string{"1", "2"}[i/500], tier, fmt.Sprintf("p%d sub%c x", p, 'a'+r.IntN(3))))
		}
		if rep := fed(rows...); len(rep.Findings) > 0 {
			wrong++
		}
	}
	if wrong > 9 {
		t.Errorf("a shift that is none in %d of 300 days", wrong)
	}
}

// TestReport: counts, alarms and how long answers took, by the hours of a zone.
func TestReport(t *testing.T) {
	t.Parallel()
	var c calibrate.Calibration
	c.Zone = time.FixedZone("", 3600)
	for i, r := range join(
		times(4, audit.Row{Kind: audit.Assessed, Tier: "CAUTION", Programs: []string{"npm", "npm"}}),
		times(2, audit.Row{Kind: audit.Asked, Tier: "CAUTION", Programs: []string{"npm"}}),
		[]audit.Row{answered("CAUTION", "npm", audit.Approved, 4000), answered("CAUTION", "npm", audit.Denied, 2000)},
		times(1, audit.Row{Kind: audit.Assessed, Tier: "a later tier", Programs: []string{"npm"}}),
	) {
		r.Time = start + audit.Stamp(i)
		c.Add(&r)
	}
	r := c.Report()
	if r.Rows != 9 || r.Commands != 5 || r.Answers != 2 || r.From != start || r.To != start+8 {
		t.Errorf("%+v", r)
	}
	if a := r.Alarms; a.All.Count != 2 || a.All.Of != 4 || len(a.Programs) != 1 || a.Programs[0].Count != 2 || a.Programs[0].Known {
		t.Errorf("alarms %+v", a)
	}
	want := []calibrate.Pace{
		{Tier: "CAUTION", Hour: -1, Of: 2, Lower: 2000, Median: 2000, Upper: 2000},
		{Tier: "CAUTION", Hour: 11, Of: 2, Lower: 2000, Median: 2000, Upper: 2000},
	}
	if fmt.Sprint(r.Pace) != fmt.Sprint(want) {
		t.Errorf("pace %+v, want %+v", r.Pace, want)
	}
	if text, err := json.Marshal(r); err != nil || strings.Contains(string(text), "null") {
		t.Errorf("%v: %s", err, text)
	}
}

// TestSameRowsSameReport: the order in which programs come out of maps decides nothing.
func TestSameRowsSameReport(t *testing.T) {
	t.Parallel()
	var rows []audit.Row
	for i := range 400 {
		p := fmt.Sprintf("p%d", i%7)
		rows = append(rows, answered([]string{"SAFE", "REVIEW"}[i%2], p, []audit.Kind{audit.Denied, audit.Approved}[i/3%2], 1000), assessed([]string{"1", "2"}[i/200], []string{"SAFE", "CAUTION"}[i/200], p))
	}
	first, _ := json.Marshal(fed(rows...))
	for range 20 {
		if again, _ := json.Marshal(fed(rows...)); string(again) != string(first) {
			t.Fatalf("%s\nand\n%s", first, again)
		}
	}
	if !strings.Contains(string(first), `"findings":[{`) {
		t.Errorf("nothing is found: %s", first)
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	share := &calibrate.Share{Count: 6, Of: 12, Share: 0.5, Low: 0.25, High: 0.75}
	for want, f := range map[string]calibrate.Finding{
		"6 of the last 12 answers about SAFE commands of ls were no, since 2025-11-26T10:00:00.000Z (50 %, 25 to 75 % is likely).":                                                                                 {Kind: calibrate.SafeRejected, Program: "ls", Since: start, Share: share},
		"6 of the last 12 times that REVIEW of rm was approved, it took less than three seconds, since 2025-11-26T10:00:00.000Z (50 %, 25 to 75 % is likely).":                                                     {Kind: calibrate.ReviewHasty, Program: "rm", Since: start, Share: share},
		"None of 12 answers about CAUTION of npm was no (50 %, 25 to 75 % is likely): heed suggest may spare the question.":                                                                                        {Kind: calibrate.NeverRejected, Program: "npm", Share: share},
		"Since the catalog of 2025-11-26T10:00:00.000Z, the same kinds of commands of frob are judged lower, by 0.5 of a tier on average (0 SAFE, 3 CAUTION, 0 REVIEW before, 3 SAFE, 0 CAUTION, 0 REVIEW since).": {Kind: calibrate.AnswersShifted, Program: "frob", Since: start, Shift: &calibrate.Shift{By: -0.5, Before: [3]int{0, 3, 0}, After: [3]int{3, 0, 0}}},
	} {
		if got := f.Sentence(); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// BenchmarkCalibrate is a log of 100,000 rows.
func BenchmarkCalibrate(b *testing.B) {
	var rows []audit.Row
	for i := range 50_000 {
		p := fmt.Sprintf("p%d", i%97)
		rows = append(rows, answered([]string{"SAFE", "REVIEW"}[i%2], p, audit.Approved, 1000+int64(i%9000)), assessed([]string{"1", "2"}[i/25_000], "SAFE", p+" status"))
	}
	for b.Loop() {
		fed(rows...)
	}
}

// TestMispredictions: what the kernel refused is counted by program and by what was
// tried, with the last command; what observers refused is not.
func TestMispredictions(t *testing.T) {
	t.Parallel()
	row := func(command, reason string) audit.Row {
		return audit.Row{Kind: audit.Mispredicted, Command: command, Reason: reason}
	}
	kept := func(command, program, tried string) audit.Row {
		return row(command, confine.Unexpected(confine.Told(program, tried)))
	}
	r := fed(
		kept("npm ls", "npm", "make ~/.npm"),
		kept("git --version", "git", "write ~/a"),
		kept("git log", "git", "write ~/b c"),
		kept("git log", "git", "use the network"),
		row("git log", confine.Observed(confine.Told("git", "write ~/a"))),
		row("git log", "what a later heed says"),
	)
	want := calibrate.Mispredictions{All: 5, Unread: 1, Programs: []calibrate.Misprediction{
		{Program: "git", Verb: "write", Count: 2, Last: start + 120_000, Command: "git log", Target: "~/b c"},
		{Program: "git", Verb: "use the network", Count: 1, Last: start + 180_000, Command: "git log"},
		{Program: "npm", Verb: "make", Count: 1, Last: start, Command: "npm ls", Target: "~/.npm"},
	}}
	if !reflect.DeepEqual(r.Mispredicted, want) {
		t.Errorf("%+v\nwant\n%+v", r.Mispredicted, want)
	}
	if len(r.Findings) > 0 {
		t.Errorf("they are counted, and no finding: %s", found(&r))
	}
	var many []audit.Row
	for i := range 250 {
		many = append(many, kept("x", fmt.Sprintf("p%d", i), "write /a"))
	}
	if r := fed(many...); r.Mispredicted.All != 250 || len(r.Mispredicted.Programs)+r.Mispredicted.More != 250 || r.Mispredicted.More == 0 {
		t.Errorf("of 250 programs %d are listed and %d left out, of %d refusals", len(r.Mispredicted.Programs), r.Mispredicted.More, r.Mispredicted.All)
	}
	if r := fed(); r.Mispredicted.Programs == nil {
		t.Error("a list is nil")
	}
}
