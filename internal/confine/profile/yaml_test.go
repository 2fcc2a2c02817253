package profile_test

import (
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/confine/profile"
)

// TestYAML: what is written is read as it was, and what cannot be is refused.
func TestYAML(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, want string
		p          profile.Profile
	}{
		{
			"short", "summary: Learned from make\nread: [/]\nwrite: [workspace, ~/.cache]\nnet: none\nsockets: false\nsignals: false\n",
			profile.Profile{Summary: "Learned from make", Read: []string{"/"}, Write: []string{"workspace", "~/.cache"}, Net: "none"},
		},
		{
			"long and odd", "summary: \"x: # 'y' \\u001b\"\nread: [/]\nnames:\n  - ~/a\n  - \"/b c\"\n  - \"/d#: e\"\n  - \"~/f\\\"\\n\"\nnet: any\nsockets: true\nsignals: true\n",
			profile.Profile{Summary: "x: # 'y' \x1b", Read: []string{"/"}, Names: []string{"~/a", "/b c", "/d#: e", "~/f\"\n"}, Net: "any", Sockets: true, Signals: true},
		},
	} {
		got, err := test.p.YAML()
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %v, wrote\n%swant\n%s", test.name, err, got, test.want)
		}
	}
	for name, p := range map[string]profile.Profile{
		"no net":        {Read: []string{"/"}},
		"not a text":    {Read: []string{"/"}, Net: "none", Names: []string{"/\xff"}},
		"leads away":    {Read: []string{"/"}, Net: "none", Names: []string{"~/../x"}},
		"everything":    {Read: []string{"/"}, Net: "none", Names: []string{"/"}},
		"reads nothing": {Net: "none"},
	} {
		if text, err := p.YAML(); err == nil {
			t.Errorf("%s: wrote %q", name, text)
		}
	}
}

// TestYAMLOwn: heed's own profiles survive being written.
func TestYAMLOwn(t *testing.T) {
	t.Parallel()
	for _, name := range profile.Names() {
		text, err := profile.Text(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := profile.Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := p.YAML()
		if err != nil {
			t.Fatal(err)
		}
		q, err := profile.Parse(name, again)
		if err != nil || !slices.Equal(q.Keep, p.Keep) || q.Summary != p.Summary {
			t.Errorf("%s: %v, %+v", name, err, q)
		}
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]string{"/h/.npm/_x/y": "~/.npm", "/h/.npm": "~/.npm", "/h/.npmrc": "", "/h/go/pkg/mod/x": "~/go/pkg", "/w/.npm": ""} {
		if got := profile.Cache(p, "/h"); got != want {
			t.Errorf("%s: %q, want %q", p, got, want)
		}
	}
}
