package prompt

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/heedsh/heed/risk"
)

// settles is how long a badge has to stand before a second key counts: what was typed, or
// pasted, before it could be read is no answer.
const settles = 250 * time.Millisecond

// A Helper answers the requests of one shell.
type Helper struct {
	Shell string   // one of [Shells]
	Env   []string // NAME=VALUE, of the shell when it began
	Guard *guard.Guard
	// Who finds out who is at the shell; it is asked where something hangs on that.
	Who func() caller.Finding
	// Limit is how long one answer may take.
	Limit time.Duration
	// Previews is whether heed previews commands on this machine.
	Previews bool
	// Behind runs what an answer need not wait for; nil: at once.
	Behind func(func())

	now     func() time.Time // replaced by tests
	trouble string           // why the last rows could not be recorded
}

// limit is how long an answer takes at most where nothing else is said.
const limit = 2 * time.Second

// key is what a person presses to confirm REVIEW.
const key = "Ctrl-X o"

// look is what a person presses to see what a line would change.
const look = "Ctrl-X p"

// Answer answers one request.
func (h *Helper) Answer(ctx context.Context, r *Request) Answer {
	text := r.Text()
	if strings.TrimSpace(text) == "" {
		return Answer{Action: Run}
	}
	within := h.Limit
	if within == 0 {
		within = limit
	}
	j, err := service.Within(ctx, within, func(ctx context.Context) (*judged, error) { return h.judge(ctx, r) })
	if err != nil {
		return h.unless(unanswered(err))
	}
	if !h.waits() {
		return h.tell(ctx, j)
	}
	return h.settle(ctx, r, j)
}

// waits reports whether a line can be kept from running in the shell.
func (h *Helper) waits() bool { return h.Shell != "nu" }

// unless is an answer without what is said of keys, for a shell that waits for none.
func (h *Helper) unless(a Answer) Answer {
	if h.waits() {
		return a
	}
	badge, _, _ := strings.Cut(a.Badge, "\n")
	return Answer{Action: Run, Badge: badge}
}

// tell is the answer where nothing waits: the line runs, and the log says so.
func (h *Helper) tell(ctx context.Context, j *judged) Answer {
	if j.unread != "" {
		return Answer{Action: Run, Badge: "[CAUTION] " + j.unread + ": what it does is not judged."}
	}
	if j.Tier == risk.Safe && !j.Final {
		return Answer{Action: Run}
	}
	a := Answer{Action: Run, Badge: j.badge()}
	switch {
	case j.Final:
		a.Badge += "\n  The " + j.Layer.String() + " rule " + explain.Visible(j.Rule) + " denies it, and " + h.Shell + " runs it."
	case j.asks():
		a.Badge += "\n  It runs: " + h.Shell + " waits for nobody."
	}
	if h.trouble != "" {
		a.Badge += "\n  " + explain.Visible(h.trouble)
	}
	h.keep(ctx, j.row, guard.DecidedRow(j.row, &j.Decision), j.row.As(audit.Started))
	return a
}

// unanswered is what a shell is told of a line that could not be judged. A person typed
// it, so it is not held like REVIEW; but nobody calls it harmless.
func unanswered(err error) Answer {
	return Answer{Action: Ask, Badge: "[CAUTION] heed could not judge this line: " + explain.Cut(explain.Visible(err.Error()), 160) + "\n  Enter once more runs it."}
}

// A judged is a line of which heed found something out.
type judged struct {
	more bool // it is not whole
	risk.Assessment
	policy.Decision
	req risk.Request
	row audit.Row
	who caller.Finding
	// unread says why heed does not read the line.
	unread string
}

// badge is the line's own.
func (j *judged) badge() string {
	badge := "[" + j.Tier.String() + "] " + explain.Visible(j.Summary)
	if j.Error != "" {
		badge += " (" + explain.Cut(explain.Visible(j.Error), 120) + ")"
	}
	return badge
}

// asks reports whether a person is to agree to the line.
func (j *judged) asks() bool {
	return j.Action == policy.Ask && (j.Tier == risk.Review || j.Layer != policy.BuiltIn) || j.Action == policy.Deny
}

// judge assesses a line, as a person's, or an agent's where one types here.
func (h *Helper) judge(ctx context.Context, r *Request) (*judged, error) {
	j := &judged{req: risk.Request{Command: r.Text(), Shell: dialect(h.Shell), Dir: r.Dir, Env: h.env(r), Provenance: risk.LocalUser}}
	if j.req.Dir != "" && !filepath.IsAbs(j.req.Dir) {
		return nil, errors.New("the shell did not say where it is")
	}
	if who := caller.Variables(func(name string) string { return j.req.Env[name] }); who.Agent != "" && !who.Shared {
		j.req.Agent, j.req.Provenance = who.Agent, risk.ModelSuggestion
	}
	command := j.req.Command
	if !native(h.Shell) {
		bash, ok := plain(h.Shell, command, r.named())
		switch {
		case ok:
			command = bash
		case strings.Contains(command, `\'`):
			// Where a quote ends is another place there than in the shells that heed reads.
			j.unread = "heed does not read this line of " + h.Shell
			return j, nil
		default:
			command = shellargs.Join([]string{h.Shell, "-c", command}) // as other code that is read as text
		}
	} else {
		if service.Unfinished(command, j.req.Shell) {
			j.more = true
			return j, nil
		}
		if r.has("nocomments") {
			command = literalComments(command)
		}
		command = replaced(command, r.Globals)
	}
	asked := j.req
	asked.Command = command
	a, err := h.Guard.Service.At(asked.Env["HOME"], asked.Env["USER"], asked.Dir).Beside(ctx, h.has(r), asked)
	var failure *service.Failure
	if err != nil && !errors.As(err, &failure) {
		return nil, err
	}
	j.Assessment = a.Assessment
	j.Decision = h.Guard.Service.Decision(&j.Assessment, &j.req, policy.Run)
	j.row, err = audit.AssessedRow(&j.req, &j.Assessment, false)
	return j, err
}

// env is the environment that a line is judged in: that of the shell when it began, with
// the variables that it named since.
func (h *Helper) env(r *Request) map[string]string {
	env := make(map[string]string, len(h.Env)+len(r.Set))
	for _, kv := range h.Env {
		if name, val, ok := strings.Cut(kv, "="); ok {
			env[name] = val
		}
	}
	maps.Copy(env, r.Set)
	for _, name := range r.Unset {
		delete(env, name)
	}
	if r.Dir != "" {
		env["PWD"] = r.Dir
	}
	return env
}

// has is what else the shell has: functions, aliases as functions of their names, and
// variables that hold anything.
func (h *Helper) has(r *Request) *shell.Left {
	l := &shell.Left{}
	read := dialect(h.Shell)
	for name, text := range r.Funcs {
		l.Funcs = append(l.Funcs, shell.LeftFunc{Name: name, Dialect: read, Text: text})
	}
	for name := range r.Aliases {
		if functionName(name) {
			l.Funcs = append(l.Funcs, shell.LeftFunc{Name: name, Dialect: read, Text: name + "() { " + unfolded(name, r.Aliases) + ` "$@"; }`})
		}
	}
	for _, name := range r.Open {
		l.Vars = append(l.Vars, shell.LeftVar{Name: name, Open: true})
	}
	return l
}

// settle is what the shell does with a line.
func (h *Helper) settle(ctx context.Context, r *Request, j *judged) Answer {
	switch {
	case j.more:
		return Answer{Action: More}
	case j.unread != "":
		return Answer{Action: Ask, Badge: "[CAUTION] " + j.unread + ": what it does is not judged.\n  Enter once more runs it."}
	}
	badge := j.badge()
	switch {
	case j.Final:
		return h.stopped(ctx, j, badge, "the "+j.Layer.String()+" rule "+explain.Visible(j.Rule)+" denies it")
	case j.asks():
		return h.wait(ctx, r, j, badge)
	case len(j.Broken) > 0 && j.Tier != risk.Safe:
		return Answer{Action: Ask, Badge: badge + "\n  " + explain.Cut(explain.Visible(strings.Join(j.Broken, "; ")), 200) + "\n  Enter once more runs it."}
	case h.trouble != "" && j.Tier != risk.Safe:
		// What cannot be recorded is not run unasked.
		return Answer{Action: Ask, Badge: badge + "\n  " + explain.Visible(h.trouble) + "\n  Enter once more runs it."}
	}
	hidden := j.Tier != risk.Safe && hides(r) && !h.agent(j)
	if j.Tier == risk.Safe {
		return Answer{Action: Run}
	}
	decided := guard.DecidedRow(j.row, &j.Decision)
	if hidden {
		decided.Rule, decided.Reason, badge = "typed.hidden", "its badge was hidden by the line's leading space and backslash", ""
	}
	h.keep(ctx, j.row, decided, j.row.As(audit.Started))
	return Answer{Action: Run, Badge: badge}
}

// hides reports whether a line begins as one whose badge is not to be shown.
func hides(r *Request) bool { return r.Before == "" && strings.HasPrefix(r.Line, ` \`) }

// agent reports whether an agent, or nobody, is at the shell.
func (h *Helper) agent(j *judged) bool {
	if j.who == (caller.Finding{}) {
		j.who = h.Who()
	}
	return j.who.Agent != "" && !j.who.Shared || j.who.Nobody != ""
}

// stopped is the answer to a line that does not run.
func (h *Helper) stopped(ctx context.Context, j *judged, badge, why string) Answer {
	h.keep(ctx, j.row, guard.DecidedRow(j.row, &j.Decision))
	return Answer{Action: Stop, Badge: badge + "\n  It is not run: " + why + "."}
}

// wait is the answer to a line that takes a second key, and to that key.
func (h *Helper) wait(ctx context.Context, r *Request, j *judged, badge string) Answer {
	// Looking who is here takes longer than a badge may: that is done when a yes is said,
	// but where the shell's own variables tell it.
	if (r.Verb == Confirm || j.req.Agent != "") && h.agent(j) {
		return h.stopped(ctx, j, badge, explain.Cut(explain.Visible(j.who.Refuse().Error()), 200))
	}
	clock := time.Now
	if h.now != nil {
		clock = h.now
	}
	now := clock()
	shown, since := "", time.Duration(0)
	if hash, at, ok := strings.Cut(r.Token, "@"); ok {
		if ms, err := strconv.ParseInt(at, 10, 64); err == nil {
			shown, since = hash, now.Sub(time.UnixMilli(ms))
		}
	}
	is := token(j)
	next := Answer{Action: Wait, Token: is + "@" + strconv.FormatInt(now.UnixMilli(), 10)}
	switch {
	case r.Verb == Confirm && shown == is && since >= settles:
		yes := j.row.As(audit.Approved)
		yes.By, yes.Decision, yes.WaitedMS = "person", "allow", since.Milliseconds()
		h.keep(ctx, yes, j.row.As(audit.Started))
		return Answer{Action: Run}
	case r.Verb == Confirm && shown == is:
		next.Badge = badge + "\n  That was too early to have read it: " + key + " once more runs it."
		return next
	case r.Verb == Confirm && shown != "":
		badge += "\n  It is another answer than before."
	}
	asked := guard.DecidedRow(j.row, &j.Decision)
	h.keep(ctx, j.row, asked, asked.As(audit.Asked))
	next.Badge = badge + also(j) + "\n  " + key + " runs it. Enter does nothing." + h.offered(j)
	return next
}

// offered says that the line can be previewed, where a preview shows something of it: not
// what only others would notice, as those at the other end of a connection.
func (h *Helper) offered(j *judged) string {
	if _, nothing := preview.Beyond(&j.Assessment); !h.Previews || !native(h.Shell) || nothing || j.Error != "" {
		return ""
	}
	return " " + look + " shows what it would change."
}

// also is what a person reads of a line that waits beside its sentence.
func also(j *judged) string {
	if len(j.Safer) == 0 {
		return ""
	}
	return "\n  safer: " + explain.Cut(explain.Visible(j.Safer[0].Command), 120)
}

// token names what was shown: another answer has another.
func token(j *judged) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%s\x00%s", j.req.Command, j.req.Dir, j.Tier, j.Summary, j.Rule))
	return hex.EncodeToString(sum[:8])
}

// keep records rows behind the answer. What cannot be kept is told with the next line.
func (h *Helper) keep(ctx context.Context, rows ...audit.Row) {
	work := func() {
		h.trouble = ""
		if err := h.Guard.Records.Append(ctx, rows...); err != nil {
			h.trouble = err.Error()
		}
	}
	if h.Behind == nil {
		work()
		return
	}
	h.Behind(work)
}

// named are the names of functions whose text heed does not read.
func (r *Request) named() (names []string) {
	for _, o := range r.Options {
		if name, ok := strings.CutPrefix(o, "function:"); ok {
			names = append(names, name)
		}
	}
	return names
}

func (r *Request) has(option string) bool {
	for _, o := range r.Options {
		if o == option {
			return true
		}
	}
	return false
}
