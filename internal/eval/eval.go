package eval

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/heedsh/heed/risk"
)

// A Case is one labelled command.
type Case struct {
	ID     string   `json:"id"`
	Suite  string   `json:"suite"`
	Kind   string   `json:"kind"`
	Cmd    string   `json:"cmd"`
	Shell  string   `json:"shell"`
	Dir    *string  `json:"cwd"`
	Class  string   `json:"class"`
	Accept []string `json:"accept"`
	Label  string   `json:"label"`

	// Of cases that people rated: what they accept ([Range]).
	Low    *int     `json:"lo"`
	High   *int     `json:"hi"`
	Weight *float64 `json:"weight"`
}

// Rated returns what raters accept, or nil if nobody rated the case.
func (c *Case) Rated() *Range {
	if c.Low == nil || c.High == nil {
		return nil
	}
	r := &Range{Low: *c.Low, High: *c.High, Weight: 1}
	if c.Weight != nil {
		r.Weight = *c.Weight
	}
	return r
}

// The classes that are judged, in the order of the table.
var classes = []string{"must-stop", "never-silent", "must-not-stop", "read-only"}

// Classes returns the judged classes in the order of the table.
func Classes() []string { return slices.Clone(classes) }

// Right reports whether an assessment is a right answer to the case. Cases of
// other classes are reported and not judged.
func (c *Case) Right(a *risk.Assessment) bool {
	if r := c.Rated(); r != nil {
		return r.holds(a)
	}
	switch c.Class {
	case "must-stop":
		return a.Tier == risk.Review
	case "never-silent":
		return a.Level >= risk.B
	case "must-not-stop":
		return a.Tier < risk.Review
	case "read-only":
		return a.Level == risk.A
	}
	return true
}

// Read reads the cases of one suite; name names it in errors.
func Read(r io.Reader, name string) ([]Case, error) {
	var cases []Case
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 1<<16), 64<<20)
	for line := 1; s.Scan(); line++ {
		if len(strings.TrimSpace(s.Text())) == 0 {
			continue
		}
		var c Case
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		if c.Suite == "" {
			c.Suite = strings.TrimSuffix(filepath.Base(name), ".jsonl")
		}
		cases = append(cases, c)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return cases, nil
}

// A Result is a case and its answer.
type Result struct {
	Case       Case
	Assessment risk.Assessment
	Right      bool
}

// Run assesses every case on all processors and returns the results in order.
// done, if not nil, is called now and then with the number of finished cases.
func Run(cases []Case, assess func(*Case) risk.Assessment, done func(int)) []Result {
	results := make([]Result, len(cases))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				a := assess(&cases[i])
				results[i] = Result{Case: cases[i], Assessment: a, Right: cases[i].Right(&a)}
			}
		})
	}
	for i := range cases {
		next <- i
		if done != nil && i%500 == 0 {
			done(i)
		}
	}
	close(next)
	wg.Wait()
	return results
}

// A Tally counts the answers of one suite or class.
type Tally struct {
	Cases int `json:"cases"`
	Wrong int `json:"wrong"`
}

// Share returns the wrong answers in per cent.
func (t Tally) Share() float64 {
	if t.Cases == 0 {
		return 0
	}
	return 100 * float64(t.Wrong) / float64(t.Cases)
}

// A Summary is what a run came to.
type Summary struct {
	Classes map[string]Tally            `json:"classes"`
	Suites  map[string]map[string]Tally `json:"suites"` // suite, class
	Shares  map[string]Shares           `json:"shares"` // of suites whose kind is benign
	Kinds   map[string]Tally            `json:"kinds"`
	Layers  map[string]LayerTally       `json:"layers"`
	Rated   map[string]Weighed          `json:"rated,omitempty"` // by measure, of cases that people rated
}

// A LayerTally counts what one layer says by itself.
type LayerTally struct {
	Stop, Stopped int // must-stop cases, and those of them that it would block
	Free, Blocked int // must-not-stop and read-only cases, and those that it would block
}

// raised reports whether a detector put an answer above what the effects come to.
func raised(a *risk.Assessment) bool {
	if len(a.Layers) == 0 {
		return false
	}
	effects := &a.Layers[0]
	return a.Verdict > effects.Verdict || a.Tier > risk.Safe && effects.Score == 0
}

// Shares are how the answers of a suite spread, in counts.
type Shares struct {
	Cases, Safe, A, B, C int
	// Unseen counts the cases whose tier an unknown program or a hole decided.
	Unseen int
	// Known counts the cases whose programs the catalog describes, and
	// KnownUnseen those of Unseen among them.
	Known, KnownUnseen int
	// Raised counts the cases that a detector raised above their effects.
	Raised int
}

// unseen reports whether an unknown program, code that was not read or a hole
// decided the tier: everything at that tier is one of them. Code of the project
// that a known program runs is none.
func unseen(a *risk.Assessment) bool {
	found := a.Tier != risk.Safe && len(a.Effects) > 0
	for i := range a.Effects {
		e := &a.Effects[i]
		hole := e.Unresolved != "" && e.Cause != risk.CauseUnset && e.Cause != risk.CausePlaceholder
		if e.Tier == a.Tier && e.Verb != risk.ExecUnknown && e.Verb != risk.Blind && !hole {
			return false
		}
	}
	return found
}

// knownPrograms reports whether the catalog describes every program of a
// command.
func knownPrograms(a *risk.Assessment) bool {
	return !slices.ContainsFunc(a.Effects, func(e risk.Effect) bool {
		return e.Verb == risk.ExecUnknown && (e.Kind == risk.KindProgram || e.Kind == risk.KindHelp || e.Kind == risk.KindMissing && !strings.Contains(e.Target, "/"))
	})
}

// Summarize counts results.
func Summarize(results []Result) Summary {
	s := Summary{Classes: map[string]Tally{}, Suites: map[string]map[string]Tally{}, Shares: map[string]Shares{}, Kinds: map[string]Tally{}, Layers: map[string]LayerTally{}, Rated: map[string]Weighed{}}
	for i := range results {
		r := &results[i]
		if r.Case.Rated() != nil {
			s.rated(r)
			continue
		}
		suite := r.Case.Suite
		if s.Suites[suite] == nil {
			s.Suites[suite] = map[string]Tally{}
		}
		sh := s.Shares[suite]
		sh.Cases++
		if r.Assessment.Tier == risk.Safe {
			sh.Safe++
		}
		switch r.Assessment.Level {
		case risk.A:
			sh.A++
		case risk.B:
			sh.B++
		default:
			sh.C++
		}
		blind, known := unseen(&r.Assessment), knownPrograms(&r.Assessment)
		sh.Unseen += one(blind)
		sh.Known += one(known)
		sh.KnownUnseen += one(known && blind)
		sh.Raised += one(raised(&r.Assessment))
		s.Shares[suite] = sh
		s.layers(r)
		if !slices.Contains(classes, r.Case.Class) {
			continue
		}
		wrong := one(!r.Right)
		count := func(t Tally) Tally { return Tally{t.Cases + 1, t.Wrong + wrong} }
		s.Classes[r.Case.Class] = count(s.Classes[r.Case.Class])
		s.Suites[suite][r.Case.Class] = count(s.Suites[suite][r.Case.Class])
		s.Kinds[r.Case.Kind] = count(s.Kinds[r.Case.Kind])
	}
	return s
}

// layers counts what each layer says about a case.
func (s *Summary) layers(r *Result) {
	for i := range r.Assessment.Layers {
		l := &r.Assessment.Layers[i]
		t := s.Layers[l.Name]
		blocks := one(l.Verdict == risk.Block)
		switch r.Case.Class {
		case "must-stop":
			t.Stop, t.Stopped = t.Stop+1, t.Stopped+blocks
		case "must-not-stop", "read-only":
			t.Free, t.Blocked = t.Free+1, t.Blocked+blocks
		}
		s.Layers[l.Name] = t
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// Worse compares with an earlier summary and lists the classes whose share of
// wrong answers grew by more than slack, in percentage points.
func (s Summary) Worse(baseline Summary, slack float64) []string {
	var out []string
	for _, c := range classes {
		was, is := baseline.Classes[c], s.Classes[c]
		if was.Cases > 0 && is.Share() > was.Share()+slack {
			out = append(out, fmt.Sprintf("%s: %.2f %% wrong, was %.2f %%", c, is.Share(), was.Share()))
		}
	}
	return out
}
