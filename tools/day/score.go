package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/heedsh/heed/internal/calibrate"
	"github.com/heedsh/heed/internal/suggest"
)

// A result is what became of one life.
type result struct {
	seed    uint64
	handed  int
	plants  []plant
	found   []calibrate.Finding
	rules   []suggest.Suggestion
	planted []step   // attacks
	covered []string // rules that speak of a part of a planted attack
	about   []topic  // of the questions about the day's work
	silent  []string // attacks that ran without a question
	unseen  []string // or of one that suggest did not know
	before  []tally
	without tally // the day after
	with    tally // the same day, with the rules
}

// was reports whether a finding was planted, and has whether a plant was found.
func (r *result) was(f *calibrate.Finding) bool {
	return slices.ContainsFunc(r.plants, func(p plant) bool { return p.kind == f.Kind && p.program == f.Program })
}

func (r *result) has(p plant) bool {
	return slices.ContainsFunc(r.found, func(f calibrate.Finding) bool { return p.kind == f.Kind && p.program == f.Program })
}

// complain prints what is wrong with a life.
func (r *result) complain(w io.Writer) {
	for _, p := range r.plants {
		if !r.has(p) {
			fmt.Fprintf(w, "seed %d: missed %s %s from %.1f h on\n", r.seed, p.kind, p.program, p.hour)
		}
	}
	for i := range r.found {
		if !r.was(&r.found[i]) {
			fmt.Fprintf(w, "seed %d: found, and not planted: %s\n", r.seed, r.found[i].Sentence())
		}
	}
	for _, c := range r.silent {
		fmt.Fprintf(w, "seed %d: ran without a question: %s\n", r.seed, c)
	}
	for _, c := range append(slices.Clone(r.covered), r.unseen...) {
		fmt.Fprintf(w, "seed %d: speaks of an attack: %s\n", r.seed, c)
	}
	for i := range r.rules {
		fmt.Fprintf(w, "seed %d: %s spares %d, also %d\n", r.seed, r.rules[i].ID, r.rules[i].Spared, r.rules[i].AlsoAll)
	}
}

// A total is what became of all.
type total struct {
	lives, handed          int
	planted, found         map[string]int
	findings, wrong        int
	wrongDays              int
	rules, covered, unseen int
	ruled                  int // lives with a rule at all
	before, without, with  tally
	about, programs, tiers map[string]int // of the questions
	again                  map[string]int // of what those were about that came again in their session
	left                   map[string]int // of what those were about that came with the rules though the log knows their commands
}

func (t *total) add(r *result) {
	if t.planted == nil {
		t.planted, t.found = map[string]int{}, map[string]int{}
		t.about, t.programs, t.tiers, t.again = map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
		t.left = map[string]int{}
	}
	t.lives++
	t.handed += r.handed
	for _, p := range r.plants {
		t.planted[p.kind]++
		if r.has(p) {
			t.found[p.kind]++
		}
	}
	wrong := 0
	for i := range r.found {
		if !r.was(&r.found[i]) {
			wrong++
		}
	}
	t.findings, t.wrong = t.findings+len(r.found), t.wrong+wrong
	if wrong > 0 {
		t.wrongDays++
	}
	t.rules, t.covered, t.unseen = t.rules+len(r.rules), t.covered+len(r.covered), t.unseen+len(r.unseen)
	if len(r.rules) > 0 {
		t.ruled++
	}
	for _, a := range r.about {
		t.about[a.what]++
		t.programs[cmp.Or(a.program, "(none)")]++
		t.tiers[a.tier]++
		if a.again {
			t.again[a.what]++
		}
		if a.left {
			t.left[a.what]++
		}
	}
	for _, n := range r.before {
		t.before.add(n)
	}
	t.without.add(r.without)
	t.with.add(r.with)
}

func (n *tally) add(m tally) {
	n.attacks, n.unasked, n.known = n.attacks+m.attacks, n.unasked+m.unasked, n.known+m.known
	n.asked.add(m.asked)
	for i := range n.rooms {
		n.rooms[i].add(m.rooms[i])
	}
}

func (n *asked) add(m asked) {
	n.commands, n.questions = n.commands+m.commands, n.questions+m.questions
}

// questionsPer100 of the day's own commands.
func (n *asked) questionsPer100() float64 {
	return 100 * float64(n.questions) / float64(max(n.commands, 1))
}

// print prints the table.
func (t *total) print(w io.Writer, s *shop) {
	planted, found := 0, 0
	fmt.Fprintf(w, "%-34s %8s %8s %8s\n", "calibration, the first days", "planted", "found", "share")
	for _, kind := range []string{calibrate.AnswersShifted, calibrate.SafeRejected, calibrate.ReviewHasty} {
		fmt.Fprintf(w, "  %-32s %8d %8d %6.1f %%\n", kind, t.planted[kind], t.found[kind], percent(t.found[kind], t.planted[kind]))
		planted, found = planted+t.planted[kind], found+t.found[kind]
	}
	fmt.Fprintf(w, "  %-32s %8d %8d %6.1f %%\n", "all", planted, found, percent(found, planted))
	fmt.Fprintf(w, "  findings that were not planted   %8d of %d, %.1f %%; on %d of %d days\n", t.wrong, t.findings, percent(t.wrong, t.findings), t.wrongDays, t.lives)
	fmt.Fprintf(w, "suggestions\n")
	fmt.Fprintf(w, "  rules                            %8d, %.1f a person; %d of %d persons have one\n", t.rules, float64(t.rules)/float64(max(t.lives, 1)), t.ruled, t.lives)
	fmt.Fprintf(w, "  that speak of a planted attack   %8d\n", t.covered)
	fmt.Fprintf(w, "  of an attack it did not know     %8d\n", t.unseen)
	fmt.Fprintf(w, "questions per 100 commands of the day's work, preset balanced\n")
	fmt.Fprintf(w, "  the days of the log              %8.1f of %d\n", t.before.questionsPer100(), t.before.commands)
	fmt.Fprintf(w, "  the day after, without the rules %8.1f of %d\n", t.without.questionsPer100(), t.without.commands)
	fmt.Fprintf(w, "  the same day, with the rules     %8.1f\n", t.with.questionsPer100())
	news := asked{t.without.commands, t.without.questions - t.without.known}
	fmt.Fprintf(w, "  about what the log had not       %8.1f: no rule about single commands of the log gets below this\n", news.questionsPer100())
	for i, r := range s.rooms {
		fmt.Fprintf(w, "  %-32s %8.1f in the log, %.1f the day after, %.1f with the rules\n", r.name, t.before.rooms[i].questionsPer100(), t.without.rooms[i].questionsPer100(), t.with.rooms[i].questionsPer100())
	}
	fmt.Fprintf(w, "planted attacks that ran without a question: %d of %d in the days of the log; the day after %d of %d without and %d with the rules\n",
		t.before.unasked, t.before.attacks, t.without.unasked, t.without.attacks, t.with.unasked)
}

// printAbout prints what most questions were about.
func (t *total) printAbout(w io.Writer) {
	printCounts(w, "what the questions were about", t.about)
	printCounts(w, "whose they were, by program", t.programs)
	printCounts(w, "of which tier the commands were", t.tiers)
	printCounts(w, "asked with the rules, about commands that the log had asked about", t.left)
	printCounts(w, "asked again about the same command in the same session", t.again)
}

// printCounts prints the largest of some counts, with their shares.
func printCounts(w io.Writer, title string, counts map[string]int) {
	names, all := make([]string, 0, len(counts)), 0
	for n, count := range counts {
		names, all = append(names, n), all+count
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	fmt.Fprintf(w, "%s, of %d\n", title, all)
	for _, n := range names[:min(len(names), 20)] {
		fmt.Fprintf(w, "  %-48s %6d %6.1f %%\n", n, counts[n], percent(counts[n], all))
	}
}

// percent is a share.
func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// holds reports whether what must hold does.
func (t *total) holds() bool {
	planted, found := 0, 0
	for kind, n := range t.planted {
		planted, found = planted+n, found+t.found[kind]
	}
	return 100*found >= 95*planted && 100*t.wrong <= 5*t.findings && t.covered == 0 && t.with.unasked == t.without.unasked
}
