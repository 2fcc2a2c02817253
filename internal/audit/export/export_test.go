package export_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/audit/export"
)

var update = flag.Bool("update", false, "rewrite the expected exports in testdata")

// sampleLog holds one command on its way: judged, asked about, approved, run.
func sampleLog(t *testing.T) (*audit.Log, audit.Receipt) {
	t.Helper()
	now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	l, err := audit.Open(filepath.Join(t.TempDir(), "heed", "log"), audit.Options{Now: func() time.Time { now = now.Add(time.Second); return now }, Random: func() uint64 { return 7 }})
	if err != nil {
		t.Fatal(err)
	}
	base := audit.Row{
		Kind: audit.Assessed, Agent: "claude-code", Session: "s1", Request: "toolu_1", Command: "git push --force origin main", Dir: "/home/u/p", Tier: "REVIEW", Level: "C", Score: 91,
		Summary: "Force-pushes to origin/main: 3 commits by others would no longer be reachable there.", Digest: "sha256:" + strings.Repeat("ab", 32),
		ASI: []string{"ASI02"}, ATTACK: []string{"T1485", "T1070.004"}, Programs: []string{"git"}, Provenance: "model_suggestion", Shell: "bash",
	}
	var rows []audit.Row
	add := func(k audit.Kind, change func(*audit.Row)) {
		r := base.As(k)
		if change != nil {
			change(&r)
		}
		rows = append(rows, r)
	}
	add(audit.Assessed, nil)
	add(audit.Decided, func(r *audit.Row) { r.Decision, r.Rule = "ask", "tier" })
	add(audit.Asked, nil)
	add(audit.Approved, func(r *audit.Row) { r.By, r.WaitedMS = "pin", 5400 })
	add(audit.Drifted, func(r *audit.Row) { r.Reason = "the file x changed" })
	add(audit.Denied, func(r *audit.Row) { r.By, r.Reason = "person", "not on a Friday" })
	add(audit.Started, nil)
	add(audit.Finished, func(r *audit.Row) { r.Outcome = &audit.Outcome{Code: 1, MS: 830} })
	add(audit.Decided, func(r *audit.Row) {
		r.Decision, r.Rule, r.Tier, r.Level, r.ATTACK, r.ASI, r.Score = "allow", "mine.1", "SAFE", "A", nil, nil, 3
	})
	add(audit.Decided, func(r *audit.Row) { r.Decision, r.Rule, r.Agent, r.Session = "deny", "org.7", "", "" })
	all, err := l.AppendAll(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	return l, all[len(all)-1]
}

func exported(t *testing.T, l *audit.Log, f export.Format) string {
	t.Helper()
	var b bytes.Buffer
	n, err := export.Write(&b, f, export.Source{Version: "0.1.0", Host: "box", System: "linux", User: "u"}, l.Rows(t.Context(), audit.Filter{}), nil)
	if err != nil || n != 11 {
		t.Fatalf("%s: %d rows, %v", f, n, err)
	}
	return b.String()
}

// TestGolden holds what other programs read.
func TestGolden(t *testing.T) {
	t.Parallel()
	l, _ := sampleLog(t)
	for _, f := range export.Formats() {
		name := filepath.Join("testdata", string(f)+".golden")
		got := exported(t, l, f)
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got)\n%s", f, d)
		}
	}
}

// TestJSONL: the export is the segment, byte for byte.
func TestJSONL(t *testing.T) {
	t.Parallel()
	l, _ := sampleLog(t)
	want, err := os.ReadFile(filepath.Join(l.Dir(), "000000000001.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), exported(t, l, export.JSONL)); d != "" {
		t.Error(d)
	}
}

// TestAnchors: the log can be held against every format.
func TestAnchors(t *testing.T) {
	t.Parallel()
	l, last := sampleLog(t)
	for _, f := range export.Formats() {
		heads := audit.FindHeads([]byte(exported(t, l, f)))
		if len(heads) != 11 || !slices.Contains(heads, last.Head()) {
			t.Errorf("%s: %v", f, heads)
		}
		var anchors []audit.Anchor
		for _, h := range heads {
			anchors = append(anchors, audit.Anchor{Name: "the export", Head: h})
		}
		r, err := l.Verify(t.Context(), anchors, nil)
		if err != nil || !r.Whole() || len(r.Held) != 2 {
			t.Errorf("%s: %+v, %v", f, r, err)
		}
	}
}

// required are the attributes that OCSF 1.9.0 wants of the classes that are used:
// those of base_event, and of system, process_activity, finding and
// detection_finding. Source: github.com/ocsf/ocsf-schema.
func required(class int) []string {
	base := []string{"activity_id", "category_uid", "class_uid", "metadata", "severity_id", "time", "type_uid"}
	switch class {
	case 1007:
		return append(base, "actor", "device", "process")
	case 2004:
		return append(base, "finding_info")
	}
	return base
}

// within are the values that enumerations of it have.
func within() map[string][]float64 {
	return map[string][]float64{
		"action_id": {0, 1, 2, 3, 4, 99}, "severity_id": {0, 1, 2, 3, 4, 5, 6, 99}, "risk_level_id": {0, 1, 2, 3, 4, 99}, "class_uid": {0, 1007, 2004},
	}
}

func TestOCSF(t *testing.T) {
	t.Parallel()
	l, _ := sampleLog(t)
	classes := map[float64]int{}
	for line := range strings.Lines(exported(t, l, export.OCSF)) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		class := e["class_uid"].(float64)
		classes[class]++
		for _, name := range required(int(class)) {
			if _, ok := e[name]; !ok {
				t.Errorf("%v has no %s", e["message"], name)
			}
		}
		for name, values := range within() {
			if v, ok := e[name].(float64); ok && !slices.Contains(values, v) {
				t.Errorf("%s is %v", name, v)
			}
		}
		activity := e["activity_id"].(float64)
		if e["type_uid"] != class*100+activity || e["category_uid"] != float64(int(class)/1000) {
			t.Errorf("type %v of class %v, activity %v", e["type_uid"], class, activity)
		}
		if class == 2004 && (activity < 1 || activity > 3) || class == 1007 && (activity < 1 || activity > 2) {
			t.Errorf("class %v, activity %v", class, activity)
		}
		m := e["metadata"].(map[string]any)
		if m["version"] != "1.9.0" || m["product"].(map[string]any)["name"] != "heed" {
			t.Errorf("metadata %v", m)
		}
		if raw := sha256.Sum256([]byte(e["raw_data"].(string))); hex.EncodeToString(raw[:]) != e["raw_data_hash"].(map[string]any)["value"] {
			t.Errorf("raw_data is not what raw_data_hash says")
		}
		if p, ok := e["process"].(map[string]any); ok && p["uid"] == nil {
			t.Errorf("process %v", p)
		}
	}
	if classes[1007] != 4 || classes[2004] != 6 || classes[0] != 1 {
		t.Errorf("classes %v", classes)
	}
}

func TestOTLP(t *testing.T) {
	t.Parallel()
	l, _ := sampleLog(t)
	n := 0
	for line := range strings.Lines(exported(t, l, export.OTLP)) {
		var d struct {
			ResourceLogs []struct {
				Resource struct {
					Attributes []struct{ Key string }
				}
				ScopeLogs []struct {
					Scope      struct{ Name string }
					LogRecords []struct {
						TimeUnixNano   string
						SeverityNumber int
						EventName      string
						Body           struct{ StringValue string }
						Attributes     []struct {
							Key   string
							Value map[string]any
						}
					}
				}
			}
		}
		in := json.NewDecoder(strings.NewReader(line))
		if err := in.Decode(&d); err != nil {
			t.Fatal(err)
		}
		for _, r := range d.ResourceLogs[0].ScopeLogs[0].LogRecords {
			n++
			if len(r.TimeUnixNano) != 19 || r.SeverityNumber == 0 || !strings.HasPrefix(r.EventName, "heed.") || r.Body.StringValue == "" {
				t.Errorf("%+v", r)
			}
			for _, a := range r.Attributes {
				if len(a.Value) != 1 || a.Key == "" {
					t.Errorf("%+v", a)
				}
				if v, ok := a.Value["intValue"]; ok {
					if _, ok := v.(string); !ok {
						t.Errorf("%s: a 64-bit number is a string in OTLP's JSON", a.Key)
					}
				}
			}
		}
	}
	if n != 11 {
		t.Errorf("%d records", n)
	}
}

// TestBatches: a line of OTLP holds no more than a batch.
func TestBatches(t *testing.T) {
	t.Parallel()
	var rows iter.Seq2[audit.Row, error] = func(yield func(audit.Row, error) bool) {
		for i := range 600 {
			if !yield(audit.Row{Kind: audit.Asked, Seq: uint64(i + 1), Time: -5}, nil) {
				return
			}
		}
	}
	var b bytes.Buffer
	n, err := export.Write(&b, export.OTLP, export.Source{}, rows, nil)
	if lines := strings.Count(b.String(), "\n"); err != nil || n != 600 || lines != 3 {
		t.Errorf("%d rows in %d lines, %v", n, lines, err)
	}
	if strings.Contains(b.String(), `"timeUnixNano":"-`) {
		t.Error("a time before 1970 has a sign")
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	damage := &audit.Fault{Trouble: audit.Damaged}
	gone := &audit.Fault{Trouble: audit.Broken}
	rows := func(yield func(audit.Row, error) bool) {
		_ = yield(audit.Row{Seq: 1}, nil) && yield(audit.Row{}, damage) && yield(audit.Row{Seq: 2}, nil) && yield(audit.Row{}, gone)
	}
	told := 0
	n, err := export.Write(&bytes.Buffer{}, export.JSONL, export.Source{}, rows, func(error) { told++ })
	if n != 2 || told != 1 || !errors.Is(err, gone) {
		t.Errorf("%d, %d, %v", n, told, err)
	}
	if _, err := export.Write(&bytes.Buffer{}, "xml", export.Source{}, rows, nil); err == nil || !strings.Contains(err.Error(), "xml") {
		t.Error(err)
	}
	closed := failing{context.Canceled}
	for _, f := range export.Formats() {
		one := func(yield func(audit.Row, error) bool) { yield(audit.Row{Seq: 1, Kind: audit.Assessed}, nil) }
		if _, err := export.Write(closed, f, export.Source{}, one, nil); err == nil {
			t.Errorf("%s: a reader that is gone is not noticed", f)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, fmt.Errorf("gone: %w", f.err) }
