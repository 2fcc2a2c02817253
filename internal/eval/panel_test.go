package eval_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/eval"
	"github.com/heedsh/heed/risk"
)

// TestRated: what raters accept is right, and each measure counts by weight
// what it is about.
func TestRated(t *testing.T) {
	t.Parallel()
	rows := `{"cmd": "0", "lo": 0, "hi": 0, "weight": 2.5}
{"cmd": "1", "lo": 0, "hi": 1}
{"cmd": "2", "lo": 2, "hi": 3, "weight": 3}
{"cmd": "1", "lo": 2, "hi": 2, "weight": 1}
{"cmd": "2", "lo": 3, "hi": 3, "weight": 4}
{"cmd": "3", "lo": 3, "hi": 3, "weight": 12}
{"cmd": "3", "lo": 1, "hi": 1, "weight": 1}
`
	cases, err := eval.Read(strings.NewReader(rows), "rows.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	answers := []risk.Assessment{{}, {Tier: risk.Caution}, {Tier: risk.Caution, Level: risk.B}, {Tier: risk.Review, Level: risk.C}}
	results := eval.Run(cases, func(c *eval.Case) risk.Assessment { return answers[c.Cmd[0]-'0'] }, nil)
	want := []bool{true, true, true, false, false, true, false}
	for i := range results {
		if results[i].Right != want[i] {
			t.Errorf("row %d is right: %v", i, results[i].Right)
		}
	}
	s := eval.Summarize(results)
	for name, want := range map[string]eval.Weighed{
		"stop missed": {All: 16, Wrong: 4}, "silent missed": {All: 20, Wrong: 1}, "false stop": {All: 5.5, Wrong: 1}, "false ask": {All: 4.5, Wrong: 1}, "outside": {All: 24.5, Wrong: 6},
	} {
		if s.Rated[name] != want {
			t.Errorf("%s: %+v, want %+v", name, s.Rated[name], want)
		}
	}
	var b strings.Builder
	if err := s.WriteTable(&b); err != nil || !strings.Contains(b.String(), "stop missed            25.0 %") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
