package main

import (
	"errors"
	"sync"

	"github.com/heedsh/heed/internal/detect/intent"
)

// A predictor gives the logits of a row.
type predictor func(row int) [intent.Count]float64

// A candidate is a way to learn. fit trains on some rows until val says stop,
// or for a number of rounds that an earlier fit found.
type candidate struct {
	name   string
	fit    func(d *set, train, val []int, rounds int) (predictor, int)
	see    func(d *set, row int) // computes the features that a prediction needs
	bytes  func(d *set) int      // of its weights in 8 bits
	rounds int                   // about as many as fit finds, to measure its speed
}

// candidates are what the shipped model is compared with.
func candidates() []candidate {
	return []candidate{
		linearCandidate("linear, text", view{1, 1, 2, 1, 0, 0}),
		linearCandidate("linear, text + structure", view{1, 1, 2, 1, 0, 1}),
		linearCandidate("linear, effects", view{0, 0, 0, 0, 1, 0}),
		linearCandidate("linear, all", full),
		{
			name: "trees, structure + effects",
			fit: func(d *set, train, val []int, rounds int) (predictor, int) {
				f, n := fitForest(d, d.dense, train, val, rounds)
				return f.logits, n
			},
			see:    func(d *set, i int) { intent.ShapeOf(&d.sights[i].In) },
			bytes:  func(*set) int { return 60 * others * (2*(1<<treeDepth-1) + 4<<treeDepth) },
			rounds: 60,
		},
		{
			name: "convolution, text", fit: fitConv, rounds: 1,
			see:   func(*set, int) {},
			bytes: func(*set) int { return convWidth*256*convFilters + convFilters*others },
		},
	}
}

func linearCandidate(name string, v view) candidate {
	var s intent.Scratch
	return candidate{
		name: name, rounds: 1,
		fit: func(d *set, train, val []int, rounds int) (predictor, int) {
			m, n := fitLinear(d, v, train, val, rounds)
			return func(i int) [intent.Count]float64 { return m.logits(d.features[i]) }, n
		},
		see:   func(d *set, i int) { intent.Features(&d.sights[i].In, d.bits, &s) },
		bytes: func(d *set) int { return others << d.bits },
	}
}

// innerFolds is how many folds of a candidate's training rows take turns to say
// when to stop. The shipped model's trainStack has all four: its trees need them.
const innerFolds = 2

// validate predicts every row by a model that has not seen its group. Within
// each training some folds take turns to say when to stop and to be predicted,
// what was predicted calibrates, and a last fit takes all of them.
func validate(d *set, c candidate) ([]guess, error) {
	var found [folds][]guess
	err := together(folds, func(held int) error {
		var at []int
		var logits [][intent.Count]float64
		rounds := 0
		parts := parts(d, held)
		parts = parts[:min(len(parts), innerFolds)]
		for _, k := range parts {
			predict, n := c.fit(d, d.without(held, k), d.in(k, false), 0)
			rounds += n
			for _, i := range d.in(k, false) {
				at, logits = append(at, i), append(logits, predict(i))
			}
		}
		predict, _ := c.fit(d, d.without(held), nil, mean(rounds, len(parts)))
		cal := calibrate(d, at, logits)
		for _, i := range d.in(held, true) {
			found[held] = append(found[held], guess{i, softmax(cal.apply(predict(i)))})
		}
		return nil
	})
	var all []guess
	for _, g := range found {
		all = append(all, g...)
	}
	return all, err
}

// together calls f for 0 to n-1, two at a time, and joins the errors.
func together(n int, f func(k int) error) error {
	errs := make([]error, n)
	turn := make(chan struct{}, 2)
	var wg sync.WaitGroup
	for k := range n {
		wg.Go(func() {
			turn <- struct{}{}
			errs[k] = f(k)
			<-turn
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
