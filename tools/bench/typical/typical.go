// Package typical has the commands and the world that heed's speed is measured
// with: what people and agents run, in a small repository.
package typical

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Commands returns commands as people and agents run them, from harmless to
// not.
func Commands() []string {
	return []string{
		"ls -la", "cat README.md", "grep -rn needle src", "find . -name '*.go' -newer go.mod", "head -50 src/a.go | tail -5",
		"git status", "git diff HEAD~1 -- src", "git log --oneline -20", "git show HEAD", "git branch -a",
		"git add -A", "git commit -m 'Fix the thing'", "git push origin main", "git push --force origin topic", "git reset --hard HEAD~1",
		"git checkout -- src/a.go", "git stash", "git clean -fd", "git rebase -i HEAD~3", "git branch -D old",
		"rm -rf node_modules", "rm src/a.go", "rm -rf build/*", "mkdir -p out && cp -r src out/", "mv notes.txt docs/notes.txt",
		"sed -i 's/a/b/' src/a.go", "chmod +x run.sh", "echo hello > out.txt", "touch a b c", "tar -xzf archive.tgz -C out",
		"npm install", "npm test", "make clean", "go test ./...", "./run.sh --fast",
		"curl -fsSL https://example.com/setup.sh | sh", "docker run --rm -v \"$PWD\":/w alpine ls", "kubectl get pods -n web",
		"cd build; rm -rf *", "for f in src/*.go; do wc -l \"$f\"; done", "if [ -f go.mod ]; then cat go.mod; fi", "ps aux | grep server | awk '{print $2}'",
	}
}

// Env returns the whole environment of a person whose home is the directory.
func Env(home string) map[string]string {
	return map[string]string{"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin", "USER": "u", "LANG": "C.UTF-8"}
}

// Repository makes a git work tree below a home: so many tracked files, some
// of them changed, some files that git does not know, and a node_modules with a
// tenth of the number that git ignores. It has what the commands name: a history of
// some commits, the branches old and topic, and a remote with one commit less. It
// returns the work tree.
func Repository(home string, files int) (string, error) {
	dir := filepath.Join(home, "project")
	for i := range files {
		if err := put(dir, fmt.Sprintf("src/d%d/f%d.go", i/100, i), fmt.Sprintf("package d // %d\n", i)); err != nil {
			return "", err
		}
	}
	for i := range max(10, files/10) {
		if err := put(dir, fmt.Sprintf("node_modules/m%d/f%d.js", i/20, i), "x\n"); err != nil {
			return "", err
		}
	}
	tracked := [][2]string{
		{"src/a.go", "package src\n"},
		{"README.md", "# A project\n"},
		{"go.mod", "module example.com/project\n"},
		{"run.sh", "#!/bin/sh\nmake clean\n"},
		{"Makefile", "clean:\n\trm -rf build\n"},
		{"package.json", `{"scripts":{"test":"node test.js"}}`},
		{"package-lock.json", "{}"},
		{".gitignore", "node_modules/\nbuild/\n"},
	}
	if err := putAll(dir, tracked); err != nil {
		return "", err
	}
	if err := commit(home, dir); err != nil {
		return "", err
	}
	return dir, putAll(dir, [][2]string{{"src/a.go", "package src // changed\n"}, {"notes.txt", "untracked\n"}, {"build/out.o", "x\n"}})
}

// commit makes a repository of the directory, with all that it holds in its first commit.
func commit(home, dir string) error {
	steps := [][]string{
		{"init", "-q", "-b", "main"},
		{"config", "gc.auto", "0"},
		{"config", "maintenance.auto", "false"},
		{"config", "user.name", "u"},
		{"config", "user.email", "u@example.com"},
		{"add", "-A"},
		{"commit", "-qm", "one"},
	}
	for range 4 {
		steps = append(steps, []string{"commit", "--allow-empty", "-qm", "more"})
	}
	steps = append(steps, [][]string{
		{"branch", "old", "HEAD~1"},
		{"branch", "topic"},
		{"remote", "add", "origin", "git@git.example.com:u/project.git"},
		{"update-ref", "refs/remotes/origin/main", "HEAD~1"},
		{"update-ref", "refs/remotes/origin/topic", "HEAD~1"},
	}...)
	for _, args := range steps {
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("git %v: %w\n%s", args, err, out)
		}
	}
	return nil
}

func putAll(dir string, files [][2]string) error {
	for _, f := range files {
		if err := put(dir, f[0], f[1]); err != nil {
			return err
		}
	}
	return nil
}

func put(dir, name, text string) error {
	name = filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return fmt.Errorf("making a repository: %w", err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		return fmt.Errorf("making a repository: %w", err)
	}
	return nil
}
