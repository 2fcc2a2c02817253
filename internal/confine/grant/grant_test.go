package grant_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/risk"
)

func where() grant.Where {
	return grant.Where{Home: "/home/u", Workspaces: []string{"/home/u/w"}, Secrets: []string{"/home/u/.ssh"}}
}

// TestOf holds effects against what is granted for them, and what stays open.
func TestOf(t *testing.T) {
	t.Parallel()
	least := func(change func(*grant.Grant)) grant.Grant {
		g := grant.Least(where())
		if change != nil {
			change(&g)
		}
		return g
	}
	names := func(names ...string) grant.Grant { return least(func(g *grant.Grant) { g.Names = names }) }
	ports := func(list ...uint16) grant.Grant {
		return least(func(g *grant.Grant) { g.Net, g.Ports = grant.Loopback, list })
	}
	for _, test := range []struct {
		name    string
		tier    risk.Tier
		effects []risk.Effect
		want    grant.Grant
		open    int
	}{
		{"nothing", risk.Safe, nil, least(nil), 0},
		{"reads", risk.Safe, []risk.Effect{{Verb: risk.FSRead, Target: "/home/u/w/a", Scope: risk.InWorkspace}}, least(nil), 0},
		{"SAFE writes nothing, whatever its effects say", risk.Safe, []risk.Effect{{Verb: risk.FSWrite, Target: "/home/u/w/a"}}, least(nil), 0},
		{"SAFE connects to nothing", risk.Safe, []risk.Effect{{Verb: risk.NetFetch, Target: "https://x"}}, least(nil), 0},
		{"SAFE signals nobody", risk.Safe, []risk.Effect{{Verb: risk.ProcSignal, Target: "1"}}, least(nil), 0},
		{"makes a file", risk.Caution, []risk.Effect{{Verb: risk.FSCreate, Target: "/home/u/w/a"}}, names("/home/u/w/a"), 0},
		{"the same twice", risk.Caution, []risk.Effect{{Verb: risk.FSCreate, Target: "/home/u/w/a"}, {Verb: risk.FSWrite, Target: "/home/u/w//a"}}, names("/home/u/w/a"), 0},
		{"moves", risk.Caution, []risk.Effect{{Verb: risk.FSMove, Target: "/home/u/w/a"}, {Verb: risk.FSCreate, Target: "/home/u/w/d/b"}}, names("/home/u/w/a", "/home/u/w/d/b"), 0},
		{"the null device", risk.Caution, []risk.Effect{{Verb: risk.FSWrite, Target: "/dev/null", Scope: risk.IsNull}}, least(nil), 0},
		{"fetches", risk.Caution, []risk.Effect{{Verb: risk.NetFetch, Target: "https://x"}}, least(func(g *grant.Grant) { g.Net = grant.AnyNet }), 0},
		{"this machine's own loopback, a port that is not known", risk.Caution, []risk.Effect{{Verb: risk.NetConnect, Target: "127.0.0.1", Scope: risk.IsLoopback}}, least(nil), 1},
		{"the same, SAFE", risk.Safe, []risk.Effect{{Verb: risk.NetFetch, Target: "localhost:/", Scope: risk.IsLoopback}}, least(nil), 0},
		{"a port of which a part is not known", risk.Safe, []risk.Effect{{Verb: risk.NetFetch, Target: "localhost:30", Unresolved: "$X", Scope: risk.IsLoopback}}, least(nil), 0},
		{"a port", risk.Caution, []risk.Effect{{Verb: risk.NetConnect, Target: "localhost:5432", Scope: risk.IsLoopback}}, ports(5432), 0},
		{"a port, SAFE", risk.Safe, []risk.Effect{{Verb: risk.NetFetch, Target: "localhost:3000/a?b=c", Scope: risk.IsLoopback}}, ports(3000), 0},
		{"ports of addresses and schemes", risk.Safe, []risk.Effect{
			{Verb: risk.NetFetch, Target: "http://[::1]:99/", Scope: risk.IsLoopback},
			{Verb: risk.NetFetch, Target: "http://127.0.0.1/", Scope: risk.IsLoopback},
			{Verb: risk.NetFetch, Target: "https://localhost/a", Scope: risk.IsLoopback},
			{Verb: risk.NetFetch, Target: "https://localhost/b", Scope: risk.IsLoopback},
		}, ports(99, 80, 443), 0},
		{"SAFE sends nothing", risk.Safe, []risk.Effect{{Verb: risk.NetSend, Target: "localhost:3000", Scope: risk.IsLoopback}}, least(nil), 0},
		{"a port, and a host", risk.Caution, []risk.Effect{{Verb: risk.NetFetch, Target: "https://x"}, {Verb: risk.NetFetch, Target: "localhost:1", Scope: risk.IsLoopback}}, least(func(g *grant.Grant) { g.Net, g.Ports = grant.AnyNet, []uint16{1} }), 0},
		{"commits", risk.Caution, []risk.Effect{{Verb: risk.VCSLocal}}, least(func(g *grant.Grant) { g.Write = []string{"/home/u/w"} }), 0},
		{"signals", risk.Caution, []risk.Effect{{Verb: risk.ProcSignal, Target: "1"}}, least(func(g *grant.Grant) { g.Signals = true }), 0},
		{"a secret that is named", risk.Review, []risk.Effect{{Verb: risk.SecretRead, Target: "/home/u/.ssh/id"}}, least(func(g *grant.Grant) { g.Secrets = []string{"/home/u/.ssh/id"} }), 0},
		{"a secret that is not", risk.Review, []risk.Effect{{Verb: risk.SecretRead, Target: "$X", Unresolved: "$X"}}, least(nil), 1},
		{"secrets of a glob", risk.Review, []risk.Effect{{Verb: risk.SecretRead, Target: "/home/u/.ssh", Pattern: "*"}}, least(nil), 1},
		{"a target that is not known", risk.Caution, []risk.Effect{{Verb: risk.FSWrite, Target: "/home/u/w/$X", Unresolved: "$X"}}, least(nil), 1},
		{"a root", risk.Review, []risk.Effect{{Verb: risk.FSDelete, Target: "/home/u", Root: true}}, least(nil), 1},
		{"a name in the home, beside start-up files", risk.Caution, []risk.Effect{{Verb: risk.FSCreate, Target: "/home/u/a"}}, least(nil), 1},
		{"a name in /", risk.Caution, []risk.Effect{{Verb: risk.FSCreate, Target: "/a"}}, least(nil), 1},
		{"start-up files", risk.Review, []risk.Effect{{Verb: risk.FSWrite, Target: "/home/u/x/.bashrc", Scope: risk.IsStartup}}, least(nil), 1},
		{"an agent's rights", risk.Review, []risk.Effect{{Verb: risk.FSWrite, Target: "/home/u/w/.claude/settings.json", Scope: risk.IsAgentConfig}}, least(nil), 1},
		{"another host's files", risk.Caution, []risk.Effect{{Verb: risk.FSWrite, Target: "/home/u/w/a", Host: "h"}}, least(nil), 1},
		{"code of the project", risk.Caution, []risk.Effect{{Verb: risk.ExecProject, Target: "the makefile"}}, least(nil), 1},
		{"more rights", risk.Review, []risk.Effect{{Verb: risk.PrivGain, Target: "root"}}, least(nil), 1},
		{"what nobody could see", risk.Review, []risk.Effect{{Verb: risk.Blind}}, least(nil), 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, open := grant.Of(&risk.Assessment{Tier: test.tier, Effects: test.effects}, where())
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if len(open) != test.open {
				t.Errorf("open: %v, want %d", open, test.open)
			}
		})
	}
}

// TestEveryVerb: a verb that is not thought of is granted nothing, and stays open.
func TestEveryVerb(t *testing.T) {
	t.Parallel()
	for _, v := range append(risk.Verbs(), "new.verb") {
		g, open := grant.Of(&risk.Assessment{Tier: risk.Review, Effects: []risk.Effect{{Verb: v, Target: "x"}}}, where())
		if len(g.Names) > 0 || len(open) > 0 && (g.Net != grant.NoNet || g.Writes()) {
			t.Errorf("%s of something that is no path: %+v, open %v", v, g, open)
		}
		g, _ = grant.Of(&risk.Assessment{Tier: risk.Safe, Effects: []risk.Effect{{Verb: v, Target: "/home/u/w/x"}}}, where())
		if g.Writes() || g.Net != grant.NoNet || g.Signals || g.Sockets {
			t.Errorf("a SAFE %s is granted %+v", v, g)
		}
	}
}

// TestFailed: what could not be assessed is granted nothing.
func TestFailed(t *testing.T) {
	t.Parallel()
	if _, open := grant.Of(&risk.Assessment{Error: "out of time"}, where()); len(open) != 1 {
		t.Errorf("open: %v, want one", open)
	}
}

func TestBelow(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		p, in string
		want  bool
	}{
		{"/a", "/a", true},
		{"/a/b", "/a", true},
		{"/ab", "/a", false},
		{"/a", "/a/b", false},
		{"/a", "/", true},
	} {
		if got := grant.Below(test.p, test.in); got != test.want {
			t.Errorf("Below(%s, %s) = %t", test.p, test.in, got)
		}
	}
}
