package rules

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/once"
	"github.com/heedsh/heed/internal/service"
)

// ordinary are commands of developers and administrators, a line each, that
// nobody would want to be asked about by a rule. They were written for this
// file.
//
//go:embed ordinary.txt
var ordinary string

// Ordinary returns the list of ordinary commands.
func Ordinary() []string { return ordinaryList.Get() }

var ordinaryList = once.Value[[]string]{Make: func() []string {
	return strings.Split(strings.TrimSuffix(ordinary, "\n"), "\n")
}}

// Fired says how often a rule matched.
type Fired struct {
	Label, Title, Level string
	Count, Of           int
	Example             string // a command that it matched
}

// Share is the share of commands that a rule matched, in per cent.
func (f *Fired) Share() float64 { return 100 * float64(f.Count) / float64(max(f.Of, 1)) }

// loud reports whether the rule raises by its level.
func (f *Fired) loud() bool { return f.Level == "high" || f.Level == "critical" }

// often reports whether a rule fires on more than one in a thousand (DESIGN
// section 8).
func (f *Fired) often() bool { return f.Count*1000 > f.Of }

// products are the systems whose rules ordinary commands can tell of: those
// commands are for a Unix shell.
func products() []string { return []string{"linux", "macos"} }

// try counts on how many ordinary commands each rule fires, and returns those
// that do, in the order of the set.
func try(ctx context.Context, set *sigma.Set, tell func(done, total int)) (fired []Fired, total int, err error) {
	l, err := newLab(ctx, service.Detectors{Without: []string{"pattern", "sigma", "semantic"}}) // the programs do not depend on them
	if err != nil {
		return nil, 0, err
	}
	commands := Ordinary()
	hits := make([][]int, len(commands))
	matchers := sync.Pool{New: func() any { return new(sigma.Matcher) }}
	inParallel(len(commands), func(i int) {
		m := matchers.Get().(*sigma.Matcher)
		defer matchers.Put(m)
		for _, ev := range l.events(commands[i]) {
			for _, product := range products() {
				for _, h := range set.Match(m, sigma.ProcessCreation(product), ev) {
					if !h.Silent && !slices.Contains(hits[i], h.Rule) {
						hits[i] = append(hits[i], h.Rule)
					}
				}
			}
		}
	}, func(done int) { tell(done, len(commands)) })
	if err := ctx.Err(); err != nil {
		return nil, 0, fmt.Errorf("trying rules on ordinary commands: %w", err)
	}
	counts := make([]Fired, set.Len())
	for i, rules := range hits {
		for _, rule := range rules {
			f := &counts[rule]
			if f.Count++; f.Count == 1 {
				m := set.Meta(rule)
				f.Label, f.Title, f.Level, f.Of, f.Example = m.Label(), m.Title, m.Level, len(commands), commands[i]
			}
		}
	}
	return slices.DeleteFunc(counts, func(f Fired) bool { return f.Count == 0 }), len(commands), nil
}

// readLimited reads at most a byte more than limit.
func readLimited(r io.Reader, limit int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, limit+1))
}
