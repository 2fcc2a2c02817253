package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// A Trouble says why a row could not be kept, or the log not be read.
type Trouble string

// The troubles.
const (
	Missing   Trouble = "missing"   // there is no log
	Locked    Trouble = "locked"    // another program writes and does not end
	Full      Trouble = "full"      // the disk or the quota is full
	ReadOnly  Trouble = "read-only" // the directory cannot be written
	Owner     Trouble = "owner"     // others may write there, or it is another account's
	Damaged   Trouble = "damaged"   // a row is not what was written
	Truncated Trouble = "truncated" // rows are missing at the end
	Unfit     Trouble = "unfit"     // the row itself cannot be kept
	Broken    Trouble = "broken"    // anything else, as the system says it
)

// A Fault is the error of a log that cannot do what it was asked. Nothing that was
// acknowledged is lost by one. A caller that wanted a row kept has to ask a person
// before anything runs.
type Fault struct {
	Trouble Trouble
	Doing   string // what was being done
	Where   string // the file or directory
	What    string // what is wrong, if Err does not say it
	Err     error  // may be nil
}

// Error says what was wrong, where, and what to do next.
func (f *Fault) Error() string {
	text := f.Doing
	if f.Where != "" {
		text += ": " + f.Where
	}
	if f.What != "" {
		text += ": " + f.What
	}
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	if next := f.next(); next != "" {
		text += ": " + next
	}
	return text
}

// Unwrap returns the error of the system.
func (f *Fault) Unwrap() error { return f.Err }

// next says what to do.
func (f *Fault) next() string {
	switch f.Trouble {
	case Missing:
		return "nothing was recorded yet, or for another account"
	case Locked:
		return "end the program that holds the lock, or wait for it"
	case Full:
		return "make room on the disk (heed log prune --keep 90d removes old rows)"
	case ReadOnly:
		return "give this account the right to write there"
	case Owner:
		return "make it this account's own, and keep others from writing there (chown, chmod go-rwx)"
	case Damaged, Truncated:
		return "see what is wrong with heed log verify, keep a copy, and go on with heed log mend"
	}
	return ""
}

// Ask says in one sentence why a person is asked, for a front that shows it.
func (f *Fault) Ask() string {
	return "heed cannot record this, so it is not run unasked: " + f.Error()
}

// wrap makes a fault of an error of the system. A fault stays what it is.
func wrap(doing, where string, err error) error {
	var f *Fault
	if err == nil || errors.As(err, &f) {
		return err
	}
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err // where says the rest
	}
	return &Fault{Trouble: troubleOf(err), Doing: doing, Where: where, Err: err}
}

func troubleOf(err error) Trouble {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Missing
	case full(err):
		return Full
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return ReadOnly
	}
	return Broken
}

// damage is the fault of a row that is not what was written.
func damage(doing, where, format string, args ...any) error {
	return &Fault{Trouble: Damaged, Doing: doing, Where: where, What: fmt.Sprintf(format, args...)}
}

// IsDamage reports whether an error is about one row that is not what was written,
// so that those that follow may still be right.
func IsDamage(err error) bool {
	var f *Fault
	return errors.As(err, &f) && f.Trouble == Damaged
}
