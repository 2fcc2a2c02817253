package preview

import (
	"errors"
	"io"
	"time"

	"github.com/heedsh/heed/internal/confine"
)

// ErrNotHere is under every error that says that nothing can be previewed here. Nothing
// was run then.
var ErrNotHere = errors.New("no preview here")

// A Command is what is to be run.
type Command struct {
	Program string // the file, absolute
	Argv    []string
	Env     []string  // NAME=VALUE; [confine.Clean] is applied to it
	Dir     string    // absolute
	Stdin   io.Reader // nil for nothing
}

// Limits are how much a command may use. What reaches one is ended, or refused more, and
// the result says so.
type Limits struct {
	Time      time.Duration
	Bytes     int64 // that it writes, all together
	Processes int   // at the same time
	Output    int   // bytes that are kept of each of its two streams
	Diff      int   // bytes of a file of which a difference is shown
}

// DefaultLimits are those that hold unless a person says otherwise.
func DefaultLimits() Limits {
	return Limits{Time: time.Minute, Bytes: 1 << 30, Processes: 512, Output: 64 << 10, Diff: 256 << 10}
}

// A Kind is what became of a path.
type Kind string

// The kinds.
const (
	Created    Kind = "created"
	Changed    Kind = "changed"
	Replaced   Kind = "replaced" // by something of another type
	Deleted    Kind = "deleted"
	Attributes Kind = "attributes" // only mode, owner, times or extended attributes changed
)

// A Change is what became of one path. A directory that was created or deleted is one
// change, with what it holds counted.
type Change struct {
	Path  string `json:"path"`
	Kind  Kind   `json:"change"`
	Type  string `json:"type"`           // file, directory, link, pipe, socket, device
	Was   string `json:"was,omitempty"`  // the type before, where it is another
	Size  int64  `json:"size"`           // after; of a directory of all its files
	Old   int64  `json:"old_size"`       // before
	Files int    `json:"files"`          // in a directory that was created or deleted
	Names string `json:"link,omitempty"` // what a link points to, or of which file it is another name
	// Mode, Owner and Attrs say what changed of them: "0644 -> 0755".
	Mode  string `json:"mode,omitempty"`
	Owner string `json:"owner,omitempty"`
	Times bool   `json:"times,omitempty"` // nothing but the times changed
	Attrs bool   `json:"xattrs,omitempty"`
	// Diff is the difference of a text; Binary is whether there is none because it is no
	// text.
	Diff   string `json:"diff,omitempty"`
	Binary bool   `json:"binary,omitempty"`
	// Secret is whether it holds, or held, what a preview hides.
	Secret bool `json:"secret,omitempty"`
	// Linked is how many other names the file has that was there.
	Linked int `json:"linked,omitempty"`
	// Moved is whether somebody else changed what was there while the command ran.
	Moved bool `json:"moved,omitempty"`
}

// A Result is what a preview found out.
type Result struct {
	Exit   int    `json:"exit"`
	Signal int    `json:"signal,omitempty"` // that ended it
	Limit  string `json:"limit,omitempty"`  // time, size or processes: what it reached
	// Changes are in the order of their paths.
	Changes []Change `json:"changes"`
	// Scratch is how many files it wrote to temporary directories and caches, which are
	// thrown away and never applied.
	Scratch int `json:"scratch_files"`
	// Refused is what it tried and was refused, connections too.
	Refused []Refusal `json:"refused"`
	// Secrets are the files that it read and of which it saw a placeholder.
	Secrets  []string `json:"secrets_hidden"`
	Programs []string `json:"programs"`
	// Files are the files of these programs, absolute; of each the first that was executed.
	Files  []string      `json:"-"`
	Left   int           `json:"left_running"` // processes that were ended after it
	Stdout Output        `json:"stdout"`
	Stderr Output        `json:"stderr"`
	Took   time.Duration `json:"-"`
}

// An Output is what was kept of a stream.
type Output struct {
	Text    string `json:"text"`
	Dropped int64  `json:"dropped"` // bytes that were not kept
}

// A Refusal is what a command tried and was refused.
type Refusal struct {
	Deed    string `json:"deed"`
	Target  string `json:"target,omitempty"`
	Program string `json:"program"`
}

func refusal(r *confine.Refusal) Refusal {
	return Refusal{Deed: string(r.Deed), Target: r.Path, Program: r.Program}
}

// A Tree is a directory over which changes go elsewhere.
type Tree struct {
	Path string
	// Scratch is whether what is changed in it is thrown away.
	Scratch bool
	closed  bool // the top of it may not be changed by this account
}

// A Plan says what a preview covers.
type Plan struct {
	Trees []Tree
	Home  string
	// Workspaces are where secrets are looked for, beside the home.
	Workspaces []string
	// Secrets may be read, though they are hidden otherwise.
	Secrets []string
	// Uncovered are mounts below the trees that stay as they are, read-only.
	Uncovered []string
	// Notes say to a person what is not covered.
	Notes []string
}

// A Where is what a plan has to know of the session.
type Where struct {
	Workspaces []string // the first has to be covered
	Home       string   // "" if there is none
	Temp       string   // the directory for temporary files; "" for the usual ones
	Targets    []string // that the command is known to change, absolute
	Secrets    []string // that may be read
}
