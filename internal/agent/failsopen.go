package agent

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
)

// Failures are what an agent does where heed cannot answer: for each of [Killed],
// [Missing] and [TooSlow], and for what else is known to let commands pass. Where no
// note says otherwise it was seen live in November 2026, with the hook that [Installer]
// writes.
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
	const own = "heed's entry ends with code 2 then"
	const documented, others = "as documented, not seen", "as others report, not seen"
	return map[string][]Failure{
		ClaudeCode: {
			{Killed, Stops, ""},
			{Missing, Stops, ""},
			{TooSlow, Stops, ""},
			{"heed is killed, missing or too slow, and the version is before about 2.1.295", Runs, "it does not know onFailure"},
		},
		"codex": {
			{Killed, Stops, own},
			{Missing, Stops, own},
			{TooSlow, Runs, ""},
			{"the hook is not trusted (/hooks), or changed since", Runs, "it is skipped without a word in codex exec"},
			{"text is typed into a shell that runs (write_stdin)", Runs, "the hook is not called"},
		},
		"gemini-cli": {
			{Killed, Stops, own},
			{Missing, Stops, own},
			{TooSlow, Runs, ""},
			{"project settings in a folder that is not trusted", Runs, documented},
		},
		"qwen-code": {
			{Killed, Stops, own},
			{Missing, Stops, own},
			{TooSlow, Runs, ""},
			{"project settings in a folder that is not trusted", Runs, documented},
		},
		"copilot-cli": {
			{Killed, Stops, ""},
			{Missing, Stops, "since 1.0.57 for hooks of a user"},
			{TooSlow, Runs, ""},
			{"a repository's hook in a folder that is not trusted", Runs, "it is not loaded"},
		},
		"vscode": {{Killed, Stops, own + ", " + documented}, {Missing, Stops, own + ", " + documented}, {TooSlow, Runs, documented}},
		"cursor": {
			{Killed, Stops, documented},
			{Missing, Stops, documented},
			{TooSlow, Stops, documented},
			{"a command of preToolUse is to be asked about", Runs, "heed refuses it there"},
		},
		"windsurf":  {{Killed, Stops, own + ", " + documented}, {Missing, Stops, own + ", " + documented}, {TooSlow, Runs, documented}},
		"devin-cli": {{Killed, Stops, own + ", " + documented}, {Missing, Stops, own + ", " + documented}, {TooSlow, Unknown, ""}},
		"kiro": {
			{Killed, Unknown, ""},
			{Missing, Unknown, ""},
			{TooSlow, Unknown, ""},
			{"its CLI 2.19.2 refuses nothing", Runs, others + ": keep Kiro's own permissions strict"},
		},
		"goose": {{Killed, Stops, documented}, {Missing, Stops, documented}, {TooSlow, Stops, documented}},
		"opencode": {
			{Killed, Stops, "heed's plugin throws"},
			{Missing, Stops, "heed's plugin throws"},
			{TooSlow, Stops, "heed's plugin throws"},
			{"the plugin cannot be loaded", Runs, ""},
		},
		"cline": {
			{Killed, Stops, "heed's script says so in its place"},
			{Missing, Stops, "heed's script says so in its place"},
			{TooSlow, Unknown, ""},
			{"the script is gone", Runs, ""},
			{"heed cannot write its answer", Runs, "only what is printed counts, and no exit code"},
		},
		Amp: {{Killed, Unknown, ""}, {Missing, Unknown, ""}, {TooSlow, Unknown, ""}},
		"antigravity": {
			{Killed, Stops, others + ": an answer without a decision stops it"},
			{Missing, Unknown, ""},
			{TooSlow, Unknown, ""},
			{"a hooks.json that does not parse", Runs, others + ": the whole file is dropped"},
			{"its CLI reads hooks of plugins only", Runs, others + ", of 1.1.11"},
		},
	}
}
