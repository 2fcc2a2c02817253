package scan

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/risk"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// finding is a result as judging gives it.
func finding(file, command string, tier risk.Tier, line int) Result {
	r := Result{
		File: file, Line: line, Column: 3, EndLine: line + 1, Decided: Position{line, 3}, Kind: Shell, Tier: tier, Summary: "Deletes ./x.",
		Command: command, Fingerprint: Fingerprint(file, Shell, command), Name: "main",
	}
	switch tier {
	case risk.Caution:
		r.Level, r.Rule = risk.B, "fs.delete: a few named files"
	case risk.Review:
		r.Level, r.Rule = risk.C, "fs.delete: work that is nowhere else goes"
		r.Assessment.ATTACK = []string{"T1485"}
	}
	return r
}

// TestSARIF validates what is written against the schema of SARIF 2.1.0:
// testdata/sarif-schema-2.1.0.json is the OASIS one of errata 01, unchanged.
func TestSARIF(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	all := []Result{
		finding("a.sh", "ls", risk.Safe, 1), finding("dir with blank/ä.sh", "rm x", risk.Caution, 2), finding("/abs/a#b.sh", "rm -rf x", risk.Review, 3),
		finding("c:d/a.sh", "rm -rf y", risk.Review, 9), finding("-", "mkdir x", risk.Caution, 1),
	}
	all[4].Level, all[4].Rule, all[3].Rule = risk.A, "fs.create: something new", NotInspected
	all[2].Decided.Line = 1 // in a function before
	for name, results := range map[string][]Result{"none": nil, "some": all} {
		var b bytes.Buffer
		if err := WriteSARIF(&b, results, "1.2.3"); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"version":"2.1.0","runs":[{"results":[{"level":"bad"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(bad) == nil {
		t.Error("the schema accepts what is no SARIF")
	}
}

func TestSARIFSays(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	caution := finding("dir with blank/ä.sh", "rm x", risk.Caution, 2)
	if err := WriteSARIF(&b, []Result{finding("a.sh", "ls", risk.Safe, 1), caution, caution, finding("b.sh", "rm -rf x", risk.Review, 3)}, "1"); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	var got []string
	for _, r := range run.Results {
		at := r.Locations[0].Physical
		got = append(got, r.RuleID, r.Level, at.Artifact.URI)
		if run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID {
			t.Errorf("%s has the index of %s", r.RuleID, run.Tool.Driver.Rules[r.RuleIndex].ID)
		}
		if r.Fingerprints["heedCommand/v1"] == "" || at.Region.StartLine == 0 {
			t.Errorf("%+v", r)
		}
	}
	want := []string{
		"fs.delete/a-few-named-files", "warning", "dir%20with%20blank/%C3%A4.sh", "fs.delete/a-few-named-files", "warning", "dir%20with%20blank/%C3%A4.sh",
		"fs.delete/work-that-is-nowhere-else-goes", "error", "b.sh",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if len(run.Tool.Driver.Rules) != 2 {
		t.Errorf("%d rules, want 2", len(run.Tool.Driver.Rules))
	}
}

func TestBaseline(t *testing.T) {
	t.Parallel()
	first := []Result{finding("a.sh", "ls", risk.Safe, 1), finding("a.sh", "rm x", risk.Caution, 2), finding("b.sh", "rm  -rf\n y", risk.Review, 3)}
	text, err := json.Marshal(NewBaseline(first))
	if err != nil {
		t.Fatal(err)
	}
	known, err := ReadBaseline(text)
	if err != nil {
		t.Fatal(err)
	}
	if fresh := known.New(first, nil); len(fresh) != 0 {
		t.Errorf("known findings are reported: %+v", fresh)
	}
	for name, r := range map[string]Result{
		"another command": finding("a.sh", "rm z", risk.Caution, 2),
		"another file":    finding("c.sh", "rm x", risk.Caution, 2),
		"it is worse":     finding("a.sh", "rm x", risk.Review, 2),
	} {
		if len(known.New([]Result{r}, nil)) != 1 {
			t.Errorf("%s: not reported", name)
		}
	}
	moved := finding("b.sh", "rm -rf y", risk.Review, 99)
	if len(known.New([]Result{moved}, nil)) != 0 {
		t.Error("a finding that moved is reported")
	}
	if len(known.New([]Result{moved, moved}, nil)) != 1 {
		t.Error("a finding that is there once more is not reported")
	}
	if _, err := ReadBaseline([]byte(`{"version":7}`)); err == nil {
		t.Error("a baseline of another version is read")
	}
	if _, err := ReadBaseline([]byte(`[]`)); err == nil {
		t.Error("what is no baseline is read")
	}
}

func TestSort(t *testing.T) {
	t.Parallel()
	all := []Result{finding("b", "x", risk.Review, 1), finding("b", "x", risk.Safe, 9), finding("a", "x", risk.Review, 7), finding("a", "x", risk.Review, 2), finding("c", "x", risk.Caution, 1)}
	Sort(all)
	var got []string
	for _, r := range all {
		got = append(got, r.File)
	}
	if !slices.Equal(got, []string{"b", "c", "a", "a", "b"}) || all[2].Line != 2 {
		t.Errorf("%v", got)
	}
}
