package attack_test

import (
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/attack"
	"pgregory.net/rapid"
)

func TestLookup(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ id, title, tactics string }{
		{"T1001", "Data Obfuscation", "command-and-control"},
		{"T1059.004", "Command and Scripting Interpreter: Unix Shell", "execution"},
		{"t1059.004", "Command and Scripting Interpreter: Unix Shell", "execution"},
		{"T1055.013", "Process Injection: Process Doppelgänging", "privilege-escalation stealth"},
		{"T1078", "Valid Accounts", "initial-access persistence privilege-escalation stealth"},
		{"T1556.003", "Modify Authentication Process: Pluggable Authentication Modules", "persistence defense-impairment credential-access"},
		{"T1685", "Disable or Modify Tools", "defense-impairment"},
		{"T1690", "Prevent Command History Logging", "defense-impairment"},
	} {
		got, ok := attack.Lookup(c.id)
		if !ok {
			t.Errorf("Lookup(%q): not found", c.id)
			continue
		}
		var tactics []string
		for _, tactic := range got.Tactics {
			tactics = append(tactics, tactic.ShortName)
		}
		if got.Title() != c.title || strings.Join(tactics, " ") != c.tactics {
			t.Errorf("Lookup(%q) = %q in %v, want %q in %q", c.id, got.Title(), tactics, c.title, c.tactics)
		}
	}
	for _, id := range []string{"", "T", "t", "T1", "T1562", "T1562.001", "T1059.999", "T9999", "TA0005", " T1059", "T1059 ", "S0154"} {
		if got, ok := attack.Lookup(id); ok {
			t.Errorf("Lookup(%q) = %v, want none", id, got)
		}
	}
}

func TestCurrent(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"T1059.004": "T1059.004", "t1485": "T1485",
		"T1562": "T1685", "T1562.001": "T1685", "T1562.003": "T1690", "T1562.004": "T1686", "T1562.012": "T1685.004",
		"T1070.002": "T1685.006", "t1070.001": "T1685.005", "T1002": "T1560", "T1089": "T1685", "T1672": "T1684.002",
		"T1053.001": "T1053.002",
		"T1064":     "", "T0001": "", "": "", "T1562.099": "",
	} {
		if got, ok := attack.Current(id); got != want || ok != (want != "") {
			t.Errorf("Current(%q) = %q, %v, want %q", id, got, ok, want)
		}
	}
}

func TestCurrentIsStableAndKnown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[Tt]1[0-6][0-9]{2}(\.0[01][0-9])?`).Draw(t, "id")
		now, ok := attack.Current(id)
		_, known := attack.Lookup(now)
		again, _ := attack.Current(now)
		if ok != known || again != now {
			t.Fatalf("Current(%q) = %q, %v; known: %v, and again: %q", id, now, ok, known, again)
		}
	})
}

// TestCounts holds the tables to what MITRE published for version 19.
func TestCounts(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("data/techniques.tsv")
	if err != nil {
		t.Fatal(err)
	}
	techniques, subs := 0, 0
	for line := range strings.Lines(string(data)) {
		id, _, _ := strings.Cut(line, "\t")
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.Contains(id, "."):
			subs++
		default:
			techniques++
		}
	}
	if techniques != 222 || subs != 475 || len(attack.Tactics()) != 15 {
		t.Errorf("%d techniques, %d sub-techniques, %d tactics, want 222, 475, 15", techniques, subs, len(attack.Tactics()))
	}
}

func TestASI(t *testing.T) {
	t.Parallel()
	if n := len(attack.Risks()); n != 10 {
		t.Errorf("%d risks, want 10", n)
	}
	for _, r := range attack.Risks() {
		if got, ok := attack.ASI(r.ID); !ok || got != r || r.Title == "" || r.About == "" {
			t.Errorf("ASI(%q) = %v, %v, want %v", r.ID, got, ok, r)
		}
	}
	if got, ok := attack.ASI("asi02"); !ok || got.Title != "Tool Misuse and Exploitation" {
		t.Errorf("ASI(asi02) = %v, %v", got, ok)
	}
	for _, id := range []string{"", "ASI", "ASI00", "ASI11", "ASI1", "ASI1:", "ASI0;", "LLM01", "ASI010", "asI01"} {
		if got, ok := attack.ASI(id); ok {
			t.Errorf("ASI(%q) = %v, want none", id, got)
		}
	}
}

// TestIDsOfHeed holds the ids that heed writes into records to the table.
func TestIDsOfHeed(t *testing.T) {
	t.Parallel()
	found := map[string]bool{}
	for _, name := range []string{"detect/techniques.go", "detect/pattern/builtin.go", "detect/pattern/net.go", "detect/heuristic/heuristic.go"} {
		src, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range regexp.MustCompile(`"(T1\d{3}(\.\d{3})?|ASI\d+)"`).FindAllStringSubmatch(string(src), -1) {
			found[id[1]] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		if strings.HasPrefix(id, "ASI") {
			if _, ok := attack.ASI(id); !ok {
				t.Errorf("%s is no risk", id)
			}
			continue
		}
		if now, ok := attack.Current(id); !ok || now != id {
			t.Errorf("%s is no current technique (%q)", id, now)
		}
	}
	if len(found) < 20 {
		t.Errorf("only %d ids found", len(found))
	}
}

// TestTagsOfSigma runs over the SigmaHQ rules in the directory HEED_SIGMA.
func TestTagsOfSigma(t *testing.T) {
	t.Parallel()
	root := os.Getenv("HEED_SIGMA")
	if root == "" {
		t.Skip("HEED_SIGMA names no rules")
	}
	tag := regexp.MustCompile(`(?m)^\s*- attack\.(t\d{4}(?:\.\d{3})?)\s*$`)
	count := map[string]int{}
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yml" {
			return err
		}
		src, err := os.ReadFile(path)
		for _, m := range tag.FindAllStringSubmatch(string(src), -1) {
			count[m[1]]++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(count) == 0 {
		t.Fatalf("no tags below %s", root)
	}
	for _, id := range slices.Sorted(maps.Keys(count)) {
		switch now, ok := attack.Current(id); {
		case !ok:
			t.Errorf("%s (%d rules) is unknown", id, count[id])
		case now != "T"+id[1:]:
			t.Logf("%s (%d rules) is %s today", id, count[id], now)
		}
	}
	t.Logf("%d technique tags", len(count))
}

func TestTablesAreFresh(t *testing.T) {
	t.Parallel()
	if out, err := exec.Command("go", "run", "./internal/generate", "-check").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func BenchmarkLookup(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		attack.Lookup("T1552.001")
	}
}

func BenchmarkCurrent(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		attack.Current("T1562.001")
	}
}
