//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"

	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// An answer is what heed says of one request.
type answer struct {
	passes   bool // at level A
	harmless bool // SAFE: nothing is said to change
	summary  string
}

// An asker asks heed about many requests.
type asker func(ctx context.Context, reqs []*risk.Request) ([]answer, error)

// itself asks the version that this program is built with.
func itself(ctx context.Context, reqs []*risk.Request) (all []answer, err error) {
	services := map[string]*service.Service{}
	for _, req := range reqs {
		home := req.Env["HOME"]
		if services[home] == nil {
			services[home] = service.New(service.Options{Home: home, User: "user"})
		}
		a, err := services[home].Assess(ctx, *req)
		if err != nil {
			return nil, fmt.Errorf("assessing %q: %w", req.Command, err)
		}
		all = append(all, answer{a.Level == risk.A, a.Tier == risk.Safe, fmt.Sprintf("[%s] %s", a.Tier, a.Summary)})
	}
	return all, nil
}

// another asks a program, through its batches.
func another(program string) asker {
	return func(ctx context.Context, reqs []*risk.Request) (all []answer, err error) {
		var in bytes.Buffer
		out := json.NewEncoder(&in)
		for i, req := range reqs {
			if err := out.Encode(map[string]any{"id": fmt.Sprint(i), "cmd": req.Command, "cwd": req.Dir, "env": req.Env, "shell": req.Shell}); err != nil {
				return nil, fmt.Errorf("asking %s: %w", program, err)
			}
		}
		c := exec.CommandContext(ctx, program, "check", "--batch")
		c.Stdin = &in
		text, err := c.Output()
		if len(text) == 0 && err != nil {
			return nil, fmt.Errorf("asking %s: %w", program, err)
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		for lines.Buffer(nil, 64<<20); lines.Scan(); {
			var a struct{ Tier, Level, Summary string }
			if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
				return nil, fmt.Errorf("reading what %s says: %w", program, err)
			}
			all = append(all, answer{a.Level == "A", a.Tier == "SAFE", "[" + a.Tier + "] " + a.Summary})
		}
		if len(all) != len(reqs) {
			return nil, errors.Join(fmt.Errorf("%s answered %d of %d requests", program, len(all), len(reqs)), err)
		}
		return all, nil
	}
}
