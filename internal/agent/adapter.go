package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// An Adapter speaks the protocol of one agent.
type Adapter struct {
	Name  string // in commands, requests and records: claude-code
	Title string // as people call it: Claude Code
	// Detect reports whether a payload is this agent's. Five agents read one settings
	// file, so that a hook cannot know who calls it otherwise.
	Detect func(p *Payload) bool
	// Read reads a payload. With an error it is not understood; then nothing may be
	// allowed.
	Read func(p *Payload) (Call, error)
	// Write says an answer in the agent's words.
	Write func(c *Call, a Answer) (Output, error)
	// TellsAt is the event, Paused or Ended, at which the agent shows its person what a hook
	// says in the field systemMessage; Before where there is none.
	TellsAt Event
	// Refuse is what this agent takes for a refusal, whatever it has asked. nil: exit
	// code 2, the reason on standard error, and nothing on standard output, which most
	// take for one.
	Refuse func(reason string) Output
	// Asks reports whether the agent asks its person where it is told to. Where it does
	// not, what a click would do for is refused until it is approved.
	Asks bool
	// Rewrites reports whether the agent runs another command where an answer that allows
	// says so.
	Rewrites bool
	// Shared says that other agents read its settings too: its hook answers them in
	// their words. A hook of an agent that is alone with its settings trusts no payload
	// that looks like another's.
	Shared bool
	// Heard is what the agent makes of what a hook has printed. With an error it does not
	// understand it; then it does as [FailsOpen] says.
	Heard func(out Output) (Answer, error)
	// Probe is a payload for a shell command, as the agent would hand it over, and what
	// its hooks have in their environment (NAME=VALUE).
	Probe func(command, dir string) (payload []byte, env []string)
	// Install changes its settings; nil where that is not possible.
	Install *Installer
}

// Adapters are all agents that heed speaks with, in the order in which a payload is
// held against them: those that are told by a field of their own come first.
func Adapters() []*Adapter {
	return []*Adapter{
		amp(), cline(), openCode(), windsurf(), antigravity(), cursor(), copilotCLI(), vsCode(), goose(), kiro(),
		geminiCLI(), codex(), qwenCode(), devinCLI(), claudeCode(),
	}
}

// Named returns the adapter of a name, or nil.
func Named(name string) *Adapter {
	for _, a := range Adapters() {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// Names are the names of all adapters.
func Names() []string {
	var all []string
	for _, a := range Adapters() {
		all = append(all, a.Name)
	}
	slices.Sort(all)
	return all
}

// Of finds whose a payload is.
func Of(p *Payload) (*Adapter, error) {
	for _, a := range Adapters() {
		if a.Detect(p) {
			return a, nil
		}
	}
	return nil, errors.New("this is no payload of an agent that heed knows: " + strings.Join(Names(), ", "))
}

// A Payload is what an agent hands to a hook.
type Payload struct {
	Text []byte
	// Fields are its members, of which no two have one name.
	Fields map[string]json.RawMessage
	// Getenv looks variables of the hook's environment up.
	Getenv func(string) string
	// Dir is where the hook runs: some agents say nowhere else where a command does.
	Dir string
}

// NewPayload takes a payload apart.
func NewPayload(text []byte, getenv func(string) string) (*Payload, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the payload is not valid UTF-8")
	}
	fields, err := object(text)
	if err != nil {
		return nil, fmt.Errorf("reading the payload: %w", err)
	}
	return &Payload{Text: text, Fields: fields, Getenv: getenv}, nil
}

// Has reports whether there is a field of this name.
func (p *Payload) Has(name string) bool { _, ok := p.Fields[name]; return ok }

// String is a field that is a string; "" if it is none.
func (p *Payload) String(name string) string {
	s, err := text(p.Fields, name)
	if err != nil {
		return ""
	}
	return s
}

// An Output is what a hook prints, and its exit code.
type Output struct {
	Stdout []byte
	Stderr string
	Code   int
}

// Refused is the exit code that most agents take for a refusal.
const Refused = 2

// RefuseWith is what an agent takes for a refusal, for a reason.
func (a *Adapter) RefuseWith(reason string) Output {
	if a != nil && a.Refuse != nil {
		return a.Refuse(reason)
	}
	return Output{Stderr: reason, Code: Refused}
}

// AsksAbout reports whether the agent asks its person about this use of a tool, where
// it is told to.
func (a *Adapter) AsksAbout(c *Call) bool { return a.Asks && !c.unasked }

// Answer is what was decided, as this agent can do it: where it cannot ask a person,
// a question is a refusal.
func (a *Adapter) Answer(c *Call, as *risk.Assessment, d *policy.Decision, n *Note) Answer {
	answer := AnswerTo(as, d, n, a.AsksAbout(c))
	answer.Reason = clean(answer.Reason)
	return answer
}

// CanRewrite reports whether the agent runs another command in the place of this one where
// it is told to.
func (a *Adapter) CanRewrite(c *Call) bool {
	return a.Rewrites && c.Event == Before && c.Language == POSIX && c.input != nil
}

// Tells reports whether the agent shows its person what a hook says at this event.
func (a *Adapter) Tells(c *Call) bool { return a.TellsAt != Before && a.TellsAt == c.Event }

// Tell has the agent show its person a text.
func (a *Adapter) Tell(text string) (Output, error) {
	return jsonOutput(struct {
		Message string `json:"systemMessage"`
	}{clean(text)})
}

// An Event is what a payload tells of.
type Event uint8

// The events.
const (
	Before Event = iota // a tool is about to be used
	After               // it was used
	Ended               // the session ended
	Paused              // the agent is done, and waits for its person
	Other               // nothing that heed does anything about
)

// A Call is one use of a tool, before or after it.
type Call struct {
	Event    Event
	Tool     string
	Language Language
	Command  string // what is judged; "" for the language [None]
	// Look is, for the language [Files], as much of Command as says what it writes to.
	Look string
	// Sealed is, for the language [Files], Command without what is written.
	Sealed string
	// Shown reads the files that the tool shows to the agent, as a command; "" if it
	// shows none.
	Shown   string
	Dir     string
	Session string
	ID      string // of this use
	// Agent is the name of the adapter that read it.
	Agent string
	// Shell is the dialect of the command; "" means bash.
	Shell string
	// Workspaces are where the session may work, as far as the payload says.
	Workspaces []string
	// Read says what untrusted text the tool brings into the session.
	Read risk.Provenance
	// Outcome is how it ended, of an event After.
	Outcome *Outcome
	// hides are variables that hooks of this agent have and its commands do not.
	hides []string
	// event is the name that the agent has for the event; its answer may depend on it.
	event string
	// input is what the tool was given, where it has the command as it is.
	input json.RawMessage
	// unasked says that the agent does not ask about this use, though about others.
	unasked bool
}

// An Outcome is how a command ended, as an agent tells it.
type Outcome struct {
	Code   int // the exit code; -1 if it failed and nothing says how
	MS     int64
	Failed bool
}

// Request is what the call asks to run, in the session that the hook's own
// environment (NAME=VALUE) describes.
func (c Call) Request(environ []string) risk.Request {
	req := risk.Request{
		Command: c.Command, Dir: path.Clean(c.Dir), Env: make(map[string]string, len(environ)), ID: c.ID,
		Provenance: risk.ModelSuggestion, Agent: c.Agent, Session: c.Session, Shell: c.Shell,
	}
	for _, kv := range environ {
		if name, value, ok := strings.Cut(kv, "="); ok && name != "" {
			req.Env[name] = value
		}
	}
	if req.Shell == "" {
		req.Shell = "bash"
	}
	for _, root := range c.Workspaces {
		if path.IsAbs(root) {
			req.Workspaces = append(req.Workspaces, path.Clean(root))
		}
	}
	for _, name := range c.hides {
		delete(req.Env, name)
	}
	return req
}
