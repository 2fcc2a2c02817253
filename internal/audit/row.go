package audit

import "encoding/json"

// version is the form of a row. A later form that is not read by older ones has
// another number.
const version = 1

// A Row is one thing that happened. Its fields stand in the order of their JSON
// names, which is that of the canonical form. Who appends a row fills in what it
// knows; the log fills in Chain, Hash, ID, Prev, Seq, Time, Torn and V, and Cut
// where something was too long.
type Row struct {
	Agent  string   `json:"agent,omitempty"`  // the coding agent, as its adapter calls it
	ASI    []string `json:"asi,omitempty"`    // OWASP ASI ids of what raised the tier
	ATTACK []string `json:"attack,omitempty"` // MITRE ATT&CK technique ids of the same
	// By says who answered: person, click, pin, rule, policy, timeout.
	By string `json:"by,omitempty"`
	// Catalog names what was known of programs when the command was judged:
	// answers of two catalogs may differ.
	Catalog string `json:"catalog,omitempty"`
	Chain   string `json:"chain"` // names the log that the row was written to
	// Command is the command with its secrets taken out.
	Command string `json:"command,omitempty"`
	// Cut names the fields that were shortened or left out for their length.
	Cut []string `json:"cut,omitempty"`
	// Decision is allow, ask or deny.
	Decision string `json:"decision,omitempty"`
	// Decisive names the programs that raised the tier, if any did.
	Decisive []string `json:"decisive,omitempty"`
	// Digest names the assessment: rows about one share it.
	Digest string `json:"digest,omitempty"`
	Dir    string `json:"dir,omitempty"` // the directory of the command
	// Hash is the SHA-256 of the row in canonical form, without this field.
	Hash string `json:"hash,omitempty"`
	// ID names the row among those of all logs. Later rows of one log have
	// greater ids, whatever the clock says.
	ID    string `json:"id"`
	Kind  Kind   `json:"kind"`
	Level string `json:"level,omitempty"` // A, B or C
	// Masked says that something was taken out of the command.
	Masked   bool     `json:"masked,omitempty"`
	Mended   *Mending `json:"mended,omitempty"`
	Outcome  *Outcome `json:"outcome,omitempty"`
	Prev     string   `json:"prev"` // the hash of the row before
	Programs []string `json:"programs,omitempty"`
	// Provenance says who or what the command came from.
	Provenance string   `json:"provenance,omitempty"`
	Pruned     *Pruning `json:"pruned,omitempty"`
	// Reason is what the person who denied, or whatever changed the answer, said.
	Reason  string `json:"reason,omitempty"`
	Request string `json:"request,omitempty"` // the request's own id
	Rule    string `json:"rule,omitempty"`    // what decided
	Score   int    `json:"score,omitempty"`
	Seq     uint64 `json:"seq"` // the row's number, counted from 1
	Session string `json:"session,omitempty"`
	Shell   string `json:"shell,omitempty"`
	Summary string `json:"summary,omitempty"` // the badge's sentence
	Tier    string `json:"tier,omitempty"`    // SAFE, CAUTION or REVIEW
	Time    Stamp  `json:"time"`
	Torn    *Torn  `json:"torn,omitempty"`
	V       int    `json:"v"`
	// WaitedMS is how long a person took to answer.
	WaitedMS int64 `json:"waited_ms,omitempty"`
	// Whole is the assessment as heed check --json prints it, with its secrets
	// taken out. Its positions count in the command as it was typed.
	Whole json.RawMessage `json:"whole,omitempty"`
}

// An Outcome is how a command ended.
type Outcome struct {
	// Code is the exit code; 128 and more for a signal, as shells count.
	Code int `json:"code"`
	// MS is how long it ran, in milliseconds.
	MS int64 `json:"ms"`
}

// A Pruning is a checkpoint: it vouches for rows that were removed.
type Pruning struct {
	// Damaged counts places where they were not what was written.
	Damaged int    `json:"damaged,omitempty"`
	From    Stamp  `json:"from"` // the time of the first row that was removed
	Last    uint64 `json:"last"` // the number of the last one
	Rows    uint64 `json:"rows"` // how many were removed
	Sum     string `json:"sum"`  // the hash of the last one
	To      Stamp  `json:"to"`   // the latest time of one that was removed
}

// A Mending says where a log went on after damage.
type Mending struct {
	Good    uint64 `json:"good"` // the last row that is right
	Lost    uint64 `json:"lost"` // the last row that was written, as far as is known
	Problem string `json:"problem"`
	Segment string `json:"segment"` // the file that is damaged
	Sum     string `json:"sum"`     // SHA-256 of what it held
}

// A Torn is what a writer left that was killed, or whose disk was full, in the
// middle of a row: bytes between the row before and this one. Nobody was told
// that they were kept.
type Torn struct {
	Bytes int    `json:"bytes"`
	Sum   string `json:"sum"` // SHA-256 of them
}

// A Receipt says where a row is kept, once it is on the disk.
type Receipt struct {
	ID   string
	Seq  uint64
	Time Stamp
	Hash string
	// Off says that nothing was kept, because root's settings switched the log
	// off.
	Off bool
}

// Head is the log's head as of this row: what a later log can be held against.
func (r Receipt) Head() Head { return Head{r.Seq, r.Hash} }
