package acp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/strictjson"
)

// maxLine is the longest message that is passed, in bytes.
const maxLine = 32 << 20

// maxKept is how many calls and sessions are remembered.
const maxKept = 4096

// A Command is what an agent wants to run.
type Command struct {
	Session, Text, Dir string
	Env                map[string]string
	// Unread says why the command is not known; "" if it is.
	Unread string
	// Agreed names the yes that was used when permission for this command was asked, a
	// moment ago; "" if there was none.
	Agreed string
}

// A Verdict is what is done about a command, and why in words.
type Verdict struct {
	Action Action
	Why    string
	// Agreed names a person's yes that this used up; "" if it used none.
	Agreed string
}

// What is done about a command.
const (
	Pass  Action = iota // nothing is decided
	Allow               // it runs
	Ask                 // the person is asked
	Deny                // it does not run
)

// An Action is what is done about a command.
type Action int

// A Proxy passes messages.
type Proxy struct {
	// Judge decides about a command.
	Judge func(context.Context, *Command) Verdict
	// Note is told what is not passed.
	Note func(string)

	mu       sync.Mutex // of what follows, and of writing
	toAgent  io.Writer
	toEditor io.Writer
	opening  map[string]string          // directories of sessions that are being made, by id of the request
	dirs     map[string]string          // directories of sessions
	inputs   map[string]json.RawMessage // what calls were said to be given
	asked    map[string]*held           // what waits for an answer of the person's, by id
	agreed   map[what]yes               // what permission was given for, until its terminal is made
}

// held is a request of the agent's that waits for the person: a terminal/create, or a
// request for permission.
type held struct {
	line  []byte // the terminal/create that goes on after a yes
	id    json.RawMessage
	why   string
	once  string // the option that is a yes to once
	about what   // what a yes permits; of a request for permission only
}

type object = map[string]json.RawMessage

// Run passes messages until the agent's output ends, and says why it ended early.
func (p *Proxy) Run(ctx context.Context, fromEditor io.Reader, toEditor io.Writer, fromAgent io.Reader, toAgent io.WriteCloser) error {
	p.toAgent, p.toEditor = toAgent, toEditor
	p.opening, p.dirs, p.inputs = map[string]string{}, map[string]string{}, map[string]json.RawMessage{}
	p.asked, p.agreed = map[string]*held{}, map[what]yes{}
	go func() {
		if err := lines(fromEditor, p.editorSays); err != nil {
			p.Note("reading from the editor: " + err.Error())
		}
		_ = toAgent.Close() // the agent learns that nothing more comes
	}()
	if err := lines(fromAgent, func(line []byte) error { return p.agentSays(ctx, line) }); err != nil {
		return fmt.Errorf("reading from the agent: %w", err)
	}
	return nil
}

var errLong = errors.New("a message is too long")

func lines(r io.Reader, each func([]byte) error) error {
	b := bufio.NewReaderSize(r, 64<<10)
	for {
		var line []byte
		for {
			part, err := b.ReadSlice('\n')
			line = append(line, part...)
			if len(line) > maxLine {
				return errLong
			}
			if err == nil {
				break
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if errors.Is(err, io.EOF) {
				if len(bytes.TrimSpace(line)) > 0 {
					return each(line)
				}
				return nil
			}
			return err
		}
		if err := each(line); err != nil {
			return err
		}
	}
}

// read reads an object strictly: of one name there is one field, and none is another's
// in capitals.
func read(text []byte) (object, error) {
	o, low := object{}, map[string]bool{}
	err := strictjson.Object(text, func(name string, v json.RawMessage, twice bool) error {
		if twice || low[strings.ToLower(name)] {
			return fmt.Errorf("it has two fields %.40q", name)
		}
		low[strings.ToLower(name)] = true
		o[name] = v
		return nil
	})
	if err != nil {
		return nil, err
	}
	return o, nil
}

func text(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) != nil {
		return ""
	}
	return s
}

// editorSays passes a message of the editor's, and takes answers to the proxy's own
// questions out.
func (p *Proxy) editorSays(line []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, err := read(line)
	if err == nil {
		id := string(m["id"])
		if h, ours := p.asked[id]; ours && m["method"] == nil {
			delete(p.asked, id)
			return p.answered(m, h)
		}
		if params, err := read(m["params"]); err == nil {
			switch text(m["method"]) {
			case "session/new":
				if len(p.opening) < maxKept {
					p.opening[id] = text(params["cwd"])
				}
			case "session/load", "session/resume":
				p.dirs[text(params["sessionId"])] = text(params["cwd"])
			case "session/cancel":
				p.forget(text(params["sessionId"]))
			}
		}
	}
	return put(p.toAgent, line)
}

// answered lets a held request go on, or answers it.
func (p *Proxy) answered(m object, h *held) error {
	result, _ := read(m["result"])
	outcome, _ := read(result["outcome"])
	agreed := h.once != "" && text(outcome["outcome"]) == "selected" && text(outcome["optionId"]) == h.once
	switch {
	case h.line == nil:
		if agreed {
			p.permit(h.about, yes{why: h.why})
		}
		m["id"] = h.id
		return send(p.toAgent, m)
	case agreed:
		return put(p.toEditor, h.line)
	}
	return p.fail(h.id, "A person denied this.\n"+h.why)
}

// agentSays passes a message of the agent's, or judges it.
func (p *Proxy) agentSays(ctx context.Context, line []byte) error {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	m, err := read(line)
	if err != nil {
		p.Note("a line of the agent's is not passed: " + err.Error())
		return nil
	}
	method := text(m["method"])
	if method != "session/request_permission" && method != "terminal/create" {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.learn(m, method)
		return put(p.toEditor, line)
	}
	params, err := read(m["params"])
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.fail(m["id"], "heed cannot read what this is about")
	}
	if method == "terminal/create" {
		return p.terminal(ctx, line, m, params)
	}
	return p.permission(ctx, line, m, params)
}

// learn takes in what later requests are about.
func (p *Proxy) learn(m object, method string) {
	if dir, ok := p.opening[string(m["id"])]; ok && method == "" {
		delete(p.opening, string(m["id"]))
		if result, err := read(m["result"]); err == nil && len(p.dirs) < maxKept {
			p.dirs[text(result["sessionId"])] = dir
		}
	}
	if method != "session/update" {
		return
	}
	params, _ := read(m["params"])
	update, _ := read(params["update"])
	if in := update["rawInput"]; in != nil && string(in) != "null" {
		if len(p.inputs) >= maxKept {
			clear(p.inputs)
		}
		p.inputs[text(params["sessionId"])+"\x00"+text(update["toolCallId"])] = in
	}
}

func put(w io.Writer, line []byte) error {
	_, err := w.Write(line)
	return err
}

func send(w io.Writer, message any) error {
	b, err := json.Marshal(message)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	return put(w, append(b, '\n'))
}

// fail answers a request of the agent's with an error.
func (p *Proxy) fail(id json.RawMessage, why string) error {
	if id == nil {
		return nil
	}
	return send(p.toAgent, map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": -32603, "message": why}})
}
