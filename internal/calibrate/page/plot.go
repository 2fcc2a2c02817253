package page

import (
	"fmt"
	"math"
	"strings"

	"github.com/heedsh/heed/internal/calibrate"
)

// maxRows is how many programs a plot has: what is rarer stands in the JSON.
const maxRows = 20

// The plots' measures, in the units of their pictures.
const (
	barWidth   = 300.0
	clockWidth = 620.0
	clockTall  = 150.0
)

// A measure is a share by program, drawn as bars with their intervals.
type measure struct {
	Title, Of, Why string
	Colour         string
	All            bar
	Bars           []bar
	More           int // programs that are left out
}

// A bar is one share.
type bar struct {
	Name, Text string
	Known      bool
	Nothing    bool // there is nothing to count
	// In units of the picture.
	Length, Low, High float64
}

func measureOf(title, of, why string, m *calibrate.Measure, colour string) measure {
	out := measure{Title: title, Of: of, Why: why, Colour: colour, All: barOf("all programs", &m.All)}
	for i := range m.Programs[:min(len(m.Programs), maxRows)] {
		p := &m.Programs[i]
		out.Bars = append(out.Bars, barOf(name(p.Name), &p.Share))
	}
	out.More = len(m.Programs) - len(out.Bars)
	return out
}

func barOf(name string, s *calibrate.Share) bar {
	b := bar{Name: name, Known: s.Known, Nothing: s.Of == 0, Length: s.Share * barWidth, Low: s.Low * barWidth, High: s.High * barWidth}
	b.Text = fmt.Sprintf("%d of %d", s.Count, s.Of)
	if s.Known {
		b.Text += fmt.Sprintf(": %.0f %% (%.0f to %.0f %%)", 100*s.Share, 100*s.Low, 100*s.High)
	}
	return b
}

// A clock is how long answers about one tier took, hour by hour.
type clock struct {
	Tier, Colour, All string
	Points            []point
	Lines             []line // of the scale
}

// A point is an hour: the median, and the quartiles around it.
type point struct {
	X, Median, Lower, Upper float64
	Known                   bool
	Text                    string
}

type line struct {
	Y     float64
	Label string
}

// clocks draws what is known of each tier. The style has a colour of its name.
func clocks(all []calibrate.Pace) (out []clock) {
	for i := range all {
		p := &all[i]
		if p.Hour < 0 {
			out = append(out, clock{Tier: p.Tier, Colour: strings.ToLower(p.Tier), All: paceText(p), Lines: scale()})
			continue
		}
		c := &out[len(out)-1] // the whole day comes first
		c.Points = append(c.Points, point{
			X: (float64(p.Hour) + 0.5) * clockWidth / 24, Median: tall(p.Median), Lower: tall(p.Lower), Upper: tall(p.Upper),
			Known: p.Known, Text: fmt.Sprintf("%02d:00: %s", p.Hour, paceText(p)),
		})
	}
	return out
}

func paceText(p *calibrate.Pace) string {
	text := fmt.Sprintf("%d answers, half of them between %s and %s, median %s", p.Of, seconds(p.Lower), seconds(p.Upper), seconds(p.Median))
	if !p.Known {
		text += "; too little to know"
	}
	return text
}

func seconds(ms int64) string { return fmt.Sprintf("%.1f s", float64(ms)/1000) }

// tall is where a wait stands: a second at the foot, ten minutes at the head, and
// each time as much more where it is ten times as long.
func tall(ms int64) float64 {
	const decades = 2.7782 // from one second to ten minutes
	at := math.Log10(max(float64(ms), 1000)/1000) / decades
	return clockTall * (1 - min(at, 1))
}

func scale() (out []line) {
	for _, s := range []int64{1, 3, 10, 60, 600} {
		out = append(out, line{tall(s * 1000), fmt.Sprintf("%d s", s)})
	}
	return out
}

// A shift is the tiers of a program before and since, drawn as two bars.
type shift struct {
	Name, Text    string
	Known         bool
	Before, After []piece
}

// A piece is the part of a bar that one tier has.
type piece struct {
	X, Width float64
	Colour   string
}

func shiftOf(s *calibrate.Shift) shift {
	text := fmt.Sprintf("%+.2f tiers, %.1f sigmas, %d commands compared", s.By, s.Sigmas, s.Compared)
	if !s.Known {
		text = fmt.Sprintf("%d commands compared: too little to know", s.Compared)
	}
	return shift{name(s.Name), text, s.Known, pieces(s.Before), pieces(s.After)}
}

func pieces(tiers [3]int) (out []piece) {
	all, x := max(tiers[0]+tiers[1]+tiers[2], 1), 0.0
	for i, colour := range []string{"safe", "caution", "review"} {
		w := barWidth * float64(tiers[i]) / float64(all)
		if w > 0 {
			out = append(out, piece{x, w, colour})
		}
		x += w
	}
	return out
}
