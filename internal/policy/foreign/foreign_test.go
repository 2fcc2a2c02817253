package foreign

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
	"github.com/heedsh/heed/internal/rules"
	"github.com/heedsh/heed/risk"
)

func assessor(t testing.TB) Assess {
	t.Helper()
	assess, err := rules.Assessor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return assess
}

// made writes what came of an entry on one line: the rule, or why there is none.
func made(r *Result) string {
	var all []string
	for i := range r.Rules {
		text := strings.Split(rulefile.Text(&r.Rules[i]), "\n")
		all = append(all, strings.TrimSpace(strings.TrimPrefix(text[1], "  action: "))+" "+strings.TrimPrefix(text[2], "  match: "))
	}
	for _, n := range r.Left {
		all = append(all, "left: "+n.What)
	}
	for _, n := range r.Needless {
		all = append(all, "needless: "+n.What)
	}
	return strings.Join(all, "; ")
}

const (
	text      = "left: a pattern of text in the middle: rules speak of programs, subcommands and options"
	argument  = ": rules speak of no arguments but subcommands and options that heed knows"
	exactly   = "left: these words and no others: a rule would allow "
	ownTool   = "left: about the agent's own tool, not about commands"
	elsewhere = "left: not about commands"
	regular   = "left: a regular expression over text"
)

func TestEntries(t *testing.T) {
	t.Parallel()
	assess := assessor(t)
	claudeIn := func(list, entry string) string {
		b, _ := json.Marshal(map[string]any{"permissions": map[string]any{list: []string{entry}}})
		return string(b)
	}
	type in struct{ agent, file, text string }
	cases := map[in]string{}
	for _, c := range []struct{ list, entry, want string }{
		{"allow", "Bash(git fetch:*)", "allow {program: git, subcommand: fetch}"},
		{"allow", "Bash(git fetch *)", "allow {program: git, subcommand: fetch}"},
		{"allow", "Bash(git remote add:*)", `allow {program: git, subcommand: "remote add"}`},
		{"allow", "Bash(git push --force:*)", `allow {program: git, subcommand: push, option: "--force"}`},
		{"allow", "Bash(git fetch*)", "allow {program: git, subcommand: fetch}"}, // and not fetch-pack
		{"deny", "Bash(git fetch*)", `deny {program: git, subcommand: "fetch*"}`},
		{"deny", "Bash(rm*)", `deny {program: "rm*"}`},
		{"allow", "Bash(rm*)", "allow {program: rm}"},
		{"ask", "Bash(/bin/rm *)", "ask {program: rm}"},
		{"deny", "Bash(rm -rf *)", `deny {program: rm, option: "-r"}`},
		{"deny", "Bash(rm -fr:*)", `deny {program: rm, option: "-r"}`},
		{"allow", "Bash(rm -rf:*)", "left: several options at once: a rule would allow each of them alone"},
		{"allow", "Bash(rm -r:*)", `allow {program: rm, option: "-r"}`},
		{"allow", "Bash(git push)", exactly + "git push with any arguments"},
		{"deny", "Bash(git push)", "deny {program: git, subcommand: push}"},
		{"allow", "Bash(git status)", "needless: Shows the branch and which files have changed; changes nothing."},
		{"allow", "Bash(git checkout main:*)", `left: names "main"` + argument},
		{"deny", "Bash(git checkout main:*)", `left: names "main"` + argument},
		{"deny", "Bash(npm run deploy:*)", `left: names "deploy"` + argument},
		{"allow", "Bash(git --no-such:*)", "left: heed cannot read these words"},
		{"allow", "Bash(git * main)", text},
		{"allow", "Bash(* --version)", text},
		{"deny", "Bash(git:* push)", text},
		{"deny", "Bash(curl * | bash)", text},
		{"deny", "Bash(curl x | bash)", "left: more than plain words"},
		{"allow", "Bash(git commit -m 'x':*)", "left: more than plain words"},
		{"allow", "Bash(A=b make:*)", "left: a variable is set before the program"},
		{"allow", "Bash(./x.sh:*)", "left: a path: a rule would allow every program of the name x.sh"},
		{"allow", "Bash(~/x:*)", "left: more than plain words"},
		{"allow", "Bash(python3.12:*)", "left: python3.12 does whatever it is given: heed decides by what that is"},
		{"deny", "Bash(python3:*)", "deny {program: python3}"},
		{"allow", "Bash(bash -c:*)", "left: bash does whatever it is given: heed decides by what that is"},
		{"allow", "Bash(npm exec:*)", "left: npm exec fetches programs and runs them"},
		{"allow", "Bash(sudo ls:*)", "left: sudo starts whatever it is given with the rights of somebody else"},
		{"allow", "Bash", "left: lets every command run: if that is meant, preset: unattended or log-only says so"},
		{"allow", "Bash(*)", "left: lets every command run: if that is meant, preset: unattended or log-only says so"},
		{"allow", "Bash(:*)", "left: lets every command run: if that is meant, preset: unattended or log-only says so"},
		{"ask", "Bash", "left: asks about every command: preset: careful does"},
		{"deny", "Bash", "left: denies every command: whoever wants that gives the agent no shell"},
		{"deny", "Bash(run_in_background:true)", "left: about another field than the command"},
		{"allow", "Read(**)", ownTool},
		{"deny", "Read", "left: about every file"},
		{"deny", "Read(./.env)", `deny {verb: [fs.read, secret.read], target: ["*/.env", "*/.env/*"]}`},
		{"deny", "Read(**/*.pem)", `deny {verb: [fs.read, secret.read], target: "*/*.pem"}`},
		{"ask", "Edit(//etc/**)", `ask {verb: [fs.write, fs.create, fs.delete, fs.move, fs.attr], target: [/etc, "/etc/*"]}`},
		{"deny", "Read(~/.ssh/**)", `deny {verb: [fs.read, secret.read], target: ["*/.ssh", "*/.ssh/*"]}`},
		{"deny", "Read(a?c)", "left: a pattern of paths that rules cannot say"},
		{"deny", "Read(./**)", "left: a pattern of paths that rules cannot say"},
		{"allow", "WebFetch(domain:a.org)", ownTool + ": a program that fetches can send as well"},
		{"deny", "WebFetch(domain:*.a.org)", `deny {verb: "net.*", host: "*.a.org"}`},
		{"deny", "WebFetch", "left: names no host"},
		{"deny", "mcp__x", elsewhere},
	} {
		cases[in{"claude-code", "settings.json", claudeIn(c.list, c.entry)}] = c.want
	}
	vscodeIn := func(entry string) string { return `{"chat.tools.terminal.autoApprove": {` + entry + `}}` }
	for entry, want := range map[string]string{
		`"git fetch": true`:      "allow {program: git, subcommand: fetch}",
		`"rm": false`:            "ask {program: rm}",
		`"rm": null`:             "",
		`"/^git log/": true`:     regular,
		`"rm": 1`:                "left: neither true nor false",
		`"ls": {"approve":true}`: "allow {program: ls}",
		`"ls": {"approve":true,"matchCommandLine":true}`: "left: holds for whole command lines: rules speak of each program",
	} {
		cases[in{"vscode", "settings.json", vscodeIn(entry)}] = want
	}
	for entry, want := range map[string]string{
		`prefix_rule(pattern=["git", ["push", "fetch"]], decision="prompt")`: "ask {program: git, subcommand: [push, fetch]}",
		`prefix_rule(pattern=["gh", "pr", "view"])`:                          `allow {program: gh, subcommand: "pr view"}`,
		`prefix_rule(pattern=[["rm", "shred"]], decision='forbidden',)`:      "deny {program: rm}; deny {program: shred}",
		`prefix_rule(pattern=[])`:                                            "left: a pattern that is no list of words, or of too many",
		`prefix_rule(pattern="git")`:                                         "left: a pattern that is no list of words, or of too many",
		`prefix_rule(pattern=["git", ["a b"]])`:                              "left: a pattern that is no list of words, or of too many",
		`prefix_rule(pattern=["git"], decision="maybe")`:                     "left: a decision that heed does not know",
		`network_rule(host="a.org", protocol="https", decision="deny")`:      `deny {verb: "net.*", host: a.org}`,
		`network_rule(host="a.org", protocol="https", decision="allow")`:     ownTool + ": a program that fetches can send as well",
		`other_rule(a=True)`:                                                 "left: calls other_rule, which heed does not know",
	} {
		cases[in{"codex", "default.rules", entry}] = want
	}
	for entry, want := range map[string]string{
		"commandPrefix = 'git fetch'\ndecision = 'allow'":                  "allow {program: git, subcommand: fetch}",
		"commandPrefix = ['rm', 'shred']\ndecision = 'deny'":               "deny {program: rm}; deny {program: shred}",
		"commandPrefix = 'rm'\ndecision = 'ask_user'\nmodes = ['yolo']":    "ask {program: rm}",
		"commandPrefix = 'rm'\ndecision = 'allow'\nmodes = ['yolo']":       "left: holds in some modes only, which heed does not know",
		"commandRegex = 'git .*'\ndecision = 'allow'":                      regular,
		"toolName = 'run_shell_command'\nargsPattern='x'\ndecision='deny'": regular,
		"toolName = 'write_file'\ndecision = 'allow'":                      elsewhere,
		"toolName = '*'\ndecision = 'allow'":                               "left: lets every command run: if that is meant, preset: unattended or log-only says so",
		"commandPrefix = 'rm'":                                             `left: a decision "" that heed does not know`,
	} {
		cases[in{"gemini-cli", "x.toml", "[[rule]]\n" + entry}] = want
	}
	cases[in{"gemini-cli", "settings.json", `{"tools":{"allowed":["run_shell_command(git fetch)"]},"excludeTools":["ShellTool(rm)"]}`}] = "deny {program: rm}; allow {program: git, subcommand: fetch}"
	for entry, want := range map[string]string{
		`{"permissions":{"allow":["Shell(git)"]}}`:           "allow {program: git}",
		`{"permissions":{"allow":["Shell(git:fetch *)"]}}`:   "allow {program: git, subcommand: fetch}",
		`{"permissions":{"allow":["Shell(curl:*)"]}}`:        "allow {program: curl}",
		`{"permissions":{"allow":["Shell(git fetch)"]}}`:     "left: several words: Cursor compares the first word of a command",
		`{"permissions":{"deny":["Write(**/*.key)"]}}`:       `deny {verb: [fs.write, fs.create, fs.delete, fs.move, fs.attr], target: "*/*.key"}`,
		`{"permissions":{"deny":["WebFetch(a.org)"]}}`:       `deny {verb: "net.*", host: a.org}`,
		`{"permissions":{"allow":["Mcp(a:b)"]}}`:             elsewhere,
		`{"terminalAllowlist":["cargo build", "npm run *"]}`: "allow {program: cargo, subcommand: build}; allow {program: npm, subcommand: run}",
	} {
		cases[in{"cursor", "cli-config.json", entry}] = want
	}
	for c, want := range cases {
		r, err := Import(c.agent, c.file, []byte(c.text), assess)
		if err != nil {
			t.Errorf("%s %s: %v", c.agent, c.text, err)
			continue
		}
		if got := made(r); got != want {
			t.Errorf("%s %s\n%s\nwant\n%s", c.agent, c.text, got, want)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ agent, file, text, want string }{
		{"emacs", "x", "{}", "heed reads no lists of"},
		{"claude-code", "x", "", "it is empty"},
		{"claude-code", "x", "[]", "it is not a JSON object"},
		{"claude-code", "x", `{"permissions": {"allow": "Bash"}}`, "allow: want a list of texts"},
		{"claude-code", "x", `{"permissions": {"allow": [], "allow": []}}`, `permissions holds the key "allow" twice`},
		{"claude-code", "x", `{"a": "` + strings.Repeat("x", MaxFile) + `"}`, "more than"},
		{"claude-code", "x", `{"permissions": {"allow": [` + strings.Repeat(`"Bash(ls)",`, maxEntries) + `"Bash(ls)"]}}`, "1001 entries"},
		{"cursor", "x", "{}", "it has neither permissions"},
		{"codex", "x.rules", "for x in y:\n  pass", "line 1: want a rule"},
		{"codex", "x.rules", "\n\nprefix_rule(pattern = words)", "line 3: want a text or a list"},
		{"codex", "x.rules", "prefix_rule(pattern = [\"a\"", "line 1: want a comma or the end"},
		{"codex", "x.rules", "prefix_rule([\"a\"])", "line 1: want an argument with its name"},
		{"codex", "x.rules", "prefix_rule(pattern = [\"a\n\"])", "line 1: a text that does not end"},
		{"codex", "x.rules", "prefix_rule(pattern = " + strings.Repeat("[", 20) + ")", "lists in lists"},
		{"codex", "x.rules", `prefix_rule(pattern = ["a"], pattern = ["b"])`, "pattern is given twice"},
		{"gemini-cli", "x.toml", "a = ", "toml"},
	} {
		_, err := Import(c.agent, c.file, []byte(c.text), func(string) *risk.Assessment { return &risk.Assessment{} })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.60s: %v, want %s", c.agent, c.text, err, c.want)
		}
	}
}

func TestPlainJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"a": 1, // x` + "\n" + `}`:   `{"a": 1  ` + "\n" + `}`,
		`{"a": "//", /* , } */ }`:      `{"a": "//"   }`,
		`{"a": "\"/*", "b": [1,],}`:    `{"a": "\"/*", "b": [1 ] }`,
		`{"a": 1, /*` + "\n\n" + `*/}`: `{"a": 1  ` + "\n\n" + `}`,
		`/*/ {} */{}`:                  `{}`,
		`{} /* open`:                   `{} `,
		`{"a`:                          `{"a`,
		`{"a\`:                         `{"a\`,
		`[1, 2]`:                       `[1, 2]`,
		`,`:                            `,`,
	} {
		if got := string(plainJSON([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestNothingIsLoosened: what a list's rules let run, beside what heed lets run
// anyway, begins with the words of an entry that allows, and is not REVIEW.
func TestNothingIsLoosened(t *testing.T) {
	t.Parallel()
	assess := assessor(t)
	seen := map[string]*risk.Assessment{}
	once := func(command string) *risk.Assessment {
		if seen[command] == nil {
			seen[command] = assess(command)
		}
		return seen[command]
	}
	preset, base, err := rulefile.Preset("balanced")
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string]bool{}
	for _, p := range probes() {
		words := strings.Fields(p)
		for n := 1; n <= min(3, len(words)); n++ {
			lists[strings.Join(words[:n], " ")] = true
		}
	}
	let := 0
	for prefix := range lists {
		for _, entry := range []string{"Bash(%s)", "Bash(%s:*)", "Bash(%s*)"} {
			file, err := json.Marshal(map[string]any{"permissions": map[string]any{"allow": []string{fmt.Sprintf(entry, prefix)}}})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Import("claude-code", "x", file, once)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Rules) == 0 {
				continue
			}
			set := policy.Set{Preset: preset, Rules: slices.Concat(base, r.Rules)}
			without := policy.Set{Preset: preset, Rules: base}
			for _, p := range probes() {
				a := once(p)
				s := policy.Session{Front: policy.Agent}
				if set.Decide(a, s).Action != policy.Allow || without.Decide(a, s).Action == policy.Allow {
					continue
				}
				let++
				// Options may stand in another order, and nothing else may.
				if first := strings.Fields(prefix)[0]; a.Tier == risk.Review || strings.Fields(p)[0] != first || !strings.HasPrefix(p, prefix) && !strings.Contains(prefix, " -") && r.Rules[0].Match.Subcommand == nil {
					t.Errorf("%s lets %q run (%s)", fmt.Sprintf(entry, prefix), p, a.Tier)
				}
			}
		}
	}
	if let < 50 {
		t.Errorf("only %d commands were let run: what is wrong with this test?", let)
	}
}

// TestProbes: each is more than heed lets run unasked, and none is there twice.
func TestProbes(t *testing.T) {
	t.Parallel()
	assess := assessor(t)
	seen := map[string]bool{}
	for _, p := range probes() {
		if a := assess(p); runs(a) || seen[p] {
			t.Errorf("%s: %s %s, twice: %v", p, a.Tier, a.Summary, seen[p])
		}
		seen[p] = true
	}
}

// FuzzImport: whatever a file holds, reading it ends, and the rules that are made of
// it can be read.
func FuzzImport(f *testing.F) {
	for _, text := range []string{
		`{"permissions":{"allow":["Bash(git:*)","Read(//a/**)"],"deny":["Bash(rm -rf *)","WebFetch(domain:*.a)"]}}`,
		`{"chat.tools.terminal.autoApprove":{"git":true,"/x/":{"approve":false}},} // x`,
		"prefix_rule(pattern=[\"git\", ['a', r\"b\\\"]], decision=\"prompt\") # x\n", "[[rule]]\ncommandPrefix=['a','b']\ndecision='deny'\n",
		`{"tools":{"allowed":["run_shell_command(git)"]}}`, `{"terminalAllowlist":["git *"],"permissions":{"deny":["Shell(a:b)"]}}`,
	} {
		for i := range Agents() {
			f.Add(i, false, text)
			f.Add(i, true, text)
		}
	}
	// Fast, and it knows every word: what is read is not the same as what it means.
	assess := func(command string) *risk.Assessment {
		words := strings.Fields(command)
		return &risk.Assessment{Tier: risk.Caution, Level: risk.B, Verdict: risk.Warn, Invocations: []risk.Invocation{{Argv: words, Subcommand: words[min(1, len(words)):], Options: words}}}
	}
	f.Fuzz(func(t *testing.T, agent int, isTOML bool, text string) {
		name := "x"
		if isTOML {
			name = "x.toml"
		}
		r, err := Import(Agents()[uint(agent)%uint(len(Agents()))], name, []byte(text), assess)
		if err != nil || len(r.Rules) == 0 || len(r.Rules) > 1000 {
			return
		}
		written := "rules:\n"
		for i := range r.Rules {
			written += rulefile.Text(&r.Rules[i])
		}
		again, err := rulefile.Parse("f", []byte(written), policy.User)
		if err != nil || len(again.Rules) != len(r.Rules) {
			t.Fatalf("%v\n%s", err, written)
		}
	})
}
