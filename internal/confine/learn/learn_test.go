package learn_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/confine/learn"
	"github.com/heedsh/heed/internal/confine/profile"
)

// where is a home with a workspace, in a temp directory.
func where(t *testing.T) grant.Where {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"work", ".config/tool", "data/there", ".local/bin"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return grant.Where{Home: home, Workspaces: []string{home + "/work"}, Secrets: confine.Secrets(home)}
}

func isDir(p string) bool {
	i, err := os.Lstat(p)
	return err == nil && i.IsDir()
}

// run records what a run did, told as "DEED PATH", where ~/ is the home; a ! before it is
// what was refused.
func run(t *testing.T, w grant.Where, deeds ...string) learn.Run {
	t.Helper()
	r := learn.NewRecorder(w)
	for _, text := range deeds {
		text, refused := strings.CutPrefix(text, "!")
		verb, p, _ := strings.Cut(text, " ")
		if rest, ok := strings.CutPrefix(p, "~/"); ok {
			p = w.Home + "/" + rest
		}
		deed, known := map[string]confine.Deed{
			"write": confine.Write, "make": confine.Make, "chmod": confine.Metadata, "reach": confine.Network, "socket": confine.Socket,
			"read": confine.Read, "signal": confine.Signal, "mount": confine.Mount,
		}[verb]
		if !known {
			t.Fatalf("%q is no deed", text)
		}
		if f := (confine.Refusal{Deed: deed, Path: p, Program: "tool"}); refused {
			r.Refuse(f)
		} else {
			r.Saw(f)
		}
	}
	return r.Run()
}

func TestPropose(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name         string
		runs         [3][]string
		write, names string
		net          string
		sockets      bool
		left         []string // how each line begins or ends
	}{
		{name: "nothing", net: "none"},
		{
			name: "trees of which two runs changed any file", net: "none", write: "workspace ~/.cache /tmp",
			runs: [3][]string{{"write ~/work/a", "make ~/.cache/x/1", "write /tmp/1"}, {"write ~/work/b", "write /tmp/2"}, {"make ~/.cache/y"}},
		},
		{
			name: "one run is not enough", net: "none",
			runs: [3][]string{{"write ~/work/a", "write ~/.config/tool/a", "socket ~/work/s"}},
			left: []string{"write workspace (tool): seen in one of 3 runs only", "write ~/.config/tool/a (tool): seen in one of 3 runs only", "use the Unix socket ~/work/s (tool): seen in one of 3 runs only"},
		},
		{
			name: "the same single path twice", net: "none", names: "~/.config/tool/a",
			runs: [3][]string{{"write ~/.config/tool/a", "write ~/.config/tool/b"}, {"chmod ~/.config/tool/a"}, {}},
			left: []string{"write ~/.config/tool/b (tool): seen in one of 3 runs only"},
		},
		{
			name: "a directory that was there, and one that was made", net: "none", names: "~/data/there/new",
			runs: [3][]string{{"chmod ~/data/there", "make ~/data/there/new"}, {"chmod ~/data/there", "make ~/data/there/new"}, {}},
			left: []string{"change the mode, owner, times or attributes of ~/data/there (tool): it is a directory that the command did not make"},
		},
		{
			name: "never", net: "none",
			runs: [3][]string{
				{"write ~/.bashrc", "write ~/other/.git/hooks/pre-push", "write ~/.config/heed/policy.yaml", "write ~/.netrc", "read ~/.ssh/id_rsa", "!write ~/work/.git/config", "!signal process 1 (x)", "!write /etc/x", "!socket /run/d", "!mount"},
				{"write ~/.bashrc", "write ~/other/.git/hooks/pre-push", "write ~/.config/heed/policy.yaml", "write ~/.netrc", "read ~/.ssh/id_rsa", "!write ~/work/.git/config", "!signal process 1 (x)", "!write /etc/x", "!socket /run/d", "!mount"},
				{},
			},
			left: []string{
				"write ~/.bashrc (tool): start-up files", "write ~/other/.git/hooks/pre-push (tool): start-up files", "write ~/.config/heed/policy.yaml (tool): start-up files", "write ~/.netrc (tool): start-up files",
				"read ~/.ssh/id_rsa (tool): a secret is never learned", "write ~/work/.git/config (tool): start-up files", "signal process 1 (x) (tool): signals", "write /etc/x (tool): outside of",
				"use a Unix socket /run/d (tool): a socket of others", "mount something (tool): no profile lets it",
			},
		},
		{
			name: "what leads to it", net: "none",
			runs: [3][]string{{"make ~/.config", "write ~/x", "write ~/.local/bin/tool", "make ~/.local/bin"}, {"make ~/.config", "write ~/x", "write ~/.local/bin/tool", "make ~/.local/bin"}, {}},
			left: []string{"make ~/.config (tool): beside it", "write ~/x (tool): beside it, in the home", "write ~/.local/bin/tool (tool): programs stand there", "make ~/.local/bin (tool): programs stand there"},
		},
		{
			name: "a host of two runs", net: "any",
			runs: [3][]string{{"reach 192.0.2.1", "reach 127.0.0.1"}, {"reach 192.0.2.1"}, {}},
			left: []string{"use the network of this machine (tool): seen in one"},
		},
		{
			name: "a host of one run beside it", net: "loopback",
			runs: [3][]string{{"reach 192.0.2.1", "reach ::1"}, {"reach 192.0.2.1", "reach "}, {"reach 192.0.2.2"}},
			left: []string{"reach 192.0.2.2 (tool): seen in one of 3 runs only", "net: any: it would let the hosts be reached, too"},
		},
		{name: "this machine", net: "loopback", runs: [3][]string{{"reach 127.0.0.1"}, {"reach 0.0.0.0"}, {}}},
		{name: "sockets", net: "none", sockets: true, runs: [3][]string{{"socket ~/work/s"}, {"socket ~/work/s"}, {}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := where(t)
			base, err := learn.Begin("/usr/bin/tool")
			if err != nil {
				t.Fatal(err)
			}
			var runs []learn.Run
			for _, deeds := range test.runs {
				runs = append(runs, run(t, w, deeds...))
			}
			p, left, err := learn.Propose(base, runs, w, isDir)
			if err != nil {
				t.Fatal(err)
			}
			write := strings.Fields(test.write)
			slices.Sort(write)
			got := slices.Sorted(slices.Values(p.Write))
			if !slices.Equal(got, write) || strings.Join(p.Names, " ") != test.names || p.Net != test.net || p.Sockets != test.sockets || p.Signals {
				t.Errorf("write %q, names %q, net %s, sockets %t, signals %t", p.Write, p.Names, p.Net, p.Sockets, p.Signals)
			}
			if len(base.Write)+len(base.Names) > 0 || base.Net != "none" {
				t.Errorf("what it was learned from changed: %+v", base)
			}
			var lines []string
			for _, l := range left {
				lines = append(lines, l.What+": "+l.Why)
			}
			for _, want := range test.left {
				if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, want) }) {
					t.Errorf("it is not told that %q", want)
				}
			}
			if len(lines) != len(test.left) {
				t.Errorf("told: %q", lines)
			}
			if _, err := p.YAML(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestProposeAgain: what a profile grants already is neither added nor told.
func TestProposeAgain(t *testing.T) {
	t.Parallel()
	w := where(t)
	base := &profile.Profile{Read: []string{"/"}, Write: []string{"workspace", "caches", "~/.config/tool"}, Net: "any", Sockets: true}
	deeds := []string{"write ~/work/a", "write ~/.npm/x", "write ~/.config/tool/a", "reach 192.0.2.1", "socket ~/s"}
	p, left, err := learn.Propose(base, []learn.Run{run(t, w, deeds...), run(t, w, deeds...), run(t, w, "write ~/.config/tool/b", "reach 192.0.2.2")}, w, isDir)
	if err != nil || len(left) > 0 || len(p.Names) > 0 || len(p.Write) != 3 {
		t.Errorf("%v, left %q, %+v", err, left, p)
	}
}

// TestForged: runs that were changed since teach nothing more.
func TestForged(t *testing.T) {
	t.Parallel()
	w := where(t)
	var r learn.Run
	for _, what := range []string{"~", "/", "secrets", "~/work/..", "~/.ssh", "relative"} {
		r.Needs = append(r.Needs, learn.Need{Kind: learn.Tree, What: what}, learn.Need{Kind: learn.Name, What: what})
	}
	base, err := learn.Begin("tool")
	if err != nil {
		t.Fatal(err)
	}
	p, left, err := learn.Propose(base, []learn.Run{r, r, r}, w, isDir)
	if err != nil || len(p.Write)+len(p.Names) > 0 || len(left) != len(r.Needs) {
		t.Errorf("%v: write %q, names %q, left %q", err, p.Write, p.Names, left)
	}
}

// TestMany: a run that needs too much says so.
func TestMany(t *testing.T) {
	t.Parallel()
	w := where(t)
	var deeds []string
	for i := range 600 {
		deeds = append(deeds, "write ~/.config/tool/"+strconv.Itoa(i))
	}
	base, err := learn.Begin("tool")
	if err != nil {
		t.Fatal(err)
	}
	p, left, err := learn.Propose(base, []learn.Run{run(t, w, deeds...), run(t, w, deeds...), {}}, w, isDir)
	if err != nil || len(p.Names) == 0 || len(p.Names)+len(left) != 502 {
		t.Errorf("%v: %d names, %d left out", err, len(p.Names), len(left))
	}
	if _, err := p.YAML(); err != nil {
		t.Error(err)
	}
}

func TestGrant(t *testing.T) {
	t.Parallel()
	w := where(t)
	g, err := learn.Grant(grant.Grant{Read: []string{"/"}}, w)
	if err != nil || !grant.Covers(g.Write, w.Home+"/x") || !grant.Covers(g.Keep, w.Home+"/.bashrc") || !grant.Covers(g.Keep, w.Home+"/.ssh/x") || !grant.Covers(g.Keep, w.Home+"/work/.git/hooks/x") {
		t.Errorf("%v: %+v", err, g)
	}
	if g.Signals {
		t.Error("signals are let through")
	}
	for _, bad := range []grant.Where{{}, {Home: "/"}, {Home: w.Home, Workspaces: []string{w.Home}}, {Home: w.Home, Workspaces: []string{"/"}}} {
		if _, err := learn.Grant(grant.Grant{}, bad); err == nil {
			t.Errorf("%+v: there is a grant", bad)
		}
	}
}

// TestKeeps: packages in caches and the workspace may hold settings of their own.
func TestKeeps(t *testing.T) {
	t.Parallel()
	w := where(t)
	r := learn.NewRecorder(w)
	for p, want := range map[string]bool{"/other/.git/hooks/x": true, "/.zshrc": true, "/work/node_modules/p/.vscode/settings.json": false, "/.npm/p/.claude/settings.json": false, "/notes": false} {
		if got := r.Keeps(w.Home + p); got != want {
			t.Errorf("%s: %t, want %t", p, got, want)
		}
	}
}
