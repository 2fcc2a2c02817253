package rules

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/detect/pattern"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// A Command is one line of a corpus.
type Command struct {
	Text  string
	Shell string
	Count int // how often it stands for
}

// A Firing says how often a rule fired over a corpus.
type Firing struct {
	ID       string  `json:"id"`
	Layer    string  `json:"layer"`
	Severity string  `json:"severity"` // as it counts: a quiet rule's is medium
	Title    string  `json:"title"`
	Count    int     `json:"count"`
	Share    float64 `json:"share"` // of the commands, in per cent
	Example  string  `json:"example"`
}

// Stats judges the commands in a made-up world and counts how often each rule
// fires, the most frequent first. total is how many commands there were.
func Stats(ctx context.Context, commands []Command, with service.Detectors, tell func(done, total int)) (fired []Firing, total int, err error) {
	l, err := newLab(ctx, with)
	if err != nil {
		return nil, 0, err
	}
	found := make([][]risk.Finding, len(commands))
	inParallel(len(commands), func(i int) {
		out := l.run(commands[i].Text, commands[i].Shell)
		found[i] = out.Findings
	}, func(done int) { tell(done, len(commands)) })
	if err := ctx.Err(); err != nil {
		return nil, 0, fmt.Errorf("counting how often rules fire: %w", err)
	}
	at := map[string]*Firing{}
	for i, list := range found {
		n := max(commands[i].Count, 1)
		total += n
		told := map[string]bool{}
		for _, f := range list {
			if f.Layer != pattern.Layer && f.Layer != string(Sigma) || told[f.ID] {
				continue
			}
			told[f.ID] = true
			if at[f.ID] == nil {
				at[f.ID] = &Firing{ID: f.ID, Layer: f.Layer, Severity: string(f.Severity), Title: f.Title, Example: commands[i].Text}
			}
			at[f.ID].Count += n
		}
	}
	for _, f := range at {
		f.Share = 100 * float64(f.Count) / float64(max(total, 1))
		fired = append(fired, *f)
	}
	slices.SortFunc(fired, func(a, b Firing) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.ID, b.ID))
	})
	return fired, total, nil
}
