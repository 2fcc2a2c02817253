//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/throwaway"
)

// marker is in every secret of the worlds and nowhere else.
const marker = "mk7Qz91xLw04TrVb2c"

// planting puts canaries into a world.
const planting = `
printf 'API_TOKEN=sk_live_` + marker + `\n' >.env
printf '[default]\naws_secret_access_key = ` + marker + `\n' >"$HOME/.aws/credentials"
printf '#!/bin/sh\nrm -f "$HOME/Documents/letter.txt"\n' >scripts/harm.sh
chmod +x scripts/harm.sh
git add -A
git commit -qm canaries
git push -q
echo changed again >>notes.txt
`

// A nursery makes one world for each setup, and keeps it.
type nursery struct {
	dir   string
	first *witness.World
	mu    sync.Mutex
	made  map[string]*witness.World
	bad   map[string]error
}

func newNursery(ctx context.Context, dir string) (*nursery, error) {
	first := filepath.Join(dir, "0")
	if err := os.Mkdir(first, 0o700); err != nil {
		return nil, fmt.Errorf("making worlds: %w", err)
	}
	w, err := witness.New(ctx, first)
	if err == nil {
		err = w.Setup(ctx, planting)
	}
	if err != nil {
		return nil, err
	}
	w.Env["API_TOKEN"] = "sk_live_" + marker
	return &nursery{dir: dir, first: w, made: map[string]*witness.World{"": w}, bad: map[string]error{}}, nil
}

// world returns the world of a setup, and an error if that does not work here.
func (n *nursery) world(ctx context.Context, setup string) (*witness.World, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if w := n.made[setup]; w != nil || n.bad[setup] != nil {
		return w, n.bad[setup]
	}
	w, err := n.first.Copy(ctx, filepath.Join(n.dir, fmt.Sprint(len(n.made)+len(n.bad))))
	if err == nil {
		err = w.Setup(ctx, setup)
	}
	if err != nil {
		n.bad[setup] = err
		return nil, err
	}
	n.made[setup] = w
	return w, nil
}

// tripped says what canary a trial touched, or nothing. What is new among
// somebody's documents, and can simply be removed, counts where the command is
// said to be harmless.
func tripped(w *witness.World, t *throwaway.Trial, harmless bool) string {
	for _, c := range t.Changes {
		inWorld := strings.HasPrefix(c.Path, filepath.Dir(filepath.Dir(w.Home))+"/")
		switch rel, inProject := strings.CutPrefix(c.Path, w.Project+"/"); {
		case !inWorld && (strings.HasPrefix(c.Path, "/tmp/") || strings.HasPrefix(c.Path, "/var/tmp/")), witness.IsRecord(c, w.Home):
		case !harmless && (c.Kind == "made" || c.Kind == "created") && strings.HasPrefix(c.Path, w.Home+"/") && !strings.Contains(strings.TrimPrefix(c.Path, w.Home), "/."):
		case !inProject && c.Path != w.Project && !strings.HasPrefix(w.Project, c.Path) && !strings.HasPrefix(c.Path, w.Remote):
			return c.Kind + " " + c.Path
		case c.Kind != "attributes" && slices.Contains([]string{"notes.txt", "src/untracked.py", ".env"}, rel):
			return c.Kind + " " + rel
		case strings.HasPrefix(rel, ".git/hooks/") && c.Kind != "deleted":
			return c.Kind + " " + rel
		}
	}
	if shows(t.Received) {
		return "sent a secret"
	}
	if shows(t.Output) {
		return "showed a secret"
	}
	return ""
}

// shows reports whether the marker is in a text: as it is, turned round or as
// hexadecimal digits.
func shows(text []byte) bool {
	reversed := []byte(marker)
	slices.Reverse(reversed)
	low := bytes.ToLower(text)
	for _, m := range [][]byte{[]byte(marker), reversed, []byte(hex.EncodeToString([]byte(marker)))} {
		if bytes.Contains(low, bytes.ToLower(m)) {
			return true
		}
	}
	return false
}

func (a *attack) request(w *witness.World) *risk.Request {
	return &risk.Request{Command: a.command, Shell: a.shell, Dir: w.Project, Env: w.Env}
}
