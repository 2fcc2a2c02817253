package agenttest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// A Model stands where an agent's model would be: to the first request that offers a
// shell it answers with one call of it, to all others with a word. It speaks the
// protocols of Anthropic's messages, OpenAI's chat completions and responses, and
// Gemini's contents.
type Model struct {
	Command string // what the shell is called with
	Call    *call  // what is called in the shell's place; nil: the shell

	mu    sync.Mutex
	asked []string // the paths that were asked for
	told  []string // what the agent said of the call
}

// A call is one of a tool that is no shell.
type call struct {
	names []string // as agents call it
	input map[string]string
}

// Asked are the paths that were asked for.
func (m *Model) Asked() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.asked)
}

// Told is what the agent told the model of the call: what the command printed, or why it
// did not run.
func (m *Model) Told() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.told)
}

// question is what of a request is looked at, in whichever of the protocols.
type question struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Input    json.RawMessage `json:"input"`    // responses
	Contents json.RawMessage `json:"contents"` // Gemini
	Tools    []struct {
		named
		Function  named   `json:"function"`
		Functions []named `json:"functionDeclarations"` // Gemini
	} `json:"tools"`
}

type named struct {
	Name string `json:"name"`
}

// offers is the first of these names among the tools that are offered.
func (q *question) offers(names []string) string {
	for i := range q.Tools {
		t := &q.Tools[i]
		for _, f := range append(t.Functions, t.named, t.Function) {
			if slices.Contains(names, f.Name) {
				return f.Name
			}
		}
	}
	return ""
}

// result is what the agent says of a call that was made.
func (q *question) result() (text string, ok bool) {
	for i := range q.Messages {
		m := &q.Messages[i]
		if m.Role == "tool" || strings.Contains(string(m.Content), `"tool_result"`) {
			return string(m.Content), true
		}
	}
	var items []struct {
		Type   string          `json:"type"`
		Output json.RawMessage `json:"output"`
	}
	_ = json.Unmarshal(q.Input, &items) // a text, or another protocol: no result
	for i := range items {
		if items[i].Type == "function_call_output" {
			return string(items[i].Output), true
		}
	}
	var contents []struct {
		Parts []struct {
			Response json.RawMessage `json:"functionResponse"`
		} `json:"parts"`
	}
	_ = json.Unmarshal(q.Contents, &contents)
	for i := range contents {
		for _, p := range contents[i].Parts {
			if p.Response != nil {
				return string(p.Response), true
			}
		}
	}
	return "", false
}

// ServeHTTP answers a request of an agent.
func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, r.Method+" "+r.URL.Path)
	text, err := io.ReadAll(r.Body)
	var q question
	if err != nil || r.Method != http.MethodPost || json.Unmarshal(text, &q) != nil {
		http.Error(w, `{"error":{"type":"not_found_error","message":"no such thing"}}`, http.StatusNotFound)
		return
	}
	names := []string{"Bash", "bash", "shell_command", "exec_command", "run_shell_command", "run_commands"}
	if m.Call != nil {
		names = m.Call.names
	}
	tool := q.offers(names)
	if told, ok := q.result(); ok {
		m.told, tool = append(m.told, told), ""
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		reply(w, map[string]any{"input_tokens": 1})
	case strings.HasSuffix(r.URL.Path, "/messages"):
		m.messages(w, &q, tool)
	case strings.HasSuffix(r.URL.Path, "/chat/completions"):
		m.completions(w, &q, tool)
	case strings.HasSuffix(r.URL.Path, "/responses"):
		m.responses(w, tool)
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		reply(w, map[string]any{"totalTokens": 1})
	case strings.HasSuffix(r.URL.Path, "enerateContent"):
		m.contents(w, strings.HasSuffix(r.URL.Path, ":streamGenerateContent"), tool)
	default:
		http.Error(w, `{"error":{"message":"no such thing"}}`, http.StatusNotFound)
	}
}

// input is that of the call, as the tool has it.
func (m *Model) input(tool string) string {
	switch {
	case m.Call != nil:
		return encoded(m.Call.input)
	case tool == "exec_command":
		return encoded(map[string]any{"cmd": m.Command})
	case tool == "shell_command":
		return encoded(map[string]any{"command": m.Command})
	case tool == "run_commands":
		return encoded(map[string]any{"commands": []string{m.Command}})
	}
	return encoded(map[string]any{"command": m.Command, "description": "a step of the task"})
}

// messages answers in Anthropic's protocol.
func (m *Model) messages(w http.ResponseWriter, q *question, tool string) {
	block, delta, stop := map[string]any{"type": "text", "text": ""}, map[string]any{"type": "text_delta", "text": "done"}, "end_turn"
	whole := map[string]any{"type": "text", "text": "done"}
	if tool != "" {
		block = map[string]any{"type": "tool_use", "id": "toolu_1", "name": tool, "input": map[string]any{}}
		delta, stop = map[string]any{"type": "input_json_delta", "partial_json": m.input(tool)}, "tool_use"
		whole = map[string]any{"type": "tool_use", "id": "toolu_1", "name": tool, "input": json.RawMessage(m.input(tool))}
	}
	usage := map[string]any{"input_tokens": 1, "output_tokens": 1}
	message := map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": q.Model, "content": []any{}, "stop_reason": nil, "stop_sequence": nil, "usage": usage}
	if !q.Stream {
		message["content"], message["stop_reason"] = []any{whole}, stop
		reply(w, message)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range []map[string]any{
		{"type": "message_start", "message": message},
		{"type": "content_block_start", "index": 0, "content_block": block},
		{"type": "content_block_delta", "index": 0, "delta": delta},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": map[string]any{"stop_reason": stop, "stop_sequence": nil}, "usage": usage},
		{"type": "message_stop"},
	} {
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e["type"], encoded(e))
	}
}

// completions answers in OpenAI's protocol.
func (m *Model) completions(w http.ResponseWriter, q *question, tool string) {
	said, stop := map[string]any{"role": "assistant", "content": "done"}, "stop"
	if tool != "" {
		call := map[string]any{"index": 0, "id": "call_1", "type": "function", "function": map[string]any{"name": tool, "arguments": m.input(tool)}}
		said, stop = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}}, "tool_calls"
	}
	usage := map[string]any{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
	answer := func(object string, choice map[string]any) map[string]any {
		choice["index"] = 0
		return map[string]any{"id": "chat_1", "object": object, "created": 1, "model": q.Model, "choices": []any{choice}, "usage": usage}
	}
	if !q.Stream {
		reply(w, answer("chat.completion", map[string]any{"message": said, "finish_reason": stop}))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, choice := range []map[string]any{{"delta": said, "finish_reason": nil}, {"delta": map[string]any{}, "finish_reason": stop}} {
		fmt.Fprintf(w, "data: %s\n\n", encoded(answer("chat.completion.chunk", choice)))
	}
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// responses answers in OpenAI's newer protocol.
func (m *Model) responses(w http.ResponseWriter, tool string) {
	item := map[string]any{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []any{map[string]any{"type": "output_text", "text": "done", "annotations": []any{}}}}
	if tool != "" {
		item = map[string]any{"type": "function_call", "id": "fc_1", "call_id": "call_1", "status": "completed", "name": tool, "arguments": m.input(tool)}
	}
	usage := map[string]any{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range []map[string]any{
		{"type": "response.created", "response": map[string]any{"id": "resp_1"}},
		{"type": "response.output_item.added", "output_index": 0, "item": item},
		{"type": "response.output_item.done", "output_index": 0, "item": item},
		{"type": "response.completed", "response": map[string]any{"id": "resp_1", "status": "completed", "output": []any{item}, "usage": usage}},
	} {
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e["type"], encoded(e))
	}
}

// contents answers in Gemini's protocol.
func (m *Model) contents(w http.ResponseWriter, stream bool, tool string) {
	part := map[string]any{"text": "done"}
	if tool != "" {
		part = map[string]any{"functionCall": map[string]any{"id": "call_1", "name": tool, "args": json.RawMessage(m.input(tool))}}
	}
	answer := map[string]any{
		"candidates":    []any{map[string]any{"index": 0, "finishReason": "STOP", "content": map[string]any{"role": "model", "parts": []any{part}}}},
		"usageMetadata": map[string]any{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
	}
	if !stream {
		reply(w, answer)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(w, "data: %s\n\n", encoded(answer))
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, encoded(v))
}

func encoded(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // maps of texts and numbers
	}
	return string(b)
}
