package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

// testLog is an empty log whose clock goes on by a second a row.
func testLog(t testing.TB, change ...func(*Options)) *Log {
	t.Helper()
	now := time.Date(2026, 11, 24, 10, 0, 0, 0, time.UTC)
	opt := Options{Now: func() time.Time { now = now.Add(time.Second); return now }, Random: func() uint64 { return 0xc0ffee }}
	for _, f := range change {
		f(&opt)
	}
	l, err := Open(filepath.Join(t.TempDir(), "heed", "log"), opt)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// sample is a row as a service writes it.
func sample(i int) Row {
	return Row{
		Kind: Kinds()[i%len(Kinds())], Agent: []string{"claude-code", "codex"}[i%2], Session: fmt.Sprintf("s%d", i%7), Request: fmt.Sprint(i), Command: fmt.Sprintf("rm -rf ./build-%d", i),
		Dir: "/home/u/project", Tier: []string{"SAFE", "CAUTION", "REVIEW"}[i%3], Level: []string{"A", "B", "C"}[i%3], Summary: "Deletes 1,243 files (312 MB) in ./build; make can make them again.",
		Decision: []string{"allow", "ask", "deny"}[i%3], Rule: "tier", Digest: "sha256:" + strings.Repeat("ab", 32), ASI: []string{"ASI02"}, ATTACK: []string{"T1485"}, Programs: []string{"rm"}, Score: 60, Shell: "bash",
		Outcome: &Outcome{Code: i % 2, MS: 17},
	}
}

func appendRows(t testing.TB, l *Log, rows ...Row) []Receipt {
	t.Helper()
	out, err := l.AppendAll(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func samples(n int) []Row {
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = sample(i)
	}
	return rows
}

// collect reads rows; an error fails the test.
func collect(t testing.TB, l *Log, f Filter) []Row {
	t.Helper()
	var out []Row
	for r, err := range l.Rows(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func verify(t testing.TB, l *Log, anchors ...Anchor) Report {
	t.Helper()
	r, err := l.Verify(t.Context(), anchors, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustBeWhole(t testing.TB, l *Log, anchors ...Anchor) Report {
	t.Helper()
	r := verify(t, l, anchors...)
	if !r.Whole() {
		t.Fatalf("the log is not whole: %+v", r.Problems)
	}
	return r
}

func TestAppendAndRead(t *testing.T) {
	t.Parallel()
	l := testLog(t, func(o *Options) { o.SegmentBytes = 4 << 10 })
	var last Receipt
	for i := range 40 {
		last = appendRows(t, l, sample(i))[0]
	}
	rows := collect(t, l, Filter{})
	if len(rows) != 41 || rows[0].Kind != Begun || rows[40].Seq != 41 || rows[40].Hash != last.Hash {
		t.Fatalf("%d rows, the last %+v", len(rows), rows[len(rows)-1])
	}
	for i := 1; i < len(rows); i++ {
		if rows[i].Prev != rows[i-1].Hash || rows[i].ID <= rows[i-1].ID || rows[i].Chain != rows[0].Chain || rows[i].Time <= rows[i-1].Time {
			t.Errorf("row %d does not follow: %+v", i, rows[i])
		}
	}
	want := sample(39)
	got := rows[40]
	got.Chain, got.Hash, got.ID, got.Prev, got.Seq, got.Time, got.V = "", "", "", "", 0, 0, 0
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-appended +read)\n%s", d)
	}
	r := mustBeWhole(t, l, Anchor{"paper", last.Head()})
	if r.Rows != 41 || r.First != 1 || r.Last != 41 || r.Segments < 5 || r.Head != last.Head() || len(r.Held) != 2 {
		t.Errorf("%+v", r)
	}
	h, ok, err := l.Head(t.Context())
	if err != nil || !ok || h != last.Head() {
		t.Errorf("head %v, %v, %v", h, ok, err)
	}
}

// TestForm holds the form of a row: programs of other people read it.
func TestForm(t *testing.T) {
	t.Parallel()
	l := testLog(t)
	appendRows(t, l, Row{Kind: Denied, Command: "echo <&> \u2028 \xff \x01\t", Reason: "no", WaitedMS: 4000})
	text, err := os.ReadFile(filepath.Join(l.Dir(), segmentName(1)))
	if err != nil {
		t.Fatal(err)
	}
	_, second, _ := strings.Cut(string(text), "\n")
	const want = `{"chain":"0000000000c0ffee","command":"echo <&> ` + "\u2028" + ` \\xff \u0001\t","hash":"H","id":"01kd0000000000000200zw","kind":"denied","prev":"P","reason":"no","seq":2,"time":"2026-11-24T10:00:02.000Z","v":1,"waited_ms":4000}` + "\n"
	var r Row
	if err := json.Unmarshal([]byte(second), &r); err != nil {
		t.Fatal(err)
	}
	got := strings.NewReplacer(r.Hash, "H", r.Prev, "P", r.ID, "01kd0000000000000200zw").Replace(second)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	// Anybody can work out the hash.
	var members map[string]any
	if err := json.Unmarshal([]byte(second), &members); err != nil {
		t.Fatal(err)
	}
	delete(members, "hash")
	body, err := Canonical(members)
	if err != nil {
		t.Fatal(err)
	}
	if h := sha256.Sum256(body); hex.EncodeToString(h[:]) != r.Hash {
		t.Errorf("the hash of %s is not %s", body, r.Hash)
	}
}

// TestCanonical: a row is written as RFC 8785 has it, whatever is in it.
func TestCanonical(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`("hash":"|"seq":|\\u2028|[\x{2028}\x{2029}\x{fffd}"\\<>&\x00-\x1f])*`), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		r, err := fit(Row{
			Kind: Assessed, Command: text.Draw(t, "command"), Dir: text.Draw(t, "dir"), Session: text.Draw(t, "session"), Reason: text.Draw(t, "reason"),
			Programs: rapid.SliceOfN(text, 0, 4).Draw(t, "programs"), Score: rapid.IntRange(0, 100).Draw(t, "score"), Outcome: &Outcome{Code: 3},
		})
		if err != nil {
			t.Fatal(err)
		}
		r.ID, r.Prev, r.Seq, r.Chain, r.Time = newID("", 5, 7, 1), none(), 7, "c", 5
		out, err := r.line()
		if err != nil {
			t.Fatal(err)
		}
		body := strings.TrimSuffix(string(out), "\n")
		again, err := reorderForTest([]byte(body))
		if err != nil || string(again) != body {
			t.Fatalf("not canonical: %v\n%s\n%s", err, body, again)
		}
		l, err := parseLine([]byte(body))
		if err != nil || l.seq != 7 || l.prev != none() || l.hash != r.Hash || string(l.stamp) != Stamp(5).String() {
			t.Fatalf("%v: %+v of %s", err, l, body)
		}
		back, err := l.row()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, back); d != "" {
			t.Fatalf("(-written +read)\n%s", d)
		}
	})
}

// reorderForTest writes JSON in canonical form by way of a map.
func reorderForTest(text []byte) ([]byte, error) {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, err
	}
	return Canonical(v)
}

func TestLongRows(t *testing.T) {
	t.Parallel()
	l := testLog(t)
	long := strings.Repeat("é\x01", 1<<20)
	many := slices.Repeat([]string{long}, 100)
	whole, err := json.Marshal(map[string]string{"x": strings.Repeat("y", 300<<10)})
	if err != nil {
		t.Fatal(err)
	}
	appendRows(t, l, Row{
		Kind: Assessed, Command: long, Dir: long, Session: long, Agent: long, Reason: long, Rule: long, Summary: long, Request: long, Shell: long, Tier: long, Level: long,
		Decision: long, Digest: long, By: long, Provenance: long, ASI: many, ATTACK: many, Programs: many, Whole: whole,
	})
	r := collect(t, l, Filter{Kinds: []Kind{Assessed}})[0]
	if r.Whole != nil || !slices.Contains(r.Cut, "whole") || !slices.Contains(r.Cut, "command") || !strings.Contains(r.Command, " … ") || len(r.Command) > maxCommand {
		t.Errorf("cut %v, a command of %d bytes", r.Cut, len(r.Command))
	}
	mustBeWhole(t, l)
}

func TestUnfit(t *testing.T) {
	t.Parallel()
	l := testLog(t)
	for _, r := range []Row{{}, {Kind: "begun"}, {Kind: "x"}, {Kind: Assessed, Whole: json.RawMessage("{")}} {
		var f *Fault
		if _, err := l.Append(t.Context(), r); !errors.As(err, &f) || f.Trouble != Unfit {
			t.Errorf("%+v: %v", r, err)
		}
	}
	// What the log fills in, nobody else does.
	appendRows(t, l, Row{Kind: Asked, Seq: 9, Hash: "x", Prev: "y", Chain: "z", ID: "i", Time: 1, Pruned: &Pruning{}, Mended: &Mending{}, Torn: &Torn{}})
	if r := collect(t, l, Filter{})[1]; r.Seq != 2 || r.Pruned != nil || r.Mended != nil || r.Torn != nil {
		t.Errorf("%+v", r)
	}
}

func TestSecretsAreMasked(t *testing.T) {
	t.Parallel()
	req := risk.Request{Command: "curl -H 'Authorization: Bearer hunter2hunter2' -d @$TOKEN https://u:pw1234@h/ # sesame99", Env: map[string]string{"MY_TOKEN": "sesame99"}, Dir: "/p", Agent: "a", Session: "s", ID: "1"}
	a := risk.Assessment{
		Tier: risk.Review, Summary: "Sends hunter2hunter2 to h", Command: req.Command, Invocations: []risk.Invocation{{Argv: []string{"/usr/bin/curl", "-H", "Authorization: Bearer hunter2hunter2", "https://u:pw1234@h/"}}},
		Layers: []risk.Layer{{Name: "x", Confidence: 0.25}},
	}
	r, err := AssessedRow(&req, &a, true)
	if err != nil {
		t.Fatal(err)
	}
	l := testLog(t)
	appendRows(t, l, r, r.As(Decided), Row{Kind: Denied, Reason: "that is ghp_0123456789abcdefghijklmnop"})
	text, err := os.ReadFile(filepath.Join(l.Dir(), segmentName(1)))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"hunter2", "pw1234", "sesame99", "ghp_"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%s is kept:\n%s", secret, text)
		}
	}
	rows := collect(t, l, Filter{})
	if got := rows[1]; !got.Masked || !slices.Equal(got.Programs, []string{"curl"}) || got.Digest != "sha256:"+sum(got.Whole) || got.Tier != "REVIEW" || rows[2].Whole != nil || rows[2].Digest != got.Digest {
		t.Errorf("%+v", got)
	}
	var back risk.Assessment
	if err := json.Unmarshal(rows[1].Whole, &back); err != nil || back.Layers[0].Confidence != 0.25 || back.Tier != risk.Review {
		t.Errorf("%v: %+v", err, back)
	}
}

// TestClockJumps: whatever the clock says, the order is that of writing.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "heed-audit-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		times := rapid.SliceOfN(rapid.Int64Range(-1<<48, 1<<49), 1, 12).Draw(t, "times")
		i := 0
		now := func() time.Time { i++; return time.UnixMilli(times[i%len(times)]) }
		l, err := Open(filepath.Join(dir, "a", "log"), Options{Now: now, SegmentBytes: int64(rapid.IntRange(300, 4000).Draw(t, "segment"))})
		if err != nil {
			t.Fatal(err)
		}
		for n := range times {
			if _, err := l.Append(t.Context(), Row{Kind: Decided, Request: fmt.Sprint(n)}); err != nil {
				t.Fatal(err)
			}
		}
		before, n := "", 0
		for r, err := range l.Rows(t.Context(), Filter{}) {
			if err != nil || r.ID <= before || r.Seq > 1 && r.Request != fmt.Sprint(r.Seq-2) {
				t.Fatalf("%v: %+v after %s", err, r, before)
			}
			before, n = r.ID, n+1
		}
		if r, err := l.Verify(t.Context(), nil, nil); err != nil || !r.Whole() || n != len(times)+1 {
			t.Fatalf("%d rows, %v, %+v", n, err, r)
		}
	})
}

// TestFilters holds the sieve, which throws lines away unread, against a plain
// look at every row.
func TestFilters(t *testing.T) {
	t.Parallel()
	l := testLog(t, func(o *Options) { o.SegmentBytes = 20 << 10 })
	rows := samples(200)
	rows[17].Agent, rows[18].Session, rows[19].Programs = `we"ird`, "<&>", []string{"a\\b"}
	rows[20].Whole = json.RawMessage(`{"tier":"REVIEW","time":"1999-01-01T00:00:00.000Z","seq":3,"prev":"x","hash":"y","session":"s99"}`)
	appendRows(t, l, rows...)
	all := collect(t, l, Filter{})
	base := all[0].Time.Time()
	rapid.Check(t, func(t *rapid.T) {
		pick := func(name string, from ...string) string { return rapid.SampledFrom(append(from, "", "")).Draw(t, name) }
		list := func(name string, from ...string) []string {
			return rapid.SliceOfN(rapid.SampledFrom(from), 0, 2).Draw(t, name)
		}
		f := Filter{
			Agent: pick("agent", "claude-code", "codex", `we"ird`), Session: pick("session", "s1", "s2", "<&>", "s99"), Program: pick("program", "rm", `a\b`), ASI: pick("asi", "asi02", "ASI02", "ASI01"),
			Tiers: list("tiers", "SAFE", "review"), Levels: list("levels", "A", "c"), Decisions: list("decisions", "ask", "deny"),
			Kinds: rapid.SliceOfN(rapid.SampledFrom(Kinds()), 0, 2).Draw(t, "kinds"), After: rapid.Uint64Range(0, 210).Draw(t, "after"), Last: rapid.IntRange(0, 50).Draw(t, "last"),
		}
		if rapid.Bool().Draw(t, "times") {
			f.Since, f.Until = base.Add(time.Duration(rapid.IntRange(-5, 210).Draw(t, "since"))*time.Second), base.Add(time.Duration(rapid.IntRange(-5, 210).Draw(t, "until"))*time.Second)
		}
		var want []uint64
		for _, r := range all {
			if f.Wants(&r) {
				want = append(want, r.Seq)
			}
		}
		if f.Last > 0 {
			want = want[max(0, len(want)-f.Last):]
		}
		var got []uint64
		for r, err := range l.Rows(t.Context(), f) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.Seq)
		}
		if !slices.Equal(want, got) {
			t.Fatalf("%+v: got %v, want %v", f, got, want)
		}
	})
}

func TestFind(t *testing.T) {
	t.Parallel()
	l := testLog(t, func(o *Options) { o.SegmentBytes = 4 << 10 })
	all := appendRows(t, l, samples(5)...)
	for range 5 {
		all = append(all, appendRows(t, l, samples(5)...)...)
	}
	for _, want := range all {
		for _, name := range []string{want.ID, fmt.Sprint(want.Seq)} {
			if r, err := l.Find(t.Context(), name); err != nil || r.ID != want.ID {
				t.Errorf("%s: %+v, %v", name, r, err)
			}
		}
	}
	other := all[3].ID[:len(all[3].ID)-1] + "7"
	for name, want := range map[string]string{"0": "no id", "x": "no id", "1000000": "no such row", other: "no such row", strings.Repeat("z", idLength): "no such row", strings.Repeat("u", idLength): "no id"} {
		if _, err := l.Find(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	l := testLog(t, func(o *Options) { o.SegmentBytes = 2 << 10 })
	appendRows(t, l, samples(5)...)
	var got []uint64
	wrote := 0
	for r, err := range l.Follow(t.Context(), Filter{Last: 2, Decisions: []string{"allow", "ask", "deny"}}, time.Millisecond) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, r.Seq)
		if len(got) == 30 {
			break
		}
		if len(got) == 1 && r.Seq != 5 {
			t.Errorf("begins with row %d", r.Seq)
		}
		if wrote < 30 {
			appendRows(t, l, samples(3)...)
			wrote += 3
		}
	}
	for i := range got {
		if got[i] != uint64(5+i) {
			t.Fatalf("%v", got)
		}
	}
}

func TestOff(t *testing.T) {
	t.Parallel()
	l := testLog(t, func(o *Options) { o.Managed = Managed{Off: true, By: "/etc/heed/policy.yaml"} })
	r, err := l.Append(t.Context(), sample(1))
	if err != nil || !r.Off {
		t.Errorf("%+v, %v", r, err)
	}
	if by, off := l.Off(); !off || by != "/etc/heed/policy.yaml" {
		t.Errorf("%s, %v", by, off)
	}
	if _, err := os.Stat(l.Dir()); !os.IsNotExist(err) {
		t.Errorf("something was made: %v", err)
	}
}

// TestEveryByteCounts changes single bytes of a log.
func TestEveryByteCounts(t *testing.T) {
	t.Parallel()
	l := testLog(t, func(o *Options) { o.SegmentBytes = 16 << 10 })
	for i := range 100 {
		appendRows(t, l, sample(i))
	}
	if _, err := l.Prune(t.Context(), time.Date(2026, 11, 24, 10, 0, 30, 0, time.UTC), false); err != nil {
		t.Fatal(err)
	}
	mustBeWhole(t, l)
	files, err := filepath.Glob(filepath.Join(l.Dir(), "*.jsonl"))
	if err != nil || len(files) < 3 {
		t.Fatal(files, err)
	}
	files = append(files, filepath.Join(l.Dir(), headName))
	random := rand.New(rand.NewPCG(1, 2))
	missed := 0
	for range 1000 {
		name := files[random.IntN(len(files))]
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		at, was := random.IntN(len(text)), byte(0)
		was, text[at] = text[at], text[at]^byte(1+random.IntN(255))
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if r := verify(t, l); r.Whole() {
			missed++
			t.Errorf("%s: byte %d, %q instead of %q, is not noticed", filepath.Base(name), at, text[at], was)
		}
		text[at] = was
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("1000 changed bytes, %d missed", missed)
	mustBeWhole(t, l)
}
