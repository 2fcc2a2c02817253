package main

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/detect/intent"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/risk"
)

// A sight is what heed saw of a command: the model's input, and how heed
// judges it without the model.
type sight struct {
	In   intent.Input
	Tier risk.Tier
}

// see returns what heed sees of each row, from the cache file where it has it.
// The cache is rewritten when something was missing.
func see(rows []row, world, cache string) ([]sight, error) {
	have, err := readCache(cache)
	if err != nil {
		return nil, err
	}
	var missing []int
	for i := range rows {
		if _, ok := have[key(&rows[i])]; !ok {
			missing = append(missing, i)
		}
	}
	if len(missing) > 0 {
		got, err := assessAll(rows, missing, world)
		if err != nil {
			return nil, err
		}
		for n, i := range missing {
			have[key(&rows[i])] = got[n]
		}
		if err := writeCache(cache, have); err != nil {
			return nil, err
		}
	}
	sights := make([]sight, len(rows))
	for i := range rows {
		sights[i] = have[key(&rows[i])]
	}
	return sights, nil
}

func key(r *row) string { return r.Shell + "\x00" + r.Cmd }

func readCache(name string) (map[string]sight, error) {
	have := map[string]sight{}
	if name == "" {
		return have, nil
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return have, nil
	}
	if err != nil {
		return nil, fmt.Errorf("opening the cache: %w", err)
	}
	defer f.Close()
	if err := gob.NewDecoder(f).Decode(&have); err != nil {
		return nil, fmt.Errorf("reading the cache %s (delete it to make it anew): %w", name, err)
	}
	return have, nil
}

func writeCache(name string, have map[string]sight) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("making the cache: %w", err)
	}
	if err := gob.NewEncoder(f).Encode(have); err != nil {
		f.Close()
		return fmt.Errorf("writing the cache: %w", err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("writing the cache: %w", err)
	}
	return nil
}

// assessAll runs heed over the rows named by which, on every processor.
func assessAll(rows []row, which []int, world string) ([]sight, error) {
	home, err := filepath.Abs(filepath.Join(world, "home", "user"))
	if err != nil {
		return nil, fmt.Errorf("-world: %w", err)
	}
	project := filepath.Join(home, "project")
	if i, err := os.Stat(project); err != nil || !i.IsDir() {
		return nil, fmt.Errorf("there is no fixture world at %s: name one with -world whose home/user/project is the directory to work in", world)
	}
	assessor := assess.New().With(assess.Detectors{Classifier: silent{}})
	machine := host.New(home, "user", project)
	env := map[string]string{"HOME": home, "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "USER": "user", "LANG": "C.UTF-8"}
	out := make([]sight, len(which))
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for k := range workers {
		wg.Go(func() {
			for n := k; n < len(which); n += workers {
				r := &rows[which[n]]
				req := risk.Request{Command: r.Cmd, Shell: r.Shell, Dir: project, Env: env}
				a, detail, _ := assessor.Assess(context.Background(), machine.View(&req), req)
				out[n] = sight{In: input(r.Cmd, detail.Trace), Tier: a.Tier}
			}
		})
	}
	wg.Wait()
	return out, nil
}

// silent stands in for the model while heed is asked how it judges without it.
type silent struct{}

func (silent) Intent(string) (p [intent.Count]float32, err error) {
	p[intent.Benign] = 1
	return p, nil
}

// input is what the model sees of a command, in training as in use.
func input(cmd string, t *flow.Trace) intent.Input {
	return assess.IntentInput(&detect.Context{Command: cmd, Processes: t.Processes, Effects: t.Effects, Unknowns: t.Unknowns})
}
