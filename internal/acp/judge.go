package acp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
)

// runOnce and refuse are the options of the proxy's own questions, and runOnceName the
// words for a yes to once in all questions that count.
const runOnce, refuse, runOnceName = "heed-allow-once", "heed-reject-once", "Run it once"

// An option is an answer that a person is offered.
type option struct{ OptionID, Kind string }

// permission judges a request for permission, if it is about a command.
func (p *Proxy) permission(ctx context.Context, line []byte, m, params object) error {
	call, err := read(params["toolCall"])
	if err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.fail(m["id"], "heed cannot read what this is about")
	}
	session := text(params["sessionId"])
	p.mu.Lock()
	input := call["rawInput"]
	if input == nil || string(input) == "null" {
		input = p.inputs[session+"\x00"+text(call["toolCallId"])]
	}
	c := &Command{Session: session, Dir: p.dirs[session]}
	p.mu.Unlock()
	if !c.read(input) {
		if text(call["kind"]) != "execute" {
			p.mu.Lock()
			defer p.mu.Unlock()
			return put(p.toEditor, line)
		}
		c.Unread = "its agent does not say which command it is"
	}
	v := p.Judge(ctx, c)
	why := v.Why
	var options []option
	_ = json.Unmarshal(params["options"], &options) // without options nothing can be chosen
	choose := func(kind string) string {
		for _, o := range options {
			if o.Kind == kind {
				return o.OptionID
			}
		}
		return ""
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch once := choose("allow_once"); {
	case v.Action == Pass, v.Action == Allow && once == "":
		return put(p.toEditor, line)
	case v.Action == Allow:
		if v.Agreed != "" {
			p.permit(c.what(), yes{agreed: v.Agreed})
		}
		return p.choose(m["id"], once, why)
	case v.Action == Ask:
		return p.ask(m, params, call, c, why)
	}
	if err := p.tell(session, why); err != nil {
		return err
	}
	return p.choose(m["id"], choose("reject_once"), why)
}

// ask passes a request for permission on, with badge and sentence in its title. An answer
// is known by an id that the agent cannot give to another question, and a yes to once by
// words of the proxy's own: an agent could call it no.
func (p *Proxy) ask(m, params, call object, c *Command, why string) error {
	title, err := json.Marshal(why + "\n" + text(call["title"]))
	if err != nil {
		return fmt.Errorf("writing a title: %w", err)
	}
	call["title"] = title
	if m["id"] != nil && len(p.asked) < maxKept {
		h := &held{id: m["id"], why: why, about: c.what()}
		if named, once := nameOnce(params["options"]); once != "" {
			params["options"], h.once = named, once
		}
		m["id"] = p.wait(h)
	}
	return send(p.toEditor, with(m, "params", with(params, "toolCall", call)))
}

// wait keeps a request until the person has answered the question with this id.
func (p *Proxy) wait(h *held) json.RawMessage {
	id := json.RawMessage(`"heed-` + rand.Text() + `"`)
	p.asked[string(id)] = h
	return id
}

// nameOnce names the one option that is a yes to once, and says which that is; "" where
// it is not one alone, or has the id of another.
func nameOnce(options json.RawMessage) (named json.RawMessage, id string) {
	var raw []json.RawMessage
	if json.Unmarshal(options, &raw) != nil {
		return nil, ""
	}
	ids, at := map[string]bool{}, -1
	for i, text := range raw {
		var o option
		if _, err := read(text); err != nil || json.Unmarshal(text, &o) != nil || ids[o.OptionID] || o.Kind == "allow_once" && at >= 0 {
			return nil, ""
		}
		ids[o.OptionID] = true
		if o.Kind == "allow_once" {
			at, id = i, o.OptionID
		}
	}
	if at < 0 {
		return nil, ""
	}
	once, _ := read(raw[at]) // it was read above
	once["name"], _ = json.Marshal(runOnceName)
	raw[at], _ = json.Marshal(once)
	named, _ = json.Marshal(raw) // of texts that were JSON
	return named, id
}

// with is an object with another object as a field.
func with(o object, name string, field object) object {
	b, _ := json.Marshal(field) // of texts that were JSON
	o[name] = b
	return o
}

// choose answers for the person; without an option the turn is cancelled.
func (p *Proxy) choose(id json.RawMessage, option, why string) error {
	outcome := map[string]string{"outcome": "cancelled"}
	if option != "" {
		outcome = map[string]string{"outcome": "selected", "optionId": option}
	}
	return send(p.toAgent, map[string]any{"jsonrpc": "2.0", "id": id, "result": map[string]any{"outcome": outcome, "_meta": map[string]string{"heed": why}}})
}

// tell shows the person a text in the editor.
func (p *Proxy) tell(session, what string) error {
	return send(p.toEditor, map[string]any{"jsonrpc": "2.0", "method": "session/update", "params": map[string]any{
		"sessionId": session, "update": map[string]any{"sessionUpdate": "agent_message_chunk", "content": map[string]string{"type": "text", "text": "\nheed: " + what + "\n"}},
	}})
}

// terminal judges a command that the editor is to run.
func (p *Proxy) terminal(ctx context.Context, line []byte, m, params object) error {
	c := &Command{Session: text(params["sessionId"]), Text: text(params["command"]), Dir: text(params["cwd"]), Env: map[string]string{}}
	var args []string
	var env []struct{ Name, Value string }
	if params["args"] != nil && json.Unmarshal(params["args"], &args) != nil || params["env"] != nil && json.Unmarshal(params["env"], &env) != nil || c.Text == "" {
		c.Unread = "heed cannot read the command"
	}
	if len(args) > 0 {
		c.Text = words(append([]string{c.Text}, args...))
	}
	for _, e := range env {
		c.Env[e.Name] = e.Value
	}
	p.mu.Lock()
	if c.Dir == "" {
		c.Dir = p.dirs[c.Session]
	}
	permitted := p.use(c.what())
	p.mu.Unlock()
	c.Agreed = permitted.agreed
	v := p.Judge(ctx, c)
	why := v.Why
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case v.Action == Pass, v.Action == Allow, v.Action == Ask && permitted.why != "" && why == permitted.why:
		return put(p.toEditor, line)
	case v.Action == Ask:
		if len(p.asked) >= maxKept {
			return p.fail(m["id"], why)
		}
		id := p.wait(&held{line: line, id: m["id"], why: why, once: runOnce})
		return send(p.toEditor, map[string]any{"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": map[string]any{
			"sessionId": c.Session,
			"toolCall":  map[string]any{"toolCallId": id, "kind": "execute", "status": "pending", "title": why, "rawInput": map[string]string{"command": c.Text}},
			"options": []map[string]string{
				{"optionId": runOnce, "name": runOnceName, "kind": "allow_once"}, {"optionId": refuse, "name": "Do not run it", "kind": "reject_once"},
			},
		}})
	}
	if err := p.tell(c.Session, why); err != nil {
		return err
	}
	return p.fail(m["id"], why)
}

// read takes the command out of what a tool is given: a text, or words.
func (c *Command) read(input json.RawMessage) bool {
	o, err := read(input)
	if err != nil {
		return false
	}
	var argv []string
	if c.Text = text(o["command"]); c.Text == "" && json.Unmarshal(o["command"], &argv) == nil && len(argv) > 0 {
		c.Text = words(argv)
	}
	for _, name := range []string{"cwd", "workdir", "directory"} {
		if dir := text(o[name]); strings.HasPrefix(dir, "/") {
			c.Dir = dir
		}
	}
	return c.Text != ""
}

// words writes an argument vector as a shell reads it.
func words(argv []string) string {
	quoted := make([]string, len(argv))
	for i, w := range argv {
		quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	return strings.Join(quoted, " ")
}
