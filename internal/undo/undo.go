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

// DefaultFiles is how many files and directories an entry may have.
const DefaultFiles = 200_000

// ErrUnsupported says that nothing can be kept on this system.
var ErrUnsupported = errors.New("files are kept for undo on Linux only")

// A Target is something that a command is about to destroy.
type Target struct {
	Path string // absolute
	// Written is whether a file there may be written in place, or its mode or owner
	// changed: a second name of it would change with it.
	Written bool
}

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

// A Conflict is the error of files that are there now and differ from what was kept.
type Conflict struct{ Paths []string }

// Error implements error.
func (c *Conflict) Error() string {
	return fmt.Sprintf("%d of them differ from what was kept, the first is %s: nothing was put back", len(c.Paths), c.Paths[0])
}

// A Type is what an item is.
type Type string

// The types.
const (
	File Type = "file"
	Dir  Type = "dir"
	Link Type = "link"
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
	Size   int64             `json:"size,omitempty"`
	XAttrs map[string][]byte `json:"xattrs,omitempty"`
	Target string            `json:"target,omitempty"` // of a link
	Blob   string            `json:"blob,omitempty"`   // the file's name in the entry; names of one file share it
	Linked bool              `json:"linked,omitempty"` // the blob is the file itself
}

// An Entry is what was kept before one command.
type Entry struct {
	ID      string    `json:"id"`
	Made    time.Time `json:"made"`
	Expires time.Time `json:"expires"`
	Dir     string    `json:"dir"`     // where the command ran
	Command string    `json:"command"` // as the caller shows it, secrets masked
	Bytes   int64     `json:"bytes"`
	Items   []Item    `json:"items"`
}
