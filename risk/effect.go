package risk

import (
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Verb says what kind of thing an effect does. The identifiers are stable:
// policies, records and detectors name them.
type Verb string

// The verbs, grouped by what they touch.
const (
	FSRead   Verb = "fs.read"   // reads file contents or metadata
	FSCreate Verb = "fs.create" // makes something new without touching what exists
	FSWrite  Verb = "fs.write"  // gives a file new content
	FSDelete Verb = "fs.delete" // removes a name
	FSMove   Verb = "fs.move"   // takes a file away from where it was
	FSAttr   Verb = "fs.attr"   // changes mode, owner, times, flags or labels
	FSMount  Verb = "fs.mount"  // mounts or unmounts

	DiskWrite Verb = "disk.write" // writes a raw device, file system or partition table

	ExecKnown   Verb = "exec.known"   // runs a program the catalog knows
	ExecProject Verb = "exec.project" // runs code that lives in the workspace
	ExecUnknown Verb = "exec.unknown" // runs code that was not inspected
	ExecShell   Verb = "exec.shell"   // starts an interactive shell or command loop
	ExecRemote  Verb = "exec.remote"  // runs code that came from the network

	NetFetch   Verb = "net.fetch"   // downloads
	NetSend    Verb = "net.send"    // sends local data out
	NetListen  Verb = "net.listen"  // accepts connections
	NetConnect Verb = "net.connect" // opens a connection

	PkgInstall Verb = "pkg.install"
	PkgRemove  Verb = "pkg.remove"
	PkgPublish Verb = "pkg.publish"

	VCSLocal   Verb = "vcs.local"   // local history or index, recoverable
	VCSDiscard Verb = "vcs.discard" // throws away work that was not committed
	VCSRewrite Verb = "vcs.rewrite" // makes local commits unreachable or edits history
	VCSPush    Verb = "vcs.push"    // publishes commits
	VCSForce   Verb = "vcs.force"   // replaces or deletes what a remote has

	RemoteRead    Verb = "remote.read"    // reads the state of a service or cluster
	RemoteChange  Verb = "remote.change"  // changes it
	RemoteDestroy Verb = "remote.destroy" // destroys part of it

	DBRead    Verb = "db.read"
	DBChange  Verb = "db.change"
	DBDestroy Verb = "db.destroy"

	SecretRead Verb = "secret.read" // shows or copies secret contents
	SecretSend Verb = "secret.send" // sends secret contents out

	PrivGain     Verb = "priv.gain"     // gains or grants rights
	PersistAdd   Verb = "persist.add"   // arranges to run again later
	SysConfig    Verb = "sys.config"    // changes how the machine is set up
	SysPower     Verb = "sys.power"     // stops or restarts the machine
	ProcSignal   Verb = "proc.signal"   // signals processes
	DefenseEvade Verb = "defense.evade" // weakens or blinds a defence
	Exhaust      Verb = "resource.exhaust"
	AgentConfig  Verb = "agent.config" // rewrites a coding agent's own rights, or heed's
	Blind        Verb = "blind"        // heed could not see: unparsable, or a budget was spent
)

// Scope says where a target is, seen from the session that asks.
type Scope string

// The scopes.
const (
	InWorkspace   Scope = "workspace"
	InTemp        Scope = "temp"
	InHome        Scope = "home"
	InOtherRepo   Scope = "other-repository"
	InOtherHome   Scope = "other-home"
	InSystem      Scope = "system"
	IsNull        Scope = "null" // /dev/null and the terminal: writing there loses nothing
	IsDevice      Scope = "device"
	IsSecret      Scope = "secret"       // credential store or key file
	IsAccounts    Scope = "accounts"     // account databases that every user may read
	IsAgentConfig Scope = "agent-config" // a coding agent's permissions, hooks or MCP files, or heed's own
	IsStartup     Scope = "startup"      // files that are run later without being asked
	IsRemote      Scope = "remote"
	IsLoopback    Scope = "loopback"
	InImage       Scope = "image" // a file of a container image that is being built
	ScopeUnknown  Scope = "unknown"
)

// NewTemp is the path that stands in effects for the file or directory that
// mktemp makes: its real name is not known before.
const NewTemp = "/tmp/heed-new"

// Reversible says whether a target could be brought back as it was.
type Reversible string

// The degrees of reversibility.
const (
	Restorable   Reversible = "restorable"    // committed and clean, or made by this very command
	Regenerable  Reversible = "regenerable"   // ignored by git, and a build or lock file says how to make it
	Partly       Reversible = "partly"        // some of it is in git, some is not
	Lost         Reversible = "lost"          // nowhere else
	NothingThere Reversible = "nothing there" // the target does not exist now
	NotLooked    Reversible = ""              // the answer could not change the tier
)

// badness orders the degrees by what is lost for good; what was not looked at
// may be anything that a look could have said but that all is lost.
var badness = [...]Reversible{NothingThere, Restorable, Regenerable, NotLooked, Partly, Lost}

// Worse reports whether more is lost for good than with another degree.
func (r Reversible) Worse(than Reversible) bool {
	return slices.Index(badness[:], r) > slices.Index(badness[:], than)
}

// LosesMore reports whether an effect loses more for good than another one on
// the same target: what the command itself made before is no loss.
func (e *Effect) LosesMore(than *Effect) bool {
	worse := e.Reversible.Worse(than.Reversible) || e.Reversible == than.Reversible && than.Remedy == RemedyMade
	return worse && e.Remedy != RemedyMade
}

// Certainty says how sure it is that an effect happens if the command runs.
type Certainty string

// The certainties.
const (
	Certain  Certainty = "certain"  // this point is reached, with these words
	Possible Certainty = "possible" // reached only under a condition, or a word is not known
)

// A Span is a half-open range of bytes [Start, End) of the request's command.
type Span struct{ Start, End int }

// MarshalJSON writes the span as [start, end].
func (s Span) MarshalJSON() ([]byte, error) {
	b := strconv.AppendInt(append(make([]byte, 0, 16), '['), int64(s.Start), 10)
	b = strconv.AppendInt(append(b, ','), int64(s.End), 10)
	return append(b, ']'), nil
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (s *Span) UnmarshalJSON(b []byte) error {
	var pair [2]int
	if err := json.Unmarshal(b, &pair); err != nil {
		return err
	}
	s.Start, s.End = pair[0], pair[1]
	return nil
}

// Counts make a sentence true. A count of a walk that ran out of budget is a
// lower bound, and AtLeast says so.
type Counts struct {
	Files     int   `json:"files,omitempty"`
	Bytes     int64 `json:"bytes,omitempty"`
	Untracked int   `json:"untracked,omitempty"` // files that git does not know
	Modified  int   `json:"modified,omitempty"`  // tracked files that may differ from the index
	Ignored   int   `json:"ignored,omitempty"`   // files that git is told not to look at
	Commits   int   `json:"commits,omitempty"`
	AtLeast   bool  `json:"at_least,omitempty"`
	// Names are the absolute paths of the files that Untracked and Modified count, where
	// those are few and all known; else it is empty.
	Names []string `json:"names,omitempty"`
}

// maxNamed is of how many files Counts has names.
const maxNamed = 3

// IsZero reports whether nothing was counted.
func (c *Counts) IsZero() bool {
	return c.Files == 0 && c.Bytes == 0 && c.Untracked == 0 && c.Modified == 0 && c.Ignored == 0 && c.Commits == 0 && !c.AtLeast
}

// Name sets Names to files below root, if those are all that Untracked and Modified count.
func (c *Counts) Name(root string, files []string) {
	if n := c.Untracked + c.Modified; n == 0 || n > maxNamed || len(files) != n || c.AtLeast {
		return
	}
	c.Names = make([]string, len(files))
	for i, f := range files {
		c.Names[i] = path.Join(root, f)
	}
}

// Add counts what d counts, too.
func (c *Counts) Add(d *Counts) {
	names := slices.Concat(c.Names, d.Names)
	c.Files += d.Files
	c.Bytes += d.Bytes
	c.Untracked += d.Untracked
	c.Modified += d.Modified
	c.Ignored += d.Ignored
	c.AtLeast = c.AtLeast || d.AtLeast
	c.Names = nil
	c.Name("/", names)
}

// An Effect is one thing a command would do to one target.
type Effect struct {
	Verb   Verb   `json:"verb"`
	Target string `json:"target"` // resolved: an absolute path, URL, host, ref or name
	Scope  Scope  `json:"scope,omitempty"`
	// Kind is the declared word for what is touched or how (a hook, a stash, a
	// truncation); never text from the command.
	Kind       Kind       `json:"detail,omitempty"`
	Recursive  bool       `json:"recursive,omitempty"`
	Many       bool       `json:"many,omitempty"` // a glob, a list or a search names the targets
	Forced     bool       `json:"forced,omitempty"`
	Certainty  Certainty  `json:"certainty"`
	Reversible Reversible `json:"reversible,omitempty"`
	Remedy     Remedy     `json:"remedy,omitzero"`
	Counts     *Counts    `json:"counts,omitempty"`
	// Unresolved names the part of the target that is not known, for example
	// "$DIR"; Cause says why: unset, output, input, …
	Unresolved string `json:"unresolved,omitempty"`
	Cause      Cause  `json:"cause,omitempty"`
	// Root is set when the target is the root of the file system, of a home,
	// of a workspace or of the temp directory.
	Root bool `json:"root,omitempty"`
	// Through is the link that leads to the target, if one does.
	Through string `json:"through,omitempty"`
	// Where says what a remote target belongs to: "context prod" of a cluster,
	// "profile prod", "workspace prod", the URL of a git remote.
	Where string `json:"where,omitempty"`
	// Pattern is the glob that named the targets.
	Pattern string `json:"pattern,omitempty"`
	// Named is the pattern that the names of the targets match, which are found
	// somewhere below Target.
	Named      string    `json:"named,omitempty"`
	Source     Source    `json:"source,omitzero"`   // where what flows into the target comes from
	Reached    Condition `json:"reached,omitzero"`  // the condition under which it happens
	Program    string    `json:"program,omitempty"` // the program that does it
	Via        []string  `json:"via,omitempty"`     // wrappers, outermost first: sudo, ssh prod, docker run img
	Privileged bool      `json:"privileged,omitempty"`
	Host       string    `json:"host,omitempty"` // empty: this machine
	Span       Span      `json:"span"`
	Tier       Tier      `json:"tier"`
	Level      Level     `json:"-"`             // with Tier its place on the scale; it stays inside heed
	Row        string    `json:"row,omitempty"` // the decision-table row that decided the tier
	// By is what made it. It stays inside heed: indexes mean nothing elsewhere.
	By Maker `json:"-"`
}

// OfAll reports whether its pattern names all that one directory has: DIR/*.
func (e *Effect) OfAll() bool {
	dir, name := path.Split(e.Pattern)
	return name == "*" && !strings.ContainsAny(dir, "*?[{")
}

// RuleOutput is the rule by which the shell writes to a file all that a command prints
// (`date > now`).
const RuleOutput = "output"

// A Maker is what made an effect.
type Maker struct {
	// Process is the index of the invocation, -1 for the shell itself.
	Process int
	// Statement is where the statement of the command stands that it belongs to.
	Statement Span
	// Also are other statements that have the same effect.
	Also []Span
	// Dir is where the repository is that it is on, of what version control does; "" if
	// that is not known.
	Dir string
	// Rule is what stated it: "spec", a hook by its name, a rule about deeds, or
	// [RuleOutput].
	Rule string
	// Unreached is how a command ends that has to succeed first, where that is no
	// success.
	Unreached *Ending
	// Astray is whether it is in a directory that is not there, where a `cd` that fails
	// would have gone, and Instead whether it is elsewhere for that. Both are for telling.
	Astray, Instead bool
	// FilesOnly is whether it deletes no directories. It is for telling.
	FilesOnly bool
	// Refused is whether the program leaves what it is: a directory that it is not told
	// to delete. It is for telling.
	Refused bool
	// Replaces is whether all that a file holds gives way to what a program puts out. It is
	// for telling.
	Replaces bool
	// Denied is what the system does not let the user do with the target, or with what flows
	// into it, as a verb: "read"; "" where it does. Of a tree only the top of it is meant. It
	// is for telling.
	Denied string
	// Lines is how many lines the file has when all has run, as far as its text is known;
	// 0 where it is not. It is for telling.
	Lines int
	// Stored is whether what is read is a copy that a repository has of the target.
	Stored bool
	// Undone is whether the shell surely stops before it, each time that it is had
	// ([Ending.ByShell]).
	Undone bool
}

// Verbs lists every verb in the order of the documentation.
func Verbs() []Verb {
	return []Verb{
		FSRead, FSCreate, FSWrite, FSDelete, FSMove, FSAttr, FSMount, DiskWrite,
		ExecKnown, ExecProject, ExecUnknown, ExecShell, ExecRemote,
		NetFetch, NetSend, NetListen, NetConnect, PkgInstall, PkgRemove, PkgPublish,
		VCSLocal, VCSDiscard, VCSRewrite, VCSPush, VCSForce,
		RemoteRead, RemoteChange, RemoteDestroy, DBRead, DBChange, DBDestroy,
		SecretRead, SecretSend, PrivGain, PersistAdd, SysConfig, SysPower, ProcSignal,
		DefenseEvade, Exhaust, AgentConfig, Blind,
	}
}

// Scopes lists every scope in the order of the documentation.
func Scopes() []Scope {
	return []Scope{
		InWorkspace, InTemp, InHome, InOtherRepo, InOtherHome, InSystem, IsNull, IsDevice, IsSecret, IsAccounts, IsAgentConfig,
		IsStartup, IsRemote, IsLoopback, InImage, ScopeUnknown,
	}
}

// Reversibles lists every degree of reversibility that has a word, in the order of
// the documentation.
func Reversibles() []Reversible {
	return []Reversible{Restorable, Regenerable, Partly, Lost, NothingThere}
}
