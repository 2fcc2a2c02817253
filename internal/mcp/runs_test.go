package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestRunsAtATime: a server that is full says so and judges nothing, over all of its
// sessions; a call that is cancelled frees its place, as one does that is refused.
func TestRunsAtATime(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"streams", "HTTP"} {
		t.Run(first, func(t *testing.T) {
			t.Parallel()
			s := place(t)
			s.Runs = 1
			h, err := s.Handler(token, nil)
			if err != nil {
				t.Fatal(err)
			}
			web := httptest.NewServer(h)
			t.Cleanup(web.Close)
			over := func() *sdk.ClientSession {
				c, err := sdk.NewClient(&sdk.Implementation{Name: "x"}, nil).Connect(t.Context(), &sdk.StreamableClientTransport{
					Endpoint: web.URL + mcp.Path, HTTPClient: &http.Client{Transport: bearer{http.DefaultTransport}},
				}, nil)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = c.Close() })
				return c
			}
			holder, other := over(), over()
			if first == "streams" {
				holder = connected(t, s)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				_, err := holder.CallTool(ctx, &sdk.CallToolParams{Name: "run", Arguments: map[string]any{"command": "echo > running; sleep 50"}})
				ended <- err
			}()
			until(t, func() bool { _, err := os.Stat(filepath.Join(s.Dir, "running")); return err == nil })
			for _, c := range []*sdk.ClientSession{holder, other} {
				if a := call(t, c, "run", map[string]any{"command": "sh show.sh"}); !a.isError || a.Ran || !strings.Contains(a.text, "not run: all 1 places") {
					t.Errorf("with a full server: %+v", a)
				}
			}
			if p := call(t, other, "pending", nil); len(p.Waiting) != 0 {
				t.Errorf("what has no place is judged: %+v", p)
			}
			cancel()
			if err := <-ended; err == nil {
				t.Error("it was not cancelled")
			}
			until(t, func() bool { return call(t, other, "run", map[string]any{"command": "pwd"}).Ran })
			for range 2 {
				if a := call(t, other, "run", map[string]any{"command": "sh show.sh"}); a.Request == "" {
					t.Errorf("a refusal keeps its place: %+v", a)
				}
			}
		})
	}
}

// until waits for something that another process does.
func until(t *testing.T, is func() bool) {
	t.Helper()
	for !is() {
		select {
		case <-t.Context().Done():
			t.Fatal("the test was ended")
		case <-time.After(10 * time.Millisecond):
		}
	}
}
