package calibrate

import (
	"cmp"
	"math"
	"slices"
)

const (
	// shiftLeast is how far answers move at least, in tiers on average, before anybody
	// notices.
	shiftLeast = 0.15
	// shiftChance is the chance, over all programs together, of a shift that is none.
	shiftChance = 0.01
)

// newest finds the catalog that was the last to come, and tells commands that were
// judged by it from those that were judged by others. Workspaces with specs of their
// own have catalogs of their own, so that two may take turns.
func (c *Calibration) newest() (d Drift, before, after []command) {
	d.Programs = []Shift{}
	seen := map[string]bool{}
	last := ""
	for i := range c.commands {
		now := &c.commands[i]
		if now.catalog == "" {
			continue
		}
		if !seen[now.catalog] {
			seen[now.catalog] = true
			d.Before, d.After, d.At = last, now.catalog, now.at
		}
		last = now.catalog
	}
	if d.Changed = len(seen) > 1; !d.Changed {
		return Drift{Programs: d.Programs, After: d.After}, nil, nil
	}
	for i := range c.commands {
		switch c.commands[i].catalog {
		case "":
		case d.After:
			after = append(after, c.commands[i])
		default:
			before = append(before, c.commands[i])
		}
	}
	return d, before, after
}

// drift compares the tiers of the same kinds of commands before and since the last
// catalog. What a person does in the morning and what in the evening are different
// commands: only such as occur on both sides say something of heed.
func (c *Calibration) drift() Drift {
	d, before, after := c.newest()
	if !d.Changed {
		return d
	}
	all := shifts(before, after)
	tested := 0
	for i := range all {
		if all[i].Known {
			tested++
		}
	}
	needed := quantile(1 - shiftChance/2/float64(max(tested, 1)))
	for range maxFound {
		i := slices.IndexFunc(all, func(s Shift) bool {
			return s.Known && math.Abs(s.Sigmas) > needed && math.Abs(s.By) >= shiftLeast
		})
		if i < 0 {
			break
		}
		// What this program explains is no evidence of others in the same commands.
		s := all[i]
		s.stands = true
		d.Programs = append(d.Programs, s)
		with := func(x command) bool { return slices.Contains(x.programs, s.Name) }
		before, after = slices.DeleteFunc(before, with), slices.DeleteFunc(after, with)
		all = shifts(before, after)
	}
	d.Programs = append(d.Programs, all[:min(len(all), maxShown)]...)
	return d
}

// A stratum counts the tiers of the commands of one shape, before and after.
type stratum [2][3]int

// shifts compares each program that occurs on both sides, the surest shift first.
func shifts(before, after []command) []Shift {
	strata := map[string]map[int]*stratum{}
	for side, all := range [][]command{before, after} {
		for i := range all {
			for _, p := range all[i].programs {
				if strata[p] == nil {
					strata[p] = map[int]*stratum{}
				}
				if strata[p][all[i].shape] == nil {
					strata[p][all[i].shape] = &stratum{}
				}
				strata[p][all[i].shape][side][all[i].tier]++
			}
		}
	}
	var out []Shift
	for name, by := range strata {
		if s := shiftOf(name, by); s.Compared > 0 {
			out = append(out, s)
		}
	}
	slices.SortFunc(out, func(a, b Shift) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Sigmas), math.Abs(a.Sigmas)), cmp.Compare(b.Compared, a.Compared), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// shiftOf is the test of Mantel for one program: in each shape the tiers that came
// after are held against those that chance would have drawn from all of them, and the
// differences are added up. Source: N. Mantel, "Chi-square tests with one degree of
// freedom", JASA 58 (1963).
func shiftOf(name string, by map[int]*stratum) Shift {
	s := Shift{Name: name}
	var differs, variance, weight, moved float64
	known := [2]int{}
	for _, x := range by {
		var n, sum [2]float64
		var total, squares float64
		for side := range x {
			for tier, count := range x[side] {
				n[side] += float64(count)
				sum[side] += float64(count * tier)
				squares += float64(count * tier * tier)
			}
		}
		total = sum[0] + sum[1]
		for tier := range 3 {
			s.Before[tier] += x[0][tier]
			s.After[tier] += x[1][tier]
		}
		both := n[0] + n[1]
		if n[0] == 0 || n[1] == 0 {
			continue
		}
		known[0], known[1] = known[0]+int(n[0]), known[1]+int(n[1])
		differs += sum[1] - n[1]*total/both
		variance += n[0] * n[1] / (both * both * (both - 1)) * (both*squares - total*total)
		w := n[0] * n[1] / both
		weight += w
		moved += w * (sum[1]/n[1] - sum[0]/n[0])
	}
	s.Compared = known[0] + known[1]
	s.Known = known[0] >= Least && known[1] >= Least
	if weight > 0 {
		s.By = moved / weight
	}
	if variance > 0 {
		s.Sigmas = differs / math.Sqrt(variance)
	}
	return s
}

// quantile is that of the normal distribution.
func quantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
