package audit

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// A Filter says which rows are wanted. What is empty leaves nothing out; of the
// entries of a list one must fit.
type Filter struct {
	Agent, Session, Program, ASI string
	Tiers, Levels, Decisions     []string
	Kinds                        []Kind
	Since, Until                 time.Time // from, and before
	After                        uint64    // rows with greater numbers
	// Last wants only so many, the last ones; 0 means all.
	Last int
}

// Wants reports whether a row is wanted.
func (f *Filter) Wants(r *Row) bool {
	one := func(want, is string) bool { return want == "" || want == is }
	in := func(want []string, is string) bool {
		return len(want) == 0 || slices.ContainsFunc(want, func(w string) bool { return strings.EqualFold(w, is) })
	}
	return one(f.Agent, r.Agent) && one(f.Session, r.Session) && in(f.Tiers, r.Tier) && in(f.Levels, r.Level) && in(f.Decisions, r.Decision) &&
		(f.Program == "" || slices.Contains(r.Programs, f.Program)) && (f.ASI == "" || slices.ContainsFunc(r.ASI, func(a string) bool { return strings.EqualFold(a, f.ASI) })) &&
		(len(f.Kinds) == 0 || slices.Contains(f.Kinds, r.Kind)) &&
		(f.Since.IsZero() || r.Time >= StampOf(f.Since)) && (f.Until.IsZero() || r.Time < StampOf(f.Until)) && r.Seq > f.After
}

// A sieve throws lines away that a filter cannot want, without decoding them.
type sieve struct {
	needles      [][]byte // texts that must stand in a line
	since, until []byte
	after        uint64
}

func (f *Filter) sieve() sieve {
	var s sieve
	has := func(name, text string) {
		if text == "" {
			return
		}
		quoted, err := json.Marshal(text)
		if err != nil || bytes.ContainsAny(quoted, `\`) {
			return // Wants looks at it
		}
		if name != "" {
			quoted = append([]byte(`"`+name+`":`), quoted...)
		}
		s.needles = append(s.needles, quoted)
	}
	has("agent", f.Agent)
	has("session", f.Session)
	has("", f.Program)
	if len(f.Kinds) == 1 {
		has("kind", string(f.Kinds[0]))
	}
	for name, want := range map[string][]string{"tier": f.Tiers, "level": f.Levels} {
		if len(want) == 1 {
			has(name, strings.ToUpper(want[0]))
		}
	}
	if len(f.Decisions) == 1 {
		has("decision", strings.ToLower(f.Decisions[0]))
	}
	has("", strings.ToUpper(f.ASI))
	if !f.Since.IsZero() {
		s.since = []byte(StampOf(f.Since).String())
	}
	if !f.Until.IsZero() {
		s.until = []byte(StampOf(f.Until).String())
	}
	s.after = f.After
	return s
}

// lets reports whether a line may be wanted.
func (s *sieve) lets(text []byte) bool {
	for _, n := range s.needles {
		if !bytes.Contains(text, n) {
			return false
		}
	}
	if s.since == nil && s.until == nil {
		return true
	}
	// A time that an assessment quotes stands behind the row's own.
	stamp := after(text, timeKey)
	if len(stamp) < len(stampForm) {
		return true // it is damaged: who reads it says so
	}
	stamp = stamp[:len(stampForm)]
	return (s.since == nil || bytes.Compare(stamp, s.since) >= 0) && (s.until == nil || bytes.Compare(stamp, s.until) < 0)
}
