package guard

import (
	"context"
	"iter"
	"os"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/gate/approval"
)

// Requests keeps the requests that wait for a person: an [approval.Store] of this
// account, or the daemon's.
type Requests interface {
	Keep(r approval.Request) (*approval.Request, error)
	Answer(digest string, a approval.Answer) error
	Use(digest string, is approval.State) error
	Get(digest string) (*approval.Request, error)
	Find(prefix string) (*approval.Request, error)
	List() (all []*approval.Request, damaged int, err error)
	Attend() error
	Attended() bool
	Await(ctx context.Context, digest string) (*approval.Request, error)
	Withhold(f *approval.Facts, masked string) error
	Pass(p approval.Pass) error
	Passes(dir string) []approval.Pass
	UsePass(p approval.Pass) bool
	Cover() (*os.File, error)
	Covered() bool
	Dir() string
}

// Log is a log that rows go to: an [audit.Log] of this account, or the daemon's.
type Log interface {
	AppendAll(ctx context.Context, rows []audit.Row) ([]audit.Receipt, error)
	Head(ctx context.Context) (h audit.Head, ok bool, err error)
	Rows(ctx context.Context, f audit.Filter) iter.Seq2[audit.Row, error]
	Find(ctx context.Context, name string) (audit.Row, error)
	Dir() string
}

// PIN is a person's PIN: a [pin.Store] of this account, or the daemon's.
type PIN interface {
	Exists() (bool, error)
	Check(ctx context.Context, typed []byte) error
	Set(old, pin []byte) error
	Remove(old []byte) error
	File() string
}
