package pattern

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/attack"
	"github.com/heedsh/heed/risk"
)

var update = flag.Bool("update", false, "rewrite docs/patterns.md")

// page is where heed's own list is published.
const page = "../../../docs/patterns.md"

// TestPage keeps docs/patterns.md the same as the list that is matched.
func TestPage(t *testing.T) {
	t.Parallel()
	want := render()
	if *update {
		if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(string(got), "\n")); d != "" {
		t.Errorf("docs/patterns.md is stale: run go test ./internal/detect/pattern -run Page -update\n(- the list, + the page)\n%s", d)
	}
}

const head = `# Pattern rules of heed's own

<!-- Written by go test ./internal/detect/pattern -run Page -update. Change internal/detect/pattern/builtin.go instead. -->

These rules match what a command would start and do: resolved words and effects, never its text. So the order of options,
quotes, variables and wrappers do not matter, and text about danger does not match. A rule of severity critical makes the
answer REVIEW, high at least CAUTION/B; low and medium annotate. [rules.md](rules.md) tells how to write your own.

ATT&CK techniques are those of version %s, ASI the OWASP Top 10 for Agentic Applications 2026.

`

// render writes the page.
func render() string {
	var b strings.Builder
	fmt.Fprintf(&b, head, attack.Version)
	b.WriteString("| rule | severity | ATT&CK | ASI | what it is about |\n|---|---|---|---|---|\n")
	for _, r := range Builtin() {
		var techniques, risks []string
		for _, id := range r.ATTACK {
			t, _ := attack.Lookup(id)
			techniques = append(techniques, id+" "+t.Title())
		}
		for _, id := range r.ASI {
			a, _ := attack.ASI(id)
			risks = append(risks, id+" "+a.Title)
		}
		fmt.Fprintf(&b, "| `%s`: %s | %s | %s | %s | %s |\n", r.ID, r.Title, r.Severity, strings.Join(techniques, ", "), strings.Join(risks, ", "), r.Description)
	}
	b.WriteString("\nFor example:\n\n| rule | fires on | not on |\n|---|---|---|\n")
	for _, r := range Builtin() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.ID, code(r.Positive[0]), code(r.Negative[0]))
	}
	b.WriteString("\nBeside these, `heed.net` looks for literals in code that heed could not read, and only there; it is high.\n")
	b.WriteString("\n## Verbs\n\nWhat `verb` of a rule may name ([risk/effect.go](../risk/effect.go) explains them):\n\n")
	words(&b, texts(risk.Verbs()))
	b.WriteString("\n## Scopes\n\nWhat `scope` of a rule may name:\n\n")
	words(&b, texts(risk.Scopes()))
	return b.String()
}

// code shows a command inside a table.
func code(command string) string {
	return "`` " + strings.ReplaceAll(command, "|", `\|`) + " ``"
}

func words(b *strings.Builder, list []string) {
	for _, w := range list {
		fmt.Fprintf(b, "- `%s`\n", w)
	}
}
