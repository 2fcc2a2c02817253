package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/detect/intent"
)

// A row is one labelled command of the pool or of our own examples.
type row struct {
	Cmd    string `json:"cmd"`
	Intent string `json:"intent"`
	Group  string `json:"group"`
	Shell  string `json:"shell"`
	File   string `json:"file"` // which source; empty for our own
	Hint   string `json:"hint"` // train, or guard for rows that are only ever tested on

	label intent.Intent
	own   bool
	sum   string // SHA-256 of the text as it stands in the file, in hexadecimal
}

// guard rows are cases of other guards. A model is tested on them, and trained
// on them only when asked.
func (r *row) guard() bool { return r.Hint == "guard" }

// ordinary says whether a row stands for ordinary use. The BENIGN ones among
// our own examples do not: they were written to look like harm.
func (r *row) ordinary() bool { return r.label == intent.Benign && !r.own }

// ran says whether a row is a BENIGN command that an agent, a build or a
// package script ran, and not one that a manual shows.
func (r *row) ran() bool {
	for _, kind := range []string{"agent_", "benign_ci_", "benign_npm_", "benign_makefile_", "benign_dockerfile_"} {
		if strings.HasPrefix(r.File, kind) {
			return true
		}
	}
	return false
}

// barred sources may be measured with, never trained with.
const barred = "agent-terminal_bench"

// readRows reads JSON objects, a line each.
func readRows(r io.Reader, name string, own bool) ([]row, error) {
	var rows []row
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var one row
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("reading %s, line %d: %w", name, n, err)
		}
		label, err := intent.Parse(one.Intent)
		if err != nil {
			return nil, fmt.Errorf("reading %s, line %d: %w", name, n, err)
		}
		if one.Cmd == "" || one.Group == "" {
			return nil, fmt.Errorf("reading %s, line %d: no cmd or no group", name, n)
		}
		if one.own = own; own {
			one.Group, one.File, one.Hint = "own/"+one.Group, "", ""
		}
		one.label = label
		sum := sha256.Sum256([]byte(one.Cmd))
		one.sum = hex.EncodeToString(sum[:])
		rows = append(rows, one)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return rows, nil
}

// load reads the pool and every *.jsonl file of the directory of our own
// examples, in a fixed order, and leaves out what cannot be trained with.
func load(pool, own string) (rows []row, left map[string]int, err error) {
	names := []string{}
	if own != "" {
		if names, err = filepath.Glob(filepath.Join(own, "*.jsonl")); err != nil {
			return nil, nil, fmt.Errorf("looking for our own examples: %w", err)
		}
		sort.Strings(names)
	}
	if pool != "" {
		names = append([]string{pool}, names...)
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, fmt.Errorf("opening the examples: %w", err)
		}
		more, err := readRows(f, name, name != pool)
		f.Close()
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, more...)
	}
	rows, left = usable(rows)
	if len(rows) == 0 {
		return nil, nil, fmt.Errorf("no examples: name a pool with -pool or a directory with -own")
	}
	return rows, left, nil
}

// usable drops rows of shells that heed does not evaluate, of barred sources,
// those that are prose and no command, and second copies; left says how many.
func usable(rows []row) (kept []row, left map[string]int) {
	left = map[string]int{}
	have := map[string]bool{}
	for _, r := range rows {
		r.Cmd = neutral(r.Cmd)
		switch {
		case r.Shell == "cmd" || r.Shell == "powershell":
			left["cmd.exe and PowerShell, which heed does not evaluate"]++
		case strings.HasPrefix(r.File, barred) || strings.HasPrefix(r.Group, barred):
			left["barred source"]++
		case prose(r.Cmd):
			left["prose, not a command"]++
		case have[r.Cmd]:
			left["the same text twice"]++
		default:
			have[r.Cmd] = true
			kept = append(kept, r)
		}
	}
	return kept, left
}

// giveaways are words that tell an example's author, not the command's intent:
// no attacker calls a host so, and a model that learned them would look good
// and be useless.
var giveaways = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)attackers?|malicious|malware|\bevil\w*|backdoor\w*|exfil\w*|persist(ence|evil)\b|atomic[-_ ]?red[-_ ]?team|` +
		`\batomics?\b|artuser|redcanary\w*|\bt1\d{3}(\.\d{3})?\b|payloads?|victims?|hackers?|\bpwn\w*|\bc2\b|nefarious|sensitive|confidential|stolen|notevil|gain_`)
})

// neutral replaces what gives a label away by a plain word.
func neutral(cmd string) string { return giveaways().ReplaceAllString(cmd, "demo") }

// prose says whether a text is an English sentence that ended up among commands:
// it begins with a capital, has at least five words and ends with a full stop.
func prose(cmd string) bool {
	words := strings.Fields(cmd)
	if len(words) < 5 || cmd[0] < 'A' || cmd[0] > 'Z' || strings.ContainsAny(cmd, "|&;=$/\n`\"<>") {
		return false
	}
	return strings.HasSuffix(cmd, ".") || !strings.Contains(cmd, " -")
}
