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
		{"internal/lang/bracket", "internal/generate"},
		{"risk", "internal/lang/awk", "internal/lang/dockerfile", "internal/lang/just", "internal/lang/make", "internal/lang/sed", "internal/lang/sql"},
		{"risk/internal/generate", "internal/wire", "internal/shell/shellname"},
		{"internal/value", "internal/world", "internal/arch", "internal/wrap/shellargs", "internal/attack", "internal/strictjson", "internal/strictyaml", "internal/wholefile", "internal/ownfile", "internal/xattr", "internal/confine/grant", "internal/invisible", "internal/argv", "internal/caller", "internal/child", "internal/once", "internal/housestyle", "docs", "eval"},
		{"internal/lookalike", "internal/mask", "internal/pin", "internal/acp", "internal/confine/profile", "internal/confine/hostproxy", "internal/undo"},
		{"internal/pure", "internal/detect", "internal/detect/sigma", "internal/detect/intent", "internal/policy", "internal/splice", "internal/buildfile", "internal/audit"},
		{"internal/audit/tally", "internal/audit/dialogs", "internal/audit/export", "internal/policy/rulefile"},
		{"internal/suggest"},
		{"internal/policy/foreign", "internal/policy/rulefile/internal/generate"},
		{"internal/detect/rules/internal/compile", "internal/detect/onnx/gemm", "internal/detect/onnx/token"},
		{"internal/detect/pattern", "internal/detect/heuristic", "internal/detect/rules", "internal/detect/rules/internal/generate", "internal/detect/onnx/graph"},
		{"internal/detect/onnx/onnxtest", "internal/detect/onnx"},
		{"internal/detect/onnx/ort"},
		{"internal/world/overlay", "internal/world/gitstate", "internal/world/record", "internal/world/osworld/mountinfo"},
		{"internal/world/osworld", "internal/world/madeup", "internal/workspace"},
		{"internal/catalog", "internal/world/fakeworld", "internal/confine", "internal/undo/preimage"},
		{"internal/catalog/show", "internal/catalog/sqleffect", "internal/preview", "internal/confine/learn", "internal/calibrate"},
		{"internal/inline", "internal/inline/syntax"},
		{"internal/inline/loops", "internal/inline/vouch", "internal/inline/vouchjs", "internal/inline/lexical", "internal/inline/inlinetest"},
		{"internal/inline/eval"},
		{"internal/catalog/hooks/site", "internal/catalog/hooks/tree", "internal/catalog/compile"},
		{"internal/catalog/hooks/cloud", "internal/catalog/hooks/db", "internal/catalog/hooks/net", "internal/catalog/hooks/system"},
		{"internal/catalog/hooks/text", "internal/catalog/hooks/recipe"},
		{"internal/catalog/hooks/git"},
		{"internal/catalog/hooks"},
		{"internal/witness", "internal/catalog/internal/generate", "internal/attack/internal/generate", "internal/shell", "internal/specs"},
		{"internal/shell/posix"},
		{"internal/shell/fronts"},
		{"internal/flow"},
		{"internal/engine"},
		{"internal/judge", "internal/explain"},
		{"internal/assess", "internal/self", "internal/agent", "internal/session", "internal/calibrate/page"},
		{"internal/agent/agenttest", "internal/host", "internal/replay", "internal/scan", "internal/consent", "internal/session/store"},
		{"internal/service"},
		{"internal/suggest/attacks", "internal/rules", "internal/gaps", "internal/eval", "internal/scan/drive", "internal/replay/tell", "internal/gate/approval", "internal/install"},
		{"internal/guard", "internal/daemon"},
		{"internal/scenario", "internal/own", "internal/gate"},
		{"internal/gate/screen", "internal/gate/covers"},
		{"."},
		{"heedtest", "internal/wrap", "internal/doctor", "internal/prompt", "internal/mcp"},
		{"internal/cli", "heedrun"},
		{"internal/cli/mcpserver"},
		{"cmd/heed", "cmd/heed-sh", "cmd/heed-mcp"},
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
	edges := map[[2]string]bool{}
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
				edges[[2]string{dir, to}] = true
				if other, ok := height[to]; ok && other >= mine {
					t.Errorf("%s imports %s, which is not below it", f.name, to)
				}
			}
		}
	}
	t.Logf("%d packages in %d layers, %d imports between them, none upwards", len(height), len(layers()), len(edges))
}

// pure lists the packages that compute the tier. They see the machine through
// internal/world only, so that a request, a recorded world and the data named
// in the record always give the same answer again.
func pure() []string {
	return []string{
		"risk", "internal/lang/bracket", "internal/lang/awk", "internal/lang/dockerfile", "internal/lang/just", "internal/lang/make", "internal/lang/sed", "internal/lang/sql", "internal/value", "internal/splice", "internal/buildfile", "internal/pure", "internal/inline", "internal/inline/syntax", "internal/inline/loops", "internal/inline/vouch", "internal/inline/vouchjs", "internal/inline/lexical", "internal/inline/eval", "internal/catalog", "internal/catalog/sqleffect",
		"internal/catalog/hooks", "internal/catalog/hooks/site", "internal/catalog/hooks/cloud", "internal/catalog/hooks/db", "internal/catalog/hooks/net", "internal/catalog/hooks/system", "internal/catalog/hooks/text", "internal/catalog/hooks/recipe", "internal/catalog/hooks/git", "internal/specs",
		"internal/shell", "internal/shell/posix", "internal/shell/shellname", "internal/shell/fronts", "internal/wire", "internal/flow", "internal/engine", "internal/judge", "internal/explain", "internal/assess", "internal/session",
		"internal/workspace", "internal/world", "internal/world/overlay", "internal/world/gitstate", "internal/world/record",
		"internal/mask", "internal/replay", "internal/replay/tell", "internal/gaps", "internal/catalog/show", "internal/policy", "internal/policy/rulefile", "internal/policy/foreign", "internal/consent", "internal/strictjson", "internal/strictyaml", "internal/wrap/shellargs", "internal/attack", "internal/confine/grant", "internal/confine/profile",
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
		"cmd/heed-mcp":                            "arguments and exit code",
		"internal/cli/mcpserver":                  "reads the token, ends at a signal",
		"internal/confine":                        "restricts a thread, makes namespaces, and starts the command there",
		"internal/confine/hostproxy":              "lets a confined command reach the hosts that it was granted",
		"internal/preview":                        "makes namespaces and overlays, starts the command there, and commits what it wrote",
		"internal/witness":                        "makes worlds in which commands are tried, and runs them in previews",
		"internal/wrap":                           "becomes the program that it has judged",
		"heedrun":                                 "the directory and environment of this process",
		"internal/mcp":                            "listens for agents, where a person starts heed mcp --http",
		"internal/child":                          "runs what policy allows",
		"internal/gate":                           "asks at the terminal",
		"internal/prompt":                         "answers shells through FIFOs",
		"internal/argv":                           "copies and erases this process's own words",
		"internal/caller":                         "looks who started this process and holds its terminal",
		"internal/pin":                            "keeps the PIN's hash and how often it was guessed",
		"internal/gate/screen":                    "draws on the terminal",
		"internal/gate/approval":                  "keeps what was refused for an approval",
		"internal/cli":                            "standard streams, files that are named, manual pages",
		"internal/scan/drive":                     "reads the files that are scanned",
		"internal/daemon":                         "listens for the processes of other accounts, and asks the daemon",
		"internal/guard":                          "names the open file of a cover",
		"internal/own":                            "opens the rules and the model that a person has added",
		"internal/install":                        "reads and changes the settings of agents",
		"internal/audit":                          "keeps the log of what was decided and run",
		"internal/doctor":                         "reads the settings of agents, tries heed's own hook",
		"internal/self":                           "looks where this program lies",
		"internal/wholefile":                      "writes files whole",
		"internal/undo":                           "keeps and puts back what commands destroy",
		"internal/undo/preimage":                  "starts what waits for the end of a command of which something is kept",
		"internal/ownfile":                        "opens what heed keeps of an account",
		"internal/xattr":                          "reads the attributes of files",
		"internal/session/store":                  "keeps what sessions have behind them",
		"internal/world/madeup":                   "error numbers that a real file system would answer with",
		"internal/world/osworld":                  "the one reader of this machine",
		"internal/catalog/compile":                "reads the embedded specs when heed is built",
		"internal/generate":                       "writes what is made when heed is built",
		"internal/attack/internal/generate":       "reads the ATT&CK table when heed is built",
		"risk/internal/generate":                  "reads the declared words when heed is built",
		"internal/detect/rules/internal/generate": "reads the starter pack when heed is built",
		"internal/catalog/internal/generate":      "says when heed is built what fails",
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
		"internal/doctor/try.go":        "doctor tries heed's own hook",
		"internal/cli/acpstart.go":      "heed acp starts the agent that it stands before",
		"internal/witness/world.go":     "runs heed's own script that makes a world to try commands in",
		"internal/child/child.go":       "runs what policy allows, for heedrun and heed mcp",
		"internal/child/group_unix.go":  "the group of that command",
		"internal/child/group_other.go": "the same, where there are no groups",
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

// composers lists who may import what a service is put together from.
func composers() map[string][]string {
	return map[string][]string{
		"internal/assess": {"internal/service", "internal/scenario"}, // scenarios are tests
		"internal/host":   {"internal/service"},
	}
}

// TestOneComposition: this machine, the assessor and the detectors are joined in one
// place, and everybody else asks it.
func TestOneComposition(t *testing.T) {
	t.Parallel()
	for dir, files := range load(t) {
		for _, f := range files {
			for _, i := range f.imports {
				if who, ok := composers()[own(i)]; ok && !slices.Contains(who, dir) {
					t.Errorf("%s imports %s: only %v may, others ask internal/service", f.name, i, who)
				}
			}
		}
	}
}

// TestFrontsAskTheService: what people and agents see of heed knows no stage of it
// that decides a tier.
func TestFrontsAskTheService(t *testing.T) {
	t.Parallel()
	fronts := []string{".", "internal/cli", "internal/cli/mcpserver", "internal/agent", "internal/wrap", "internal/gate", "internal/gate/screen", "internal/doctor", "internal/prompt", "internal/mcp", "internal/scan/drive", "internal/own", "internal/policy"}
	stages := []string{"internal/engine", "internal/flow", "internal/shell/posix", "internal/catalog/hooks", "internal/judge", "internal/workspace", "internal/world/osworld", "internal/world/gitstate", "internal/world/record"}
	all := load(t)
	for _, dir := range fronts {
		if len(all[dir]) == 0 {
			t.Errorf("there is no package %s", dir)
		}
		for _, f := range all[dir] {
			for _, i := range f.imports {
				if slices.ContainsFunc(stages, func(stage string) bool { return own(i) == stage || strings.HasPrefix(own(i), stage+"/") }) {
					t.Errorf("%s imports %s: ask internal/service", f.name, i)
				}
			}
		}
	}
}

// testOnly lists the packages that no program links.
func testOnly() []string {
	return []string{"internal/world/fakeworld", "internal/inline/inlinetest", "internal/scenario", "heedtest", "internal/housestyle", "internal/detect/onnx/onnxtest", "internal/agent/agenttest"}
}

// TestNoTestWorldsInTheProgram walks all that the programs import, directly or not.
func TestNoTestWorldsInTheProgram(t *testing.T) {
	t.Parallel()
	all := load(t)
	for program, least := range map[string]int{"cmd/heed": 50, "cmd/heed-sh": 50, "cmd/heed-mcp": 50, ".": 40} {
		through := map[string]string{program: ""} // who imports a package first
		for todo := []string{program}; len(todo) > 0; todo = todo[1:] {
			for _, f := range all[todo[0]] {
				for _, i := range f.imports {
					to := own(i)
					if _, seen := through[to]; to == "" || seen {
						continue
					}
					through[to] = todo[0]
					todo = append(todo, to)
				}
			}
		}
		if len(through) < least {
			t.Errorf("%s needs only %d packages of its own: what is wrong with this test?", program, len(through))
		}
		for _, p := range testOnly() {
			if len(all[p]) == 0 {
				t.Errorf("there is no package %s", p)
			}
			if by, ok := through[p]; ok {
				t.Errorf("%s comes to %s through %s: that is for tests", p, program, by)
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
