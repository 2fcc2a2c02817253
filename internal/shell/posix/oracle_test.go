package posix_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/risk"
)

// A row is a script whose calls of the program show heed must foresee, word for
// word, as the real shells make them.
type row struct {
	script string
	// shells are those that the script is meant for; none: all of them.
	shells string
	// differs says in which of them heed is known to answer otherwise, and how.
	differs []difference
}

// A difference is what a real shell does with a script and what heed says that
// it does. Calls are written as [rendered] writes them.
type difference struct {
	shells, real, heed string
	why                string
}

// dialects are heed's dialects and the programs they are checked against.
func dialects() [][2]string {
	return [][2]string{{"bash", "bash"}, {"sh", "dash"}, {"mksh", "mksh"}, {"zsh", "zsh"}}
}

// tables are all rows, by what they are about.
func tables() map[string][]row {
	return map[string][]row{
		"words": wordRows(), "param": paramRows(), "arith": arithRows(), "loops": loopRows(), "read": readRows(),
		"redirect": redirectRows(), "test": testRows(), "control": controlRows(), "glob": globRows(), "own": ownRows(),
		"parse": parseRows(), "builtin": builtinRows(), "children": childRows(), "gaps": gaps(), "place": placeRows(),
	}
}

// TestOracle runs every script in the real shells and in heed, and compares the
// words that show is called with. A difference must be marked, must be the one
// that is marked, and must still be there.
func TestOracle(t *testing.T) {
	t.Parallel()
	assessor := assess.New()
	for _, d := range dialects() {
		dialect, binary := d[0], d[1]
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(binary)
			if err != nil {
				missing(t, binary)
			}
			tools := showDir(t)
			for name, rows := range tables() {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					for _, r := range rows {
						if r.runs(dialect) {
							r.check(t, assessor, dialect, path, tools)
						}
					}
				})
			}
		})
	}
}

// missing skips a test that needs a program, unless all must be there.
func missing(t *testing.T, program string) {
	t.Helper()
	if os.Getenv("REQUIRE_SHELLS") == "1" {
		t.Fatalf("%s is not installed, and REQUIRE_SHELLS=1", program)
	}
	t.Skipf("%s is not installed", program)
}

func (r *row) runs(dialect string) bool {
	return r.shells == "" || slices.Contains(strings.Fields(r.shells), dialect)
}

// difference is what is marked for a dialect, or nil.
func (r *row) difference(dialect string) *difference {
	for i := range r.differs {
		if slices.Contains(strings.Fields(r.differs[i].shells), dialect) {
			return &r.differs[i]
		}
	}
	return nil
}

func (r *row) check(t *testing.T, assessor *assess.Assessor, dialect, shell, tools string) {
	t.Helper()
	p := newPlayground(t)
	heed := p.foreseen(t, assessor, dialect, r.script) // which changes nothing there
	real := p.realCalls(t, tools, shell, dialect, r.script)
	switch d := r.difference(dialect); {
	case d == nil && real != heed:
		t.Errorf("%s\n%s\n%s: %s\nheed: %s", dialect, r.script, filepath.Base(shell), real, heed)
	case d == nil:
	case real == heed:
		t.Errorf("%s\n%s\nis marked as different and is not: both say %s", dialect, r.script, real)
	case real != d.real || heed != d.heed:
		t.Errorf("%s\n%s\ndiffers otherwise than marked\n%s: %s\nmarked: %s\nheed: %s\nmarked: %s", dialect, r.script, filepath.Base(shell), real, d.real, heed, d.heed)
	}
}

// TestOracleRows checks the tables themselves: outside of the gaps heed must get
// a script right in one shell at least, and every mark needs a reason.
func TestOracleRows(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for name, rows := range tables() {
		if len(rows) == 0 {
			t.Errorf("%s: no rows", name)
		}
		for _, r := range rows {
			if key := r.script + "\x00" + r.shells; seen[key] {
				t.Errorf("%s: twice: %s", name, r.script)
			} else {
				seen[key] = true
			}
			agree := 0
			for _, d := range dialects() {
				if r.runs(d[0]) && r.difference(d[0]) == nil {
					agree++
				}
			}
			if (agree == 0) != (name == "gaps") {
				t.Errorf("%s: in %d shells heed is right about: %s", name, agree, r.script)
			}
			for _, d := range r.differs {
				if d.why == "" || d.real == d.heed || d.shells == "" {
					t.Errorf("%s: a mark without a reason, a difference or a shell: %s", name, r.script)
				}
			}
		}
	}
}

// showDir makes a directory that holds the program show. A child writes it: a
// process that forks at the same time would keep the file open for writing in
// its children for a moment, and what is open so cannot be run (execve(2),
// ETXTBSY; go.dev/issue/22315).
func showDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	c := exec.Command("sh", "-c", `cat > "$1" && chmod 755 "$1"`, "sh", filepath.Join(dir, "show"))
	c.Stdin = strings.NewReader("#!/bin/sh\n{ for w; do printf '%s\\037' \"$w\"; done; printf '\\036'; } >> \"$SHOW_LOG\"\n")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("writing show: %v\n%s", err, out)
	}
	return dir
}

// A playground is where a script runs: a directory, a home, and what show wrote.
type playground struct{ dir, home, log string }

func newPlayground(t *testing.T) playground {
	t.Helper()
	p := playground{dir: t.TempDir(), home: t.TempDir()}
	p.log = filepath.Join(t.TempDir(), "calls")
	for name, text := range map[string]string{"a.txt": "alpha\n", "b.txt": "beta\n", "sub/x": "", "sub/y": "", ".hidden": ""} {
		file := filepath.Join(p.dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// unreadable is what is said of a script that is not read at all.
const unreadable = "unreadable"

// rendered writes calls of show: their words quoted, with a semicolon between
// calls.
func (p *playground) rendered(calls [][]string) string {
	var out []string
	for _, words := range calls {
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, fmt.Sprintf("%q", w))
		}
		out = append(out, strings.Join(quoted, " "))
	}
	return strings.NewReplacer(p.dir, "DIR", p.home, "HOME").Replace(strings.Join(out, " ; "))
}

// realCalls runs a script and returns the calls of show.
func (p *playground) realCalls(t *testing.T, tools, shell, dialect, script string) string {
	t.Helper()
	environment := []string{"PATH=" + tools + ":/usr/bin:/bin", "HOME=" + p.home, "SHOW_LOG=" + p.log, "LC_ALL=C.UTF-8"}
	run := func(args ...string) error {
		cmd := exec.Command(shell)
		cmd.Args, cmd.Dir, cmd.Env = append([]string{dialect}, args...), p.dir, environment
		return cmd.Run()
	}
	var plain []string
	if dialect == "zsh" {
		plain = []string{"-f"}
	}
	_ = run(append(plain, "-c", script)...) // some scripts fail on purpose
	text, err := os.ReadFile(p.log)
	if os.IsNotExist(err) {
		if run(append(plain, "-n", "-c", script)...) != nil {
			return unreadable
		}
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	var calls [][]string
	for call := range strings.SplitSeq(strings.TrimSuffix(string(text), "\x1e"), "\x1e") {
		var words []string
		if call != "" {
			words = strings.Split(strings.TrimSuffix(call, "\x1f"), "\x1f")
		}
		calls = append(calls, words)
	}
	return p.rendered(calls)
}

// foreseen returns the calls of show that heed sees.
func (p *playground) foreseen(t *testing.T, a *assess.Assessor, dialect, script string) string {
	t.Helper()
	req := risk.Request{Command: script, Shell: dialect, Dir: p.dir, Env: map[string]string{"PATH": "/usr/bin:/bin", "HOME": p.home, "LC_ALL": "C.UTF-8"}}
	out, _, _ := a.Assess(t.Context(), host.New(p.home, "user").View(&req), req)
	if out.Error != "" {
		t.Errorf("%s: %s", script, out.Error)
	}
	var calls [][]string
	for _, inv := range out.Invocations {
		if inv.Argv[0] == "show" {
			calls = append(calls, inv.Argv[1:])
		}
	}
	if len(calls) == 0 && slices.ContainsFunc(out.Unknowns, func(u risk.Unknown) bool { return u.Role == risk.RoleParse }) {
		return unreadable
	}
	return p.rendered(calls)
}
