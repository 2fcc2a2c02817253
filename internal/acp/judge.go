package acp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// yes and no are the options of the proxy's own questions.
const yes, no = "heed-allow-once", "heed-reject-once"

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
	action, why := p.Judge(ctx, c)
	var options []struct{ OptionID, Kind string }
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
	case action == Pass, action == Allow && once == "":
		return put(p.toEditor, line)
	case action == Allow:
		return p.choose(m["id"], once, why)
	case action == Ask:
		title, err := json.Marshal(why + "\n" + text(call["title"]))
		if err != nil {
			return fmt.Errorf("writing a title: %w", err)
		}
		call["title"] = title
		return send(p.toEditor, with(m, "params", with(params, "toolCall", call)))
	}
	if err := p.tell(session, why); err != nil {
		return err
	}
	return p.choose(m["id"], choose("reject_once"), why)
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
	p.mu.Unlock()
	action, why := p.Judge(ctx, c)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch action {
	case Pass, Allow:
		return put(p.toEditor, line)
	case Ask:
		if len(p.asked) >= maxKept {
			return p.fail(m["id"], why)
		}
		p.asks++
		id := fmt.Sprintf("heed-%d", p.asks)
		p.asked[`"`+id+`"`] = held{line, m["id"], why}
		return send(p.toEditor, map[string]any{"jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": map[string]any{
			"sessionId": c.Session,
			"toolCall":  map[string]any{"toolCallId": id, "kind": "execute", "status": "pending", "title": why, "rawInput": map[string]string{"command": c.Text}},
			"options": []map[string]string{
				{"optionId": yes, "name": "Run it once", "kind": "allow_once"}, {"optionId": no, "name": "Do not run it", "kind": "reject_once"},
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
