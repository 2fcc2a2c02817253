package eval_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/eval"
)

// TestTold is what is counted of single sentences.
func TestTold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		says  string
		facts []string
		want  eval.Told
	}{
		{"Deletes ./notes.txt; it is not in git.", []string{"deletes notes.txt", "cannot be brought back"}, eval.Told{Facts: 2, Carried: 1}},
		{"Only reads or prints: ./a (cat); changes nothing.", nil, eval.Told{Category: 1}},
		{"Deletes ./a (+2 more).", nil, eval.Told{Counted: 1}},
		{"Deletes " + strings.Repeat("x", 140) + ".", nil, eval.Told{Long: 1}},
		{"Deletes a file whose name is not known.", nil, eval.Told{Holes: 1}},
	} {
		var got eval.Told
		got.Tell(&eval.Sentence{Facts: c.facts}, c.says)
		c.want.Sentences = 1
		if got != c.want {
			t.Errorf("%q: %+v, want %+v", c.says, got, c.want)
		}
	}
	// A fact may stand beside the sentence.
	var got eval.Told
	got.Tell(&eval.Sentence{Facts: []string{"needs root"}}, "Changes the clock.", "It needs root's rights.")
	if got.Carried != 1 {
		t.Errorf("beside the sentence: %+v", got)
	}
}

// TestReadSentences: rows are read with their facts, and what is none is named.
func TestReadSentences(t *testing.T) {
	t.Parallel()
	rows, err := eval.ReadSentences(strings.NewReader(`{"id":"a","cmd":"ls","facts":["lists"],"third":2}`+"\n\n"+`{"cmd":"pwd"}`), "f")
	if err != nil || len(rows) != 2 || rows[0].Third == nil || *rows[0].Third != 2 || rows[0].Cmd != "ls" || rows[1].Third != nil {
		t.Errorf("%+v, %v", rows, err)
	}
	for _, bad := range []string{"{", `{"id":"a"}`} {
		if _, err := eval.ReadSentences(strings.NewReader("{\"cmd\":\"ls\"}\n"+bad), "f.jsonl"); err == nil || !strings.Contains(err.Error(), "f.jsonl, line 2") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
