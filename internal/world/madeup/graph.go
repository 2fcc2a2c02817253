package madeup

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"
)

// maxCommits bounds the commits of one repository.
const maxCommits = 100_000

// A graph holds the commits of a repository. No commit has two parents: merges
// add nothing that a judgement asks about.
type graph struct {
	seed   string
	parent map[string]string // of a commit; "" for the first
}

// grow puts n commits on top of one ("" for none) and returns the last.
func (g *graph) grow(onto string, n int) (string, error) {
	if len(g.parent)+n > maxCommits {
		return "", fmt.Errorf("more than %d commits", maxCommits)
	}
	for range n {
		sum := sha1.Sum(fmt.Appendf(nil, "%s %d", g.seed, len(g.parent)))
		id := hex.EncodeToString(sum[:])
		g.parent[id] = onto
		onto = id
	}
	return onto, nil
}

// back goes n commits back; "" if history is not that long.
func (g *graph) back(id string, n int) string {
	for ; n > 0 && id != ""; n-- {
		id = g.parent[id]
	}
	return id
}

// abbreviated returns the one commit whose id begins with prefix, or "".
func (g *graph) abbreviated(prefix string) string {
	if len(prefix) < 4 || strings.Trim(prefix, "0123456789abcdef") != "" {
		return ""
	}
	if _, ok := g.parent[prefix]; ok {
		return prefix
	}
	found := ""
	for id := range g.parent {
		if strings.HasPrefix(id, prefix) {
			if found != "" {
				return "" // ambiguous
			}
			found = id
		}
	}
	return found
}

// missing counts the commits reachable from one of from and from none of by.
func (g *graph) missing(from, by []string, limit int) (n int, complete bool) {
	complete = true
	have := make(map[string]bool)
	for _, id := range by {
		complete = g.mark(id, have, nil) && complete
	}
	for _, id := range from {
		ok := g.mark(id, have, func() bool { n++; return n <= limit })
		complete = complete && ok
	}
	if n > limit {
		return max(limit, 0), false
	}
	return n, complete
}

// mark adds a commit and its ancestors to a set until it meets one that is in
// it, or until more says stop. It returns whether all could be read.
func (g *graph) mark(id string, seen map[string]bool, more func() bool) bool {
	if _, ok := g.parent[id]; !ok {
		return false
	}
	for ; id != "" && !seen[id]; id = g.parent[id] {
		seen[id] = true
		if more != nil && !more() {
			return false
		}
	}
	return true
}
