package explain_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/risk"
)

// TestActs is what is said of programs by their own phrases, and of those that do
// not get where their effects say.
func TestActs(t *testing.T) {
	t.Parallel()
	const dir = "/home/u/p"
	fails := func(paths ...string) *risk.Ending { return &risk.Ending{How: risk.EndFails, Missing: paths} }
	at := func(start, end int) risk.Span { return risk.Span{Start: start, End: end} }
	del := func(process int, unreached *risk.Ending) risk.Effect {
		return risk.Effect{Verb: risk.FSDelete, Target: dir + "/src", Scope: risk.InWorkspace, Reversible: risk.Lost, Program: "rm", By: risk.Maker{Process: process, Unreached: unreached}}
	}
	missing := fails(dir + "/a.txt")
	for name, c := range map[string]struct {
		in   explain.Input
		want string
	}{
		"one program": {explain.Input{Acts: []explain.Act{{Says: "Prints a", Parent: -1}}}, "Prints a; changes nothing."},
		"a pipe": {explain.Input{Acts: []explain.Act{
			{Says: "Prints a", Parent: -1}, {Says: "Sorts the lines of standard input", Fed: true, Parent: -1},
		}}, "Prints a, sorted; changes nothing."},
		"two pipes of the same program": {explain.Input{Acts: []explain.Act{
			{Says: "Lists packages", Parent: -1},
			{Says: "Shows the lines of standard input that match a", Fed: true, Parent: -1},
			{Says: "Lists packages", Parent: -1},
			{Says: "Shows the lines of standard input that match b", Fed: true, Parent: -1},
		}}, "Lists packages, keeping the lines that match a, then lists packages, keeping the lines that match b; changes nothing."},
		"a heading": {explain.Input{Acts: []explain.Act{
			{Says: "Prints text", Echoes: true, Parent: -1, Span: at(0, 4)}, {Says: "Lists src", Parent: -1, Span: at(6, 9)},
		}}, "Lists src; changes nothing."},
		"elsewhere": {explain.Input{Dir: dir, Acts: []explain.Act{{Says: "Lists this directory", Dir: dir + "/src", Parent: -1}}}, "Lists ./src; changes nothing."},
		"what it starts is told": {explain.Input{Acts: []explain.Act{
			{Passes: true, Parent: -1}, {Says: "Prints a", Parent: 0, Inner: true},
		}}, "Prints a; changes nothing."},
		"code is not told by what reads it": {explain.Input{Programs: []string{"perl", "head"}, Acts: []explain.Act{
			{Passes: true, Parent: -1}, {Says: "Shows the first 10 lines of standard input", Fed: true, Parent: -1},
		}}, "Runs perl and head; changes nothing."},
		"fails": {explain.Input{Dir: dir, Acts: []explain.Act{{Says: "Prints a.txt", Ends: missing, Parent: -1}}}, "Prints nothing: ./a.txt is not there."},
		"fails, three": {explain.Input{Dir: dir, Acts: []explain.Act{
			{Ends: fails(dir+"/a", dir+"/b", "/c", "/d"), Parent: -1},
		}}, "Fails: ./a, ./b and 2 more are not there; changes nothing."},
		"fails, by its spec": {explain.Input{Acts: []explain.Act{
			{Ends: &risk.Ending{How: risk.EndFails, Because: "there is no Cargo.toml here"}, Parent: -1},
		}}, "Fails: there is no Cargo.toml here; changes nothing."},
		"waits": {explain.Input{Acts: []explain.Act{{Ends: &risk.Ending{How: risk.EndWaits}, Parent: -1}}}, "Waits for input at the terminal; changes nothing."},
		"fails in part": {explain.Input{Dir: dir, Acts: []explain.Act{
			{Says: "Prints a.txt and b", Ends: &risk.Ending{How: risk.EndPartly, Missing: []string{dir + "/a.txt"}}, Parent: -1},
		}}, "Prints a.txt and b (./a.txt is not there); changes nothing."},
		"deletes nothing": {explain.Input{Dir: dir, Effects: []risk.Effect{{Verb: risk.FSDelete, Target: dir + "/a.txt", Reversible: risk.NothingThere}}, Bands: []risk.Band{risk.BandCautionB}, Acts: []explain.Act{
			{Ends: missing, Parent: -1},
		}}, "Deletes nothing: ./a.txt is not there."},
		"behind it": {explain.Input{
			Dir: dir, Effects: []risk.Effect{del(1, missing)}, Bands: []risk.Band{risk.BandReview}, Acts: []explain.Act{
				{Argv: []string{"cat", "a.txt"}, Ends: missing, Parent: -1, Span: at(0, 9)},
				{Argv: []string{"rm", "-rf", "src"}, Unreached: missing, Parent: -1, Span: at(13, 23)},
			},
		}, "Fails: ./a.txt is not there, so `rm -rf src` does not run; else deletes ./src; no copy is known."},
		"beside it": {explain.Input{
			Dir: dir, Effects: []risk.Effect{del(1, nil)}, Bands: []risk.Band{risk.BandReview}, Acts: []explain.Act{
				{Argv: []string{"cat", "a.txt"}, Ends: missing, Parent: -1, Span: at(0, 9)},
				{Argv: []string{"rm", "-rf", "src"}, Parent: -1, Span: at(11, 21)},
			},
		}, "Deletes ./src; no copy is known; `cat a.txt` fails: ./a.txt is not there."},
		"a phrase of another spec's effect": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.RemoteDestroy, Program: "ls"}}, Bands: []risk.Band{risk.BandReview},
			Acts: []explain.Act{{Says: "Lists this directory", Does: []risk.Verb{risk.FSRead}, Parent: -1}},
		}, "Destroys remote state through ls."},
		"what was called, where there are no words for it": {explain.Input{
			Effects: []risk.Effect{{Verb: risk.RemoteChange, Program: "svc"}}, Bands: []risk.Band{risk.BandCautionB},
			Acts: []explain.Act{{Argv: []string{"svc", "frob", "x"}, Parent: -1}},
		}, "Calls a service with `svc frob x`, which may change what it holds."},
		"a phrase for code of the project": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.ExecProject, Target: "the tests", Program: "pytest"}}, Bands: []risk.Band{risk.BandCautionB},
			Acts: []explain.Act{{Says: "Runs the tests in tests/api", Does: []risk.Verb{risk.ExecProject}, Parent: -1}},
		}, "Runs the tests in tests/api, code of this project."},
		"a file knows more": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.ExecProject, Target: dir + "/a.sh", Program: "make"}}, Bands: []risk.Band{risk.BandCautionB},
			Acts: []explain.Act{{Says: "Builds this project", Does: []risk.Verb{risk.ExecProject}, Parent: -1}},
		}, "Runs ./a.sh, not inspected."},
		"a summary for code of the project": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.ExecProject, Program: "ko"}}, Bands: []risk.Band{risk.BandCautionB},
			Acts: []explain.Act{{Gist: "Builds container images", Does: []risk.Verb{risk.ExecProject}, Parent: -1}},
		}, "Builds container images, running code of this project."},
		"a summary that says nothing": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.ExecProject, Program: "ko"}}, Bands: []risk.Band{risk.BandCautionB},
			Acts: []explain.Act{{Gist: "Manages images", Does: []risk.Verb{risk.ExecProject}, Parent: -1}},
		}, "Runs ko and, through it, code of this project."},
		"a summary for a setting": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.SysConfig, Target: "vg0", Kind: risk.KindVolumes}}, Bands: []risk.Band{risk.BandCautionB},
			Acts: []explain.Act{{Gist: "Creates a group of volumes", Does: []risk.Verb{risk.SysConfig}, Parent: -1}},
		}, "Creates a group of volumes: vg0."},
		"a summary of reading is not of changing": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.SysConfig, Kind: risk.KindClock}}, Bands: []risk.Band{risk.BandCautionB},
			Acts: []explain.Act{{Gist: "Shows the date", Does: []risk.Verb{risk.SysConfig}, Parent: -1}},
		}, "Changes this machine's clock or time zone."},
		"a new file out of another": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.FSCreate, Target: dir + "/b.html", Scope: risk.InWorkspace, Reversible: risk.NothingThere}}, Bands: []risk.Band{risk.BandCautionA},
			Acts: []explain.Act{{Says: "Converts a.md to b.html", Does: []risk.Verb{risk.FSRead, risk.FSCreate}, Parent: -1}},
		}, "Converts a.md to b.html."},
		"what is lost is told": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.FSWrite, Target: dir + "/b.html", Scope: risk.InWorkspace, Reversible: risk.Lost}}, Bands: []risk.Band{risk.BandReview},
			Acts: []explain.Act{{Says: "Converts a.md to b.html", Does: []risk.Verb{risk.FSRead, risk.FSWrite}, Parent: -1}},
		}, "Converts a.md to b.html, over what is there; no copy is known."},
		"a right": {explain.Input{
			Effects: []risk.Effect{{Verb: risk.PrivGain, Target: "joe", Kind: risk.KindAccount}}, Bands: []risk.Band{risk.BandReview},
			Acts: []explain.Act{{Says: "Adds joe to docker", Does: []risk.Verb{risk.PrivGain}, Parent: -1}},
		}, "Adds joe to docker."},
		"a reason that only the effect knows": {explain.Input{
			Effects: []risk.Effect{{Verb: risk.PersistAdd, Target: "/opt/x.sh", Kind: risk.KindLoginItem}}, Bands: []risk.Band{risk.BandReview},
			Acts: []explain.Act{{Says: "Changes the setting LogoutHook", Does: []risk.Verb{risk.PersistAdd}, Parent: -1}},
		}, "Has /opt/x.sh started at every login."},
		"a summary for a service": {explain.Input{
			Effects: []risk.Effect{{Verb: risk.RemoteDestroy, Target: "u1", Program: "auth"}}, Bands: []risk.Band{risk.BandReview},
			Acts: []explain.Act{{Gist: "Deletes users", Does: []risk.Verb{risk.RemoteDestroy}, Parent: -1}},
		}, "Deletes users: u1."},
		"a summary that says less than the effect": {explain.Input{
			Effects: []risk.Effect{{Verb: risk.RemoteDestroy, Program: "auth"}}, Bands: []risk.Band{risk.BandReview},
			Acts: []explain.Act{{Gist: "Changes users", Does: []risk.Verb{risk.RemoteDestroy}, Parent: -1}},
		}, "Destroys remote state through auth."},
		"a defence": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.DefenseEvade, Target: "auditd", Kind: risk.KindService}}, Bands: []risk.Band{risk.BandReview},
			Acts: []explain.Act{{Says: "Stops auditd; what it serves is down", Does: []risk.Verb{risk.DefenseEvade}, Parent: -1}},
		}, "Stops auditd, a defence of this machine; what it serves is down."},
		"it can only read": {explain.Input{Programs: []string{"say"}, Summary: "Speaks text", Acts: []explain.Act{
			{Argv: []string{"say", "hi"}, Gist: "Speaks text", Summary: "Speaks text", Reads: true, Parent: -1},
		}}, "Runs `say hi`, which speaks text; changes nothing."},
		"its command, where nothing else is known": {explain.Input{Programs: []string{"tool"}, Summary: "Manages things", Acts: []explain.Act{
			{Argv: []string{"tool", "list"}, Summary: "Manages things", Parent: -1},
		}}, "Runs `tool list`, which changes nothing."},
		"a phrase for a kind of thing": {explain.Input{
			Dir: dir, Effects: []risk.Effect{{Verb: risk.VCSLocal, Program: "git"}}, Bands: []risk.Band{risk.BandCautionA},
			Acts: []explain.Act{{Says: "Stages all changes", Does: []risk.Verb{risk.VCSLocal}, Parent: -1}},
		}, "Stages all changes."},
	} {
		if got := explain.Summarize(c.in); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, c.want)
		}
	}
}

// TestWords: no word of a command can pass for words of heed's, or move the cursor.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"a"}, "a"},
		{[]string{"a", "b", "a"}, "a and b"},
		{[]string{"a", "b", "c", "d", "e"}, "a, b and 3 more"},
		{[]string{"/home/u/x"}, "~/x"},
		{[]string{"a b"}, "“a b”"},
		{[]string{"\x1b[2J"}, `\x1b[2J`},
		{[]string{"a\nb"}, ""},
		{[]string{""}, ""},
		{[]string{strings.Repeat("ab ", 30)}, ""},
		{[]string{"https://x.test/" + strings.Repeat("a", 60) + "/b.yaml"}, "https://x.test/aaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaaaaaaa/b.yaml"},
		{[]string{strings.Repeat("a", 400)}, ""},
		{nil, ""},
	} {
		if got := explain.Words(c.words, "/home/u/p", "/home/u"); got != c.want {
			t.Errorf("%q: %q, want %q", c.words, got, c.want)
		}
	}
}
