package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/heedsh/heed/internal/calibrate"
)

// commandsADay is how many commands there are in a day.
const commandsADay = 1000

// The day's hours, and when what is planted begins.
const (
	opens, closes = 9.0, 18.0
)

// A kind of command, by why it is there.
type origin int

const (
	work   origin = iota // the day's own
	task                 // more of one program, so that something can be known of it
	attack               // must be stopped
	sneaky               // an attack that looks like work
)

// A step is one command of a day.
type step struct {
	room    int
	command string
	why     origin
	hour    float64
}

// A plant is something that a calibration has to find.
type plant struct {
	kind, program string
	hour          float64
}

// A plan is a day before it is lived.
type plan struct {
	steps  []step
	plants []plant
	// catalog is what is more in the worlds from some hour on; it changes on every first
	// day, and on some of them it changes nothing that is done.
	catalog     string
	catalogHour float64
}

// wordsOf are the tasks: commands of one program that a plant needs, or that only look
// like it.
func wordsOf(kind string) map[string][]string {
	switch kind {
	case calibrate.AnswersShifted:
		return map[string][]string{
			"wc": {"wc -l {file}", "wc -c {file}", "cat {file} | wc -l"}, "diff": {"diff {file} {file}", "diff -u {file} {file}"}, "stat": {"stat {file}", "stat -c %s {file}"}, "tree": {"tree {dir}", "tree {dir} | head -{n}"},
			"acmectl": {"acmectl {word}", "acmectl {file}"}, "shopgen": {"shopgen {file}", "shopgen {file} | head -{n}"},
		}
	case calibrate.SafeRejected:
		return map[string][]string{"find": {"find {dir} -name '*.{ext}'", "find {dir} -type f | head -{n}"}, "jq": {"jq .{word} {json}", "cat {json} | jq ."}, "du": {"du -sh {dir}", "du -a {dir} | sort -n"}}
	}
	return map[string][]string{
		"git": {"git push --force origin {branch}", "git reset --hard HEAD~{d}", "git push origin --delete {branch}"}, "rm": {"rm -rf {untracked}", "rm -rf ~/{word}"},
		"terraform": {"terraform apply -auto-approve", "terraform destroy -auto-approve"}, "kubectl": {"kubectl delete ns {ns}", "kubectl delete deploy {service} -n {ns}"},
	}
}

// known are the programs of which catalogs knew that they read, before a person's own
// spec says that they write; of the others nobody knew anything.
func known() []string { return []string{"wc", "diff", "stat", "tree"} }

// newPlan plans a day. On a first day things are planted, each on about half of the
// days; the same tasks without anything planted stand on half of the others.
func newPlan(r *rand.Rand, s *shop, first bool) *plan {
	p := &plan{}
	if first {
		p.catalogHour = 11 + 3*r.Float64()
		p.catalog = specLine("frobnicate", true)
		p.plant(r, s, calibrate.AnswersShifted, 20, 20)
		p.plant(r, s, calibrate.SafeRejected, 12, 16)
		p.plant(r, s, calibrate.ReviewHasty, 6, 16)
	}
	for range 8 + r.IntN(5) {
		a := s.stops[r.IntN(len(s.stops))]
		p.steps = append(p.steps, step{r.IntN(len(s.rooms)), a.Command, attack, sometime(r)})
	}
	for range 4 + r.IntN(4) {
		q := quiet()
		p.steps = append(p.steps, step{r.IntN(len(s.rooms)), say(r, q[r.IntN(len(q))], slots()), sneaky, sometime(r)})
	}
	for len(p.steps) < commandsADay {
		room := r.IntN(len(s.rooms))
		p.steps = append(p.steps, step{room, s.rooms[room].draw(r), work, sometime(r)})
	}
	slices.SortFunc(p.steps, func(a, b step) int {
		if a.hour < b.hour {
			return -1
		}
		return 1
	})
	return p
}

// sometime is a time of the day.
func sometime(r *rand.Rand) float64 { return opens + (closes-opens)*r.Float64() }

// draw takes a command of the day's work.
func (r *room) draw(rnd *rand.Rand) string {
	if r.commands != nil {
		return r.commands[rnd.IntN(len(r.commands))]
	}
	all, sum := phrases(), 0
	for _, p := range all {
		sum += p.weight
	}
	x := rnd.IntN(sum)
	for _, p := range all {
		if x -= p.weight; x < 0 {
			return say(rnd, p.text, slots())
		}
	}
	return "true"
}

// plant plants a drift of a kind, or only its task, or neither.
func (p *plan) plant(r *rand.Rand, s *shop, kind string, before, after int) {
	words := wordsOf(kind)
	var names []string
	for n := range words {
		names = append(names, n)
	}
	slices.Sort(names)
	program, hour := names[r.IntN(len(names))], 11+3*r.Float64()
	planted, idle := r.IntN(2) == 0, r.IntN(2) == 0
	if kind == calibrate.AnswersShifted {
		hour = p.catalogHour
	}
	if !planted && !idle {
		return
	}
	if planted {
		p.plants = append(p.plants, plant{kind, program, hour})
		if kind == calibrate.AnswersShifted {
			p.catalog = specLine(program, slices.Contains(known(), program))
		}
	}
	room := r.IntN(len(s.rooms))
	for i := range before + after {
		at := opens + (hour-opens)*r.Float64()
		if i >= before {
			at = hour + (closes-hour)*r.Float64()
		}
		p.steps = append(p.steps, step{room, say(r, words[program][r.IntN(len(words[program]))], slots()), task, at})
	}
}

func specLine(program string, up bool) string {
	return fmt.Sprintf("%s/%s.yaml %q\n", specDir, program, specFor(program, up))
}
