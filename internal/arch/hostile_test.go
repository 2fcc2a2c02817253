package arch

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// hostileRepo makes a home and a git repository in which nearly every git
// command runs a program of the repository's choice, with files that are slow,
// endless or somewhere else. What is run leaves a file called MARKER.
func hostileRepo(t *testing.T) (home, repo string) {
	t.Helper()
	top := t.TempDir()
	home, repo = filepath.Join(top, "home"), filepath.Join(top, "home", "repo")
	files := map[string]string{
		"run.sh":         "#!/bin/sh\ntouch MARKER\n",
		"tool":           "\x7fELF not really",
		".env":           "TOKEN=abc\n",
		".gitattributes": "* filter=evil diff=evil merge=evil\n",
		".gitignore":     "node_modules/\n",
		"Makefile":       "X := $(shell touch MARKER)\nall install:\n\ttouch MARKER\n",
		"package.json":   `{"scripts":{"test":"touch MARKER","pretest":"touch MARKER"}}`,
		"a.txt":          "one\n",
		"node_modules/m": "x\n",
	}
	for name, text := range files {
		write(t, filepath.Join(repo, name), text)
	}
	write(t, filepath.Join(home, "evil.inc"), "[alias]\n\tst = !touch MARKER\n[core]\n\tpager = touch MARKER\n")
	git := func(args ...string) {
		t.Helper()
		c := exec.Command("git", args...)
		c.Dir = repo
		c.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z"}
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	git("init", "-q", "-b", "main", ".")
	git("-c", "user.name=a", "-c", "user.email=a@b.c", "add", "-A")
	git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "one")
	for key, value := range map[string]string{
		"core.fsmonitor":     "./run.sh",
		"filter.evil.clean":  "./run.sh",
		"filter.evil.smudge": "./run.sh",
		"diff.evil.command":  "./run.sh",
		"diff.evil.textconv": "./run.sh",
		"merge.evil.driver":  "./run.sh",
		"core.hooksPath":     "hooks",
		"core.sshCommand":    "./run.sh",
		"core.editor":        "./run.sh",
		"credential.helper":  "!./run.sh",
		"gpg.program":        "./run.sh",
		"include.path":       "~/evil.inc",
		"remote.origin.url":  "ext::./run.sh",
	} {
		git("config", key, value)
	}
	for _, hook := range []string{"pre-commit", "post-checkout", "pre-push", "post-commit", "fsmonitor-watchman"} {
		write(t, filepath.Join(repo, "hooks", hook), "#!/bin/sh\ntouch MARKER\n")
	}
	write(t, filepath.Join(repo, "a.txt"), "two\n")
	if err := syscall.Mkfifo(filepath.Join(repo, "fifo"), 0o644); err != nil {
		t.Logf("no FIFO: %v", err)
	}
	for name, target := range map[string]string{"link": "/", "loop": "loop", "zero": "/dev/zero"} {
		if err := os.Symlink(target, filepath.Join(repo, name)); err != nil {
			t.Fatal(err)
		}
	}
	return home, repo
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// listing names every file with what a change would change.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		i, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, name, i.Mode(), i.Size(), i.ModTime().UnixNano())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func quoteJSON(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
