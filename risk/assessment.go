package risk

// Provenance says who or what asked for the command.
type Provenance string

// The provenances. They may raise a tier, never lower one.
const (
	LocalUser       Provenance = "local_user"
	WebRemoteUser   Provenance = "web_remote_user"
	ModelSuggestion Provenance = "model_suggestion"
	WorkspaceFile   Provenance = "workspace_file"
	WebContent      Provenance = "web_content"
	ToolOutput      Provenance = "tool_output"
	UnknownOrigin   Provenance = "unknown"
)

// Provenances lists every provenance, in the order of the documentation.
func Provenances() []Provenance {
	return []Provenance{LocalUser, WebRemoteUser, ModelSuggestion, WorkspaceFile, WebContent, ToolOutput, UnknownOrigin}
}

// A Request is a command together with everything that decides what it would
// do, except the machine itself.
type Request struct {
	ID      string `json:"id,omitempty"`
	Command string `json:"cmd"`
	// Shell is the dialect: bash, sh, mksh or zsh. Empty means bash.
	Shell string `json:"shell,omitempty"`
	// Dir is the absolute directory in which the command would run.
	Dir string `json:"cwd,omitempty"`
	// Env is the whole environment: a name that is absent is unset.
	Env map[string]string `json:"env,omitempty"`
	// Workspaces are the roots the session may work in. Empty means the git
	// work tree around Dir, or else Dir itself.
	Workspaces []string   `json:"workspaces,omitempty"`
	Provenance Provenance `json:"provenance,omitempty"`
	Agent      string     `json:"agent,omitempty"`
	Session    string     `json:"session,omitempty"`

	// OpenEnv says that the command is a part of a file that may run anywhere:
	// a variable that Env leaves out, and every argument, has a value that is
	// not known, instead of none.
	OpenEnv bool `json:"-"`
	// Script is the name of the script that the command is the text of: its $0.
	Script string `json:"-"`
	// InImage says that the command runs in a container image that is built or
	// started, and not on this machine.
	InImage bool `json:"-"`
}

// An Invocation is one program that would start.
type Invocation struct {
	Argv    []string `json:"argv"`
	Span    Span     `json:"span"`
	Dir     string   `json:"dir"`
	Reached string   `json:"reached,omitempty"` // empty: surely
	Via     []string `json:"via,omitempty"`
	Host    string   `json:"host,omitempty"`
	// Subcommand is how its subcommands were written, outermost first, and Options
	// are the options that it was given, by all names that each has. They stay
	// inside heed, for rules that speak of them.
	Subcommand []string `json:"-"`
	Options    []string `json:"-"`
	// Ends is how it ends, where that is known beforehand.
	Ends *Ending `json:"ends,omitempty"`
	// Unreached is how a command ends that has to succeed before this one runs, where
	// that is no success.
	Unreached *Ending `json:"unreached,omitempty"`
}

// Severity orders findings.
type Severity string

// The severities.
const (
	Low      Severity = "low"
	Medium   Severity = "medium"
	High     Severity = "high"
	Critical Severity = "critical"
)

// A Finding is a named detector that fired.
type Finding struct {
	ID       string   `json:"id"`
	Layer    string   `json:"layer"`
	Title    string   `json:"title,omitempty"`
	Severity Severity `json:"severity"`
	ATTACK   []string `json:"attack,omitempty"` // MITRE ATT&CK technique ids
	ASI      []string `json:"asi,omitempty"`    // OWASP Agentic Security Initiative ids
	Span     Span     `json:"span"`
	Evidence string   `json:"evidence,omitempty"` // what it fired on: resolved words or an effect
}

// A Layer is what one layer of heed says by itself.
type Layer struct {
	// Name is effects, pattern, sigma, heuristic or semantic, and session where the
	// commands before it count.
	Name    string  `json:"layer"`
	Verdict Verdict `json:"verdict"`
	Score   int     `json:"score"` // 0-100, on the scale of the verdicts
	// Confidence is how sure the layer is of its own verdict, 0 to 1. It lowers nothing.
	Confidence float64 `json:"confidence"`
	// Intent is what the semantic layer takes the command for.
	Intent string `json:"intent,omitempty"`
	// Parts are what the score is the sum of.
	Parts []Part `json:"parts,omitempty"`
	// Error says why the layer could not work as it should.
	Error string `json:"error,omitempty"`
}

// A Part is one contribution to a score.
type Part struct {
	Kind   string `json:"kind"` // complexity, sensitivity or technique; syntax or intent
	What   string `json:"what"`
	Points int    `json:"points"`
}

// An Unknown is something heed could not work out, and why it matters.
type Unknown struct {
	What string `json:"what"`
	Role Role   `json:"role"`
	Span Span   `json:"span"`
}

// Consequences are what follows if the command runs.
type Consequences struct {
	Direct   []string `json:"direct"`
	Indirect []string `json:"indirect"`
}

// A Safer is a command that reaches the same aim with less at stake. heed
// assesses it itself and never offers one that it judges higher.
type Safer struct {
	Command string `json:"command"`
	Why     string `json:"why"`
}

// Inputs name, by version or digest, the data that the assessment depends on
// besides the request and the world.
type Inputs struct {
	Engine  string   `json:"engine"`
	Catalog string   `json:"catalog"`
	Rules   []string `json:"rules"`
	Model   string   `json:"model"`
}

// An Assessment is the whole result for one request.
type Assessment struct {
	ID           string       `json:"id,omitempty"`
	Tier         Tier         `json:"tier"`
	Level        Level        `json:"level"`
	Verdict      Verdict      `json:"verdict"`
	Score        int          `json:"score"`
	Summary      string       `json:"summary"`
	Command      string       `json:"command"`
	Shell        string       `json:"shell"`
	Dir          string       `json:"dir"`
	Provenance   Provenance   `json:"provenance,omitempty"`
	Invocations  []Invocation `json:"invocations"`
	Effects      []Effect     `json:"effects"`
	Findings     []Finding    `json:"findings"`
	Layers       []Layer      `json:"layers"` // what each layer says; the verdict is the highest that may raise
	Unknowns     []Unknown    `json:"unknowns"`
	ATTACK       []string     `json:"attack"` // technique ids of what raised the tier
	ASI          []string     `json:"asi"`
	Reasons      []string     `json:"reasons"` // why the tier is what it is, most important first
	Consequences Consequences `json:"consequences"`
	Safer        []Safer      `json:"safer"`
	NotInspected []string     `json:"not_inspected"`
	Inputs       Inputs       `json:"inputs"`
	Error        string       `json:"error,omitempty"` // why no real assessment was possible; the tier is then REVIEW
}
