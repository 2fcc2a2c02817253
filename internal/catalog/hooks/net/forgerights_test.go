package net

import (
	"testing"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func TestForgeRights(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, url, body string
		want              risk.Verb
	}{
		{"PUT", "https://api.github.com/repos/o/r/collaborators/u", "", risk.PrivGain},
		{"GET", "https://api.github.com/repos/o/r/collaborators/u", "", ""},
		{"POST", "https://git.test/api/v4/projects/1/members?x=1", "user_id=2", risk.PrivGain},
		{"POST", "https://git.test/api/v4/projects/1/issues", "members", ""},
		{"DELETE", "https://git.test/api/v4/projects/1/protected_branches/main", "", risk.DefenseEvade},
		{"POST", "https://git.test/api/v4/projects/1/protected_branches", "", ""},
		{"PATCH", "https://git.test/api/v3/repos/o/r", `{"private": false}`, risk.PrivGain},
		{"PATCH", "https://git.test/api/v3/repos/o/r", `{"private": true, "description": "public"}`, ""},
		{"PUT", "https://gitlab.test/api/v4/projects/1", "visibility=public", risk.PrivGain},
		{"POST", "https://shop.test/api/v1/members", "", ""},
		{"POST", "https://api.github.com/user/keys", "", risk.PrivGain},
	} {
		path, _ := forgeURL(value.Lit(c.url))
		if path == nil {
			path = []string{"x"}
		}
		if known := func() bool { _, ok := forgeURL(value.Lit(c.url)); return ok }(); !known {
			if c.want != "" {
				t.Errorf("%s: no code host", c.url)
			}
			continue
		}
		if got, _ := ForgeRights(&ForgeRequest{HTTPMethod: c.method, Path: path, Body: c.body}); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.method, c.url, got, c.want)
		}
	}
}
