package replay_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/replay"
	"github.com/heedsh/heed/internal/scenario"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/risk"
)

// secrets are values that no record may hold, in variables that hold them.
var secrets = map[string]string{
	"GITHUB_TOKEN": "hunter2-token", "AWS_SECRET_ACCESS_KEY": "hunter2-key", "PGPASSWORD": "hunter2-word",
	"PROXY": "http://u:hunter2-proxy@proxy.example:3128", "OTHER": "x ghp_hunter2hunter2hunter2hunter2",
}

// answer is a heed without rules of anybody's own.
func answer(ctx context.Context, w *world.World, req risk.Request, specs []string) risk.Assessment {
	a, _, _ := assess.New(specs...).Assess(ctx, w, req)
	return a
}

// recorded assesses a request in a world and returns the record of it.
func recorded(t testing.TB, w *world.World, req risk.Request, specs ...string) (*replay.Record, risk.Assessment) {
	t.Helper()
	seen, log := record.New(w)
	a := answer(t.Context(), seen, req, specs)
	r, _, err := replay.New(t.Context(), answer, req, specs, log, a)
	if err != nil {
		t.Fatalf("%s: %v", req.Command, err)
	}
	return r, a
}

// read takes a record to another machine.
func read(t testing.TB, r *replay.Record) (*replay.Record, []byte) {
	t.Helper()
	data, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	again, err := replay.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return again, data
}

// cases calls f for every scenario of the repository.
func cases(t *testing.T, f func(*testing.T, *scenario.Case, *world.World, risk.Request)) {
	t.Helper()
	names, err := filepath.Glob("../scenario/testdata/*.heed")
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
			f(t, c, w, req)
		}
	}
}

func TestReplayIsIdentical(t *testing.T) {
	t.Parallel()
	cases(t, func(t *testing.T, c *scenario.Case, w *world.World, req risk.Request) {
		for k, v := range secrets {
			if _, set := req.Env[k]; !set {
				req.Env[k] = v
			}
		}
		r, a := recorded(t, w, req)
		again, data := read(t, r)
		got, err := again.Replay(t.Context(), answer)
		if err != nil {
			t.Fatal(err)
		}
		want, err := replay.Encode(a)
		if err != nil {
			t.Fatal(err)
		}
		now, err := replay.Encode(got.Assessment)
		if err != nil {
			t.Fatal(err)
		}
		if !got.Identical || !bytes.Equal(want, now) || len(got.Unanswered) > 0 || len(got.Differences()) > 0 {
			t.Errorf("%s\nwas %s\nis  %s\nunanswered %v, differences %v", req.Command, want, now, got.Unanswered, got.Differences())
		}
		if bytes.Contains(data, []byte("hunter2")) {
			t.Errorf("%s: the record holds a secret", req.Command)
		}
		if more, _ := again.Marshal(); !bytes.Equal(more, data) {
			t.Errorf("%s: a record is not the same after it was read and replayed", req.Command)
		}
	})
}

func TestReplayWithSpecs(t *testing.T) {
	t.Parallel()
	const spec = "program: %s\nsource: x\nsyntax: any-option\noperands: [{f...: deletes}]\ncases: {x: []}\n"
	w, dir, env, err := fakeworld.New().Add("git\na tracked\n").
		File("/home/u/.config/heed/specs/a.yaml", strings.Replace(spec, "%s", "frob", 1)).
		File(".heed/specs/b.yaml", strings.Replace(spec, "%s", "blob", 1)).
		File(".heed/specs/c.yaml", "program: [").Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"frob a", "blob a", "ls"} {
		r, a := recorded(t, w, risk.Request{Command: command, Dir: dir, Env: env}, "/home/u/.config/heed/specs")
		again, _ := read(t, r)
		if got, err := again.Replay(t.Context(), answer); err != nil || !got.Identical {
			t.Errorf("%s: %v, identical %v", command, err, got.Identical)
		}
		if len(a.Unknowns) == 0 || a.Unknowns[len(a.Unknowns)-1].Role != risk.RoleSpec {
			t.Errorf("%s: the broken spec is not told of: %v", command, a.Unknowns)
		}
	}
}

// TestOddRequests: bytes that JSON cannot say, and secrets of lengths that count.
func TestOddRequests(t *testing.T) {
	t.Parallel()
	w, dir, env := fakeworld.Must(t, "git\na tracked")
	for name, change := range map[string]func(*risk.Request){
		"not UTF-8":              func(r *risk.Request) { r.Command = "rm '\xff' $X"; r.Env["X"] = "\xfe" },
		"a NUL":                  func(r *risk.Request) { r.Command = "ls \x00" },
		"HTML":                   func(r *risk.Request) { r.Command = "echo '<a href=\"&\">' > x" },
		"an id":                  func(r *risk.Request) { r.ID, r.Agent, r.Session = "17", "a", "s" },
		"no directory":           func(r *risk.Request) { r.Dir = "" },
		"a secret far too long":  func(r *risk.Request) { r.Env["A_TOKEN"] = strings.Repeat("hunter2", 40_000) },
		"a secret just too long": func(r *risk.Request) { r.Env["TOKEN"] = strings.Repeat("h", 128<<10-7) },
		"a long secret":          func(r *risk.Request) { r.Env["TOKEN"] = strings.Repeat("h", 128<<10-8) },
		"an empty secret":        func(r *risk.Request) { r.Env["TOKEN"] = ""; r.Command = `rm -rf "$TOKEN"/*` },
		"a short secret":         func(r *risk.Request) { r.Env["TOKEN"] = "h"; r.Command = `curl -H "x: $TOKEN" https://x.example` },
	} {
		req := risk.Request{Command: "ls", Dir: dir, Env: map[string]string{}}
		for k, v := range env {
			req.Env[k] = v
		}
		change(&req)
		r, _ := recorded(t, w, req)
		again, data := read(t, r)
		if got, err := again.Replay(t.Context(), answer); err != nil || !got.Identical {
			t.Errorf("%s: %v: %v", name, err, got.Differences())
		}
		if bytes.Contains(data, []byte("hunter2")) || bytes.Contains(data, []byte("hhhh")) {
			t.Errorf("%s: the record holds the secret", name)
		}
	}
}

// TestSecretsThatCount are kept and told of: an answer that shows them cannot be
// had without them.
func TestSecretsThatCount(t *testing.T) {
	t.Parallel()
	w, dir, env := fakeworld.Must(t, "git\nremote origin https://u:hunter2@x.example/y\nrun.sh exec \"#!/bin/sh\\nrm -rf $DB\\n\"")
	env["DB"] = "postgres://u:hunter2@h/db"
	for command, want := range map[string]string{
		"ls": "", "git push --force": "", "rm -rf $DB": "the environment", "./run.sh": "the environment", "curl https://a:b@x.example": "the command",
	} {
		seen, log := record.New(w)
		req := risk.Request{Command: command, Dir: dir, Env: env}
		a := answer(t.Context(), seen, req, nil)
		r, kept, err := replay.New(t.Context(), answer, req, nil, log, a)
		if err != nil {
			t.Fatal(err)
		}
		_, data := read(t, r)
		if got := strings.Join(kept, ", "); got != want {
			t.Errorf("%s: kept %q, want %q", command, got, want)
		}
		if has := bytes.Contains(data, []byte("hunter2")); has != strings.HasPrefix(want, "the env") {
			t.Errorf("%s: the record holds the secret: %v", command, has)
		}
	}
}

func TestOtherVersions(t *testing.T) {
	t.Parallel()
	w, dir, env := fakeworld.Must(t, "git\nwork/ untracked 40 files\n")
	r, a := recorded(t, w, risk.Request{Command: "rm -rf work", Dir: dir, Env: env})
	change := func(f func(*risk.Assessment)) *replay.Result {
		b := a
		f(&b)
		text, err := replay.Encode(b)
		if err != nil {
			t.Fatal(err)
		}
		other := *r
		other.Answer = text
		again, _ := read(t, &other)
		got, err := again.Replay(t.Context(), answer)
		if err != nil {
			t.Fatal(err)
		}
		return &got
	}
	if got := change(func(b *risk.Assessment) { b.Inputs.Catalog, b.Inputs.Engine = "sha256:00", "0.0.1" }); got.Identical || !got.Same || len(got.Differences()) > 0 {
		t.Errorf("other versions, the same answer: %+v, %v", got.Same, got.Differences())
	}
	got := change(func(b *risk.Assessment) { b.Tier = risk.Safe })
	if got.Same || len(got.Differences()) != 1 || got.Differences()[0] != "tier: was SAFE, is REVIEW" {
		t.Errorf("another answer: %v, %v", got.Same, got.Differences())
	}
	if got := change(func(b *risk.Assessment) { b.Effects = nil }); got.Same || len(got.Differences()) == 0 {
		t.Errorf("other effects: %v, %v", got.Same, got.Differences())
	}
	elsewhere := *r
	elsewhere.Request.Dir = "/srv/app"
	if got, err := elsewhere.Replay(t.Context(), answer); err != nil || len(got.Unanswered) == 0 {
		t.Errorf("a question that was not asked: %v, %v", err, got.Unanswered)
	}
}

func TestBrokenRecords(t *testing.T) {
	t.Parallel()
	w, dir, env := fakeworld.Must(t, "git\na tracked \"x\"")
	r, _ := recorded(t, w, risk.Request{Command: "bash a", Dir: dir, Env: env})
	_, good := read(t, r)
	edit := func(path string, v any) string {
		var all map[string]any
		if err := json.Unmarshal(good, &all); err != nil {
			t.Fatal(err)
		}
		at := all
		words := strings.Split(path, "|")
		for _, w := range words[:len(words)-1] {
			at = at[w].(map[string]any)
		}
		at[words[len(words)-1]] = v
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "", "it is empty"},
		{"blank", " \n", "it is empty"},
		{"truncated", string(good[:len(good)/2]), "ends too early"},
		{"no JSON", "hello", "no record of heed"},
		{"two", string(good) + string(good), "no record of heed"},
		{"another file", `{"name": "package"}`, `no "format"`},
		{"a list", `[1]`, "no record of heed"},
		{"a later form", edit("format", "heed-record/2"), "use the heed that wrote it"},
		{"no world", edit("world", nil), `no "world"`},
		{"a world of another kind", edit("world", []int{1}), `"world" is damaged`},
		{"an unknown question", edit(`world|answers|rm "/"`, map[string]any{"v": 1}), "no question that heed asks"},
		{"a question without an end", edit(`world|answers|lstat "/`, map[string]any{"v": 1}), "quotes are not closed"},
		{"a damaged answer", edit(`world|answers|lstat "/x"`, map[string]any{"v": "text"}), "the answer is damaged"},
		{"more than was asked for", edit(`world|answers|read "/x" 2`, map[string]any{"v": "eHh4eA=="}), "longer than was asked for"},
		{"a name that climbs", edit(`world|answers|list "/x" 9`, map[string]any{"v": []any{map[string]any{"Name": "../../etc", "Kind": 1}}}), "is no name of a file"},
		{"no order", edit(`world|answers|list "/x" 9`, map[string]any{"v": []any{map[string]any{"Name": "b"}, map[string]any{"Name": "a"}}}), "not in order"},
		{"another shell", edit("request|shell", "fish"), "which heed does not read"},
		{"a relative place", edit("specs", []string{"specs"}), "no absolute path"},
		{"bad escapes", edit("request|cmd", "\x00bad"), `"request" is damaged`},
		{"no answer", edit("answer", nil), "has no tier"},
		{"another answer", edit("answer", map[string]any{"tier": "GREEN"}), "no assessment"},
	} {
		if _, err := replay.Parse([]byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	for i := range good {
		if _, err := replay.Parse(good[:i]); err == nil && strings.TrimSpace(string(good[i:])) != "" {
			t.Fatalf("a record is accepted that was cut at %d of %d", i, len(good))
		}
	}
}

func FuzzParse(f *testing.F) {
	w, dir, env := fakeworld.Must(f, "git\nremote origin https://x.example/y\nbranch b 2 commits not in main\na tracked \"rm -rf b\"\nb/ untracked 30 files 1kB\nl -> a\n")
	for _, command := range []string{"sh a; ls *", "git branch -D b; git clean -fd", "rm -rf b l"} {
		r, _ := recorded(f, w, risk.Request{Command: command, Dir: dir, Env: env})
		data, err := r.Marshal()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"format":"heed-record/1","world":{},"answer":{"tier":"SAFE"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := replay.Parse(data)
		if err != nil {
			return
		}
		got, err := r.Replay(t.Context(), answer)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(got.Error, "a fault") {
			t.Fatal(got.Error)
		}
		again, err := r.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := replay.Parse(again); err != nil {
			t.Fatalf("what was accepted is not after it was written: %v", err)
		}
	})
}
