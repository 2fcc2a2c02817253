// Command worker answers commands for tools/bench/pair and says how long each
// answer took. It uses of heed only what old trees have as well.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/risk"
)

// A turn is what one line of the input asks for.
type turn struct {
	Requests []request         `json:"requests"`
	Env      map[string]string `json:"env"`
}

type request struct {
	Cmd   string `json:"cmd"`
	Shell string `json:"shell"`
	Dir   string `json:"dir"`
}

func main() {
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

// work answers turns until there is no more. A turn's answer is how many
// nanoseconds each of its requests took.
func work() error {
	engine := heed.New(heed.Options{})
	in, out := json.NewDecoder(bufio.NewReader(os.Stdin)), json.NewEncoder(os.Stdout)
	for in.More() {
		var t turn
		if err := in.Decode(&t); err != nil {
			return fmt.Errorf("reading a turn: %w", err)
		}
		took := make([]int64, len(t.Requests))
		for i, r := range t.Requests {
			req := risk.Request{Command: r.Cmd, Shell: r.Shell, Dir: r.Dir, Env: t.Env}
			start := time.Now()
			_, _ = engine.Assess(context.Background(), req)
			took[i] = time.Since(start).Nanoseconds()
		}
		if err := out.Encode(took); err != nil {
			return fmt.Errorf("answering a turn: %w", err)
		}
	}
	return nil
}
