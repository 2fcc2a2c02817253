package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
)

// A said is what one hook said, whole, before it ended or was killed.
type said struct {
	command string
	id      string // of the call
	heard   agent.Answer
	ended   bool // it is the end of the call that was taken in
}

// A killing is an account whose hooks are killed.
type killing struct {
	t     *testing.T
	env   []string
	dir   string
	whole time.Duration // how long a hook takes that nobody kills, at the median

	mu                           sync.Mutex
	said                         []said
	denied                       []string          // requests of which heed deny said that they are denied
	approved                     map[string]string // requests that were approved, and their commands
	yes                          map[string]int    // how often a command was approved
	hooks, kills, untold, silent int
}

func newKilling(t *testing.T) *killing {
	t.Helper()
	home := t.TempDir()
	w := &killing{
		t: t, dir: t.TempDir(), approved: map[string]string{}, yes: map[string]int{},
		env: []string{"HOME=" + home, "XDG_STATE_HOME=" + filepath.Join(home, "state"), "PATH=/usr/bin:/bin", "USER=u", "SHELL=/bin/bash", "TERM=dumb"},
	}
	if err := os.WriteFile(filepath.Join(w.dir, ".env"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	var took []time.Duration
	for i := range 12 { // all kinds of calls
		began := time.Now()
		w.call("w", i, -1)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	w.whole = took[len(took)/2]
	return w
}

// start runs heed as a process, and kills it after a while; never if that is negative.
func (w *killing) start(in []byte, after time.Duration, args ...string) (agent.Output, bool) {
	c := exec.Command(os.Args[0])
	if program := os.Getenv("HEED_HOOK_PROGRAM"); program != "" {
		c = exec.Command(program)
	}
	c.Args = append([]string{"heed"}, args...)
	c.Env, c.Dir, c.Stdin = w.env, w.dir, bytes.NewReader(in)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Start(); err != nil {
		w.t.Error(err)
		return agent.Output{Code: -1}, false
	}
	if after >= 0 {
		defer time.AfterFunc(after, func() { _ = c.Process.Kill() }).Stop() // it may have ended
	}
	err := c.Wait()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) && !errors.Is(err, exec.ErrWaitDelay) && c.ProcessState == nil {
		w.t.Error(err)
	}
	return agent.Output{Stdout: out.Bytes(), Stderr: errs.String(), Code: c.ProcessState.ExitCode()}, !c.ProcessState.Exited()
}

// call hands the i-th call of a writer to the hook: what is read, what is asked about,
// what waits for a person, and how an earlier one ended.
func (w *killing) call(writer string, i int, after time.Duration) {
	name := fmt.Sprint(writer, "-", i)
	switch i % 4 {
	case 0:
		w.before("cat "+name, name, writer, after)
	case 1:
		w.before("frobnicate --for "+name, name, writer, after)
	case 2:
		w.before("cat .env "+name, name, writer, after)
	case 3:
		asked := fmt.Sprint(writer, "-", i-2)
		w.ended("frobnicate --for "+asked, asked, writer, after)
	}
}

func (w *killing) payload(event, command, id, session string) []byte {
	p := map[string]any{
		"session_id": session, "transcript_path": "/dev/null", "cwd": w.dir, "permission_mode": "default", "hook_event_name": event,
		"tool_name": "Bash", "tool_input": map[string]string{"command": command}, "tool_use_id": id,
	}
	if event == "PostToolUse" {
		p["tool_response"] = map[string]any{"stdout": "", "stderr": "", "interrupted": false}
	}
	text, err := json.Marshal(p)
	if err != nil {
		w.t.Error(err)
	}
	return text
}

// before asks about a command, and keeps what was answered, if that came whole.
func (w *killing) before(command, id, session string, after time.Duration) (heard agent.Answer, whole bool) {
	out, killed := w.start(w.payload("PreToolUse", command, id, session), after, "hook", agent.ClaudeCode)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count(killed)
	switch {
	case !killed && out.Code != ExitOK:
		w.t.Errorf("%s: code %d: %s", command, out.Code, out.Stderr)
		return heard, false
	case killed && !json.Valid(out.Stdout):
		w.silent++
		return heard, false
	}
	heard, err := agent.Named(agent.ClaudeCode).Heard(agent.Output{Stdout: out.Stdout})
	if err != nil {
		w.t.Errorf("%s: %q: %v", command, out.Stdout, err)
		return heard, false
	}
	w.said = append(w.said, said{command: command, id: id, heard: heard})
	return heard, true
}

// ended tells how a command ended. Who is not killed has taken it in.
func (w *killing) ended(command, id, session string, after time.Duration) {
	out, killed := w.start(w.payload("PostToolUse", command, id, session), after, "hook", agent.ClaudeCode)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count(killed)
	switch {
	case killed:
	case out.Code != ExitOK:
		w.untold++
		w.t.Logf("the end of %s: code %d: %s", id, out.Code, out.Stderr)
	default:
		w.said = append(w.said, said{command: command, id: id, ended: true})
	}
}

func (w *killing) count(killed bool) {
	w.hooks++
	if killed {
		w.kills++
	}
}

// desk is where the person of this account answers, in another process than the hooks.
func (w *killing) desk() *desk {
	d, err := newDesk(Streams{Env: w.env, refuse: func([]string) error { return nil }})
	if err != nil {
		w.t.Fatal(err)
	}
	return d
}

// waiting are the requests that heed pending lists.
func (w *killing) waiting() (digests []string) {
	out, _ := w.start(nil, -1, "pending", "--json")
	if out.Code != ExitOK || out.Stderr != "" {
		w.t.Errorf("heed pending: code %d: %s", out.Code, out.Stderr)
	}
	for line := range bytes.Lines(out.Stdout) {
		var l pendingLine
		if err := json.Unmarshal(line, &l); err != nil || l.State != approval.Pending || l.Shown == nil {
			w.t.Errorf("heed pending: %v: %s", err, line)
			continue
		}
		digests = append(digests, l.Digest)
	}
	return digests
}

// answer answers a request: with a yes, or, by a process that may be killed, with a no.
func (w *killing) answer(d *desk, digest string, yes bool, after time.Duration) {
	if !yes {
		out, killed := w.start(nil, after, "deny", digest, "--reason", "no")
		if !killed && out.Code == ExitOK {
			w.mu.Lock()
			w.denied = append(w.denied, digest)
			w.mu.Unlock()
		}
		return
	}
	r, err := d.store.Get(digest)
	if errors.Is(err, approval.ErrGone) || err == nil && r.State != approval.Pending {
		return // answered meanwhile, or one of more than are kept
	}
	if err != nil {
		w.t.Errorf("a request that waits: %v", err)
		return
	}
	if _, err := d.keep(r, gate.Answer{Choice: gate.Once, By: "person"}); err != nil {
		if answered := new(approval.AnsweredError); !errors.As(err, &answered) && !errors.Is(err, approval.ErrGone) {
			w.t.Errorf("a yes is not kept: %v", err)
		}
		return
	}
	w.mu.Lock()
	w.approved[digest] = r.Facts.Command
	w.yes[r.Facts.Command]++
	w.mu.Unlock()
}

// hold holds what was said against the log, which has to be whole.
func (w *killing) hold() {
	w.t.Helper()
	if out, _ := w.start(nil, -1, "log", "verify"); out.Code != ExitOK {
		w.t.Errorf("heed log verify: code %d: %s%s", out.Code, out.Stdout, out.Stderr)
	}
	l, err := own.LogOf(w.env)
	if err != nil {
		w.t.Fatal(err)
	}
	rows := map[string]int{}
	total := 0
	for r, err := range l.Rows(w.t.Context(), audit.Filter{}) {
		if err != nil {
			w.t.Fatal(err)
		}
		total++
		rows[strings.TrimSpace(r.Command+": "+string(r.Kind)+" "+r.Decision)]++
		rows[string(r.Kind)+" of "+r.Request]++
	}
	allowed, unrecorded := map[string]int{}, 0
	answered := map[string]bool{}
	for _, s := range w.said {
		answered[s.id] = answered[s.id] || !s.ended
	}
	for _, s := range w.said {
		has := func(what string) bool { return rows[strings.TrimSpace(s.command+": "+what)] > 0 }
		var found bool
		switch {
		case s.ended:
			// Of a call that nobody answered heed takes no end in.
			found = !answered[s.id] || rows[string(audit.Finished)+" of "+s.id] > 0
		case s.heard.Decision == policy.Ask || s.heard.Decision == policy.Deny:
			if found = has("assessed") && has("decided ask") && has("asked ask"); !found && strings.Contains(s.heard.Reason, "cannot record") {
				unrecorded++ // it says so, and is asked about
				continue
			}
		default:
			allowed[s.command]++
			found = has("assessed") && (has("decided allow") || has("decided"))
		}
		if !found {
			w.t.Errorf("what was answered is not in the log: %+v", s)
		}
	}
	for digest, command := range w.approved {
		if rows["approved of "+approval.Show(digest)] < w.yes[command] {
			w.t.Errorf("a yes to %s is lost", command)
		}
	}
	ran := 0
	for command, n := range allowed {
		if !strings.Contains(command, ".env") && !strings.Contains(command, "frobnicate") {
			continue
		}
		if ran += n; n > w.yes[command] {
			w.t.Errorf("%s was let run %d times, and approved %d times", command, n, w.yes[command])
		}
	}
	for _, digest := range w.denied {
		if rows["denied of "+approval.Show(digest)] == 0 {
			w.t.Errorf("the no to %s is lost", digest)
		}
	}
	// And the next one works.
	if heard, whole := w.before("cat afterwards", "afterwards", "w", -1); !whole || stopped(heard) {
		w.t.Errorf("the next hook: %+v", heard)
	}
	w.t.Logf("%d hooks, %d killed (%d before they answered); %d answers held against %d rows: none lost; %d said that they could not be recorded; %d ends not taken in; %d requests approved, %d of them run, %d denied",
		w.hooks, w.kills, w.silent, len(w.said), total, unrecorded, w.untold, len(w.approved), ran, len(w.denied))
}

// seeded is where the points come from at which hooks are killed.
func seeded(stream uint64) *rand.Rand {
	seed, err := strconv.ParseUint(os.Getenv("HEED_HOOK_SEED"), 10, 64)
	if err != nil {
		seed = 1
	}
	return rand.New(rand.NewPCG(seed, stream))
}

// number is a number that a variable may set.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return otherwise
}

// TestKilledHooks kills hooks with SIGKILL at random points of their lives, HEED_HOOK_KILLS
// of them: what was answered stands in the log, no yes counts twice, and nothing runs that
// nobody recorded. HEED_HOOK_PROGRAM is the heed that is killed, for want of another this
// test; HEED_HOOK_SEED leads to other points.
func TestKilledHooks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts and kills programs for seconds: not in short mode")
	}
	w, random := newKilling(t), seeded(0)
	d := w.desk()
	want := number("HEED_HOOK_KILLS", 40)
	point := func() time.Duration { return time.Duration(random.Int64N(int64(w.whole) * 5 / 4)) }
	for i := 0; w.kills < want && i < 10*want; i++ {
		w.call("k", i, point())
		if i%8 != 7 {
			continue
		}
		if digests := w.waiting(); len(digests) > 0 {
			digest := digests[random.IntN(len(digests))]
			w.answer(d, digest, random.IntN(3) > 0, point())
			if command, ok := w.approved[digest]; ok {
				for range 3 {
					w.before(command, "again", "k", point())
				}
			}
		}
	}
	if w.kills < want {
		t.Errorf("only %d were killed", w.kills)
	}
	w.hold()
}

// TestKilledHooksAtOnce has eight agents call and their hooks killed, while a person
// answers. HEED_HOOK_SECONDS says for how long.
func TestKilledHooksAtOnce(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts and kills programs for seconds: not in short mode")
	}
	seconds := number("HEED_HOOK_SECONDS", 2)
	w := newKilling(t)
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			random := seeded(uint64(n) + 1)
			for i := 0; time.Now().Before(end); i++ {
				// Eight at once take longer.
				w.call(fmt.Sprint("a", n), i, time.Duration(random.Int64N(8*int64(w.whole))))
				if n > 1 || i%4 != 3 {
					continue
				}
				w.mu.Lock()
				var commands []string
				for _, command := range w.approved {
					commands = append(commands, command)
				}
				w.mu.Unlock()
				if slices.Sort(commands); len(commands) > 0 { // two agents try the same again
					w.before(commands[random.IntN(len(commands))], "again", fmt.Sprint("a", n), -1)
				}
			}
		})
	}
	all.Go(func() {
		random, d := seeded(9), w.desk()
		for time.Now().Before(end) {
			digests := w.waiting()
			if len(digests) == 0 {
				continue
			}
			w.answer(d, digests[random.IntN(len(digests))], random.IntN(3) > 0, time.Duration(random.Int64N(8*int64(w.whole))))
		}
	})
	all.Wait()
	w.hold()
}
