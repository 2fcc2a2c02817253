package scan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/risk"
)

// text makes a text of words, each a line.
func text(words string) string {
	if words == "" {
		return ""
	}
	return strings.ReplaceAll(words, " ", "\n") + "\n"
}

func TestDiff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		was, now string // each word a line
		want     string // the lines of now that are new or altered
	}{
		{"a b c", "a b c", ""},
		{"", "a b", "[1 2 3]"},
		{"a b c", "a x c", "[2]"},
		{"a b c", "a c", ""},
		{"a c", "a b c", "[2]"},
		{"a b", "x a b", "[1]"},
		{"a b", "a b x", "[3]"},
		{"a b c d e f", "a x c d y f", "[2 5]"},
		{"a b c d", "d a b c", "[1]"},
		{"a b c d e f g", "e f a b c d g", "[1 2]"},
		// lines that stand more than once go with their neighbours
		{"a fi b fi c fi", "a x fi b y fi c fi", "[2 5]"},
		{"fi a fi b", "fi x a y fi z b", "[2 4 6]"},
		// and are taken for altered between two others: that cannot be told
		{"a fi b", "x fi y", "[1 3]"},
		{"a fi b fi c", "x fi y fi z", "[1 2 3 4 5]"},
		{"x x x", "x x x x", "[4]"},
	} {
		c := Diff(text(tt.was), text(tt.now))
		var altered []int
		for line := 1; line <= len(c.from); line++ {
			if c.old(line) == 0 {
				altered = append(altered, line)
			}
		}
		if got := fmt.Sprint(altered); got != tt.want && (tt.want != "" || altered != nil) {
			t.Errorf("%q to %q: %s, want %s", tt.was, tt.now, got, tt.want)
		}
	}
}

// FuzzDiff holds that a line that is called the same is the same, and in the same
// order, and that nothing is new where nothing changed.
func FuzzDiff(f *testing.F) {
	f.Add("a\nb\nc\n", "c\na\nb\n")
	f.Add("", "a")
	f.Add("a\na\nb\na\n", "a\nb\na\na")
	f.Fuzz(func(t *testing.T, was, now string) {
		a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
		last := 0
		for i, from := range Diff(was, now).from {
			if from == 0 {
				continue
			}
			if from <= last || from > len(a) || a[from-1] != b[i] {
				t.Fatalf("line %d of %q is called line %d of %q", i+1, now, from, was)
			}
			last = from
		}
		if was != "" && slices.Contains(Diff(was, was).from, 0) {
			t.Fatalf("%q differs from itself", was)
		}
	})
}

// A file of a million lines that are all the same, or all other, is compared at once.
func TestDiffLarge(t *testing.T) {
	t.Parallel()
	same := strings.Repeat("\n", MaxSize)
	if c := Diff("x"+same, "y"+same); c.old(1) != 0 || c.old(2) != 2 {
		t.Error("the lines in common are not found")
	}
	var a, b strings.Builder
	for i := range 100_000 {
		fmt.Fprintln(&a, i)
		fmt.Fprintln(&b, 99_999-i)
	}
	n := 0
	for _, from := range Diff(a.String(), b.String()).from {
		if from != 0 {
			n++
		}
	}
	if n != 2 { // one line, and the empty one at the end
		t.Errorf("%d lines of a text in the other order are the same", n)
	}
}

func TestDivide(t *testing.T) {
	t.Parallel()
	at := func(tier risk.Tier, line, end, decided int) Result {
		r := finding("a.sh", "x", tier, line)
		r.EndLine, r.Decided.Line = end, decided
		return r
	}
	reason := func(r Result, rule string) Result { r.Rule = rule; return r }
	const was, now = "a b c d e f", "a x c d f"
	for name, tt := range map[string]struct {
		now     Result
		was     []Result
		changed bool
	}{
		"on an altered line":               {now: at(risk.Safe, 2, 2, 2), changed: true},
		"up to an altered line":            {now: at(risk.Safe, 1, 2, 1), changed: true},
		"decided on an altered line":       {now: at(risk.Safe, 1, 1, 2), changed: true},
		"a line is gone within":            {now: at(risk.Safe, 4, 5, 4), changed: true},
		"harmless elsewhere":               {now: at(risk.Safe, 3, 4, 3)},
		"as before":                        {now: at(risk.Review, 4, 4, 4), was: []Result{at(risk.Review, 4, 4, 4)}},
		"as before, on another line":       {now: at(risk.Review, 5, 5, 5), was: []Result{at(risk.Review, 6, 6, 6)}},
		"better than before":               {now: at(risk.Caution, 4, 4, 4), was: []Result{at(risk.Review, 4, 4, 4)}},
		"worse than before":                {now: at(risk.Review, 4, 4, 4), was: []Result{at(risk.Caution, 4, 4, 4)}, changed: true},
		"as bad for another reason":        {now: at(risk.Review, 4, 4, 4), was: []Result{reason(at(risk.Review, 4, 4, 4), "exec.remote: x")}, changed: true},
		"nothing was there":                {now: at(risk.Caution, 4, 4, 4), was: []Result{at(risk.Caution, 3, 3, 3)}, changed: true},
		"as before, where it was not read": {now: reason(at(risk.Review, 4, 4, 4), NotInspected), was: []Result{reason(at(risk.Review, 4, 4, 4), NotInspected)}, changed: true},
	} {
		asked := false
		changed, left := Diff(text(was), text(now)).Divide([]Result{tt.now}, func() []Result { asked = true; return tt.was })
		if (len(changed) == 1) != tt.changed || len(changed)+len(left) != 1 {
			t.Errorf("%s: changed %v, left %v", name, changed, left)
		}
		if asked != (tt.was != nil && tt.now.Rule != NotInspected) {
			t.Errorf("%s: asked for what was before: %v", name, asked)
		}
	}
	// each of two at one place needs one of its own
	two := []Result{at(risk.Review, 4, 4, 4), at(risk.Review, 4, 4, 4)}
	old := []Result{at(risk.Caution, 4, 4, 4), at(risk.Review, 4, 4, 4)}
	if changed, left := Diff(text(was), text(now)).Divide(two, func() []Result { return old }); len(changed) != 1 || len(left) != 1 {
		t.Errorf("changed %v, left %v", changed, left)
	}
}

// What stands there still uses up what a baseline knows: the same once more is new.
func TestBaselineBeside(t *testing.T) {
	t.Parallel()
	old, more := finding("a.sh", "rm x", risk.Caution, 2), finding("a.sh", "rm x", risk.Caution, 1)
	known := NewBaseline([]Result{old})
	if fresh := known.New([]Result{more}, []Result{old}); len(fresh) != 1 || fresh[0].Line != 1 {
		t.Errorf("%v", fresh)
	}
	if fresh := known.New([]Result{more}, nil); len(fresh) != 0 {
		t.Errorf("%v", fresh)
	}
	worse := finding("a.sh", "rm x", risk.Review, 2)
	if fresh := known.New([]Result{more}, []Result{worse}); len(fresh) != 0 {
		t.Errorf("what the baseline does not know uses it up: %v", fresh)
	}
}
