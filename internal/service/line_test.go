package service_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// FuzzParseLine reads arbitrary bytes as a line of check --batch: it never
// panics, and what is accepted is a request that can be assessed.
func FuzzParseLine(f *testing.F) {
	f.Add([]byte(`{"id":"1","cmd":"ls","shell":"sh","cwd":"x","env":{"A":"b"},"provenance":"unknown"}`))
	f.Add([]byte(`{"cmd":"a","cmd":"b"}`))
	f.Add([]byte(`{"cmd":"a","session":"s","time":"2026-11-21T10:00:00.5+01:00"}`))
	f.Add([]byte(`{"cmd":"a","time":-9223372036854775808}`))
	f.Add([]byte(`{"id":{"a":[1]},"cmd":"\ud800\u0000"}`))
	f.Add([]byte("{\"cmd\":\"\xff\"}"))
	f.Add([]byte(`{"cmd":"ls"`))
	base := risk.Request{Shell: "bash", Dir: "/w", Env: map[string]string{"HOME": "/h"}}
	f.Fuzz(func(t *testing.T, line []byte) {
		req, _, err := service.ParseLine(line, base)
		if !slices.Contains(append(risk.Provenances(), ""), req.Provenance) {
			t.Errorf("provenance %q", req.Provenance)
		}
		if err != nil {
			return
		}
		if !utf8.Valid(line) || !json.Valid(line) {
			t.Errorf("accepted %q, which is not JSON", line)
		}
		if req.Env == nil || !strings.HasPrefix(req.Dir, "/") {
			t.Errorf("accepted %q as %+v", line, req)
		}
	})
}
