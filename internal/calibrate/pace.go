package calibrate

import (
	"slices"
	"time"
)

// allDay is the hour of what was counted over the whole day.
const allDay = -1

// pace is how long answers took, by tier: over the day, then hour by hour.
func (c *Calibration) pace() []Pace {
	zone := c.Zone
	if zone == nil {
		zone = time.UTC
	}
	out := []Pace{}
	for _, tier := range tiers() {
		var hours [24][]int64
		var all []int64
		for i := range c.answers {
			a := &c.answers[i]
			if a.tier != tier || a.waited <= 0 {
				continue
			}
			h := a.at.Time().In(zone).Hour()
			hours[h] = append(hours[h], a.waited)
			all = append(all, a.waited)
		}
		if len(all) == 0 {
			continue
		}
		out = append(out, paceOf(tier, allDay, all))
		for h, waits := range hours {
			if len(waits) > 0 {
				out = append(out, paceOf(tier, h, waits))
			}
		}
	}
	return out
}

// paceOf finds the quartiles of waits, of which there is one at least.
func paceOf(tier string, hour int, waits []int64) Pace {
	slices.Sort(waits)
	at := func(quarter int) int64 { return waits[(len(waits)-1)*quarter/4] }
	return Pace{Tier: tier, Hour: hour, Of: len(waits), Lower: at(1), Median: at(2), Upper: at(3), Known: len(waits) >= Least}
}
