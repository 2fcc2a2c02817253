package arch

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// layers lists the packages from the bottom to the top, several of one height
// in a line: a package imports only packages of lines above its own. It is the
// order in which a command travels (docs/project-layout.md); a new package
// gets its place here.
func layers() [][]string {
	return [][]string{
		{"risk"},
		{"internal/wire", "internal/shell/shellname"},
		{"risk/internal/generate", "internal/value", "internal/pure", "internal/world", "internal/arch", "internal/wrap/shellargs", "internal/attack", "docs"},
		{"internal/detect", "internal/detect/sigma", "internal/detect/intent"},
		{"internal/detect/rules/internal/compile", "internal/detect/onnx/gemm", "internal/detect/onnx/token"},
		{"internal/detect/pattern", "internal/detect/heuristic", "internal/detect/rules", "internal/detect/rules/internal/generate", "internal/detect/onnx/graph"},
		{"internal/detect/onnx/onnxtest", "internal/detect/onnx"},
		{"internal/detect/onnx/ort"},
		{"internal/world/overlay", "internal/world/gitstate", "internal/world/record", "internal/world/osworld/mountinfo"},
		{"internal/world/osworld", "internal/world/fakeworld", "internal/workspace"},
		{"internal/catalog"},
		{"internal/catalog/show"},
		{"internal/inline"},
		{"internal/catalog/hooks", "internal/catalog/compile"},
		{"internal/catalog/internal/generate", "internal/attack/internal/generate", "internal/shell", "internal/specs"},
		{"internal/shell/posix"},
		{"internal/shell/fronts"},
		{"internal/flow"},
		{"internal/engine"},
		{"internal/judge", "internal/explain"},
		{"internal/assess"},
		{"internal/host", "internal/scenario", "internal/scan", "internal/rules"},
		{"."},
		{"internal/agent", "internal/eval", "internal/gaps", "internal/replay"},
		{"internal/wrap/approval"},
		{"internal/wrap"},
		{"internal/cli"},
		{"cmd/heed", "cmd/heed-sh"},
	}
}

func TestImportsPointOneWay(t *testing.T) {
	t.Parallel()
	height := map[string]int{}
	for i, layer := range layers() {
		for _, p := range layer {
			height[p] = i
		}
	}
	for dir, files := range load(t) {
		mine, known := height[dir]
		if !known {
			t.Errorf("package %s has no place in the layers: add it to internal/arch/imports_test.go", dir)
			continue
		}
		for _, f := range files {
			for _, i := range f.imports {
				to := own(i)
				if to == "" {
					continue
				}
				if other, ok := height[to]; ok && other >= mine {
					t.Errorf("%s imports %s, which is not below it", f.name, to)
				}
			}
		}
	}
}

// pure lists the packages that compute the tier. They see the machine through
// internal/world only, so that a request, a recorded world and the data named
// in the record always give the same answer again.
func pure() []string {
	return []string{
		"risk", "internal/value", "internal/pure", "internal/inline", "internal/catalog", "internal/catalog/hooks", "internal/specs",
		"internal/shell", "internal/shell/posix", "internal/shell/shellname", "internal/shell/fronts", "internal/wire", "internal/flow", "internal/engine", "internal/judge", "internal/explain", "internal/assess",
		"internal/workspace", "internal/world", "internal/world/overlay", "internal/world/gitstate", "internal/world/record",
		"internal/replay", "internal/gaps", "internal/catalog/show", "internal/wrap/shellargs", "internal/attack",
		"internal/detect", "internal/detect/pattern", "internal/detect/sigma", "internal/detect/heuristic", "internal/detect/intent",
	}
}

// machine lists what the pure packages may not import, with the reason. A
// pattern is matched as in [path.Match].
func machine() map[string]string {
	const touches, clock, random = "touches the machine", "asks the clock", "is not the same twice"
	return map[string]string{
		"os": touches, "os/*": touches, "net": touches, "net/http": touches, "net/http/*": touches, "net/rpc": touches, "net/smtp": touches,
		"syscall": touches, "plugin": touches, "io/ioutil": touches, "log": touches, "log/*": touches, "unsafe": touches,
		"path/filepath": "depends on the system it runs on: paths here are those of the shell, package path reads them",
		"time":          clock, "testing": "is for tests",
		"math/rand": random, "math/rand/*": random, "crypto/rand": random, "maphash": random, "hash/maphash": random,
		"mvdan.cc/sh/v3/interp": "runs programs and makes FIFOs",
	}
}

func TestWhatJudgesCannotTouchTheMachine(t *testing.T) {
	t.Parallel()
	all := load(t)
	for _, dir := range pure() {
		if len(all[dir]) == 0 {
			t.Errorf("there is no package %s", dir)
		}
		for _, f := range all[dir] {
			for _, i := range f.imports {
				for pattern, why := range machine() {
					if ok, err := path.Match(pattern, i); err != nil || ok {
						t.Errorf("%s imports %s, which %s", f.name, i, why)
					}
				}
			}
		}
	}
}

// hands lists the only packages that import os, os/exec, net, syscall or
// unsafe at all, with what for.
func hands() map[string]string {
	return map[string]string{
		"cmd/heed":                                "arguments and exit code",
		"cmd/heed-sh":                             "arguments and exit code",
		"internal/wrap":                           "becomes the program that it has judged, asks at the terminal",
		"internal/wrap/approval":                  "keeps what was refused for an approval",
		"internal/cli":                            "standard streams, suites, manual pages",
		"internal/world/osworld":                  "the one reader of this machine",
		"internal/world/fakeworld":                "error numbers that a real file system would answer with",
		"internal/catalog/compile":                "reads the embedded specs when heed is built",
		"internal/catalog/internal/generate":      "reads specs when heed is built",
		"internal/attack/internal/generate":       "reads the ATT&CK table when heed is built",
		"risk/internal/generate":                  "reads the declared words when heed is built",
		"internal/detect/rules/internal/generate": "reads the starter pack when heed is built",
	}
}

func TestFewPackagesTouchTheMachine(t *testing.T) {
	t.Parallel()
	for dir, files := range load(t) {
		if _, ok := hands()[dir]; ok {
			continue
		}
		for _, f := range files {
			for _, i := range f.imports {
				if slices.Contains([]string{"os", "net", "syscall", "unsafe", "C"}, i) || strings.HasPrefix(i, "os/") || strings.HasPrefix(i, "net/http") {
					t.Errorf("%s imports %s: only %v may", f.name, i, sortedKeys(hands()))
				}
			}
		}
	}
}

// starters lists the only files that start a program, with which.
func starters() map[string]string {
	return map[string]string{
		"internal/cli/doctorrun.go": "doctor tries heed's own hook",
	}
}

func TestNothingRunsPrograms(t *testing.T) {
	t.Parallel()
	for _, files := range load(t) {
		for _, f := range files {
			if _, ok := starters()[f.name]; ok {
				continue
			}
			for _, i := range f.imports {
				if i == "os/exec" || i == "plugin" || i == "C" || i == "mvdan.cc/sh/v3/interp" {
					t.Errorf("%s imports %s: nothing is run to find out what it does", f.name, i)
				}
			}
		}
	}
}

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
