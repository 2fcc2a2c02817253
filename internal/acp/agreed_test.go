package acp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/heedsh/heed/internal/acp"
)

// A stage has a fake agent and a fake editor at the two ends of a proxy.
type stage struct {
	t                 *testing.T
	agent, editor     io.Writer // what each says
	toAgent, toEditor *bufio.Reader
}

// staged starts a proxy, which ends with the test.
func staged(t *testing.T, judge func(context.Context, *acp.Command) acp.Verdict) *stage {
	t.Helper()
	editorIn, editor := io.Pipe()
	agentIn, agent := io.Pipe()
	editorOut, toEditor := io.Pipe()
	agentOut, toAgent := io.Pipe()
	p := &acp.Proxy{Judge: judge, Note: func(text string) { t.Error(text) }}
	ended := make(chan error, 1)
	go func() { ended <- p.Run(context.Background(), editorIn, toEditor, agentIn, toAgent) }()
	s := &stage{t: t, agent: agent, editor: editor, toAgent: bufio.NewReader(agentOut), toEditor: bufio.NewReader(editorOut)}
	t.Cleanup(func() {
		agent.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		editor.Close()
	})
	return s
}

type heard struct {
	ID     json.RawMessage
	Method string
	Result struct{ Outcome struct{ OptionID string } }
	Error  *struct{ Message string }
	Params struct {
		Command string
		Options []struct{ OptionID, Name, Kind string }
	}
}

func (s *stage) hear(r *bufio.Reader) (m heard) {
	s.t.Helper()
	line, err := r.ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(line), &m)
	}
	if err != nil {
		s.t.Fatalf("%v: %s", err, line)
	}
	return m
}

// asks has the agent ask for permission, and the editor answer with an option. It returns
// what the editor was asked.
func (s *stage) asks(command, option string) heard {
	s.t.Helper()
	fmt.Fprintf(s.agent, `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","kind":"execute","rawInput":{"command":%q,"cwd":"/p"}},"options":[%s,%s,%s]}}`+"\n", command, always, once, reject)
	return s.answered(option)
}

// answered has the editor answer what it is asked, and the agent hear that.
func (s *stage) answered(option string) heard {
	s.t.Helper()
	q := s.hear(s.toEditor)
	fmt.Fprintf(s.editor, `{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":%q}}}`+"\n", q.ID, option)
	if a := s.hear(s.toAgent); string(a.ID) != "7" || a.Result.Outcome.OptionID != option {
		s.t.Errorf("the agent hears %+v", a)
	}
	return q
}

// creates has the agent make a terminal and reports whether a person is asked for it.
// Whoever is asked says no.
func (s *stage) creates(params string) (asked bool) {
	s.t.Helper()
	fmt.Fprintf(s.agent, `{"id":8,"method":"terminal/create","params":{%s}}`+"\n", params)
	m := s.hear(s.toEditor)
	if m.Method == "terminal/create" {
		return false
	}
	fmt.Fprintf(s.editor, `{"jsonrpc":"2.0","id":%s,"result":{"outcome":{"outcome":"selected","optionId":"heed-reject-once"}}}`+"\n", m.ID)
	if a := s.hear(s.toAgent); a.Error == nil || string(a.ID) != "8" {
		s.t.Errorf("after a no the agent hears %+v", a)
	}
	return true
}

const same = `"sessionId":"s","command":"ask x","cwd":"/p"`

// TestPermissionHoldsForItsTerminal: a yes to a command holds for its terminal, once, and
// for no other.
func TestPermissionHoldsForItsTerminal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asks, option string
		creates      string
		asked        bool
	}{
		"the same":            {"ask x", "ao", same, false},
		"its words":           {"ask x", "ao", `"sessionId":"s","command":"ask","args":["x"],"cwd":"/p"`, false},
		"other words":         {"ask x", "ao", `"sessionId":"s","command":"ask","args":["x","y"],"cwd":"/p"`, true},
		"one word":            {"ask x", "ao", `"sessionId":"s","command":"ask","args":["x "],"cwd":"/p"`, true},
		"no words":            {"ask x;", "ao", `"sessionId":"s","command":"ask","args":["x;"],"cwd":"/p"`, true},
		"another command":     {"ask x", "ao", `"sessionId":"s","command":"ask y","cwd":"/p"`, true},
		"another directory":   {"ask x", "ao", `"sessionId":"s","command":"ask x","cwd":"/q"`, true},
		"no directory":        {"ask x", "ao", `"sessionId":"s","command":"ask x"`, true},
		"another environment": {"ask x", "ao", same + `,"env":[{"name":"A","value":"b"}]`, true},
		"another session":     {"ask x", "ao", strings.Replace(same, `"s"`, `"r"`, 1), true},
		"a no":                {"ask x", "ro", same, true},
		"a yes for always":    {"ask x", "aa", same, true},
		"an unknown option":   {"ask x", "zz", same, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := staged(t, judge)
			q := s.asks(c.asks, c.option)
			if got := s.creates(c.creates); got != c.asked {
				t.Errorf("asked again: %t, want %t", got, c.asked)
			}
			if !s.creates(c.creates) {
				t.Error("nobody is asked for a second one")
			}
			for _, o := range q.Params.Options {
				if (o.Kind == "allow_once") != (o.Name == "Run it once") {
					t.Errorf("the person is offered %+v", o)
				}
			}
		})
	}
}

// TestOneYesIsOne: an agent cannot have a yes to something else count.
func TestOneYesIsOne(t *testing.T) {
	t.Parallel()
	s := staged(t, judge)
	const options = `"options":[` + once + `,` + reject + `]}}` + "\n"
	// A question of another kind is answered under the id of the one about a command.
	io.WriteString(s.agent, `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"e","kind":"read"},`+options)
	reading := s.hear(s.toEditor)
	io.WriteString(s.agent, `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","kind":"execute","rawInput":{"command":"ask x","cwd":"/p"}},`+options)
	s.hear(s.toEditor)
	fmt.Fprintf(s.editor, `{"id":%s,"result":{"outcome":{"outcome":"selected","optionId":"ao"}}}`+"\n", reading.ID)
	s.hear(s.toAgent)
	if !s.creates(same) {
		t.Error("a yes to reading counts")
	}
	// Two options have one id: nobody knows which was chosen.
	for _, twice := range []string{strings.ReplaceAll(once+","+reject, `"ro"`, `"ao"`), once + "," + strings.ReplaceAll(once, "ao", "bo"), `7,` + once, reject} {
		fmt.Fprintf(s.agent, `{"id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c","kind":"execute","rawInput":{"command":"ask x","cwd":"/p"}},"options":[%s]}}`+"\n", twice)
		line, err := s.toEditor.ReadBytes('\n')
		if err != nil {
			t.Fatal(err)
		}
		var q struct{ ID json.RawMessage }
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(s.editor, `{"id":%s,"result":{"outcome":{"outcome":"selected","optionId":"ao"}}}`+"\n", q.ID)
		s.hear(s.toAgent)
		if !s.creates(same) {
			t.Errorf("options %s: a yes counts", twice)
		}
	}
}

// TestPermissionEnds: a yes lapses, is dropped when the person stops the turn, and does
// not hold for what heed says otherwise of.
func TestPermissionEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := staged(t, judge)
		for wait, asked := range map[time.Duration]bool{59 * time.Second: false, 61 * time.Second: true} {
			s.asks("ask x", "ao")
			time.Sleep(wait)
			if s.creates(same) != asked {
				t.Errorf("after %s: asked %t, want %t", wait, !asked, asked)
			}
		}
		s.asks("ask x", "ao")
		io.WriteString(s.editor, `{"method":"session/cancel","params":{"sessionId":"s"}}`+"\n")
		if m := s.hear(s.toAgent); m.Method != "session/cancel" {
			t.Errorf("the agent hears %+v", m)
		}
		if !s.creates(same) {
			t.Error("it holds after the turn was stopped")
		}
	})
	calls := 0
	s := staged(t, func(context.Context, *acp.Command) acp.Verdict {
		calls++
		return acp.Verdict{Action: acp.Ask, Why: fmt.Sprintf("[CAUTION] the world is %d", calls)}
	})
	s.asks("ask x", "ao")
	if !s.creates(same) {
		t.Error("it holds in another world")
	}
}

// TestApprovalHoldsForItsTerminal: a yes that was given elsewhere is named to whoever
// judges the terminal, once.
func TestApprovalHoldsForItsTerminal(t *testing.T) {
	t.Parallel()
	var agreed []string
	s := staged(t, func(_ context.Context, c *acp.Command) acp.Verdict {
		agreed = append(agreed, c.Agreed)
		return acp.Verdict{Action: acp.Allow, Why: "[REVIEW] approved", Agreed: "12ab"}
	})
	io.WriteString(s.agent, strings.Replace(permission(`"rm x"`, once), `"command"`, `"cwd":"/p","command"`, 1))
	if m := s.hear(s.toAgent); m.Result.Outcome.OptionID != "ao" {
		t.Errorf("the agent hears %+v", m)
	}
	for range 2 {
		if s.creates(`"sessionId":"s","command":"rm","args":["x"],"cwd":"/p"`) {
			t.Error("it is asked about")
		}
	}
	if got := fmt.Sprintf("%q", agreed); got != `["" "12ab" ""]` {
		t.Errorf("agreed: %s", got)
	}
}
