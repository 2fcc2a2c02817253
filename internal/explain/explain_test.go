package explain

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/heedsh/heed/risk"
	"pgregory.net/rapid"
)

func TestVisible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain name":           "plain name",
		"café 漢字":              "café 漢字",
		"a\nb\tc\rd":           `a\nb\tc\x0dd`,
		"\x1b[2Jgone":          `\x1b[2Jgone`,
		"\x7f\x00":             `\x7f\x00`,
		"bad\xffbyte":          `bad\xffbyte`,
		"a\u202egpj.exe":       `a\u202egpj.exe`,
		"zero\u200bwidth":      `zero\u200bwidth`,
		"no-break\u00a0space":  `no-break\u00a0space`,
		"hangul\u3164filler":   `hangul\u3164filler`,
		"braille\u2800blank":   `braille\u2800blank`,
		"variation\ufe0f":      `variation\ufe0f`,
		"bom\ufeff":            `bom\ufeff`,
		"\u0085next\u2028line": `\u0085next\u2028line`,
		"[SAFE] approved":      "[·SAFE·] approved",
		"[caution] [REVIEW]":   "[·caution·] [·REVIEW·]",
		"SAFE]":                "SAFE·]",
		"is SAFE here":         "is SAFE here",
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestVisibleAlways: whatever goes in, nothing comes out that a terminal
// obeys, that hides, or that looks like a badge.
func TestVisibleAlways(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.StringMatching(`[\[\]SAFEsafeCUTIONREVW]{0,30}`)).Draw(t, "in")
		out := Visible(in)
		if !utf8.ValidString(out) {
			t.Fatalf("Visible(%q) is not UTF-8: %q", in, out)
		}
		for _, r := range out {
			if r < 0x20 || r == 0x7f || hidden(r) {
				t.Fatalf("Visible(%q) holds %U", in, r)
			}
		}
		for _, badge := range []string{"[SAFE]", "[CAUTION]", "[REVIEW]"} {
			if strings.Contains(strings.ToUpper(out), badge) {
				t.Fatalf("Visible(%q) = %q holds a badge", in, out)
			}
		}
	})
}

func TestQuoteAndCut(t *testing.T) {
	t.Parallel()
	long := "./" + strings.Repeat("a", 100) + "/end.txt"
	got := quote(long)
	if n := utf8.RuneCountInString(got); n != maxName || !strings.HasPrefix(got, "./aaa") || !strings.HasSuffix(got, "/end.txt") {
		t.Errorf("quote of a long path = %q (%d characters)", got, n)
	}
	for in, want := range map[string]string{"": "“”", "a b": "“a b”", "it's": "“it's”", "plain": "plain"} {
		if got := quote(in); got != want {
			t.Errorf("quote(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Cut("kürzer", 10); got != "kürzer" {
		t.Errorf("Cut left %q", got)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for in, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := number(in); got != want {
			t.Errorf("number(%d) = %q, want %q", in, got, want)
		}
	}
	for in, want := range map[int64]string{7: "7 bytes", 999: "999 bytes", 1000: "1 kB", 1500: "1.5 kB", 312e6: "312 MB", 3e9: "3 GB", 5e15: "5000 TB"} {
		if got := size(in); got != want {
			t.Errorf("size(%d) = %q, want %q", in, got, want)
		}
	}
}

func TestPlace(t *testing.T) {
	t.Parallel()
	at := place{dir: "/home/u/project", home: "/home/u"}
	for in, want := range map[string]string{
		"/home/u/project": ".", "/home/u/project/a b": "“./a b”", "/home/u": "~", "/home/u/x": "~/x",
		"/home/u/projects": "~/projects", "/home/user": "/home/user", "/etc": "/etc", "": "an unknown place",
	} {
		if got := at.path(in); got != want {
			t.Errorf("path(%q) = %q, want %q", in, got, want)
		}
	}
}

const dir = "/home/u/p"

// TestPhrases holds the sentence of every kind of effect.
func TestPhrases(t *testing.T) {
	t.Parallel()
	lost := func(files, untracked int) *risk.Counts {
		return &risk.Counts{Files: files, Bytes: 2e6, Untracked: untracked}
	}
	tests := []struct {
		e    risk.Effect
		want string
	}{
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/a", Recursive: true, Reversible: risk.Lost, Counts: lost(21, 1)}, "Deletes ./a and all in it (21 files, 2 MB, 1 not in git)."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/a", Recursive: true, Reversible: risk.Lost, Counts: lost(21, 21)}, "Deletes ./a and all in it (21 files, 2 MB, none in git)."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/a", Recursive: true, Reversible: risk.Lost, Counts: lost(21, 0), Privileged: true, Via: []string{"sudo"}}, "Deletes ./a and all in it (21 files, 2 MB) as another user (sudo); no copy is known."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/a", Reversible: risk.Lost, Privileged: true, Via: []string{"chroot"}}, "Deletes ./a with other rights; no copy is known."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/a", Recursive: true, Reversible: risk.Restorable, Remedy: risk.RemedyGit, Counts: lost(12, 0)}, "Deletes ./a and all in it (12 files, 2 MB); git can restore them."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/a", Reversible: risk.Restorable, Remedy: risk.RemedyLink}, "Deletes the link ./a, not what it points to."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/a", Recursive: true, Reversible: risk.Restorable, Remedy: risk.RemedyEmpty}, "Deletes the empty directory ./a."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/a", Reversible: risk.Restorable, Remedy: risk.RemedyEmpty}, "Deletes ./a, an empty file."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/.git", Recursive: true, Reversible: risk.Lost}, "Deletes ./.git: the repository's history, branches and stashes."},
		{risk.Effect{Verb: risk.FSDelete, Target: "/", Root: true, Recursive: true, Unresolved: "$D", Cause: risk.CauseUnset}, "Deletes everything in / if $D is empty."},
		{risk.Effect{Verb: risk.FSAttr, Kind: risk.KindMode, Target: dir, Root: true, Unresolved: "<which x>", Cause: risk.CauseOutput}, "Changes the permissions of a file whose name is not known (what `which x` prints)."},
		{risk.Effect{Verb: risk.FSWrite, Target: dir, Root: true, Unresolved: "<" + dir + "/list>", Cause: risk.CauseFile}, "Overwrites a file whose name is not known (what ./list holds)."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir, Root: true, Unresolved: "<f>", Cause: risk.CauseLoop}, "Deletes a file whose name is not known, in . or elsewhere (what `f` prints)."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir, Many: true, Kind: risk.KindFind, Reversible: risk.Partly, Counts: lost(40, 3)}, "Deletes files found in . (among 40 files, 2 MB, 3 not in git)."},
		{risk.Effect{Verb: risk.FSDelete, Target: "/", Many: true, Recursive: true, Pattern: "build/*", Through: dir + "/build/bin"}, "Deletes everything in / (through the link ./build)."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/a", Certainty: risk.Possible, Reached: risk.Condition{Kind: risk.IfSucceeds, Of: "x"}, Reversible: risk.NothingThere}, "Deletes nothing now if `x` succeeds: ./a is not there."},
		{risk.Effect{Verb: risk.FSWrite, Target: dir + "/a", Kind: risk.KindTruncate, Scope: risk.InWorkspace, Reversible: risk.NothingThere}, "Creates ./a."},
		{risk.Effect{Verb: risk.FSWrite, Target: dir + "/a", Kind: risk.KindTruncate, Scope: risk.InWorkspace, Reversible: risk.Lost, Counts: &risk.Counts{Files: 1, Untracked: 1}}, "Empties ./a; it is not in git."},
		{risk.Effect{Verb: risk.FSWrite, Target: dir + "/a", Kind: risk.KindMove, Scope: risk.InWorkspace, Reversible: risk.Restorable, Remedy: risk.RemedyGit}, "Replaces ./a; git can restore it."},
		{risk.Effect{Verb: risk.FSWrite, Target: "/proc/sys/kernel/x", Scope: risk.IsDevice}, "Changes the kernel's setting /proc/sys/kernel/x."},
		{risk.Effect{Verb: risk.FSWrite, Target: "/home/u/.bashrc", Scope: risk.IsStartup, Kind: risk.KindAppend}, "Adds to ~/.bashrc, which is run or obeyed later without being asked."},
		{risk.Effect{Verb: risk.FSCreate, Target: dir + "/a", Scope: risk.InWorkspace, Kind: risk.KindSymlink, Forced: true}, "Replaces ./a by a link."},
		{risk.Effect{Verb: risk.FSCreate, Target: dir + "/a", Scope: risk.InWorkspace}, "Makes sure that ./a exists."},
		{risk.Effect{Verb: risk.FSCreate, Target: dir + "/a", Scope: risk.InWorkspace, Reversible: risk.NothingThere}, "Creates ./a."},
		{risk.Effect{Verb: risk.ExecUnknown, Target: "python code", Kind: risk.KindCode}, "Runs python code, not inspected."},
		{risk.Effect{Verb: risk.ExecUnknown, Target: dir + "/a b", Kind: risk.KindBinary, Privileged: true, Via: []string{"sudo"}}, "Runs “./a b” as another user (sudo), a binary, not inspected."},
		{risk.Effect{Verb: risk.ExecShell, Kind: risk.KindRootShell, Privileged: true, Via: []string{"sudo"}}, "Starts a shell as another user (sudo)."},
		{risk.Effect{Verb: risk.SecretRead, Target: "a secret"}, "Shows a secret."},
		{risk.Effect{Verb: risk.SecretSend, Source: risk.From(dir + "/.env"), Target: "https://x.example/"}, "Sends the secrets in ./.env to https://x.example/."},
		{risk.Effect{Verb: risk.SecretSend, Kind: risk.KindPrivate, Target: "https://x.example/"}, "Sends private data to https://x.example/."},
		{risk.Effect{Verb: risk.FSMove, Target: "/w/a", Kind: risk.KindTrash}, "Moves /w/a to the trash."},
		{risk.Effect{Verb: risk.VCSRewrite, Target: "HEAD~1", Kind: risk.KindReset, Counts: &risk.Counts{Commits: 1}}, "Moves the branch to HEAD~1 and makes 1 commit unreachable."},
		{risk.Effect{Verb: risk.VCSForce, Target: "origin/main", Kind: risk.KindLease, Counts: &risk.Counts{Commits: 2}}, "Force-pushes to origin/main if nobody else has pushed: 2 commits there would no longer be reachable."},
		{risk.Effect{Verb: risk.VCSDiscard, Kind: risk.KindUntracked, Reversible: risk.Restorable}, "Would delete what git does not have: there is nothing now."},
		{risk.Effect{Verb: risk.VCSDiscard, Kind: risk.KindPath, Target: dir, Counts: &risk.Counts{Modified: 2}}, "Throws away the changes in . (2 files)."},
		{risk.Effect{Verb: risk.VCSLocal, Target: "fix/a b", Kind: risk.KindSwitch}, "Switches to “fix/a b”."},
		{risk.Effect{Verb: risk.VCSLocal, Kind: risk.KindLfs}, "Changes local git state (lfs)."},
		{risk.Effect{Verb: risk.PkgInstall, Target: "dependencies of this project"}, "Installs dependencies of this project, whose install scripts can run code."},
		{risk.Effect{Verb: risk.PkgInstall, Target: "left pad"}, "Installs “left pad”, whose install scripts can run code."},
		{risk.Effect{Verb: risk.ProcSignal, Target: "1234"}, "Signals the process 1234."},
		{risk.Effect{Verb: risk.ProcSignal, Target: "node"}, "Signals processes named node."},
		{risk.Effect{Verb: risk.ProcSignal, Target: "<pgrep -P 12>"}, "Signals the processes that `pgrep -P 12` prints."},
		{risk.Effect{Verb: risk.ProcSignal, Target: "sshd", Kind: risk.KindSystemService}, "Signals processes that the machine needs: sshd."},
		{risk.Effect{Verb: risk.NetFetch, Target: "the package lists"}, "Downloads from the package lists."},
		{risk.Effect{Verb: risk.FSCreate, Target: dir, Scope: risk.InWorkspace, Kind: risk.KindPackages}, "Saves packages in ."},
		{risk.Effect{Verb: risk.ExecShell, Program: "sh", Host: "web"}, "Starts a shell on web."},
		{risk.Effect{Verb: risk.ExecShell, Program: "vim"}, "Starts a shell through vim."},
		{risk.Effect{Verb: risk.RemoteDestroy, Target: "acme destroy", Program: "acme", Kind: risk.KindUnlistedProgram}, "May destroy something: “acme destroy”, from a program heed does not know."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/a", Reversible: risk.Restorable, Remedy: risk.RemedyDir}, "Deletes the directory ./a if it is empty."},
		{risk.Effect{Verb: risk.RemoteDestroy, Program: "terraform", Kind: risk.KindAutoApprove}, "Changes or destroys remote state through terraform without asking again."},
		{risk.Effect{Verb: risk.RemoteRead, Program: "kubectl"}, "Reads remote state through kubectl."},
		{risk.Effect{Verb: risk.RemoteChange}, "Changes the service."},
		{risk.Effect{Verb: risk.SysConfig, Kind: risk.KindCritical}, "Changes this machine's settings."},
		{risk.Effect{Verb: risk.ExecUnknown, Target: "alpine", Kind: risk.KindContainer}, "Runs the image alpine, not inspected."},
		{risk.Effect{Verb: risk.ExecUnknown, Target: "/etc/x.sh", Kind: risk.KindInspectedScript}, "Runs /etc/x.sh, which was read and judged."},
		{risk.Effect{Verb: risk.RemoteChange, Target: "42", Program: "gh"}, "Changes 42 through gh."},
		{risk.Effect{Verb: risk.DBChange, Kind: risk.KindStatementsFromStandardInput}, "Changes the database (statements from standard input)."},
		{risk.Effect{Verb: risk.ExecRemote, Target: "the editor's tunnel", Kind: risk.KindSharedShell}, "Gives others a shell on this machine through the editor's tunnel."},
		{risk.Effect{Verb: risk.PersistAdd, Target: "api", Kind: risk.KindNoSuchUnitHereNow}, "Arranges to run later without being asked: api (no such unit here now)."},
		{risk.Effect{Verb: risk.NetListen, Target: "8000"}, "Accepts connections on port 8000."},
		{risk.Effect{Verb: risk.NetListen, Target: ""}, "Accepts connections from the network."},
		{risk.Effect{Verb: risk.PersistAdd, Target: "-", Kind: risk.KindCronTable}, "Sets the cron table from standard input: its commands run at set times."},
		{risk.Effect{Verb: risk.RemoteDestroy, Target: "/srv/x", Kind: risk.KindWhatTheSourceLacks, Host: "web01"}, "Deletes what is in /srv/x and not in the source on web01."},
		{risk.Effect{Verb: risk.FSWrite, Target: dir + "/a.go", Kind: risk.KindFormatted, Scope: risk.InWorkspace, Reversible: risk.Restorable, Remedy: risk.RemedyGit}, "Formats ./a.go; git can restore it."},
		{risk.Effect{Verb: risk.FSWrite, Target: dir, Kind: risk.KindFormatted, Scope: risk.InWorkspace, Recursive: true}, "Formats files in ."},
		{risk.Effect{Verb: risk.FSWrite, Target: "/etc/a", Kind: risk.KindFormatted, Scope: risk.InSystem, Reversible: risk.Lost}, "Formats /etc/a, outside the workspace."},
		{risk.Effect{Verb: risk.FSWrite, Target: dir + "/a.go", Kind: risk.KindFormatted, Scope: risk.InWorkspace, Reversible: risk.NothingThere}, "Formats ./a.go; nothing there now."},
		{risk.Effect{Verb: risk.FSWrite, Target: dir + "/l", Kind: risk.KindListOfFiles, Scope: risk.InWorkspace, Reversible: risk.NothingThere}, "Writes a list of files to ./l."},
		{risk.Effect{Verb: risk.FSWrite, Target: dir + "/l", Kind: risk.KindListOfFiles, Scope: risk.InWorkspace, Reversible: risk.Lost}, "Writes a list of files over ./l; no copy is known."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/out", Kind: risk.KindWhatTheSourceLacks, Recursive: true, Many: true, Reversible: risk.Lost, Counts: lost(12, 12)}, "Deletes what is in ./out and not in the source (among 12 files, 2 MB, none in git)."},
		{risk.Effect{Verb: risk.FSDelete, Target: dir + "/build", Kind: risk.KindBuildProducts, Reversible: risk.Restorable, Remedy: risk.RemedyDir}, "Deletes what was built: ./build."},
		{risk.Effect{Verb: risk.DiskWrite, Target: "/dev/sda1", Kind: risk.KindFormat, Privileged: true, Via: []string{"sudo"}}, "Makes a new file system on /dev/sda1 as another user (sudo): what it holds is lost."},
		{risk.Effect{Verb: risk.ExecProject, Target: "clean", Kind: risk.KindMakefile, Program: "make"}, "Runs the makefile's rule for clean, not inspected."},
		{risk.Effect{Verb: risk.ExecProject, Target: "the makefile", Kind: risk.KindMakefile, Program: "make"}, "Runs the makefile, not inspected."},
		{risk.Effect{Verb: risk.ExecProject, Target: "the tests", Program: "go"}, "Runs the tests, code of this project."},
		{risk.Effect{Verb: risk.ExecProject, Target: ".", Kind: risk.KindDockerfile}, "Runs the Dockerfile, not inspected."},
		{risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindCode, Program: "x"}, "Runs what x is told elsewhere, not inspected."},
		{risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindCode, Target: "<x>", Unresolved: "$X", Cause: risk.CauseUnset}, "Runs code that is not known: $X is not set."},
		{risk.Effect{Verb: risk.NetListen, Kind: risk.KindCapturesTraffic, Privileged: true, Via: []string{"sudo"}}, "Captures network traffic as another user (sudo)."},
		{risk.Effect{Verb: risk.NetConnect, Target: "many hosts"}, "Connects to many hosts."},
		{risk.Effect{Verb: risk.PkgInstall, Target: "vitest", Kind: risk.KindAndRun}, "Fetches vitest if need be and lets it run, install scripts included."},
		{risk.Effect{Verb: risk.VCSForce, Target: "origin", Where: "git@x", Kind: risk.KindAllBranches}, "Force-pushes all branches to origin (git@x) and replaces its history."},
		{risk.Effect{Verb: risk.SecretRead, Target: "the screen"}, "Shows the screen."},
		{risk.Effect{Verb: risk.SecretRead, Source: risk.FromEnvironment(), Kind: risk.KindSearch}, "Searches for credentials in the environment."},
		{risk.Effect{Verb: risk.SecretRead, Target: "\x1b[2J", Kind: risk.KindSearch}, `Searches for credentials in \x1b[2J.`},
		{risk.Effect{Verb: risk.ProcSignal, Target: "the editor's tunnel"}, "Signals the editor's tunnel."},
	}
	for _, tt := range tests {
		got := Summarize(Input{Effects: []risk.Effect{tt.e}, Bands: []risk.Band{risk.BandReview}, Dir: dir, Home: "/home/u"})
		if got != tt.want {
			t.Errorf("%s %s (%s):\n got %s\nwant %s", tt.e.Verb, tt.e.Target, tt.e.Kind, got, tt.want)
		}
	}
}

// TestLead: the sentence is about what decided the tier, and what is really
// lost comes before what is not there.
func TestLead(t *testing.T) {
	t.Parallel()
	effects := []risk.Effect{
		{Verb: risk.FSDelete, Target: dir + "/gone", Reversible: risk.NothingThere},
		{Verb: risk.VCSDiscard, Kind: risk.KindStash, Reversible: risk.Lost},
		{Verb: risk.NetFetch, Target: "https://a.example/"},
		{Verb: risk.FSRead, Target: dir + "/read"},
	}
	in := Input{Effects: effects, Bands: []risk.Band{risk.BandReview, risk.BandReview, risk.BandCautionB, risk.BandSafe}, Dir: dir}
	if got, want := Summarize(in), "Throws stashed work away; also downloads from https://a.example/."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	in.Bands[2] = risk.BandSafe
	in.Bands[0] = risk.BandCautionA
	if got, want := Summarize(in), "Throws stashed work away."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	read := func(names ...string) (out []risk.Effect) {
		for _, n := range names {
			out = append(out, risk.Effect{Verb: risk.FSRead, Target: n})
		}
		return out
	}
	for _, tt := range []struct {
		in   Input
		want string
	}{
		{Input{}, "Changes nothing."},
		{Input{Programs: []string{"ls"}, Summary: "Lists files", Effects: read(dir)}, "Lists files in .; changes nothing."},
		{Input{Programs: []string{"git"}, Summary: "Deletes untracked files"}, "Runs git; changes nothing."},
		{Input{Programs: []string{"git"}, Summary: "Lists or changes branches"}, "Runs git; changes nothing."},
		{Input{Programs: []string{"a", "b", "c", "d"}, Effects: read(dir+"/1", dir+"/2", dir+"/3", "/dev/heed-fd/63")}, "Runs a, b and 2 more, which read ./1, ./2 and 1 more; changes nothing."},
		{Input{Summary: "Stops at once: $X is not set"}, "Stops at once: $X is not set; changes nothing."},
	} {
		tt.in.Dir = dir
		tt.in.Bands = make([]risk.Band, len(tt.in.Effects))
		if got := Summarize(tt.in); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestSentenceAlways: no effects, of acts or of the shell itself, make a sentence that is
// too long, that a terminal obeys, or that says nothing.
func TestSentenceAlways(t *testing.T) {
	t.Parallel()
	effects := rapid.SliceOfN(rapid.Custom(anyEffect), 1, 3)
	acts := rapid.SliceOfN(rapid.Custom(anyAct), 0, 3)
	rapid.Check(t, func(t *rapid.T) {
		in := Input{Effects: effects.Draw(t, "effects"), Acts: acts.Draw(t, "acts"), Dir: dir, Home: "/home/u"}
		for i := range in.Effects {
			in.Bands = append(in.Bands, rapid.SampledFrom([]risk.Band{risk.BandSafe, risk.BandCautionA, risk.BandCautionB, risk.BandReview}).Draw(t, "band"))
			in.Effects[i].By.Process = rapid.IntRange(-1, len(in.Acts)-1).Draw(t, "process")
		}
		for i := range in.Acts {
			in.Acts[i].Parent = rapid.IntRange(-1, i-1).Draw(t, "parent")
		}
		got := Summarize(in)
		if n := utf8.RuneCountInString(got); n > maxSentence+61 || n < 8 {
			t.Fatalf("%d characters: %q", n, got)
		}
		for _, r := range got {
			if r < 0x20 || r == 0x7f || hidden(r) {
				t.Fatalf("%q holds %U", got, r)
			}
		}
	})
}

func anyEffect(t *rapid.T) risk.Effect {
	text := rapid.String()
	verbs := rapid.SampledFrom(risk.Verbs())
	if rapid.Bool().Draw(t, "of files") { // most sentences tell of these
		verbs = rapid.SampledFrom([]risk.Verb{risk.FSDelete, risk.FSWrite, risk.FSCreate, risk.SecretRead})
	}
	e := risk.Effect{
		Verb: verbs.Draw(t, "verb"), Target: text.Draw(t, "target"), Unresolved: text.Draw(t, "hole"),
		Pattern: text.Draw(t, "pattern"), Source: risk.From(text.Draw(t, "source")), Through: text.Draw(t, "through"), Program: text.Draw(t, "program"),
		Host: text.Draw(t, "host"), Certainty: risk.Possible,
		Recursive: rapid.Bool().Draw(t, "recursive"), Many: rapid.Bool().Draw(t, "many"), Privileged: rapid.Bool().Draw(t, "privileged"),
		Reversible: rapid.SampledFrom([]risk.Reversible{risk.Restorable, risk.Regenerable, risk.Partly, risk.Lost, risk.NothingThere, risk.NotLooked}).Draw(t, "reversible"),
	}
	if rapid.Bool().Draw(t, "in detail") {
		e.Kind = rapid.SampledFrom(risk.Kinds()).Draw(t, "detail")
	}
	if rapid.Bool().Draw(t, "conditional") {
		e.Reached = risk.Condition{Kind: risk.IfTrue, Of: text.Draw(t, "reached")}
	}
	return e
}

func anyAct(t *rapid.T) Act {
	yes := func(name string) bool { return rapid.Bool().Draw(t, name) }
	a := Act{
		Argv: rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "argv"), Says: Visible(rapid.SampledFrom([]string{"", "Shows the lines of standard input that match x", "Creates ./x", "Deletes the pod x"}).Draw(t, "says")),
		Passes: yes("passes"), Echoes: yes("echoes"), Piped: yes("piped"), Fed: yes("fed"), Captured: yes("captured"), Astray: yes("astray"),
		Conditional: yes("conditional"), Else: yes("else"), Inner: yes("inner"), Seeks: yes("seeks"), Narrows: yes("narrows"),
	}
	if yes("ends") {
		a.Ends = &risk.Ending{How: rapid.SampledFrom([]risk.End{risk.EndFails, risk.EndIdle, risk.EndAsks}).Draw(t, "how")}
	}
	return a
}

func TestSafer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		command string
		e       risk.Effect
		want    string
	}{
		{"cd build; rm -rf *", risk.Effect{Verb: risk.FSDelete, Reached: risk.Condition{Kind: risk.IfMissing, Of: "./build", Unchecked: "cd build"}}, "cd build && rm -rf *"},
		{"cd a && make; rm -rf *", risk.Effect{Verb: risk.FSDelete, Reached: risk.Condition{Kind: risk.IfMissing, Of: "./a", Unchecked: "cd a"}}, ""},
		{"git push -f fork topic", risk.Effect{Verb: risk.VCSForce}, "git push --force-with-lease fork topic"},
		{"git clean -fd", risk.Effect{Verb: risk.VCSDiscard, Kind: risk.KindUntracked}, "git clean -nd"},
		{`rm -rf "${D}"/*`, risk.Effect{Verb: risk.FSDelete, Cause: risk.CauseUnset, Unresolved: "$D"}, `rm -rf "${D:?}"/*`},
		{`rm -rf "$D"/* "$DIR" "${D}x"`, risk.Effect{Verb: risk.FSDelete, Cause: risk.CauseUnset, Unresolved: "$D"}, `rm -rf "${D:?}"/* "$DIR" "${D:?}x"`},
		{`rm -rf $D; echo '$D'`, risk.Effect{Verb: risk.FSDelete, Cause: risk.CauseUnset, Unresolved: "$D"}, ""},
	} {
		tt.e.Tier = risk.Review
		got := ""
		if s := Safer(tt.command, []risk.Effect{tt.e}); len(s) > 0 {
			got = s[0].Command
		}
		if got != tt.want {
			t.Errorf("Safer(%q) = %q, want %q", tt.command, got, tt.want)
		}
	}
	if got := Safer("git push -f", []risk.Effect{{Verb: risk.VCSForce, Tier: risk.Caution}}); got != nil {
		t.Errorf("an effect below REVIEW got %v", got)
	}
}
