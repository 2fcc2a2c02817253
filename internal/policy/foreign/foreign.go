package foreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
	"github.com/heedsh/heed/risk"
)

// MaxFile is the longest file that is read, in bytes, and maxEntries how many
// entries of its lists.
const (
	MaxFile    = 4 << 20
	maxEntries = 1000
)

// An Assess assesses a command, on whatever machine.
type Assess func(command string) *risk.Assessment

// A Result is what came of a file.
type Result struct {
	Rules   []policy.Rule
	Entries int
	// Left are entries that became no rule, and why.
	Left []Note
	// Needless are entries that need no rule: heed lets them run anyway.
	Needless []Note
	// Wider are entries whose rule asks about more, or denies more, than they did.
	Wider []Note
	// Broad are entries that let more run than they read.
	Broad []Broad
	// Beside is what else the file says about what runs.
	Beside []string
}

// A Note is about one entry.
type Note struct {
	Entry string // as it is written, with what it does: allow Bash(ls *)
	What  string
}

// A Broad is an entry that lets more run than it reads.
type Broad struct {
	Entry string
	Also  []Also
}

// An Also is a command that an entry lets run.
type Also struct {
	Command string
	Tier    risk.Tier
	Summary string
	// Action is what heed does about it with the rules that were made.
	Action policy.Action
}

// An entry is one line of a list.
type entry struct {
	action policy.Action
	text   string // as it is written
	words  []string
	// more says that anything may follow the words; glued that it may follow the
	// last one without a space.
	more, glued bool
	reason      string
}

// String is how an entry is called in a report.
func (e *entry) String() string { return e.action.String() + " " + e.text }

// A list is what a reader finds in a file.
type list struct {
	entries []entry
	rules   []policy.Rule // that are not about the words of a command
	left    []Note
	beside  []string
}

func (l *list) leave(action policy.Action, text, why string) {
	l.left = append(l.left, Note{action.String() + " " + text, why})
}

func (l *list) note(format string, args ...any) {
	l.beside = append(l.beside, fmt.Sprintf(format, args...))
}

// A reader reads the files of one agent.
type reader struct {
	agent string
	title string
	read  func(name string, text []byte) (*list, error)
}

func readers() []reader {
	return []reader{
		{"claude-code", "Claude Code", claude},
		{"codex", "Codex", codex},
		{"cursor", "Cursor", cursor},
		{"gemini-cli", "Gemini CLI", gemini},
		{"vscode", "VS Code", vscode},
	}
}

// Agents names the agents whose files are read.
func Agents() (names []string) {
	for _, r := range readers() {
		names = append(names, r.agent)
	}
	return names
}

// Import reads a file of an agent. name names the file in reasons and errors.
func Import(agent, name string, text []byte, assess Assess) (*Result, error) {
	i := slices.IndexFunc(readers(), func(r reader) bool { return r.agent == agent })
	if i < 0 {
		return nil, fmt.Errorf("heed reads no lists of %.40q: want %s", agent, strings.Join(Agents(), ", "))
	}
	if len(text) > MaxFile {
		return nil, fmt.Errorf("%s: more than %d bytes", name, MaxFile)
	}
	l, err := readers()[i].read(name, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if n := len(l.entries) + len(l.rules) + len(l.left); n > maxEntries {
		return nil, fmt.Errorf("%s: %d entries, and at most %d are read", name, n, maxEntries)
	}
	c := converter{assess: assess, agent: agent, seen: map[string]*risk.Assessment{}}
	c.out.Entries = len(l.entries) + len(l.rules) + len(l.left)
	c.out.Left, c.out.Beside = l.left, l.beside
	for j := range l.entries {
		c.convert(&l.entries[j])
	}
	for j := range l.rules {
		c.keep(l.rules[j])
	}
	c.out.Rules = c.merged()
	preset, rules, err := rulefile.Preset(rulefile.Presets()[1])
	if err != nil {
		return nil, err
	}
	c.set = &policy.Set{Preset: preset, Rules: slices.Concat(rules, c.out.Rules)}
	for j := range l.entries {
		c.broad(&l.entries[j])
	}
	return &c.out, nil
}
