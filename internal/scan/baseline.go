package scan

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// baselineVersion is the version of a baseline's form.
const baselineVersion = 1

// A Baseline is what is known already: findings that are not reported again.
type Baseline struct {
	Version  int     `json:"version"`
	Findings []Known `json:"findings"`
}

// A Known is a finding of a baseline. Count says how often it may be found; a
// higher tier than this one is new.
type Known struct {
	Fingerprint string    `json:"fingerprint"`
	File        string    `json:"file"`
	Kind        Kind      `json:"kind"`
	Command     string    `json:"command"`
	Tier        risk.Tier `json:"tier"`
	Count       int       `json:"count"`
}

// NewBaseline makes a baseline of what was found: all that is not SAFE.
func NewBaseline(all []Result) Baseline {
	b := Baseline{Version: baselineVersion, Findings: []Known{}}
	at := map[string]int{}
	for i := range all {
		r := &all[i]
		if r.Tier == risk.Safe {
			continue
		}
		if j, ok := at[r.Fingerprint]; ok {
			k := &b.Findings[j]
			k.Count++
			k.Tier = max(k.Tier, r.Tier)
			continue
		}
		at[r.Fingerprint] = len(b.Findings)
		b.Findings = append(b.Findings, Known{r.Fingerprint, r.File, r.Kind, strings.Join(strings.Fields(r.Command), " "), r.Tier, 1})
	}
	slices.SortStableFunc(b.Findings, func(x, y Known) int {
		if c := strings.Compare(x.File, y.File); c != 0 {
			return c
		}
		return strings.Compare(x.Fingerprint, y.Fingerprint)
	})
	return b
}

// ReadBaseline reads a baseline.
func ReadBaseline(text []byte) (Baseline, error) {
	var b Baseline
	if err := json.Unmarshal(text, &b); err != nil {
		return b, fmt.Errorf("reading the baseline: %w", err)
	}
	if b.Version != baselineVersion {
		return b, fmt.Errorf("the baseline has version %d, and this heed reads %d: write it again with --write-baseline", b.Version, baselineVersion)
	}
	return b, nil
}

// New returns those of all findings that a baseline does not know. beside is what is
// found as well and not asked about: it uses up what the baseline knows.
func (b Baseline) New(all, beside []Result) []Result {
	left := map[string]*Known{}
	for i := range b.Findings {
		k := b.Findings[i]
		left[k.Fingerprint] = &k
	}
	known := func(r *Result) bool {
		k := left[r.Fingerprint]
		if k == nil || k.Count <= 0 || r.Tier > k.Tier {
			return false
		}
		k.Count--
		return true
	}
	for i := range beside {
		if beside[i].Tier > risk.Safe {
			known(&beside[i])
		}
	}
	var fresh []Result
	for i := range all {
		if r := &all[i]; r.Tier > risk.Safe && !known(r) {
			fresh = append(fresh, *r)
		}
	}
	return fresh
}
