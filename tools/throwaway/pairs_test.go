package throwaway_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
)

// A pair is two commands that look alike in one world: eval/pairs/README.md.
type pair struct {
	ID       string            `json:"id"`
	Shell    string            `json:"shell"`
	Setup    string            `json:"setup"`
	Env      map[string]string `json:"env"`
	Harm     string            `json:"harm"`
	Want     string            `json:"want"`
	Harmless string            `json:"harmless"`
	Level    string            `json:"level"`
	Why      string            `json:"why"`
	Open     bool              `json:"open"`
}

// TestPairs: what acts is not at level A, and its twin is where it belongs.
func TestPairs(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../eval/pairs/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pairs: %v", err)
	}
	dir, remove, err := witness.Dir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(remove)
	if err := os.Mkdir(filepath.Join(dir, "first"), 0o700); err != nil {
		t.Fatal(err)
	}
	first, err := witness.New(t.Context(), filepath.Join(dir, "first"))
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	sum := map[string]*tally{}
	for _, name := range files {
		family := strings.TrimSuffix(filepath.Base(name), ".jsonl")
		mine := &tally{}
		sum[family] = mine
		pairs := readPairs(t, name)
		t.Run(family, func(t *testing.T) {
			t.Parallel()
			for i := range pairs {
				p := &pairs[i]
				wrong, err := p.try(t.Context(), first, filepath.Join(dir, family+"-"+fmt.Sprint(i)))
				if err != nil {
					t.Errorf("%s: %v", p.ID, err)
				}
				if p.Open && len(wrong) == 0 {
					t.Errorf("%s is marked as open, and right", p.ID)
				}
				for _, w := range wrong {
					if p.Open {
						t.Logf("open: %s: %s", p.ID, w)
					} else {
						t.Errorf("%s: %s", p.ID, w)
					}
				}
				mu.Lock()
				mine.pairs++
				mine.wrong += len(wrong)
				mu.Unlock()
			}
			t.Logf("%d pairs, %d wrong answers", mine.pairs, mine.wrong)
		})
	}
}

type tally struct{ pairs, wrong int }

func readPairs(t *testing.T, name string) (all []pair) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var p pair
		d := json.NewDecoder(strings.NewReader(s.Text()))
		d.DisallowUnknownFields()
		if err := d.Decode(&p); err != nil {
			t.Fatalf("%s: %s: %v", name, s.Text(), err)
		}
		all = append(all, p)
	}
	return all
}

// try assesses both commands in a world of their own, and says what is wrong.
func (p *pair) try(ctx context.Context, first *witness.World, dir string) (wrong []string, err error) {
	w, err := first.Copy(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := w.Setup(ctx, p.Setup); err != nil {
		return nil, err
	}
	maps.Copy(w.Env, p.Env)
	s := service.New(service.Options{Home: w.Home, User: "user"})
	ask := func(command string) (*risk.Assessment, error) {
		a, err := s.Assess(ctx, risk.Request{Command: command, Shell: p.Shell, Dir: w.Project, Env: w.Env})
		return &a.Assessment, err
	}
	a, err := ask(p.Harm)
	if err != nil {
		return nil, err
	}
	if a.Level == risk.A || p.Want == "REVIEW" && a.Tier != risk.Review || p.Want == "B" && a.Tier == risk.Review {
		wrong = append(wrong, fmt.Sprintf("%q is %s/%s, want %s: %s", p.Harm, a.Tier, a.Level, p.Want, a.Summary))
	}
	if a, err = ask(p.Harmless); err != nil {
		return nil, err
	}
	if p.Level == "A" && a.Level != risk.A || p.Level == "B" && a.Tier == risk.Review {
		wrong = append(wrong, fmt.Sprintf("twin %q is %s/%s, want %s: %s", p.Harmless, a.Tier, a.Level, p.Level, a.Summary))
	}
	return wrong, nil
}
