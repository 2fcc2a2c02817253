package pure

import (
	"slices"
	"unicode/utf8"
)

func validText(b []byte) bool { return utf8.Valid(b) }

// search finds what matches in a line: all spans for -o, else whether there
// is one.
func (g *grepper) search(j *job, line []byte) (spans [][]int, hit bool, err error) {
	if g.word {
		return g.searchWords(j, line)
	}
	if !g.only {
		for _, p := range g.patterns {
			if hit, err = p.matches(j, line); hit || err != nil {
				return nil, hit, err
			}
		}
		return nil, false, nil
	}
	if len(g.patterns) == 1 {
		spans, err = g.patterns[0].find(j, line, -1)
		return spans, len(spans) > 0, err
	}
	return g.searchSeveral(j, line)
}

// searchSeveral merges the matches of several patterns: at each place the
// leftmost, and of those the longest. Matches of a pattern that begin inside
// an earlier one would have to be searched for again, which is left out.
func (g *grepper) searchSeveral(j *job, line []byte) ([][]int, bool, error) {
	var all [][]int
	for _, p := range g.patterns {
		m, err := p.find(j, line, -1)
		if err != nil {
			return nil, false, err
		}
		all = append(all, m...)
	}
	slices.SortStableFunc(all, func(a, b []int) int {
		if a[0] != b[0] {
			return a[0] - b[0]
		}
		return b[1] - a[1]
	})
	var out [][]int
	end := 0
	for i, m := range all {
		if m[0] < end {
			if i > 0 && m[1] <= end {
				continue // swallowed
			}
			return nil, false, errUnknown
		}
		out, end = append(out, m), m[1]
	}
	return out, len(all) > 0, nil
}

// searchWords is -w: GNU grep tries shorter matches at a place before it goes
// on. Only what is certain is answered: every match is a whole word, or no
// match could be cut down to one because the pattern has a single length.
func (g *grepper) searchWords(j *job, line []byte) (spans [][]int, hit bool, err error) {
	if !isASCII(line) || len(g.patterns) != 1 || g.patterns[0].nullable {
		return nil, false, errUnknown
	}
	p := g.patterns[0]
	all, err := p.find(j, line, -1)
	if err != nil {
		return nil, false, err
	}
	for _, m := range all {
		whole := (m[0] == 0 || !isWordByte(line[m[0]-1])) && (m[1] == len(line) || !isWordByte(line[m[1]]))
		if whole {
			spans = append(spans, m)
			continue
		}
		if p.fixed < 0 || p.overlaps {
			return nil, false, errUnknown
		}
	}
	return spans, len(spans) > 0, nil
}
