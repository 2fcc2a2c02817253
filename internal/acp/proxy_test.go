package acp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/heedsh/heed/internal/acp"
)

// judge decides by the first word, as a policy would.
func judge(_ context.Context, c *acp.Command) acp.Verdict {
	text := strings.Trim(c.Text, "'")
	switch {
	case c.Unread != "":
		return acp.Verdict{Action: acp.Deny, Why: "[REVIEW] " + c.Unread}
	case strings.HasPrefix(text, "safe"):
		return acp.Verdict{Action: acp.Allow, Why: "[SAFE] in " + c.Dir}
	case strings.HasPrefix(text, "ask"):
		return acp.Verdict{Action: acp.Ask, Why: "[CAUTION] it asks"}
	case strings.HasPrefix(text, "left"):
		return acp.Verdict{Action: acp.Pass}
	}
	return acp.Verdict{Action: acp.Deny, Why: "[REVIEW] heed approve 12ab"}
}

type locked struct {
	sync.Mutex
	bytes.Buffer
	news chan struct{}
}

func (l *locked) Write(p []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	n, err := l.Buffer.Write(p)
	if l.news != nil {
		l.news <- struct{}{}
	}
	return n, err
}
func (l *locked) Close() error { return nil }
func (l *locked) text() string { l.Lock(); defer l.Unlock(); return l.String() }

// said passes lines of an agent and returns what both sides got.
func said(t *testing.T, lines string) (editor, agent string) {
	t.Helper()
	p := &acp.Proxy{Judge: judge, Note: func(string) {}}
	var toEditor, toAgent locked
	if err := p.Run(t.Context(), strings.NewReader(""), &toEditor, strings.NewReader(lines), &toAgent); err != nil {
		t.Fatal(err)
	}
	return toEditor.text(), toAgent.text()
}

func permission(command, options string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","title":"T","kind":"execute","rawInput":{"command":` + command + `}},"options":[` + options + `]}}` + "\n"
}

const (
	always = `{"optionId":"aa","name":"Always","kind":"allow_always"}`
	once   = `{"optionId":"ao","name":"Once","kind":"allow_once"}`
	reject = `{"optionId":"ro","name":"No","kind":"reject_once"}`
)

func TestPermission(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ line, toEditor, toAgent string }{
		"safe":                 {permission(`"safe x"`, always+","+once+","+reject), "", `"optionId":"ao"`},
		"safe, only always":    {permission(`"safe x"`, always+","+reject), `"aa"`, ""},
		"asked":                {permission(`"ask x"`, always+","+once), `"title":"[CAUTION] it asks\nT"`, ""},
		"refused":              {permission(`"rm"`, always+","+once+","+reject), `heed approve 12ab`, `"optionId":"ro"`},
		"refused, no option":   {permission(`"rm"`, always+","+once), `heed approve 12ab`, `"outcome":"cancelled"`},
		"words":                {permission(`["safe","x"]`, once), "", `"optionId":"ao"`},
		"no command":           {permission(`7`, once+","+reject), "does not say which", `"optionId":"ro"`},
		"left to the agent":    {permission(`"left"`, once), `"ao"`, ""},
		"options that are not": {strings.Replace(permission(`"rm"`, once), `[`+once+`]`, `7`, 1), "heed approve", "cancelled"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			editor, agent := said(t, c.line)
			for _, side := range []struct{ got, want string }{{editor, c.toEditor}, {agent, c.toAgent}} {
				if (side.want == "") != (side.got == "") || !strings.Contains(side.got, side.want) {
					t.Errorf("got %q, want %q", side.got, side.want)
				}
			}
			if strings.Contains(agent, "aa") {
				t.Errorf("always is chosen: %s", agent)
			}
		})
	}
	if editor, agent := said(t, permission(`"left"`, once)); editor != permission(`"left"`, once) || agent != "" {
		t.Errorf("it is passed as %s", editor)
	}
}

func TestTerminal(t *testing.T) {
	t.Parallel()
	line := func(params string) string {
		return `{"jsonrpc":"2.0","id":"x","method":"terminal/create","params":{"sessionId":"s",` + params + `}}` + "\n"
	}
	if editor, agent := said(t, line(`"command":"safe","args":["a b"],"cwd":"/p"`)); editor != line(`"command":"safe","args":["a b"],"cwd":"/p"`) || agent != "" {
		t.Errorf("%s %s", editor, agent)
	}
	for name, params := range map[string]string{"refused": `"command":"rm"`, "no command": `"cwd":"/"`, "args": `"command":"safe","args":7`, "env": `"command":"safe","env":"x"`, "two": `"command":"safe","command":"rm"`, "capitals": `"Command":"rm","command":"safe"`} {
		if editor, agent := said(t, line(params)); strings.Contains(editor, "terminal/create") || !strings.Contains(agent, `"error"`) || !strings.Contains(agent, `"id":"x"`) {
			t.Errorf("%s: %s %s", name, editor, agent)
		}
	}
}

// TestTerminalAsks: the editor is asked first, and gets the very line after a yes only.
func TestTerminalAsks(t *testing.T) {
	t.Parallel()
	const line = `{"jsonrpc":"2.0","id":3, "method":"terminal/create","params":{"sessionId":"s","command":"ask"}}` + "\n"
	for option, runs := range map[string]bool{"heed-allow-once": true, "heed-reject-once": false, "other": false} {
		p := &acp.Proxy{Judge: judge, Note: func(string) {}}
		editorIn, editorOut := io.Pipe()
		agentIn, agentOut := io.Pipe()
		toEditor, toAgent := &locked{news: make(chan struct{}, 9)}, &locked{news: make(chan struct{}, 9)}
		ended := make(chan error, 1)
		go func() { ended <- p.Run(context.Background(), editorIn, toEditor, agentIn, toAgent) }()
		io.WriteString(agentOut, line)
		<-toEditor.news
		var asked struct{ ID, Method string }
		if err := json.Unmarshal([]byte(toEditor.text()), &asked); err != nil || asked.Method != "session/request_permission" {
			t.Fatalf("%v: %s", err, toEditor.text())
		}
		answer, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": map[string]any{"outcome": map[string]string{"outcome": "selected", "optionId": option}}})
		editorOut.Write(append(answer, '\n'))
		if runs {
			<-toEditor.news
		} else {
			<-toAgent.news
		}
		agentOut.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		editorOut.Close()
		if strings.HasSuffix(toEditor.text(), line) != runs || strings.Contains(toAgent.text(), `"error"`) == runs {
			t.Errorf("%s: %s %s", option, toEditor.text(), toAgent.text())
		}
	}
}

// TestOthersPass: all else passes byte for byte, and what is no single message does not.
func TestOthersPass(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{ "x" : 1.0 }}`, `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan"}}}`,
		`{"method":"fs/read_text_file","id":2,"params":{"path":"/x"}}`, `{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","kind":"edit"},"options":[]}}`,
		`{"x":"` + strings.Repeat("y", 2<<20) + `"}`,
	} {
		if editor, agent := said(t, line+"\r\n"); editor != line+"\r\n" || agent != "" {
			t.Errorf("%.80s became %.80s, %.80s", line, editor, agent)
		}
	}
	for _, line := range []string{
		"rm -rf /", "[]", `[{"method":"terminal/create"}]`, `{"method":"a","method":"terminal/create"}`, `{"method":"a","Method":"terminal/create"}`,
		`{"method":"a"}{"method":"terminal/create"}`, `{"method":`, "\x00",
	} {
		if editor, agent := said(t, line+"\n"); editor != "" || agent != "" {
			t.Errorf("%q passes: %q %q", line, editor, agent)
		}
	}
	p := &acp.Proxy{Judge: judge, Note: func(string) {}}
	if err := p.Run(t.Context(), strings.NewReader(""), io.Discard, strings.NewReader(strings.Repeat("x", 33<<20)), &locked{}); err == nil {
		t.Error("a line without an end is read")
	}
}

// TestCallsThatWereToldBefore: the command of an earlier update is that of the question.
func TestCallsThatWereToldBefore(t *testing.T) {
	t.Parallel()
	update := `{"method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"c","rawInput":{"command":"rm"}}}}` + "\n"
	ask := `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[` + once + "," + reject + `]}}` + "\n"
	if _, agent := said(t, update+ask); !strings.Contains(agent, `"ro"`) {
		t.Errorf("the agent is told %s", agent)
	}
}
