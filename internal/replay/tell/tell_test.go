package tell_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/replay"
	"github.com/heedsh/heed/internal/replay/tell"
	"github.com/heedsh/heed/internal/scenario"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/risk"
)

// answer is a heed without rules of anybody's own.
func answer(ctx context.Context, w *world.World, req risk.Request, specs []string) risk.Assessment {
	a, _, _ := assess.New(specs...).Assess(ctx, w, req)
	return a
}

// recorded assesses a request in a world and returns the record of it, as it is
// read on another machine.
func recorded(t testing.TB, w *world.World, req risk.Request) (*replay.Record, risk.Assessment) {
	t.Helper()
	seen, log := record.New(w)
	a := answer(t.Context(), seen, req, nil)
	r, _, err := replay.New(t.Context(), answer, req, nil, log, a)
	if err != nil {
		t.Fatalf("%s: %v", req.Command, err)
	}
	data, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	again, err := replay.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return again, a
}

// cases calls f for every scenario of the repository.
func cases(t *testing.T, f func(*scenario.Case, *world.World, risk.Request)) {
	t.Helper()
	names, err := filepath.Glob("../../scenario/testdata/*.heed")
	if err != nil || len(names) < 10 {
		t.Fatalf("scenarios: %v, %v", names, err)
	}
	for _, n := range names {
		text, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		file, err := scenario.Parse(n, string(text))
		if err != nil {
			t.Skipf("a scenario is being written: %v", err)
		}
		for i := range file.Cases {
			c := &file.Cases[i]
			w, dir, env, err := fakeworld.Parse(c.Setup)
			if err != nil {
				t.Skipf("a scenario is being written: %v", err)
			}
			req := c.Request
			if req.Dir == "" {
				req.Dir = dir
			}
			for k, v := range req.Env {
				env[k] = v
			}
			req.Env = env
			f(c, w, req)
		}
	}
}

// TestScenarios tells every scenario again from its record alone. What is written
// is read as it was meant: the case that tests read is answered as was promised.
// Most come out as they were; whatever does not is told of.
func TestScenarios(t *testing.T) {
	t.Parallel()
	all, same := 0, 0
	cases(t, func(c *scenario.Case, w *world.World, req risk.Request) {
		r, a := recorded(t, w, req)
		text, missing, err := tell.Scenario(t.Context(), r, a)
		if err != nil {
			t.Errorf("%s:%d: %s: %v", c.World, c.Line, req.Command, err)
			return
		}
		f, err := scenario.Parse("x", text)
		if err != nil || len(f.Cases) != 1 || f.Cases[0].Request.Command != req.Command {
			t.Errorf("%s: the scenario is not read as it was written: %v\n%s", req.Command, err, text)
			return
		}
		got, err := f.Cases[0].Assess(assess.New())
		if err != nil {
			t.Errorf("%s: the world is not read as it was written: %v\n%s", req.Command, err, text)
			return
		}
		all++
		differs := cmp.Diff(f.Cases[0].Answer, scenario.Format(&got)) != ""
		if differs != (len(missing.Differs) > 0) {
			t.Errorf("%s: read by a test it differs: %v, as told %q\n%s", req.Command, differs, missing.Differs, text)
		}
		if !differs {
			same++
		} else {
			t.Logf("%s\n%s\n%s\n%s", text, req.Command, strings.Join(missing.Differs, "\n"), strings.Join(missing.Unsaid, "\n"))
		}
	})
	t.Logf("%d of %d scenarios come out of their records as they were", same, all)
	if same*100 < all*90 {
		t.Errorf("only %d of %d scenarios come out of their records as they were", same, all)
	}
}

// TestOddWords: names and contents that the language could take for something else.
func TestOddWords(t *testing.T) {
	t.Parallel()
	w, dir, env, err := fakeworld.New().Add("git\n").
		File("two words", "x\ty\x00\xff\n", "tracked").File("tag", "", "tracked").File("#c", "# c", "untracked").
		File("env", "A=b\n", "tracked").Link("to", "two words").Env("V", ` a # "b" `).Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{`cat 'two words' tag '#c' env to; rm tag "$V"`, "rm -rf '#c' 'two words'\nsh env"} {
		r, a := recorded(t, w, risk.Request{Command: command, Dir: dir, Env: env})
		text, missing, err := tell.Scenario(t.Context(), r, a)
		if err != nil || len(missing.Differs) > 0 {
			t.Fatalf("%s: %v, %q\n%s", command, err, missing.Differs, text)
		}
		f, err := scenario.Parse("x", text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Cases[0].Assess(assess.New())
		if err != nil || cmp.Diff(f.Cases[0].Answer, scenario.Format(&got)) != "" {
			t.Errorf("%s: %v\n%s\n%s", command, err, text, cmp.Diff(f.Cases[0].Answer, scenario.Format(&got)))
		}
	}
	for command, want := range map[string]bool{"{zsh} ls": true, "{A=b} ls": true, "{dir /} ls": true, "{ ls; }": false, "{a,b} c": false} {
		r, a := recorded(t, w, risk.Request{Command: command, Dir: dir, Env: env})
		_, missing, err := tell.Scenario(t.Context(), r, a)
		if told := strings.Contains(strings.Join(missing.Unsaid, "\n"), "like an option"); err != nil || told != want {
			t.Errorf("%s: %v, %q", command, err, missing.Unsaid)
		}
	}
}

// FuzzScenario tells any record: it is a scenario or an error, and a scenario is
// one case that tests can read.
func FuzzScenario(f *testing.F) {
	w, dir, env := fakeworld.Must(f, "git\nremote origin https://x.example/y\nbranch b 2 commits not in main\na tracked \"rm -rf b\"\nb/ untracked 30 files 1kB\nl -> a\n")
	for _, command := range []string{"sh a; ls *", "git branch -D b; git clean -fd", "rm -rf b l"} {
		r, _ := recorded(f, w, risk.Request{Command: command, Dir: dir, Env: env})
		data, err := r.Marshal()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := replay.Parse(data)
		if err != nil {
			return
		}
		got, err := r.Replay(t.Context(), answer)
		if err != nil {
			t.Fatal(err)
		}
		text, _, err := tell.Scenario(t.Context(), r, got.Assessment)
		if err != nil {
			if !strings.Contains(err.Error(), "scenario") {
				t.Fatal(err)
			}
			return
		}
		if _, err := scenario.Parse("the scenario", text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	})
}
