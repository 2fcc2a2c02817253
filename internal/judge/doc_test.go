package judge

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/risk"
)

var update = flag.Bool("update", false, "rewrite docs/decision-table.md")

// page is where the table is published.
const page = "../../docs/decision-table.md"

// TestDecisionTablePage keeps docs/decision-table.md the same as the table
// that decides. `go test ./internal/judge -run Page -update` writes it.
func TestDecisionTablePage(t *testing.T) {
	t.Parallel()
	want := render(table())
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
		t.Errorf("docs/decision-table.md is stale: run go test ./internal/judge -run Page -update\n(- the table, + the page)\n%s", d)
	}
}

// TestTableIsComplete checks what the page promises: every verb has rows, and
// its last one fits whatever is left.
func TestTableIsComplete(t *testing.T) {
	t.Parallel()
	last := map[risk.Verb]row{}
	for _, r := range table() {
		for _, v := range r.verbs {
			if l, ok := last[v]; ok && len(l.scopes) == 0 && l.test.name == "" {
				t.Errorf("%s: the row %q is never reached", v, r.why)
			}
			last[v] = r
		}
		if r.why == "" {
			t.Errorf("a row of %v does not say why", r.verbs)
		}
	}
	for _, v := range risk.Verbs() {
		if l, ok := last[v]; !ok || len(l.scopes) > 0 || l.test.name != "" {
			t.Errorf("%s: the last row does not fit always", v)
		}
	}
}

func render(rows []row) string {
	var b strings.Builder
	b.WriteString(`# The decision table

<!-- Written by go test ./internal/judge -run Page -update. Change internal/judge/table.go instead. -->

This is all of heed's judgement. Every effect of a command is looked up here: of the rows for its verb, **the first that
fits decides**. The command's own answer is the highest answer of its effects, and its score, level and verdict are read
from the same scale:

| answer | score | verdict | the least approval |
|---|---|---|---|
`)
	approval := []string{"none", "none", "a click after reading", "a click and a PIN"}
	for i, a := range approval {
		band := risk.Band(i)
		low, high := band.Scores()
		fmt.Fprintf(&b, "| %s | %d-%d | %s | %s |\n", band, low, high, band.Verdict(), a)
	}
	b.WriteString(`
What is done with another user's rights is at least CAUTION/B, and an origin that is not trusted raises what it asks for
by a step. More than five named files that are nowhere else count as many.

The verbs are explained in [risk/effect.go](../risk/effect.go). A comma between conditions means that all of them hold;
"detail" is followed by the catalog's own words for what is touched or how, any of which will do.
`)
	var verbs []risk.Verb
	for _, r := range rows {
		if !slices.Equal(r.verbs, verbs) {
			fmt.Fprintf(&b, "\n## %s\n\n| where | if | answer | because |\n|---|---|---|---|\n", title(r.verbs))
		}
		verbs = r.verbs
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", where(r), condition(r), r.band, cell(r.why))
	}
	return b.String()
}

func title(verbs []risk.Verb) string {
	names := make([]string, len(verbs))
	for i, v := range verbs {
		names[i] = "`" + string(v) + "`"
	}
	return strings.Join(names, ", ")
}

func where(r row) string {
	if len(r.scopes) == 0 {
		return "anywhere"
	}
	names := make([]string, len(r.scopes))
	for i, s := range r.scopes {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}

func condition(r row) string {
	switch {
	case r.test.name != "":
	case len(r.scopes) > 0:
		return "anything"
	default:
		return "anything else"
	}
	return cell(r.test.name)
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
