package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/ownfile"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/undo"
	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

// maxPayload is the longest payload that is read, in bytes.
const maxPayload = 8 << 20

func newHook(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "hook AGENT",
		Short: "Answer a coding agent that is about to run a command",
		Long: `hook is started by the agent (heed install puts it there), reads what it is
about to do on standard input, and answers in its protocol, as the policy says
(heed policy show): what is harmless runs, what is CAUTION/B is asked about in the
agent's own dialog, and what is REVIEW waits for a person: heed approve, or heed watch.
When anything goes wrong it ends with what this agent takes for a refusal; for most
that is code 2 and nothing on standard output.

AGENT is one of those that heed install names, or auto: heed then finds out who calls
by what was handed over.`,
		Example:               "  heed hook claude-code < payload.json\n  heed hook auto < payload.json",
		DisableFlagsInUseLine: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return &exitError{code: Hook(args, s)}
		},
	}
}

// IsHook reports whether heed was started to answer an agent, and gives the
// arguments for [Hook].
//
// Old versions of Claude Code (2.1.110, not 2.1.158) leave out the arguments of
// a hook. heed would print its help with code 0, and the command would run
// unread: so no arguments at all, in a hook's environment, are a call too.
func IsHook(args []string, getenv func(string) string) (rest []string, ok bool) {
	if len(args) == 0 {
		if getenv("AGENT_TOOL_NAME") != "" {
			return []string{agent.Amp}, true // a permission names a program without arguments
		}
		return []string{agent.ClaudeCode}, getenv("CLAUDE_PROJECT_DIR") != ""
	}
	// Help is for people, and the framework has it.
	if args[0] != "hook" || len(args) > 1 && (args[1] == "--help" || args[1] == "-h") {
		return nil, false
	}
	return args[1:], true
}

// Hook runs `heed hook` and returns its exit code. cmd/heed calls it without
// the framework of the other verbs, because an agent waits for it before every
// command.
//
// It keeps one promise above all: the answer comes in one piece, in the agent's own
// words, or what is printed and the exit code are what that agent takes for a refusal
// ([agent.Adapter.RefuseWith]; for most it is code 2 and an empty standard output).
// Agents take other codes, or a broken answer, as leave to run the command.
func Hook(args []string, s Streams) int {
	// First of all: whatever happens below, it ends before the agent's patience does.
	alarm(hookEnd)
	// A reader that is gone must not end heed with a signal, which agents
	// take as leave too.
	signal.Ignore(syscall.SIGPIPE)
	sparing(envOf(s))
	h := hook{limit: agent.HookLimit * time.Second, patience: agent.HookPatience * time.Second, memory: hookMemory, guard: func(req *risk.Request) *guard.Guard {
		return own.Guard(ServiceFor(s, req), s.Env)
	}}
	return h.run(args, s)
}

// hookEnd is when a hook ends at the latest, with an answer or without: it may take its
// limit three times (to judge, once more for what could not be judged, and after a person
// has answered) and wait for that person, and some for what it says.
const hookEnd = (3*agent.HookLimit + agent.HookPatience + 5) * time.Second

// A hook answers one payload with what is decided about its command, within the
// limit. Where somebody looks at the requests it waits for an answer, too.
type hook struct {
	guard    func(*risk.Request) *guard.Guard
	limit    time.Duration
	patience time.Duration
	memory   uint64 // how much it may have in use, in bytes; 0: no limit
}

func (h *hook) run(args []string, s Streams) int {
	adapter, err := hooked(args)
	if err == nil && discarded(s.Out) {
		err = errors.New("nobody can read the answer: standard output is closed or thrown away")
	}
	var out agent.Output
	if err == nil {
		out, adapter, err = h.inTime(adapter, s)
	}
	if err != nil {
		out = adapter.RefuseWith("heed: the command is not run, because heed could not judge it: " + explain.Visible(err.Error()) + " (heed doctor checks the hook)\n")
	}
	if out.Stderr != "" {
		fmt.Fprint(s.Err, out.Stderr)
	}
	if len(out.Stdout) == 0 {
		return out.Code
	}
	if _, err := s.Out.Write(out.Stdout); err != nil {
		fmt.Fprintln(s.Err, "heed: the command is not run, because the answer could not be written: "+explain.Visible(err.Error()))
		return ExitUsage
	}
	return out.Code
}

// inTime is what is to be printed, and who has called. What answer does has limits of its
// own; this is the one of all together, files that do not answer among it.
func (h *hook) inTime(adapter *agent.Adapter, s Streams) (agent.Output, *agent.Adapter, error) {
	type answer struct {
		out agent.Output
		by  *agent.Adapter
		err error
	}
	a, err := service.Within(context.Background(), 3*h.limit+h.patience, func(context.Context) (answer, error) {
		by := adapter
		out, err := h.answer(&by, s)
		return answer{out, by, err}, nil
	})
	if err != nil {
		return agent.Output{}, adapter, err
	}
	return a.out, a.by, a.err
}

// anyAgent is the name of the hook that finds out who calls it.
const anyAgent = "auto"

// hooked is the adapter that a hook was started for; nil for any.
func hooked(args []string) (*agent.Adapter, error) {
	if len(args) == 1 {
		if a := agent.Named(args[0]); a != nil || args[0] == anyAgent {
			return a, nil
		}
	}
	return nil, errors.New("name the agent that calls: heed hook " + strings.Join(append(agent.Names(), anyAgent), " | "))
}

// discarded reports whether what is written goes nowhere. Go opens the null device
// in the place of a standard stream that is closed, where writing succeeds.
func discarded(out io.Writer) bool {
	f, isFile := out.(*os.File)
	if !isFile {
		return false
	}
	to, err := f.Stat()
	if err != nil {
		return true
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && os.SameFile(to, null)
}

// A judged is a call that was read.
type judged struct {
	adapter *agent.Adapter
	call    agent.Call
	req     risk.Request
	guard   *guard.Guard
	getenv  func(string) string // of the hook
	summary string              // what its person is told; "" if nothing
}

// answer returns what is to be printed. The work is done beside it, so that
// the clock decides if it does not end. adapter becomes that of whoever called, where that is another than it was said.
func (h *hook) answer(adapter **agent.Adapter, s Streams) (agent.Output, error) {
	named := *adapter
	caller := make(chan *agent.Adapter, 1)
	defer func() {
		select {
		case *adapter = <-caller:
		default:
		}
	}()
	read := make(chan *judged, 1)  // what was read, as soon as it was
	over := make(chan struct{}, 1) // it is an event about which nothing is to be decided
	type decided struct {
		*judged
		*guard.Outcome
	}
	watched, stop := spared(context.Background(), h.memory)
	defer stop()
	d, err := service.Within(watched, h.limit, func(ctx context.Context) (decided, error) {
		j, err := h.read(named, caller, over, s)
		if err != nil {
			return decided{}, err
		}
		read <- j
		o, err := j.decide(ctx)
		return decided{j, o}, err
	})
	if err != nil {
		select {
		case <-over:
			return agent.Output{}, nil // a refusal would keep the agent from stopping
		default:
		}
	}
	var much *greedy
	if err != nil && errors.As(context.Cause(watched), &much) {
		err = &service.Failure{Reason: much.Error()}
	}
	var late *service.TooLate
	var fault *service.Failure
	switch {
	case err == nil:
		return h.printed(d.judged, d.Outcome)
	case !errors.As(err, &late) && !errors.As(err, &fault):
		return agent.Output{}, err
	}
	select {
	case j := <-read:
		// It is as it would be for a command that heed does not read: a person can let
		// it run. That must not take long, or fail, a second time.
		o, again := service.Within(context.Background(), max(h.limit, time.Second), func(ctx context.Context) (*guard.Outcome, error) {
			return j.guard.Unjudged(ctx, j.req, err.Error(), policy.Agent)
		})
		if again != nil {
			return agent.Output{}, err
		}
		return h.printed(j, o)
	default:
		if late != nil {
			return agent.Output{}, fmt.Errorf("no whole payload came on standard input within %s", h.limit)
		}
		return agent.Output{}, err
	}
}

// read reads the payload. Agents read each other's settings: whoever sent it is answered
// as it can be, and is told on caller; over is told if nothing is to be decided.
func (h *hook) read(adapter *agent.Adapter, caller chan<- *agent.Adapter, over chan<- struct{}, s Streams) (*judged, error) {
	text, err := io.ReadAll(io.LimitReader(s.In, maxPayload+1))
	if err != nil {
		return nil, fmt.Errorf("reading the payload: %w", err)
	}
	if len(text) > maxPayload {
		return nil, fmt.Errorf("the payload is longer than %d MiB", maxPayload>>20)
	}
	p, err := agent.NewPayload(text, envOf(s))
	if err != nil {
		return nil, err
	}
	p.Dir = s.Dir
	if adapter == nil || adapter.Shared && !adapter.Detect(p) {
		switch other, err := agent.Of(p); {
		case err == nil:
			adapter = other
			caller <- adapter
		case adapter == nil:
			return nil, err
		}
	}
	j := &judged{adapter: adapter, getenv: envOf(s)}
	if j.call, err = adapter.Read(p); err != nil {
		return nil, err
	}
	if j.call.Event > agent.After {
		over <- struct{}{}
	}
	j.req = j.call.Request(s.Env)
	j.guard = h.guard(&j.req)
	j.guard.KeepClicks = !adapter.AsksAbout(&j.call)
	return j, nil
}

// decide has the call's command judged; there is no outcome if it has none.
func (j *judged) decide(ctx context.Context) (*guard.Outcome, error) {
	switch {
	case j.call.Event == agent.Ended || j.call.Event == agent.Paused:
		j.sum(ctx)
		return nil, nil
	case j.call.Event != agent.Before:
		return nil, j.told(ctx)
	case j.call.Language == agent.None && j.call.Shown == "":
		return nil, nil
	case j.call.Language == agent.PowerShell:
		return j.guard.Unjudged(ctx, j.req, "heed does not read PowerShell", policy.Agent)
	}
	deepen(nil)
	switch j.call.Language {
	case agent.Typed:
		return j.typed(ctx)
	case agent.Files:
		return j.files(ctx)
	case agent.None:
		return j.shows(ctx)
	}
	return j.guard.Call(ctx, j.req, policy.Agent)
}

// typed has a text judged that is typed into a program which runs already. It is what
// it would be for a shell, and no less than unread: what that program is, and where it
// stands, is not known.
func (j *judged) typed(ctx context.Context) (*guard.Outcome, error) {
	if a, err := j.guard.Service.Assess(ctx, j.req); err == nil && a.Tier == risk.Review {
		return j.guard.Call(ctx, j.req, policy.Agent)
	}
	return j.guard.Unjudged(ctx, j.req, "it is typed into a program that runs already, which heed does not see", policy.Agent)
}

// told takes in what an agent tells afterwards. That it cannot be kept stops nothing.
func (j *judged) told(ctx context.Context) error {
	r := &guard.Report{Read: j.call.Read, From: j.call.Tool, Shown: j.call.Shown, Dir: j.call.Dir}
	if o := j.call.Outcome; o != nil && j.call.Language != agent.None {
		r.Outcome = &audit.Outcome{Code: o.Code, MS: o.MS}
	}
	if j.call.Event != agent.After || r.Read == "" && r.Shown == "" && r.Outcome == nil {
		return nil
	}
	if r.Shown != "" {
		deepen(nil)
	}
	return j.guard.Told(ctx, &j.req, r)
}

// sum makes the summary of the session, where its agent shows one. Nobody waits for it:
// where it cannot be made there is none.
func (j *judged) sum(ctx context.Context) {
	if !j.adapter.Tells(&j.call) {
		return
	}
	s, err := j.guard.Summary(ctx, &j.req, j.call.Event == agent.Ended)
	if err != nil || s == nil {
		return
	}
	j.summary = summaryText(s, j.req.Session, keptSince(j.getenv, s.Since.Time()))
}

// maxWorst is how much of a sentence a summary quotes, in characters.
const maxWorst = 160

// summaryText is a summary as people see it, in two lines: counts, and where there is more.
func summaryText(s *guard.Summary, session string, kept int) string {
	text := "heed: " + s.Text
	if w := &s.Worst; w.Tier != risk.Safe.String() {
		text += fmt.Sprintf(" The worst: [%s] %s", w.Tier, explain.Cut(w.Summary, maxWorst))
	}
	text += "\n"
	if kept > 0 {
		text += plural(kept, "command") + " can be undone: heed undo list. "
	}
	return text + "More: heed log --session " + shellargs.Quote(session)
}

// keptSince is how many commands can be undone that ran since then.
func keptSince(getenv func(string) string, since time.Time) (n int) {
	dir, err := ownfile.State(getenv, "undo")
	if err != nil {
		return 0
	}
	if _, err := os.Stat(dir); err != nil {
		return 0 // a summary makes no store
	}
	store, err := undo.Open(getenv)
	if err != nil {
		return 0
	}
	defer func() { _ = store.Close() }() // a directory: nothing is buffered
	entries, _, err := store.List()
	if err != nil {
		return 0
	}
	for _, e := range entries {
		if !e.Made.Before(since) {
			n++
		}
	}
	return n
}

// printed is the answer to an agent. Where a person looks at the requests now, it
// waits for what he says.
func (h *hook) printed(j *judged, o *guard.Outcome) (agent.Output, error) {
	switch {
	case j.summary != "":
		return j.adapter.Tell(j.summary)
	case j.call.Event != agent.Before:
		return agent.Output{}, nil
	case o == nil:
		return j.adapter.Write(&j.call, agent.Answer{})
	}
	if r := o.Request; r != nil && r.State == approval.Pending && j.guard.Store.Attended() {
		ctx, cancel := context.WithTimeout(context.Background(), h.patience)
		defer cancel()
		r, err := j.guard.Store.Await(ctx, r.Digest)
		if err == nil && r.State != approval.Pending {
			again, err := service.Within(context.Background(), h.limit, j.decide)
			if err != nil {
				return agent.Output{}, err
			}
			o = again
		}
	}
	j.pass(o)
	answer := j.adapter.Answer(&j.call, &o.Answer.Assessment, &o.Decision, NoteOf(o))
	if answer.Command = j.rewritten(o); answer.Command != "" {
		answer.Reason += "\nheed runs it, and the kernel keeps it to that."
	}
	return j.adapter.Write(&j.call, answer)
}

// pass lets a command that is not refused through the second net, where there is one: its
// person is asked once.
func (j *judged) pass(o *guard.Outcome) {
	refused := o.Decision.Action == policy.Deny || o.Request != nil && !o.Approved
	if refused || j.call.Language != agent.POSIX || o.Answer.Level == risk.A || j.guard.StoreErr != nil || !agent.IsNet(j.getenv) {
		return
	}
	if mask.For(j.req.Command, j.req.Env).Masks(j.req.Command) {
		return // it is not written down: a person approves it at the net once more
	}
	// Without it the net stops the command, and says so.
	_ = j.guard.Store.Pass(approval.Pass{Command: j.req.Command, Dir: j.req.Dir})
}

// NoteOf is what an agent is told beside the decision.
func NoteOf(o *guard.Outcome) *agent.Note {
	n := &agent.Note{Approved: o.Approved, Changed: o.Drifted, Trouble: o.Trouble}
	if r := o.Request; r != nil {
		n.Digest, n.Denied, n.Reason = approval.Show(r.Digest), r.State == approval.Denied, r.Answer.Reason
		if part := guard.AgreedOf(r, r.Facts.Command, r.Facts.Job.Shell); part != nil {
			n.First = part.First
		}
	}
	if o.Rest != nil {
		n.Rest = approval.Show(o.Rest.Digest)
	}
	return n
}
