package agent

import "strings"

// A Fate is what becomes of a command.
type Fate string

// The fates.
const (
	Stops   Fate = "stops"
	Runs    Fate = "runs"
	Unknown Fate = "not known"
)

// A Failure is what an agent does where heed cannot answer it, whatever heed does.
type Failure struct {
	Fault string
	Fate  Fate
	Note  string // what it hangs on, and who says so
}

// The faults of which every agent's table says something.
const (
	Killed  = "heed is killed"
	Missing = "heed is missing"
	TooSlow = "heed is too slow"
	Garbled = "heed prints garbage" // a program in its place that ends with 0
)

// Faults are those of which every agent's table says something.
func Faults() []string { return []string{Killed, Missing, TooSlow, Garbled} }

// What a note says of who is to be believed. Without one of these a cell was seen here,
// and agenttest/seen.txt says of which version, and when.
const (
	documented = "as documented, not seen"
	others     = "as others report, not seen"
	// ours begins a note of what heed puts before the agent, which refuses in its place.
	ours = "heed's "
)

// Seen reports whether a cell is what the agent itself was seen to do.
func (f *Failure) Seen() bool {
	return f.Fate != Unknown && !strings.Contains(f.Note, documented) && !strings.Contains(f.Note, others)
}

// Ours reports whether a command stops because what heed has put there refuses it.
func (f *Failure) Ours() bool { return f.Fate == Stops && strings.HasPrefix(f.Note, ours) }

// Failures are what an agent does where heed cannot answer: for each of [Faults], and
// for what else is known to let commands pass, with the hook that [Installer] writes.
func Failures(name string) []Failure { return failures()[name] }

// FailsOpen are those of an agent's failures in which the command runs, or may run.
func FailsOpen(name string) []Failure {
	var open []Failure
	for _, f := range Failures(name) {
		if f.Fate != Stops {
			open = append(open, f)
		}
	}
	return open
}

func failures() map[string][]Failure {
	const (
		own    = ours + "entry ends with code 2 then"
		plugin = ours + "plugin throws"
		script = ours + "script says so in its place"
	)
	return map[string][]Failure{
		ClaudeCode: {
			{Killed, Stops, ""},
			{Missing, Stops, ""},
			{TooSlow, Stops, ""},
			{Garbled, Runs, "onFailure does not count then"},
			{"heed is killed, missing or too slow, and the version is before about 2.1.295", Runs, "it does not know onFailure"},
		},
		"codex": {
			{Killed, Stops, own},
			{Missing, Stops, own},
			{TooSlow, Runs, ""},
			{Garbled, Runs, ""},
			{"the hook is not trusted (/hooks), or changed since", Runs, "it is skipped without a word in codex exec"},
			{"text is typed into a shell that runs (write_stdin)", Runs, "the hook is not called"},
		},
		"gemini-cli": {
			{Killed, Stops, own},
			{Missing, Stops, own},
			{TooSlow, Runs, ""},
			{Garbled, Runs, ""},
			{"project settings in a folder that is not trusted", Runs, documented},
		},
		"qwen-code": {
			{Killed, Stops, own},
			{Missing, Stops, own},
			{TooSlow, Runs, ""},
			{Garbled, Runs, ""},
			{"project settings in a folder that is not trusted", Runs, documented},
		},
		"copilot-cli": {
			{Killed, Stops, ""},
			{Missing, Stops, "since 1.0.57 for hooks of a user"},
			{TooSlow, Runs, ""},
			{Garbled, Runs, ""},
			{"a repository's hook in a folder that is not trusted", Runs, "it is not loaded"},
		},
		"vscode": {{Killed, Stops, own + ", " + documented}, {Missing, Stops, own + ", " + documented}, {TooSlow, Runs, documented}, {Garbled, Unknown, ""}},
		"cursor": {
			{Killed, Stops, documented},
			{Missing, Stops, documented},
			{TooSlow, Stops, documented},
			{Garbled, Unknown, ""},
			{"a command of preToolUse is to be asked about", Runs, documented + ": heed refuses it there"},
		},
		"windsurf":  {{Killed, Stops, own + ", " + documented}, {Missing, Stops, own + ", " + documented}, {TooSlow, Runs, documented}, {Garbled, Runs, documented}},
		"devin-cli": {{Killed, Stops, own + ", " + documented}, {Missing, Stops, own + ", " + documented}, {TooSlow, Unknown, ""}, {Garbled, Unknown, ""}},
		"kiro": {
			{Killed, Unknown, ""},
			{Missing, Unknown, ""},
			{TooSlow, Unknown, ""},
			{Garbled, Runs, documented},
			{"its CLI is before 3.0, and its agent's own file has no hook of heed", Runs, documented + ": it reads no other file"},
			{"its CLI 2.19.2 refuses nothing", Runs, others + ": keep Kiro's own permissions strict"},
		},
		"goose": {{Killed, Stops, documented}, {Missing, Stops, documented}, {TooSlow, Stops, documented}, {Garbled, Stops, documented}},
		"opencode": {
			{Killed, Stops, plugin},
			{Missing, Stops, plugin},
			{TooSlow, Stops, plugin},
			{Garbled, Stops, plugin},
			{"the plugin cannot be loaded", Runs, ""},
		},
		"cline": {
			{Killed, Stops, script},
			{Missing, Stops, script},
			{TooSlow, Unknown, "its code goes on after two minutes; its run did not end in four"},
			{Garbled, Stops, script},
			{"the script is gone", Runs, ""},
			{"heed cannot write its answer", Runs, "only what is printed counts, and no exit code"},
		},
		Amp: {{Killed, Unknown, ""}, {Missing, Unknown, ""}, {TooSlow, Unknown, ""}, {Garbled, Runs, documented + ": it goes by the exit code alone"}},
		"antigravity": {
			{Killed, Stops, others + ": an answer without a decision stops it"},
			{Missing, Unknown, ""},
			{TooSlow, Unknown, ""},
			{Garbled, Unknown, ""},
			{"a hooks.json that does not parse", Runs, others + ": the whole file is dropped"},
			{"its CLI reads hooks of plugins only", Runs, others + ", of 1.1.11"},
		},
	}
}
