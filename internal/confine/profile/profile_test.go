package profile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/confine/profile"
)

func where() grant.Where {
	return grant.Where{Home: "/home/u", Workspaces: []string{"/w"}, Secrets: []string{"/home/u/.ssh"}}
}

// TestBuiltIn: the profiles that come with heed can be read, and none lets secrets, hooks
// or an agent's rights be touched.
func TestBuiltIn(t *testing.T) {
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
		g, err := p.Grant(where())
		if err != nil {
			t.Fatal(err)
		}
		if p.Summary == "" || !slices.Contains(g.Hidden, "/home/u/.ssh") || !slices.Contains(g.Keep, "/w/.git/hooks") || grant.Covers(g.Write, "/home/u/.bashrc") || !grant.Covers(g.Write, "/w/a") || g.Signals {
			t.Errorf("%s: %+v", name, g)
		}
		if grant.Covers(g.Write, "/home/u/.claude") && !slices.Contains(g.Keep, "/home/u/.claude/settings.json") {
			t.Errorf("%s: lets an agent's settings be written", name)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, want string }{
		{"read: [/]\nnet: none\n", ""},
		{"read: [/usr, ~/x, workspace/y, caches]\nnet: loopback\nwrite: [/tmp/x]\n", ""},
		{"read: [/]\n", "net:"},
		{"net: none\n", "read:"},
		{"read: [/]\nnet: all\n", "net:"},
		{"read: [/]\nnet: none\nwrit: [/a]\n", "writ"},
		{"read: [/]\nnet: none\nwrite: [/]\n", "write:"},
		{"read: [/]\nnet: none\nwrite: [a]\n", "want a path"},
		{"read: [/]\nnet: none\nwrite: [~/../x]\n", "leads elsewhere"},
		{"read: [/]\nnet: none\nhide: [secret]\n", "want a path"},
		{"- read\n", "x.yaml:"},
	} {
		_, err := profile.Parse("x.yaml", []byte(test.text))
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.text, err, test.want)
		}
	}
}

// FuzzParse: whatever a file holds, what it grants is absolute and not everything.
func FuzzParse(f *testing.F) {
	for _, name := range profile.Names() {
		text, err := profile.Text(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("read: [/]\nnet: none\nwrite: ['//', '/.', '/a/./']\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := profile.Parse("x.yaml", []byte(text))
		if err != nil {
			return
		}
		g, err := p.Grant(where())
		if err != nil {
			t.Fatalf("%q is read and then not: %v", text, err)
		}
		for _, w := range g.Write {
			if !strings.HasPrefix(w, "/") || w == "/" || strings.Contains(w, "..") && slices.Contains(strings.Split(w, "/"), "..") {
				t.Errorf("%q lets %q be written", text, w)
			}
		}
	})
}
