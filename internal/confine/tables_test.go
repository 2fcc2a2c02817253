package confine

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTables holds the calls that the filters of both machines name against the tables that
// they are taken from, on whichever machine the test runs: a name that one of them lacks would
// not be seen before somebody builds there, and a call that the other has under the same
// name would be let through.
func TestTables(t *testing.T) {
	t.Parallel()
	tables := map[string]map[string]int{}
	for _, machine := range []string{"amd64", "arm64"} {
		tables[machine] = numbers(t, filepath.Join(sysUnix(t), "zsysnum_linux_"+machine+".go"), `(?m)^\tSYS_(\w+)\s+= (\d+)$`)
	}
	for machine, table := range tables {
		own := named(t, "seccomp_linux_"+machine+".go")
		for name := range own {
			if _, ok := table[name]; !ok {
				t.Errorf("%s has no %s", machine, name)
			}
		}
		for _, file := range []string{"seccomp_linux.go", "watch_linux.go", "stage_linux.go", "caps_linux.go", "landlock_linux.go", "run_linux.go"} {
			for name := range named(t, file) {
				if _, ok := table[name]; !ok {
					t.Errorf("%s has no %s, which %s names for every machine", machine, name, file)
				}
			}
		}
		for other := range tables {
			for name := range named(t, "seccomp_linux_"+other+".go") {
				if _, has := table[name]; has && !own[name] {
					t.Errorf("%s has %s as well as %s, and does not name it", machine, name, other)
				}
			}
		}
		// What is not looked at does not exist in a box, but only behind the newest.
		if last := slices.Max(slices.Collect(maps.Values(table))); last != table["RSEQ_SLICE_YIELD"] {
			t.Errorf("%s: there are calls up to %d that nobody has looked at", machine, last)
		}
	}
	// What only arm64 has under a name was looked at as well: where the numbers of one machine
	// begin, which is no call.
	for name := range tables["arm64"] {
		if _, both := tables["amd64"][name]; !both && name != "ARCH_SPECIFIC_SYSCALL" {
			t.Errorf("nobody has looked at %s of arm64", name)
		}
	}
}

// TestKernel holds the tables against the kernel's own headers, where those are.
func TestKernel(t *testing.T) {
	t.Parallel()
	for machine, header := range map[string]string{"amd64": "/usr/include/x86_64-linux-gnu/asm/unistd_64.h", "arm64": "/usr/include/asm-generic/unistd.h"} {
		if _, err := os.Stat(header); err != nil {
			t.Logf("%s: %v", machine, err)
			continue
		}
		kernel := numbers(t, header, `(?m)^#define __NR(?:3264)?_(\w+)\s+(\d+)$`)
		table := numbers(t, filepath.Join(sysUnix(t), "zsysnum_linux_"+machine+".go"), `(?m)^\tSYS_(\w+)\s+= (\d+)$`)
		held := 0
		for _, file := range []string{"seccomp_linux.go", "watch_linux.go", "seccomp_linux_" + machine + ".go"} {
			for name := range named(t, file) {
				nr, ok := kernel[strings.ToLower(name)]
				if !ok { // headers older than the call
					continue
				}
				if held++; nr != table[name] {
					t.Errorf("%s: %s is %d, and %d for the kernel", machine, name, table[name], nr)
				}
			}
		}
		if held < 100 {
			t.Errorf("%s: %d numbers were compared", machine, held)
		}
	}
}

// sysUnix is where the tables stand that this package is built with.
func sysUnix(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "golang.org/x/sys/unix").Output()
	if err != nil {
		t.Skipf("there is no go command: %v", err)
	}
	return strings.TrimSpace(string(out))
}

// numbers reads a table of names and numbers.
func numbers(t *testing.T, file, line string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, m := range regexp.MustCompile(line).FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil {
			t.Fatal(err)
		}
		out[m[1]] = n
	}
	if len(out) < 250 {
		t.Fatalf("%s: %d calls", file, len(out))
	}
	return out
}

// named are the calls that a file of this package names.
func named(t *testing.T, file string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for _, m := range regexp.MustCompile(`\bunix\.SYS_(\w+)`).FindAllStringSubmatch(string(text), -1) {
		out[m[1]] = true
	}
	return out
}
