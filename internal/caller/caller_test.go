package caller

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A made is a machine made of statements.
type made struct {
	processes []*process
	hold      map[int][]int // terminal: processes
	systemd   bool
}

func (m *made) process(pid int) (*process, error) {
	for _, p := range m.processes {
		if p.pid == pid {
			return p, nil
		}
	}
	return nil, fmt.Errorf("what process %d is", pid)
}

func (m *made) holders(terminal int) ([]int, bool) { return m.hold[terminal], false }
func (m *made) all() []*process                    { return m.processes }
func (m *made) reaps() bool                        { return m.systemd }

// proc makes a process from "name: words", on terminals.
func proc(pid, parent int, line string, terminals ...int) *process {
	name, argv, _ := strings.Cut(line, "; ")
	words := strings.Fields(argv)
	program := ""
	if len(words) > 0 {
		program = words[0]
	}
	p := newProcess(pid, parent, name, program, words)
	p.terminals = terminals
	return p
}

func with(p *process, change func(*process)) *process {
	change(p)
	return p
}

// The usual ends of a chain.
func systemd() []*process {
	return []*process{proc(1, 0, "systemd; /sbin/init"), proc(2, 1, "systemd; /usr/lib/systemd/systemd --user")}
}

func TestWho(t *testing.T) {
	t.Parallel()
	heed := func(parent int, terminals ...int) *process {
		return proc(100, parent, "heed; heed approve", terminals...)
	}
	shell := func(pid, parent int, terminals ...int) *process {
		return proc(pid, parent, "bash; -bash", terminals...)
	}
	cases := map[string]struct {
		processes []*process
		hold      map[int][]int
		want      string // of the agent, of nobody, of unknown
	}{
		"a person at a terminal emulator": {
			[]*process{heed(20, 3), shell(20, 10, 3), proc(10, 2, "gnome-terminal-; /usr/libexec/gnome-terminal-server")}, map[int][]int{3: {10}}, "",
		},
		"a person by ssh": {
			[]*process{heed(20, 3), shell(20, 12, 3), proc(12, 11, "sshd; sshd: me@pts/3"), proc(11, 1, "sshd; /usr/sbin/sshd -D")}, nil, "",
		},
		"a person at the console": {
			[]*process{heed(20), with(shell(20, 10), func(p *process) { p.console = true }), proc(10, 1, "login; /bin/login -p --")}, nil, "",
		},
		"a person at an emulator nobody knows": {
			[]*process{heed(20, 3), shell(20, 10, 3), proc(10, 2, "mine; /home/me/mine")},
			map[int][]int{3: {10}},
			"unknown: whether process 10 (mine) shows the terminal to a person",
		},
		"an emulator in Python": {
			[]*process{heed(20, 3), shell(20, 10, 3), proc(10, 2, "terminator; /usr/bin/python3.12 /usr/bin/terminator")}, map[int][]int{3: {10}}, "",
		},
		"a person's script": {
			[]*process{heed(30, 4), shell(30, 25, 4), proc(25, 20, "script; script log", 3), shell(20, 10, 3), proc(10, 2, "kitty; kitty")}, map[int][]int{3: {10}, 4: {25}}, "",
		},
		"a service": {
			[]*process{heed(20), with(proc(20, 1, "setup; /bin/sh /opt/setup"), func(p *process) { p.service = true })}, nil, "",
		},
		"an agent's shell": {
			[]*process{heed(20), shell(20, 10), proc(10, 5, "claude; claude"), shell(5, 2)}, nil, "Claude Code: process 10 (claude)",
		},
		"a version as a name": {
			[]*process{heed(10), proc(10, 1, "2.1.329; /home/me/.local/share/claude/versions/2.1.329")}, nil, "Claude Code: process 10 (2.1.329)",
		},
		"a script of node": {
			[]*process{heed(10), proc(10, 1, "node; /usr/bin/node --max-old-space-size=8192 -r x /usr/bin/gemini.js -y")}, nil, "Gemini CLI: process 10 (node)",
		},
		"a package of node": {
			[]*process{heed(10), proc(10, 1, "node-MainThread; /usr/bin/node /usr/lib/node_modules/@openai/codex/bin/x.js")}, nil, "Codex: process 10 (node-MainThread)",
		},
		"a script of a shell": {
			[]*process{heed(10), proc(10, 1, "bash; /bin/bash /home/me/bin/claude.sh -y")}, nil, "Claude Code: process 10 (bash)",
		},
		"a module of Python": {
			[]*process{heed(10), proc(10, 1, "python3; /usr/bin/python3 -m aider")}, nil, "Aider: process 10 (python3)",
		},
		"an argument is no agent": {
			[]*process{heed(10), with(proc(10, 2, "less; less claude codex"), func(p *process) { p.console = true })}, nil, "",
		},
		"the text of a shell is no agent": {
			[]*process{heed(10), with(proc(10, 2, "sh; sh -lc /usr/lib/node_modules/@openai/codex/x"), func(p *process) { p.console = true })}, nil, "",
		},
		"variables of an ancestor": {
			[]*process{heed(10), with(shell(10, 1), func(p *process) { p.env = []string{"A=b", "GEMINI_CLI=1"} })},
			nil,
			"Gemini CLI: process 10 (bash) was started with GEMINI_CLI",
		},
		"a terminal that an agent holds": {
			[]*process{heed(20, 3), shell(20, 1, 3), proc(10, 5, "copilot; copilot"), shell(5, 2)}, map[int][]int{3: {10}}, "GitHub Copilot: process 10 (copilot)",
		},
		"a terminal made for an agent, whoever made it": {
			[]*process{heed(20, 3), shell(20, 1, 3), proc(15, 10, "python3; python3 x.py"), proc(10, 5, "codex; codex"), shell(5, 2)}, map[int][]int{3: {15}}, "Codex: process 10 (codex)",
		},
		"a terminal in an agent's terminal": {
			[]*process{heed(20, 3), shell(20, 1, 3), proc(15, 1, "script; script", 4), proc(10, 1, "amp; amp")}, map[int][]int{3: {15}, 4: {10}}, "Amp: process 10 (amp)",
		},
		"a terminal that was made and left": {
			[]*process{heed(20, 3), shell(20, 15, 3), proc(15, 1, "python3; python3 x.py")}, map[int][]int{3: {15}}, "nobody: process 15 (python3) has made it, and has none itself",
		},
		"an orphan": {
			[]*process{heed(20), proc(20, 1, "sh; sh -c x")}, nil, "nobody: whoever started this process has cut it off",
		},
		"an orphan of a desktop": {
			[]*process{heed(20), proc(20, 2, "sh; sh -c x")}, nil, "nobody: whoever started this process has cut it off",
		},
		"a service of the account": {
			[]*process{heed(20), with(proc(20, 2, "setup; /bin/sh /home/me/setup"), func(p *process) { p.service = true })}, nil, "",
		},
		"an orphan that has a terminal": { // which nobody can name
			[]*process{heed(20, 3), shell(20, 1, 3)}, nil, "unknown: who holds the other end of /dev/pts/3",
		},
		"an editor's terminal": {
			[]*process{heed(20, 3), shell(20, 10, 3), proc(10, 2, "code; /usr/share/code/code --type=utility")}, map[int][]int{3: {10}}, "VS Code (shared): process 10 (code)",
		},
		"an editor over ssh": {
			[]*process{heed(20, 3), shell(20, 10, 3), proc(10, 1, "node; /home/me/.vscode-server/cli/servers/x/node out/bootstrap-fork")},
			map[int][]int{3: {10}},
			"VS Code (shared): process 10 (node)",
		},
		"an editor's variables in somebody's terminal": {
			[]*process{heed(20, 3), with(shell(20, 10, 3), func(p *process) { p.env = []string{"TERM_PROGRAM=vscode"} }), proc(10, 2, "kitty; kitty")}, map[int][]int{3: {10}}, "",
		},
		"tmux, and a person": {
			[]*process{
				heed(20, 3), shell(20, 10, 3), proc(10, 1, "tmux: server; tmux"), proc(9, 8, "tmux: client; tmux", 2), shell(8, 7, 2), proc(7, 2, "alacritty; alacritty"),
			}, map[int][]int{3: {10}, 2: {7}}, "",
		},
		"tmux, and nobody": {
			[]*process{heed(20, 3), shell(20, 10, 3), proc(10, 1, "tmux: server; tmux new -d")}, map[int][]int{3: {10}}, "nobody: no terminal is attached to tmux",
		},
		"tmux that an agent started": {
			[]*process{heed(20, 3), shell(20, 10, 3), with(proc(10, 1, "tmux: server; tmux"), func(p *process) { p.env = []string{"CLAUDECODE=1"} })},
			map[int][]int{3: {10}},
			"Claude Code: process 10 (tmux: server) was started with CLAUDECODE",
		},
		"tmux, and only an agent": {
			[]*process{
				heed(20, 3), shell(20, 10, 3), proc(10, 1, "tmux: server; tmux"), proc(9, 8, "tmux: client; tmux", 2), proc(8, 7, "script; script", 6), proc(7, 1, "codex; codex"),
			}, map[int][]int{3: {10}, 2: {8}}, "Codex: process 7 (codex), the only one attached to tmux",
		},
		"tmux, and a terminal of nobody": {
			[]*process{
				heed(20, 3), shell(20, 10, 3), proc(10, 1, "tmux: server; tmux"), proc(9, 8, "tmux: client; tmux", 2), proc(8, 1, "python3; python3 x"),
			}, map[int][]int{3: {10}, 2: {8}}, "nobody: nobody is attached to tmux",
		},
		"screen, and nobody": {
			[]*process{heed(20, 3), shell(20, 10, 3), proc(10, 1, "screen; SCREEN -dm")}, map[int][]int{3: {10}}, "nobody: no terminal is attached to screen",
		},
		"a process that is not shown": {
			[]*process{heed(20, 3)}, nil, "unknown: what process 20 is; who holds the other end of /dev/pts/3",
		},
	}
	for name, c := range cases {
		w := walk{machine: &made{append(systemd(), c.processes...), c.hold, true}}
		f := w.finding(100)
		got := ""
		switch {
		case f.Agent != "" && f.Shared:
			got = f.Agent + " (shared): " + f.How
		case f.Agent != "":
			got = f.Agent + ": " + f.How
		case f.Nobody != "":
			got = "nobody: " + f.Nobody
		case f.Unknown != "":
			got = "unknown: " + f.Unknown
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if refused := f.Refuse() != nil; refused != (f.Agent != "" || f.Nobody != "") {
			t.Errorf("%s: refused: %v", name, refused)
		}
	}
}

// TestInAContainer: where the first process starts everything, an orphan does not
// show.
func TestInAContainer(t *testing.T) {
	t.Parallel()
	w := walk{machine: &made{processes: []*process{proc(100, 1, "heed; heed install"), proc(1, 0, "sh; sh -c setup")}}}
	if f := w.finding(100); f != (Finding{}) {
		t.Errorf("%+v", f)
	}
}

// TestEnds: loops and crowds end.
func TestEnds(t *testing.T) {
	t.Parallel()
	loop := []*process{proc(100, 7, "heed; heed", 1), proc(7, 8, "tmux: server; tmux", 1), proc(8, 7, "tmux: client; tmux", 1)}
	w := walk{machine: &made{processes: loop, hold: map[int][]int{1: {7, 8}}}}
	w.finding(100)
	var crowd []*process
	for i := range 2 * maxProcesses {
		crowd = append(crowd, proc(100+i, 101+i, "sh; sh"))
	}
	w = walk{machine: &made{processes: crowd}}
	if f := w.finding(100); !strings.Contains(f.Unknown, "too many processes") {
		t.Errorf("%+v", f)
	}
}

func TestVariables(t *testing.T) {
	t.Parallel()
	for env, want := range map[string]string{
		"CLAUDECODE=1":               "Claude Code",
		"CODEX_SANDBOX=seatbelt":     "Codex",
		"GEMINI_CLI=1":               "Gemini CLI",
		"AGENT=goose":                "a coding agent",
		"TERM_PROGRAM=vscode":        "VS Code",
		"TERM_PROGRAM=iTerm.app":     "",
		"CLAUDECODE=":                "",
		"NOT_CLAUDECODE=1":           "",
		"SSH_AGENT_PID=1":            "",
		"CURSOR_TRACE_ID=0123456789": "Cursor",
	} {
		if f := Variables(getenv([]string{"A=b", env})); f.Agent != want {
			t.Errorf("%s: %+v, want %q", env, f, want)
		}
	}
}

func TestRefusalsSayTheWayOn(t *testing.T) {
	t.Parallel()
	for _, f := range []Finding{{Agent: "Codex", How: "x"}, {Agent: "VS Code", Shared: true, How: "x"}, {Nobody: "x"}} {
		if err := f.Refuse(); err == nil || !strings.Contains(err.Error(), ": use a terminal") && !strings.Contains(err.Error(), "; use a terminal") {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if err := (Finding{Unknown: "x"}).Refuse(); err != nil {
		t.Error(err)
	}
}

// TestTables: names are compared in small letters, and no agent is also a way in.
func TestTables(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, a := range agents() {
		if len(a.names)+len(a.paths)+len(a.vars) == 0 {
			t.Errorf("nothing shows %s", a.name)
		}
		for _, n := range slices.Concat(a.names, a.paths) {
			if n != strings.ToLower(n) {
				t.Errorf("%s: %s is never found: names are compared in small letters", a.name, n)
			}
			if by, ok := seen[n]; ok {
				t.Errorf("%s is of %s and %s", n, by, a.name)
			}
			seen[n] = a.name
		}
	}
	for _, n := range slices.Concat(waysIn(), makers()) {
		if by, ok := seen[n]; ok || n != strings.ToLower(n) {
			t.Errorf("%s: of %s, or with great letters", n, by)
		}
	}
}

func TestTmuxSocket(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"tmux": "default", "tmux attach -t -Lx": "default", "tmux -L x new": "x", "tmux -2 -Lx attach": "x", "tmux -S /tmp/a/y new -d": "y", "tmux -L": "default", "tmux -f /dev/null -L w new": "w", "": "default",
	} {
		p := &process{argv: strings.Fields(line)}
		if got := tmuxSocket(p); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if got := tmuxSocket(&process{argv: []string{"tmux"}, env: []string{"TMUX=/tmp/tmux-0/z,12,0"}}); got != "z" {
		t.Errorf("inside: %q", got)
	}
}

func TestParseArguments(t *testing.T) {
	t.Parallel()
	raw := []byte("\x02\x00\x00\x00/bin/zsh\x00\x00\x00\x00zsh\x00-l\x00A=b\x00C=d\x00\x00rest")
	program, argv, env, ok := parseArguments(raw)
	if !ok || program != "/bin/zsh" || !slices.Equal(argv, []string{"zsh", "-l"}) || !slices.Equal(env, []string{"A=b", "C=d"}) {
		t.Errorf("%q %q %q %v", program, argv, env, ok)
	}
	for i := range raw {
		parseArguments(raw[:i]) // ends, and does not panic
	}
	if _, _, _, ok := parseArguments([]byte("\xff\xff\xff\xff/bin/zsh\x00zsh\x00")); ok {
		t.Error("a count of nothing")
	}
}
