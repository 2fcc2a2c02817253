package arch

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestMain removes the binary that tests share.
func TestMain(m *testing.M) {
	code := m.Run()
	if name, err := binary(); err == nil {
		_ = os.RemoveAll(filepath.Dir(name)) // what remains is in the temp directory
	}
	os.Exit(code)
}

// binary builds heed once, as it is released: without cgo.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "heed-arch-")
	if err != nil {
		return "", err
	}
	name := filepath.Join(dir, "heed")
	build := exec.Command("go", "build", "-o", name, "./cmd/heed")
	build.Dir = root
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building without cgo: %w\n%s", err, out)
	}
	return name, nil
})

// built returns the binary's name. In short mode the test is skipped.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the program: not in short mode")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skipf("cannot build the program: %v", err)
	}
	name, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// The start-up budget: what all packages together may allocate before main.
// Bytes and counts do not depend on the machine's load as times do; a package
// that compiles tables or expressions at init costs hundreds of kilobytes. In
// November 2026 heed needs 93 kB in 805 allocations, of which go.yaml.in/yaml/v4
// and mvdan.cc/sh/v3 take two thirds; what draws the terminal gate, another 48 kB in 121
// (docs/decisions/terminal-gate.md). heed's own packages make nothing: what they
// need they make when it is asked for (package once). What lets a confined command reach
// some hosts, net/http, takes another 16 kB: it wants a program of its own.
const (
	initBytes  = 2 * 94 << 10
	initAllocs = 2 * 805
)

// TestStartsWithoutWorking reads GODEBUG=inittrace=1, whose lines are "init
// internal/poll @0.67 ms, 0.001 ms clock, 72 bytes, 2 allocs". Source: package
// runtime, "Environment Variables".
func TestStartsWithoutWorking(t *testing.T) {
	t.Parallel()
	run := exec.Command(built(t), "--version")
	run.Env = []string{"GODEBUG=inittrace=1", "HOME=" + t.TempDir()}
	var trace bytes.Buffer
	run.Stderr = &trace
	if err := run.Run(); err != nil {
		t.Fatal(err)
	}
	packages, bytes, allocs := 0, 0, 0
	clock := 0.0
	lines := bufio.NewScanner(&trace)
	for lines.Scan() {
		var name string
		var at, took float64
		var b, a int
		if _, err := fmt.Sscanf(lines.Text(), "init %s @%f ms, %f ms clock, %d bytes, %d allocs", &name, &at, &took, &b, &a); err != nil {
			continue
		}
		packages, bytes, allocs, clock = packages+1, bytes+b, allocs+a, clock+took
		if strings.HasPrefix(name, module) && a > 0 {
			t.Errorf("%s makes something before main: %d bytes, %d allocations", name, b, a)
		}
	}
	if packages < 5 {
		t.Fatalf("only %d packages in the trace: has its format changed?", packages)
	}
	t.Logf("%d packages, %d bytes, %d allocations, %.2f ms", packages, bytes, allocs, clock)
	if bytes > initBytes || allocs > initAllocs {
		t.Errorf("packages allocate %d bytes in %d allocations before main, want at most %d in %d", bytes, allocs, initBytes, initAllocs)
	}
}
