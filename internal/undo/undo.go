package undo

import (
	"errors"
	"fmt"
	"time"
)

// Lasts is how long a promised pre-image is kept.
const Lasts = 7 * 24 * time.Hour

// DefaultQuota is how many bytes all entries together may hold, linked ones too:
// a linked file takes its space for as long as the entry is there.
const DefaultQuota = 2 << 30

// DefaultCopies is how many bytes are copied for an entry, where the file system cannot
// clone: a command waits for it.
const DefaultCopies = 512 << 20

// DefaultFiles is how many files and directories an entry may have.
const DefaultFiles = 200_000

// ErrUnsupported says that nothing can be kept on this system.
var ErrUnsupported = errors.New("files are kept for undo on Linux only")

// A Target is something that a command is about to destroy.
type Target struct {
	Path string // absolute
	// Written is whether a file there may be written in place: a second name of it would
	// change with it.
	Written bool
	// Attr is whether no more than mode, owner, times and attributes change.
	Attr bool
	// Alone is whether nothing below it is meant.
	Alone bool
	// Part says which files of a directory are meant; nil means all.
	Part Part
	// Yields is whether it may be overwritten whatever it is then: others make it again.
	Yields bool
	// Ref is what a ref of git names whose own file Path would be: it may stand in Packed
	// instead.
	Ref, Packed string
}

// A Part is a part of a tree.
type Part interface {
	// Has reports whether a path is a part of it; of a directory, whether anything below it
	// may be.
	Has(path string, dir bool) bool
}

// An Order is what has to be kept before one command.
type Order struct {
	Dir     string // where it runs
	Command string // as the caller shows it, secrets masked
	Targets []Target
	// Open is what putting files back will not undo, for whoever is told of the entry.
	Open []string
	// Guarded says that only a person may put it back.
	Guarded bool
	// Holds are objects of git that have to stay for as long as the entry is there.
	Holds []Hold
}

// A Hold is an object of the repository whose common directory is Dir.
type Hold struct{ Dir, ID string }

// Refs is where refs are made that hold objects, below the common directory of a
// repository; in it, the refs of an entry stand below its ID.
const Refs = "refs/heed/undo"

// An Incomplete is the error of what cannot be kept: then nothing is.
type Incomplete struct {
	Path, What string
	Err        error // may be nil
}

// Error implements error.
func (i *Incomplete) Error() string {
	text := i.Path + " is not kept: " + i.What
	if i.Err != nil {
		text += ": " + i.Err.Error()
	}
	return text
}

// Unwrap returns the error of the system.
func (i *Incomplete) Unwrap() error { return i.Err }

// A Conflict is the error of files that are there now and are neither what was kept nor
// what the command left.
type Conflict struct{ Paths []string }

// Error implements error.
func (c *Conflict) Error() string {
	return fmt.Sprintf("%d of them changed since, the first is %s: nothing was put back", len(c.Paths), c.Paths[0])
}

// ErrRuns says that the command for which something was kept still runs.
var ErrRuns = errors.New("the command still runs")

// An Unknown is the error of an entry that is not there.
type Unknown struct{ ID string }

// Error implements error.
func (u *Unknown) Error() string {
	if u.ID == "" {
		return "nothing is kept for undo"
	}
	return "nothing is kept as " + u.ID
}

// A Damaged is an entry that cannot be read. It takes its room until it is as old as an
// entry can become.
type Damaged struct {
	ID    string
	Bytes int64
	Err   error
}

// A Type is what an item is.
type Type string

// The types.
const (
	None Type = "" // nothing is there
	File Type = "file"
	Dir  Type = "dir"
	Link Type = "link"
	Ref  Type = "ref" // of git, in a file of its own or among the packed ones
)

// An Item is one name that was kept.
type Item struct {
	Path   string            `json:"path"`
	Type   Type              `json:"type"`
	Mode   uint32            `json:"mode"` // permission bits with setuid, setgid and sticky
	UID    int               `json:"uid"`
	GID    int               `json:"gid"`
	ATime  int64             `json:"atime"` // nanoseconds
	MTime  int64             `json:"mtime"`
	CTime  int64             `json:"ctime"`
	Ino    uint64            `json:"ino"`
	Size   int64             `json:"size,omitempty"`
	XAttrs map[string][]byte `json:"xattrs,omitempty"`
	Target string            `json:"target,omitempty"` // of a link or a ref
	Packed string            `json:"packed,omitempty"` // where a ref may stand instead
	Yields bool              `json:"yields,omitempty"` // it may be overwritten whatever it is
	Blob   string            `json:"blob,omitempty"`   // the file's name in the entry; names of one file share it
	Linked bool              `json:"linked,omitempty"` // the blob is the file itself
	Attr   bool              `json:"attr,omitempty"`   // its content was not kept
	// After is what the command left there; nil while that is not known.
	After *State `json:"after,omitempty"`
}

// A State is what is at a path, as far as a look tells it from something else.
type State struct {
	Type  Type   `json:"type,omitempty"`
	Mode  uint32 `json:"mode,omitempty"`
	UID   int    `json:"uid,omitempty"`
	GID   int    `json:"gid,omitempty"`
	MTime int64  `json:"mtime,omitempty"`
	Ino   uint64 `json:"ino,omitempty"`
	Size  int64  `json:"size,omitempty"`
	Ref   string `json:"ref,omitempty"` // what a ref names
}

// An Entry is what was kept before one command.
type Entry struct {
	ID      string    `json:"id"`
	Made    time.Time `json:"made"`
	Expires time.Time `json:"expires"`
	Dir     string    `json:"dir"`     // where the command ran
	Command string    `json:"command"` // as the caller shows it, secrets masked
	Bytes   int64     `json:"bytes"`
	Open    []string  `json:"open,omitempty"` // what putting files back does not undo
	Guarded bool      `json:"guarded,omitempty"`
	// Ended is when the command had ended, and what it had not changed was dropped; zero
	// while that is not known.
	Ended time.Time `json:"ended,omitzero"`
	// Holds are the files of refs that are there for as long as the entry is.
	Holds []string `json:"holds,omitempty"`
	Items []Item   `json:"items"`
}

// A Deed is what putting a name back comes to.
type Deed string

// The deeds.
const (
	Nothing  Deed = ""         // it is there as it was
	Makes    Deed = "made"     // nothing is there now
	Replaces Deed = "replaced" // what the command left is there
	Dresses  Deed = "attributes"
	Moved    Deed = "changed since" // something else is there
	Gone     Deed = "gone since"    // there is nothing to give attributes to
)

// A Step is what is done about one name.
type Step struct {
	Path string `json:"path"`
	Type Type   `json:"type"`
	Deed Deed   `json:"deed"`
}

// An Undone is what came of putting an entry back.
type Undone struct {
	Entry *Entry
	Steps []Step
	// Instead is the entry that what was overwritten by force was kept as.
	Instead *Entry
}
