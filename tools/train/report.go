package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/detect/intent"
	"github.com/heedsh/heed/risk"
)

// A scored candidate is what a line of the comparison says.
type scored struct {
	name    string
	guesses []guess
	micros  float64 // a command, on one core
	bytes   int
}

// A sample is a part of the guesses that is measured by itself.
type sample struct {
	name    string
	guesses []guess
}

// samples divides guesses by where the rows come from.
func samples(d *set, all []guess) []sample {
	pick := func(keep func(r *row, s *sight) bool) (out []guess) {
		for _, g := range all {
			if keep(&d.rows[g.row], &d.sights[g.row]) {
				out = append(out, g)
			}
		}
		return out
	}
	return []sample{
		{"all rows", all},
		{"pool, trained on", pick(func(r *row, _ *sight) bool { return !r.own && !r.guard() })},
		{"pool benign + guard rows", pick(func(r *row, _ *sight) bool { return r.ordinary() || r.guard() })},
		{"pool benign + our own", pick(func(r *row, _ *sight) bool { return r.ordinary() || r.own })},
		{"commands people and agents ran + all harm", pick(func(r *row, _ *sight) bool { return r.label != intent.Benign || r.ran() })},
		{"labels that heed does not contradict", pick(func(r *row, s *sight) bool { return trust(r, s) == 1 })},
		{"what heed does not call REVIEW by itself", pick(func(_ *row, s *sight) bool { return s.Tier != risk.Review })},
	}
}

// report writes the figures of the model card.
func report(d *set, left map[string]int, shipped scored, others []scored) string {
	var b strings.Builder
	sources(&b, d, left)
	bySample(&b, d, shipped.guesses)
	bars(&b, d, shipped)
	confusion(&b, d, shipped.guesses)
	reliabilities(&b, d, shipped.guesses)
	compared(&b, d, append([]scored{shipped}, others...))
	return b.String()
}

func percent(x float64) string { return fmt.Sprintf("%.1f", 100*x) }

func sources(b *strings.Builder, d *set, left map[string]int) {
	type counts [intent.Count]int
	by := map[string]*counts{}
	guards, groups := 0, map[string]bool{}
	for i := range d.rows {
		r := &d.rows[i]
		name := r.File
		if r.own {
			name = "our own (tools/train/data)"
		}
		if by[name] == nil {
			by[name] = new(counts)
		}
		by[name][r.label]++
		groups[r.Group] = true
		if r.guard() {
			guards++
		}
	}
	names := make([]string, 0, len(by))
	for n := range by {
		names = append(names, n)
	}
	slices.Sort(names)
	fmt.Fprintf(b, "### Sources\n\n%d rows in %d groups, %d of them guard rows.\n\n| source |", len(d.rows), len(groups), guards)
	for c := range intent.Count {
		fmt.Fprintf(b, " %s |", intent.Intent(c))
	}
	b.WriteString("\n|---|---|---|---|---|---|\n")
	for _, n := range names {
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", n, by[n][0], by[n][1], by[n][2], by[n][3], by[n][4])
	}
	why := make([]string, 0, len(left))
	for n, k := range left {
		why = append(why, fmt.Sprintf("%d %s", k, n))
	}
	slices.Sort(why)
	if len(why) > 0 {
		fmt.Fprintf(b, "\nLeft out: %s.\n", strings.Join(why, "; "))
	}
}

func bySample(b *strings.Builder, d *set, all []guess) {
	b.WriteString("\n### Recall at 0.5 % false alarms\n\nThe threshold of each line is set anew so that 0.5 % of the line's ordinary commands exceed it.\n\n" +
		"| measured on | ordinary | DESTRUCTIVE | EXFILTRATION | PERSISTENCE | RECONNAISSANCE | ECE |\n|---|---|---|---|---|---|---|\n")
	for _, s := range samples(d, all) {
		f := measure(d, s.guesses)
		n := 0
		for _, g := range s.guesses {
			if d.rows[g.row].ordinary() {
				n++
			}
		}
		fmt.Fprintf(b, "| %s | %d |", s.name, n)
		for _, c := range []intent.Intent{intent.Destructive, intent.Exfiltration, intent.Persistence, intent.Reconnaissance} {
			total := 0
			for _, k := range f.Confusion[c] {
				total += k
			}
			fmt.Fprintf(b, " %s of %d |", percent(f.Recall[c]), total)
		}
		fmt.Fprintf(b, " %.3f |\n", f.ECE)
	}
}

func bars(b *strings.Builder, d *set, s scored) {
	f := measure(d, s.guesses)
	iv := bootstrap(d, s.guesses, 200)
	fmt.Fprintf(b, "\n### Against the bars\n\nOver all rows; intervals hold 95 %% of 200 resamplings of whole groups. The threshold of harm is %.3f.\n\n", f.Threshold)
	b.WriteString("| figure | bar | measured | interval |\n|---|---|---|---|\n")
	for _, c := range harms {
		fmt.Fprintf(b, "| recall of %s at 0.5 %% false alarms, %% | 85 | %s | %s to %s |\n", c, percent(f.Recall[c]), percent(iv[c].Low), percent(iv[c].High))
		fmt.Fprintf(b, "| the same by its own probability, %% | | %s | |\n", percent(f.Single[c]))
	}
	fmt.Fprintf(b, "| expected calibration error | 0.05 | %.3f | %.3f to %.3f |\n", f.ECE, iv[intent.Count].Low, iv[intent.Count].High)
	fmt.Fprintf(b, "| bytes embedded | 3,000,000 | %d | |\n| microseconds a command, one core | 300 | %.0f | |\n", s.bytes, s.micros)
	b.WriteString("\n| likeliest intent | precision, % | recall, % |\n|---|---|---|\n")
	for c := range intent.Count {
		fmt.Fprintf(b, "| %s | %s | %s |\n", intent.Intent(c), percent(f.Precision[c]), percent(f.Hit[c]))
	}
}

func confusion(b *strings.Builder, d *set, all []guess) {
	f := measure(d, all)
	b.WriteString("\n### Confusion matrix\n\nLabels down, likeliest intent across.\n\n| |")
	for c := range intent.Count {
		fmt.Fprintf(b, " %s |", intent.Intent(c))
	}
	b.WriteString("\n|---|---|---|---|---|---|\n")
	for label, row := range f.Confusion {
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", intent.Intent(label), row[0], row[1], row[2], row[3], row[4])
	}
}

func reliabilities(b *strings.Builder, d *set, all []guess) {
	_, table := calibrationError(d, all)
	b.WriteString("\n### Calibration\n\n| confidence | rows | mean confidence | share right |\n|---|---|---|---|\n")
	for k, r := range table {
		if r.Count > 0 {
			fmt.Fprintf(b, "| %.1f to %.1f | %d | %.3f | %.3f |\n", float64(k)/10, float64(k+1)/10, r.Count, r.Confidence, r.Accuracy)
		}
	}
}

// compared lists the candidates, and what heed's tier alone would say.
func compared(b *strings.Builder, d *set, all []scored) {
	b.WriteString("\n### Candidates\n\nThe same folds, rows and threshold rule for each; recall in %.\n\n" +
		"| candidate | DESTRUCTIVE | EXFILTRATION | PERSISTENCE | ECE | microseconds | kilobytes |\n|---|---|---|---|---|---|---|\n")
	for _, s := range all {
		f := measure(d, s.guesses)
		fmt.Fprintf(b, "| %s | %s | %s | %s | %.3f | %.0f | %d |\n", s.name, percent(f.Recall[intent.Destructive]), percent(f.Recall[intent.Exfiltration]),
			percent(f.Recall[intent.Persistence]), f.ECE, s.micros, s.bytes>>10)
	}
	tiers(b, d, all[0].guesses)
}

// quietRate is the share of the ordinary commands below REVIEW that the shipped
// model may raise an alarm on. It is less than alarmRate: where the effects say
// all is well the model is wrong more often than they are.
const quietRate = 0.002

// alarm is the threshold of harm that the model ships with, over the commands
// that heed does not stop without it. On the others an alarm changes nothing.
func alarm(d *set, all []guess) float64 {
	var quiet []guess
	for _, g := range all {
		if d.sights[g.row].Tier != risk.Review {
			quiet = append(quiet, g)
		}
	}
	var ordinary []float64
	for i := range quiet {
		if d.rows[quiet[i].row].ordinary() {
			ordinary = append(ordinary, quiet[i].harm())
		}
	}
	return threshold(ordinary, quietRate)
}

// tiers compares with heed's tier without the model, and says what the two do
// together: an alarm only matters where heed does not say REVIEW by itself.
func tiers(b *strings.Builder, d *set, all []guess) {
	limit := alarm(d, all)
	var total, review, both [intent.Count]float64
	ordinary, wrong, wrongBoth := 0.0, 0.0, 0.0
	for _, g := range all {
		c, stop := d.rows[g.row].label, d.sights[g.row].Tier == risk.Review
		alarm := stop || g.harm() > limit
		if d.rows[g.row].ordinary() {
			ordinary++
			wrong += count(stop)
			wrongBoth += count(alarm)
		}
		total[c]++
		review[c] += count(stop)
		both[c] += count(alarm)
	}
	line := func(name string, wrong float64, hits [intent.Count]float64) {
		fmt.Fprintf(b, "| %s | %s |", name, percent(wrong/max(ordinary, 1)))
		for _, c := range harms {
			fmt.Fprintf(b, " %s |", percent(hits[c]/max(total[c], 1)))
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nWhat the layer adds to the tier, % of rows:\n\n| | ordinary commands | DESTRUCTIVE | EXFILTRATION | PERSISTENCE |\n|---|---|---|---|---|\n")
	line("REVIEW by heed without the model", wrong, review)
	line("REVIEW or the shipped model's alarm, on 0.2 % of the other ordinary commands", wrongBoth, both)
}

func count(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// The lines of the model card between which the figures stand.
const (
	figuresBegin = "<!-- figures: written by tools/train -->\n"
	figuresEnd   = "<!-- end of figures -->\n"
)

// insert puts the figures into the model card.
func insert(card, figures string) error {
	text, err := os.ReadFile(card)
	if err != nil {
		return fmt.Errorf("reading the model card: %w", err)
	}
	before, rest, ok := bytes.Cut(text, []byte(figuresBegin))
	_, after, ok2 := bytes.Cut(rest, []byte(figuresEnd))
	if !ok || !ok2 {
		return fmt.Errorf("the model card %s has no place for the figures", card)
	}
	out := slices.Concat(before, []byte(figuresBegin+"\n"+figures+"\n"+figuresEnd), after)
	if err := os.WriteFile(card, out, 0o644); err != nil {
		return fmt.Errorf("writing the model card: %w", err)
	}
	return nil
}

// meanRecall is the mean of the recalls of the three harms.
func meanRecall(d *set, s scored) float64 {
	f := measure(d, s.guesses)
	sum := 0.0
	for _, c := range harms {
		sum += f.Recall[c]
	}
	return sum / float64(len(harms))
}

// frontier draws the candidates: time against mean recall, as SVG.
func frontier(d *set, all []scored) string {
	const width, height, left, bottom = 760, 420, 60, 370
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height, width, height)
	b.WriteString(`<title>Candidates for the intent model: time a command and recall</title><rect width="100%" height="100%" fill="white"/>` + "\n")
	x := func(micros float64) float64 { return left + 640*min(max(micros/maxMicros(all), 0), 1) }
	y := func(recall float64) float64 { return bottom - 330*recall }
	for k := range 6 {
		v := float64(k) / 5
		fmt.Fprintf(&b, `<path d="M%d %.0fH700" stroke="#ddd"/><text x="8" y="%.0f">%d %%</text>`+"\n", left, y(v), y(v)+4, 20*k)
		fmt.Fprintf(&b, `<text x="%.0f" y="%d" text-anchor="middle">%.0f µs</text>`+"\n", x(v*maxMicros(all)), bottom+18, v*maxMicros(all))
	}
	fmt.Fprintf(&b, `<path d="M%d %.0fH700" stroke="#b00" stroke-dasharray="4 3"/><text x="704" y="%.0f" fill="#b00">bar</text>`+"\n", left, y(0.85), y(0.85)+4)
	fmt.Fprintf(&b, `<text x="%d" y="%d">time a command on one core; mean recall of DESTRUCTIVE, EXFILTRATION and PERSISTENCE at 0.5 %% false alarms</text>`+"\n", left, height-8)
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b scored) int { return cmp.Compare(a.micros, b.micros) })
	for _, s := range sorted {
		at, fill := x(s.micros), "#36c"
		if s.name == all[0].name {
			fill = "#080"
		}
		anchor, shift := "start", 8.0
		if at > 450 {
			anchor, shift = "end", -8
		}
		fmt.Fprintf(&b, `<circle cx="%.0f" cy="%.0f" r="5" fill="%s"/><text x="%.0f" y="%.0f" text-anchor="%s">%s</text>`+"\n",
			at, y(meanRecall(d, s)), fill, at+shift, y(meanRecall(d, s))-7, anchor, s.name)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func maxMicros(all []scored) float64 {
	top := 10.0
	for _, s := range all {
		top = max(top, s.micros*1.1)
	}
	return top
}
