package gitstate

import (
	"strconv"
	"strings"
)

const (
	maxRevision = maxPath
	// maxAncestor bounds the commits that one ~n steps over.
	maxAncestor = 20_000
	// maxRevDepth bounds suffixes on suffixes.
	maxRevDepth = 256
)

// Ref resolves a revision (gitrevisions(7)) to a commit. What needs a clock or a
// search (@{yesterday}, ^{/text}, :/text), ranges, and @{push} are not answered.
func (r *repo) Ref(rev string) string {
	if rev == "" || len(rev) > maxRevision {
		return ""
	}
	q := revQuery{r: r, db: r.objects()}
	id := q.resolve(rev, 0)
	if id == "" {
		return ""
	}
	if commit := q.peel(id); commit != "" {
		return commit.hex()
	}
	// A branch holds nothing but commits, so its id is one even where the
	// object cannot be read.
	if _, final := r.dwim(rev); final == "HEAD" || strings.HasPrefix(final, "refs/heads/") ||
		strings.HasPrefix(final, "refs/remotes/") {
		return id.hex()
	}
	return ""
}

// A revQuery is one resolution, with the steps it has taken.
type revQuery struct {
	r     *repo
	db    *objectDB
	steps int
}

// resolve follows git's get_oid_1: suffixes ~n and ^n, then ^{type}, then a name,
// then what git-describe prints, then an abbreviated id.
func (q *revQuery) resolve(rev string, depth int) oid {
	if depth > maxRevDepth {
		return ""
	}
	if at := strings.LastIndexAny(rev, "~^"); at >= 0 && allDigits(rev[at+1:]) {
		n, ok := suffixNumber(rev[at+1:])
		base := q.peel(q.resolve(rev[:at], depth+1))
		switch {
		case !ok || base == "":
			return ""
		case rev[at] == '~':
			return q.ancestor(base, n)
		default:
			return q.parent(base, n)
		}
	}
	if strings.HasSuffix(rev, "}") {
		if at := strings.LastIndex(rev, "^{"); at > 0 && !strings.Contains(rev[at+2:len(rev)-1], "{") {
			return q.onion(rev[:at], rev[at+2:len(rev)-1], depth)
		}
	}
	if id := q.basic(rev); id != "" {
		return id
	}
	if at := strings.LastIndex(rev, "-g"); at > 0 && len(rev)-at-2 >= minAbbrev {
		if id := q.abbreviated(rev[at+2:]); id != "" {
			return id
		}
	}
	return q.abbreviated(rev)
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return true
}

// suffixNumber reads the number of ~n and ^n; none means 1.
func suffixNumber(s string) (int, bool) {
	if s == "" {
		return 1, true
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

func (q *revQuery) parent(commit oid, n int) oid {
	if n == 0 {
		return commit
	}
	c, err := q.db.commit(commit)
	if err != nil || n > len(c.parents) {
		return ""
	}
	return c.parents[n-1]
}

func (q *revQuery) ancestor(commit oid, n int) oid {
	for ; n > 0 && commit != ""; n-- {
		if q.steps++; q.steps > maxAncestor {
			return ""
		}
		commit = q.parent(commit, 1)
	}
	return commit
}

// onion resolves base^{kind}.
func (q *revQuery) onion(base, kind string, depth int) oid {
	id := q.resolve(base, depth+1)
	if id == "" {
		return ""
	}
	switch kind {
	case "object":
		return id
	case "", "commit":
		return q.peel(id)
	case "tag":
		if typ, _, err := q.db.read(id); err == nil && typ == typeTag {
			return id
		}
	}
	return ""
}

// peel follows tags to a commit.
func (q *revQuery) peel(id oid) oid {
	if id == "" {
		return ""
	}
	commit, err := q.db.peel(id)
	if err != nil {
		return ""
	}
	return commit
}

// basic follows git's get_oid_basic: a full id, a ref, or a place in a reflog.
func (q *revQuery) basic(rev string) oid {
	if id, ok := q.r.algo.parse(rev); ok {
		if q.db.has(id) {
			return id
		}
		return ""
	}
	if name, ok := q.r.branchName(rev, 0); ok && name != rev {
		if id, ok := q.r.algo.parse(name); ok && q.db.has(id) { // @{-1} was no branch
			return id
		}
	}
	if base, selector, ok := cutSelector(rev); ok && !isUpstreamMark(selector) {
		return q.logged(base, selector)
	}
	id, _ := q.r.dwim(rev)
	return id
}

// cutSelector splits name@{selector}.
func cutSelector(rev string) (base, selector string, ok bool) {
	if !strings.HasSuffix(rev, "}") {
		return "", "", false
	}
	at := strings.LastIndex(rev, "@{")
	if at < 0 || strings.HasPrefix(rev[at:], "@{-") {
		return "", "", false
	}
	return rev[:at], rev[at+2 : len(rev)-1], true
}

func isUpstreamMark(s string) bool {
	s = asciiLower(s)
	return s == "u" || s == "upstream" || s == "push"
}

// logged resolves base@{n}; without a base, in the log of the current branch.
func (q *revQuery) logged(base, selector string) oid {
	n, err := strconv.Atoi(selector)
	if err != nil || !allDigits(selector) || len(selector) > 8 {
		return "" // a date: it would take a clock
	}
	if base == "" {
		base = "HEAD"
		if b := q.r.currentBranch(); b != "" {
			base = "refs/heads/" + b
		}
		if n == 0 {
			id, _ := q.r.dwim(base)
			return id
		}
	}
	base, ok := q.r.branchName(base, 0)
	if !ok {
		return ""
	}
	log, ok := q.r.dwimLog(base)
	switch {
	case !ok: // only newer versions of git take @{0} then
		return ""
	case n == 0 && len(log) == 0: // all of it has expired
		id, _ := q.r.dwim(base)
		return id
	case n == 0:
		return q.logID(log[len(log)-1].to)
	}
	for ; n <= len(log); n++ { // an entry that made the ref has nothing before it
		if id := q.logID(log[len(log)-n].from); id != "" {
			return id
		}
	}
	return ""
}

func (q *revQuery) logID(hex string) oid {
	id, ok := q.r.algo.parse(hex)
	if !ok || id.isNull() {
		return ""
	}
	return id
}

// abbreviated resolves the beginning of an id, if only one commit-ish has it.
func (q *revQuery) abbreviated(s string) oid {
	if len(s) < minAbbrev || len(s) > q.r.algo.hexSize() {
		return ""
	}
	for i := range len(s) {
		if !isHex(s[i]) {
			return ""
		}
	}
	found, err := q.db.withPrefix(asciiLower(s))
	if err != nil {
		return ""
	}
	if len(found) == 1 {
		return found[0]
	}
	var only oid
	for _, id := range found {
		if q.peel(id) != "" {
			if only != "" {
				return ""
			}
			only = id
		}
	}
	return only
}
