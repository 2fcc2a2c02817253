package heed_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/heedtest"
	"github.com/heedsh/heed/risk"
)

// in is an engine in a world that a text describes, and a request there.
func in(t *testing.T, text string, opt heed.Options) (*heed.Engine, risk.Request) {
	t.Helper()
	world, req, err := heedtest.World(text)
	if err != nil {
		t.Fatal(err)
	}
	opt.World = world
	return heed.New(opt), req
}

func ask(t *testing.T, e *heed.Engine, req risk.Request, command string) risk.Assessment {
	t.Helper()
	req.Command = command
	a, err := e.Assess(t.Context(), req)
	if err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	return a
}

func has(a *risk.Assessment, id string) bool {
	return slices.ContainsFunc(a.Findings, func(f risk.Finding) bool { return f.ID == id })
}

// TestOneErrorChannel: an error and the assessment's own are there together, and
// say the same.
func TestOneErrorChannel(t *testing.T) {
	t.Parallel()
	e, req := in(t, "a tracked\ngit\n", heed.Options{})
	over, cancel := context.WithCancel(t.Context())
	cancel()
	long := req
	long.Env = map[string]string{"A": strings.Repeat("a", 1<<20)}
	deep := req
	deep.Dir = strings.Repeat("/d", 1<<12)
	for name, c := range map[string]struct {
		ctx  context.Context
		req  risk.Request
		fail bool
	}{
		"ordinary":                 {t.Context(), req, false},
		"an oversized environment": {t.Context(), long, true},
		"an endless directory":     {t.Context(), deep, true},
		"cancelled":                {over, req, true},
	} {
		c.req.Command = "rm a"
		a, err := e.Assess(c.ctx, c.req)
		var f *heed.Failure
		if (err != nil) != c.fail || (err != nil) != (a.Error != "") || c.fail && (a.Tier != risk.Review || !errors.As(err, &f) || f.Reason != a.Error) {
			t.Errorf("%s: %s, error %v, assessment's %q", name, a.Tier, err, a.Error)
		}
	}
}

const single = `title: Blob
id: 00000000-0000-0000-0000-000000000002
logsource: {category: process_creation, product: linux}
detection: {s: {Image|endswith: /blob}, condition: s}
level: critical
`

const sequence = `title: Frob
id: 00000000-0000-0000-0000-000000000001
name: frob
logsource: {category: process_creation, product: linux}
detection: {s: {Image|endswith: /frob}, condition: s}
level: low
---
title: Blob
id: 00000000-0000-0000-0000-000000000002
name: blob
logsource: {category: process_creation, product: linux}
detection: {s: {Image|endswith: /blob}, condition: s}
level: low
---
title: One after the other
id: 00000000-0000-0000-0000-000000000003
correlation: {type: temporal_ordered, rules: [frob, blob], group-by: [User], timespan: 60s}
level: critical
`

// TestOptionsRules: Sigma rules are in force from a file, a directory and what heed
// rules import wrote, and those that cannot be are told by every answer.
func TestOptionsRules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := put("good/blob.yml", single)
	broken := put("broken/blob.yml", single+"---\ntitle: Broken\nlogsource: {category: process_creation}\ndetection: {s: {Image|frob: x}, condition: s}\n")
	for name, c := range map[string]struct {
		rules           []string
		found, troubled bool
	}{
		"none":             {nil, false, false},
		"a file":           {[]string{good}, true, false},
		"a directory":      {[]string{filepath.Dir(good)}, true, false},
		"one that is not":  {[]string{good, filepath.Join(dir, "none")}, true, true},
		"a broken one too": {[]string{broken}, true, true},
		"nothing in it":    {[]string{put("empty/x.txt", "")}, false, true},
	} {
		e, req := in(t, "/usr/bin/blob binary\n", heed.Options{Rules: c.rules})
		a := ask(t, e, req, "blob")
		if found := has(&a, "00000000-0000-0000-0000-000000000002"); found != c.found || found != (len(a.Inputs.Rules) > 0) || found && a.Tier != risk.Review {
			t.Errorf("%s: %s, %v, rules %v", name, a.Tier, a.Findings, a.Inputs.Rules)
		}
		if a = ask(t, e, req, "ls"); has(&a, "heed.layer-failed") != c.troubled || c.troubled && a.Level != risk.B {
			t.Errorf("%s: ls is %s/%s: %v", name, a.Tier, a.Level, a.Findings)
		}
	}
}

// TestOptionsSession: commands of one session are also judged together.
func TestOptionsSession(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "frob.yml")
	if err := os.WriteFile(file, []byte(sequence), 0o644); err != nil {
		t.Fatal(err)
	}
	const together = "00000000-0000-0000-0000-000000000003"
	now := time.Unix(1_000_000, 0)
	for name, c := range map[string]struct {
		session *heed.Session
		second  string // the session of the second command
		later   time.Duration
		want    bool
	}{
		"without":        {nil, "s", 0, false},
		"one session":    {heed.NewSession(nil), "s", 0, true},
		"another":        {heed.NewSession(nil), "t", 0, false},
		"in time":        {heed.NewSession(func() time.Time { return now }), "s", 50 * time.Second, true},
		"after too long": {heed.NewSession(func() time.Time { return now }), "s", 70 * time.Second, false},
	} {
		now = time.Unix(1_000_000, 0)
		e, req := in(t, "/usr/bin/frob binary\n/usr/bin/blob binary\n", heed.Options{Rules: []string{file}, Session: c.session})
		req.Session = "s"
		if a := ask(t, e, req, "frob"); has(&a, together) {
			t.Errorf("%s: the first command completes it: %v", name, a.Findings)
		}
		now = now.Add(c.later)
		req.Session = c.second
		if a := ask(t, e, req, "blob"); has(&a, together) != c.want || c.want != (a.Tier == risk.Review) {
			t.Errorf("%s: %s, %v", name, a.Tier, a.Findings)
		}
	}
}

// TestOptionsBroken: what is named and cannot be used is told by every answer.
func TestOptionsBroken(t *testing.T) {
	t.Parallel()
	e, req := in(t, `/home/u/specs/frob.yaml "program: [frob\n"`, heed.Options{Specs: []string{"/home/u/specs"}})
	if a := ask(t, e, req, "ls"); a.Level != risk.B || !has(&a, "heed.layer-failed") || !strings.Contains(a.Findings[0].Evidence, "frob.yaml:") {
		t.Errorf("a broken spec: %s/%s, %+v", a.Tier, a.Level, a.Findings)
	}
	e, req = in(t, "", heed.Options{Model: filepath.Join(t.TempDir(), "none.onnx")})
	a := ask(t, e, req, "ls")
	i := slices.IndexFunc(a.Layers, func(l risk.Layer) bool { return l.Name == "semantic" })
	if i < 0 || a.Layers[i].Error == "" || a.Inputs.Model != "" {
		t.Errorf("a model that is not there: %+v, %q", a.Layers, a.Inputs.Model)
	}
}
