package wrap

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/child"
	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// The exit codes of a command that was not executed. They are those of env(1)
// and of shells: POSIX.1-2024 sh, "EXIT STATUS".
const (
	ExitUsage    = 2            // the arguments are not right
	ExitWarn     = 3            // dry run: it would run, with a warning
	ExitRefused  = gate.Refused // 126: it was refused, or cannot be executed
	ExitNotFound = 127          // there is no such program
)

// limit is how long one assessment may take.
const limit = 10 * time.Second

// A Session is one process that runs one command.
type Session struct {
	Name     string   // how it is called in messages: heed run, heed-sh
	Env      []string // NAME=VALUE: heed's own, and the command's
	Dir      string   // where the command runs, absolute; "" if the current directory is gone
	Out, Err io.Writer
	// Guard assesses, with all that the person has added to heed, keeps requests, and
	// records.
	Guard      *guard.Guard
	Workspaces []string
	Provenance risk.Provenance
	Agent      string
	// Warn prints a line on Err for a command that runs with a warning even if
	// Err is no terminal.
	Warn bool
	// JSON prints a refusal as JSON.
	JSON bool
	// DryRun says what would be done and executes nothing.
	DryRun bool
	// Net says that it stands behind an agent's hook: what that has answered for passes.
	Net bool
	// Judge says by the exit code whether it may run, and leaves that to whoever asks.
	Judge bool

	// Erase is called before this process stays beside a command, whose words are then seen
	// once; nil if they may be seen twice.
	Erase func()

	// Confined says within what its command runs; nil where it runs like any other.
	Confined *Confined

	// Preview runs a command on top of the files and says what it changed there; nil where
	// nobody can.
	Preview func(*approval.Job, *risk.Request, *risk.Assessment) (string, error)

	// ready is what was prepared for a confined command while it was judged; nil if nothing.
	ready *confine.Ready
	// judged is the last assessment of the command.
	judged *risk.Assessment
	// assess is replaced by tests of faults.
	assess func(context.Context, risk.Request) (risk.Assessment, error)
	// limit is replaced by tests of the watchdog.
	limit time.Duration
	// began is the row of the log that later ones are about.
	began *audit.Row
	// waits is where its commands wait; see front.
	waits *policy.Front
	// settles keeps the rules that the person wanted with his yes; nil if none.
	settles func() error
	// follows is what was run before of the line that its command is the rest of.
	follows *consent.Follows
	// cover shows what this process starts that a person agreed to it.
	cover *os.File
	// who is replaced by tests, which anybody may run.
	who func(getenv func(string) string) caller.Finding
}

// getenv returns a variable of the session, or "".
func (s *Session) getenv(name string) string {
	for _, kv := range s.Env {
		if n, v, ok := strings.Cut(kv, "="); ok && n == name {
			return v
		}
	}
	return ""
}

// SetDir lets the command run in another directory, an absolute one, as cd
// would.
func (s *Session) SetDir(dir string) {
	s.Dir = dir
	s.Env = append(slices.DeleteFunc(slices.Clone(s.Env), func(kv string) bool { return strings.HasPrefix(kv, "PWD=") }), "PWD="+dir)
}

// env is the session's environment as a request has it.
func (s *Session) env() map[string]string { return child.Pairs(s.Env) }

// gate is where the session's commands are refused, or asked about.
func (s *Session) gate() *gate.Gate {
	return &gate.Gate{Name: s.Name, Err: s.Err, JSON: s.JSON, Getenv: s.getenv, Who: s.who}
}

// say prints a message of heed's own. Nothing can be done if that fails: the
// exit code says the same.
func (s *Session) say(format string, args ...any) {
	fmt.Fprintf(s.Err, s.Name+": "+format+"\n", args...)
}

// here is the current directory, or "" if it is gone.
func here() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}
