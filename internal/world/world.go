package world

import (
	"errors"
	"io/fs"
	"strings"
)

// A Kind is the type of a file.
type Kind uint8

// The kinds of files that matter to a judgement.
const (
	Missing Kind = iota
	Regular
	Dir
	Symlink
	BlockDevice
	CharDevice
	Other // FIFO, socket, anything else
)

// Info is what is known about one path without opening it.
type Info struct {
	Kind  Kind
	Mode  fs.FileMode // permission, setuid, setgid and sticky bits
	Size  int64
	MTime int64 // modification time, nanoseconds since the epoch
	CTime int64 // change time, nanoseconds since the epoch
	UID   int
	GID   int
	Dev   uint64
	Ino   uint64
	Links uint64
}

// Same reports whether two answers describe the same inode: two spellings of
// one file are one target.
func (i Info) Same(j Info) bool {
	return i.Kind != Missing && i.Ino != 0 && i.Dev == j.Dev && i.Ino == j.Ino
}

// An Entry is one name in a directory.
type Entry struct {
	Name string
	Kind Kind // of the entry itself: links are not followed
}

// Errors that every implementation answers with, wrapped.
var (
	// ErrNotExist is the usual "no such file or directory".
	ErrNotExist = fs.ErrNotExist
	// ErrTooLarge says that a file or directory is larger than was asked for.
	ErrTooLarge = errors.New("larger than the limit")
	// ErrNotRead says that reading was refused on principle: a secret, a
	// device, a FIFO, or a network, FUSE or proc mount.
	ErrNotRead = errors.New("not read on principle")
)

// FS reads a file system. All paths are absolute and clean; nothing follows
// a symbolic link in the last element except ReadFile and ReadDir.
type FS interface {
	// Lstat describes path. A path that does not exist answers
	// Info{Kind: Missing} and a nil error: being absent is a fact.
	// An error says that the answer is not known.
	Lstat(path string) (Info, error)
	// Readlink returns the text of a symbolic link.
	Readlink(path string) (string, error)
	// ReadDir returns the entries of a directory sorted by name. If there are
	// more than limit it returns the first limit of them and ErrTooLarge.
	ReadDir(path string, limit int) ([]Entry, error)
	// ReadFile returns a regular file's bytes, or ErrTooLarge if there are
	// more than limit.
	ReadFile(path string, limit int64) ([]byte, error)
	// Lines looks for the lines of a regular file that begin with prefix. It is
	// for files of which nothing else is anybody's business: the current
	// context of a file that holds credentials, how many resources a state has.
	Lines(path, prefix string) (Lines, error)
	// Mount describes the mount that holds path.
	Mount(path string) (Mount, error)
}

// Lines are those lines of a text that begin with a prefix.
type Lines struct {
	// First is what follows the prefix in the first of them, without white
	// space and quotes around it.
	First string
	N     int // how many there are
}

// MaxLineFile is how many bytes a file may have that Lines looks through.
const MaxLineFile = 4 << 20

// LinesOf is Lines on text.
func LinesOf(text, prefix string) (found Lines) {
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, prefix)
		if !ok {
			continue
		}
		if found.N++; found.N == 1 {
			found.First = strings.Trim(rest, " \t\r\n\"'")
		}
	}
	return found
}

// A Mount says what kind of file system holds a path.
type Mount struct {
	Point  string // where it is mounted
	Type   string // file system type as the kernel names it: ext4, overlay, nfs4, fuse.sshfs
	Remote bool   // on another machine, or served by a program: never walked
	Folds  bool   // names that differ only by case are the same
}

// A World is a machine seen from one user's session.
type World struct {
	FS   FS
	Git  Git
	User User
	OS   string // "linux" or "darwin"
	Host string // this machine's own name
}

// A User is who would run the command.
type User struct {
	UID  int
	Name string
	Home string
	// Homes maps other users' names to their home directories, for ~name.
	Homes map[string]string
}

// Git answers questions about git repositories without running git.
type Git interface {
	// Find returns the repository whose work tree or git directory holds dir,
	// or nil and no error if there is none.
	Find(dir string) (Repo, error)
}

// FileState is what git knows about one path of a work tree.
type FileState uint8

// The states. A directory takes part only through its files.
const (
	NotInRepo     FileState = iota // outside the work tree
	Clean                          // tracked, and stat data match the index
	MaybeModified                  // tracked, and stat data differ from the index
	Staged                         // tracked in the index, but not in HEAD as it is there
	Untracked
	Ignored
	InGitDir // part of the repository's own data
)

// HEAD is the ref of what is checked out: gitrevisions(7).
const HEAD = "HEAD"

// A Repo is one git repository, read as data.
type Repo interface {
	// Root is the work tree's top directory; empty for a bare repository.
	Root() string
	// GitDir is the repository's own directory; for a linked work tree, that
	// work tree's private one. CommonDir is the shared one.
	GitDir() string
	CommonDir() string
	// Head returns the current branch ("" when detached) and commit ("" when
	// there is none yet).
	Head() (branch, commit string)
	// Ref resolves a full or short ref name or a revision such as HEAD~2,
	// main@{upstream} or a (possibly abbreviated) object id, to a commit id;
	// "" if it does not name one or heed cannot tell.
	Ref(rev string) string
	// Refs lists the full names of refs under prefix ("refs/heads/"), sorted,
	// with their object ids; at most limit.
	Refs(prefix string, limit int) ([]Ref, error)
	// State tells what git knows about the file at an absolute path.
	State(path string) FileState
	// Status counts the whole work tree below an absolute directory (the root
	// for all), visiting at most budget directory entries.
	Status(dir string, budget int) Status
	// Part is a Status of which only what is wanted need be there. Where
	// modified files alone, or untracked ones alone, are wanted and some were
	// found among the first thousands, it may stop there, not Complete.
	Part(dir string, budget int, want Want) Status
	// Config returns the values of a configuration key ("core.hooksPath",
	// "remote.origin.url", "alias.st") in order of increasing precedence:
	// system, global, local, worktree, includes expanded in place.
	Config(key string) []string
	// ConfigKeys lists the full keys that are set and begin with prefix
	// ("filter.", "alias."), sorted, each once, at most limit.
	ConfigKeys(prefix string, limit int) []string
	// Own reports whether the last value of a configuration key is from the
	// repository's own files, or what they include, and not its user's.
	Own(key string) bool
	// Hooks lists the hooks that git would run (executable files without
	// .sample in the hooks directory), sorted.
	Hooks() []string
	// Missing counts the commits reachable from any of from and from none of
	// by, at most limit; complete is false when the limit was hit or an object
	// could not be read.
	Missing(from, by []string, limit int) (n int, complete bool)
	// Logged lists the ids that logs of refs name, at most limit; complete is false
	// when there may be more.
	Logged(limit int) (ids []string, complete bool)
	// Unkept counts the objects that neither a ref, a log of one nor the index keeps,
	// at most limit; complete is false when there may be more or heed cannot tell.
	Unkept(limit int) (n int, complete bool)
	// MayHold reports whether an object's id may begin with some digits: false
	// only where none of the repository's does.
	MayHold(prefix string) bool
	// Stashes returns the number of stash entries.
	Stashes() int
	// Links lists the paths, from the root, at which the index has another
	// repository: submodules; sorted, at most limit.
	Links(limit int) []string
	// Changes lists the paths, from the root, at which the trees of two
	// revisions differ, sorted, at most limit; complete is false when there may
	// be more or heed cannot tell. The revision "" is one without files, A...B
	// the merge base of two.
	Changes(from, to string, limit int) (paths []string, complete bool)
	// Worktrees lists the absolute paths of all work trees, the main one first.
	Worktrees() []string
}

// A Ref is a name and the object it points at.
type Ref struct{ Name, ID string }

// A Lacker knows of some directories what they do not hold.
type Lacker interface {
	// Without drops those of some names that a directory is known not to hold, without a
	// look at any of them.
	Without(dir string, names []string) []string
}

// An Access is what somebody wants to do with a file.
type Access uint8

// The kinds of access.
const (
	Reading  Access = iota // open it for reading
	Writing                // open it for writing, or make it where it is not there
	Entering               // take its name out of the directory that it is in, or put one there
)

// A Denier knows what this user may not do.
type Denier interface {
	// Denied reports whether the system surely refuses an access to path now.
	Denied(path string, how Access) bool
}

// A Want says which part of a Status is wanted.
type Want uint8

// The parts of a Status.
const (
	WantModified  Want = 1 << iota // Modified, Staged and SomeModified
	WantUntracked                  // Untracked and SomeUntracked
	WantIgnored                    // Ignored
	WantStaged                     // Staged alone, for which no file is looked at
	WantHidden                     // Hidden alone
	WantAll       Want = 1<<iota - 1
	// WantFirst is beside WantModified: soon after a changed file that git was not told to
	// take for unchanged no more is looked at, and the answer is incomplete.
	WantFirst Want = 1 << (iota - 1)
	// WantShallow is beside WantIgnored: ignored directories are not entered, and beside
	// WantUntracked no directory that has nothing tracked, as git clean does not without
	// -d (git-clean(1)).
	WantShallow Want = 1 << (iota - 1)
)

// Status sums up a work tree, or a part of it.
type Status struct {
	Tracked   int // files in the index (sparse entries that are not checked out excepted)
	Modified  int // tracked files that may differ from the index, deleted ones included
	Staged    int // entries of the index that differ from HEAD, where that can be told
	Hidden    int // of the modified, those that git was told to take for unchanged, or not to look at
	Untracked int // files git does not know, ignored ones excepted
	Ignored   int // files git was told to ignore
	Bytes     int64
	Complete  bool // false: the budget was spent, counts are lower bounds
	// SomeUntracked names up to 2,000 untracked paths, relative to the root.
	SomeUntracked []string
	// SomeModified names up to 2,000 modified paths, relative to the root.
	SomeModified []string
}
