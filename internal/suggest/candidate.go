package suggest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// A candidate is a rule that a group may become.
type candidate struct {
	*group
	globs                         []string
	pairs, targets, days, answers int
	last                          string // day
}

// candidates are the rules that a group is evidence of: one for each place where
// enough of its targets lie together, and one for each target that was approved on
// enough days.
func (g *group) candidates() (out []*candidate) {
	byPlace := map[string][]approved{}
	for _, a := range g.deeds {
		p := a.place()
		byPlace[p] = append(byPlace[p], a)
	}
	for _, p := range slices.Sorted(maps.Keys(byPlace)) {
		deeds := byPlace[p]
		if p != "" && different(deeds) >= Least {
			out = append(out, g.over(deeds, true))
			continue
		}
		byName := map[string][]approved{}
		for _, a := range deeds {
			byName[a.names()] = append(byName[a.names()], a)
		}
		for _, n := range slices.Sorted(maps.Keys(byName)) {
			if c := g.over(byName[n], false); c.days >= Least {
				out = append(out, c)
			}
		}
	}
	return out
}

// names are the targets of a deed in one text.
func (a *approved) names() string {
	var all []string
	for _, t := range a.targets {
		all = append(all, t.verb+" "+t.name)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// place names where the targets of a deed lie, verb by verb; "" if any of them is no
// path: names of packages, processes and branches lie nowhere.
func (a *approved) place() string {
	var all []string
	for _, t := range a.targets {
		p := placeOf(t.name)
		if p == "" {
			return ""
		}
		if p = t.verb + " " + p; !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// deepest is how many directories there are at least above what a rule allows to be
// done to any file: those of a system, and a home as a whole, are too much.
const deepest = 3

// placeOf is the directory of a path, the first step of the path of a URL (many people
// live behind one host), or "".
func placeOf(name string) string {
	if strings.HasPrefix(name, "/") {
		dir := name[:strings.LastIndexByte(name, '/')+1]
		if strings.Count(dir, "/") < deepest+1 || strings.Contains(dir, "/.") {
			return ""
		}
		return dir
	}
	u, err := url.Parse(name)
	if err != nil || u.Host == "" || u.User != nil {
		return ""
	}
	step, _, more := strings.Cut(strings.TrimPrefix(u.EscapedPath(), "/"), "/")
	if !more || step == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host + "/" + step + "/"
}

// different counts the different targets of deeds.
func different(deeds []approved) int {
	seen := map[string]bool{}
	for i := range deeds {
		seen[deeds[i].names()] = true
	}
	return len(seen)
}

// over is the narrowest rule over these deeds: with together, over all that lies where
// their targets do; else over their targets alone.
func (g *group) over(deeds []approved, together bool) *candidate {
	c := &candidate{group: g}
	byVerb, pairs, days := map[string][]string{}, map[string]bool{}, map[string]bool{}
	for i := range deeds {
		for _, t := range deeds[i].targets {
			byVerb[t.verb] = once(byVerb[t.verb], t.name)
		}
		for _, d := range deeds[i].days {
			pairs[deeds[i].names()+"\n"+d], days[d] = true, true
			c.last = max(c.last, d)
		}
		c.answers += deeds[i].clicks
	}
	for _, verb := range slices.Sorted(maps.Keys(byVerb)) {
		names := byVerb[verb]
		if together && len(names) >= Least {
			names = []string{common(names) + "*"}
		}
		for _, n := range names {
			c.globs = once(c.globs, n)
		}
	}
	slices.Sort(c.globs)
	c.pairs, c.targets, c.days = len(pairs), different(deeds), len(days)
	return c
}

// common is the longest directory that names have in common.
func common(names []string) string {
	prefix := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix[:strings.LastIndexByte(prefix, '/')+1]
}

// rule is the rule of a candidate.
func (c *candidate) rule() policy.Rule {
	m := policy.Match{Program: []string{c.program}, Verb: c.verbs, Target: c.globs, Level: []string{"A", "B"}}
	if c.subcommand != "" {
		m.Subcommand = []string{c.subcommand}
	}
	if len(c.scopes) > 1 || c.scopes[0] != "" {
		m.Scope = slices.DeleteFunc(slices.Clone(c.scopes), func(s string) bool { return s == "" })
		if len(m.Scope) < len(c.scopes) {
			m.Scope = nil // some effects are nowhere
		}
	}
	if c.host != "" {
		m.Host = []string{c.host}
	}
	r := policy.Rule{
		Layer: policy.User, Action: policy.Allow, Match: m,
		Except: &policy.Match{Provenance: []string{string(risk.WebContent), string(risk.WebRemoteUser), string(risk.WorkspaceFile)}},
		Reason: fmt.Sprintf("Approved for %s on %s, and never rejected.", plural(c.targets, "target"), plural(c.days, "day")),
	}
	r.ID = c.id(&m)
	return r
}

// id names a rule by what it allows, so that the same rule has the same id every time.
func (c *candidate) id(m *policy.Match) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", []any{m.Program, m.Subcommand, m.Verb, m.Scope, m.Host, m.Target}))
	words := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, strings.Trim(c.program+" "+c.subcommand, " "))
	return "learned." + words[:min(len(words), 40)] + "." + hex.EncodeToString(sum[:4])
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
