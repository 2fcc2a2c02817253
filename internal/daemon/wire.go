package daemon

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/pin"
	"github.com/heedsh/heed/internal/strictjson"
)

// version is that of the lines. One side of another version is refused.
const version = 1

// The bounds of a call.
const (
	maxLine  = 12 << 20         // bytes of a line: a request of 8 MiB, quoted
	maxRows  = 64               // that are recorded at once
	patience = 10 * time.Second // for a line to be read or written whole
)

// What can be called.
const (
	doKeep   = "keep"
	doAnswer = "answer"
	doUse    = "use"
	doGet    = "get"
	doFind   = "find"
	doList   = "list"
	doAttend = "attend"
	doDesk   = "attended"
	doRecord = "record"
	doHead   = "head"
	doRows   = "rows"
	doRow    = "row"
	doHasPIN = "pin"
	doTry    = "pin-try"
	doSet    = "pin-set"
	doRemove = "pin-remove"
)

// A call is what a client sends: one line, and then it listens.
type call struct {
	V       int              `json:"v"`
	Do      string           `json:"do"`
	Name    string           `json:"name,omitempty"` // a digest, the beginning of one, or a row
	Request json.RawMessage  `json:"request,omitempty"`
	State   approval.State   `json:"state,omitempty"`
	Answer  *approval.Answer `json:"answer,omitempty"`
	Ticket  string           `json:"ticket,omitempty"`
	Old     []byte           `json:"old,omitempty"`
	PIN     []byte           `json:"pin,omitempty"`
	Rows    []audit.Row      `json:"rows,omitempty"`
	Filter  *audit.Filter    `json:"filter,omitempty"`
}

// A reply is a line of the daemon's. The last one of a call is Done.
type reply struct {
	V        int             `json:"v"`
	Done     bool            `json:"done,omitempty"`
	Fault    *fault          `json:"fault,omitempty"`
	Request  *kept           `json:"request,omitempty"`
	Row      *audit.Row      `json:"row,omitempty"`
	Head     *audit.Head     `json:"head,omitempty"`
	Receipts []audit.Receipt `json:"receipts,omitempty"`
	Yes      bool            `json:"yes,omitempty"`
	Ticket   string          `json:"ticket,omitempty"`
	Damaged  int             `json:"damaged,omitempty"`
}

// kept is a request as it stands in a store.
type kept struct {
	Owner  int             `json:"owner"`
	Text   json.RawMessage `json:"text"`
	State  approval.State  `json:"state"`
	Answer approval.Answer `json:"answer"`
}

func (k *kept) request() (*approval.Request, error) {
	r, err := approval.Parse(k.Text)
	if err != nil {
		return nil, fmt.Errorf("reading a request of the daemon's: %w", err)
	}
	r.State, r.Answer, r.Owner = k.State, k.Answer, k.Owner
	return r, nil
}

// A fault is an error on its way. Those that callers tell apart have a kind.
type fault struct {
	Kind  string         `json:"kind,omitempty"`
	Text  string         `json:"text"`
	State approval.State `json:"state,omitempty"`
	Left  int            `json:"left,omitempty"`
	Until *time.Time     `json:"until,omitempty"`
}

func faultOf(err error) *fault {
	f := &fault{Text: err.Error()}
	var answered *approval.AnsweredError
	var wrong pin.Wrong
	var wait pin.Wait
	switch {
	case errors.Is(err, approval.ErrGone):
		f.Kind = "gone"
	case errors.As(err, &answered):
		f.Kind, f.State = "answered", answered.State
	case errors.As(err, &wrong):
		f.Kind, f.Left = "wrong", wrong.Left
		if !wrong.Until.IsZero() {
			f.Until = &wrong.Until
		}
	case errors.As(err, &wait):
		f.Kind, f.Until = "wait", &wait.Until
	case errors.Is(err, pin.ErrNone):
		f.Kind = "no pin"
	case audit.IsDamage(err):
		f.Kind = "damage"
	case isMissing(err):
		f.Kind = "missing"
	}
	return f
}

func isMissing(err error) bool {
	var f *audit.Fault
	return errors.As(err, &f) && f.Trouble == audit.Missing
}

func (f *fault) err() error {
	until := time.Time{}
	if f.Until != nil {
		until = *f.Until
	}
	switch f.Kind {
	case "gone":
		return approval.ErrGone
	case "answered":
		return &approval.AnsweredError{State: f.State}
	case "wrong":
		return pin.Wrong{Left: f.Left, Until: until}
	case "wait":
		return pin.Wait{Until: until}
	case "no pin":
		return pin.ErrNone
	case "missing":
		return &audit.Fault{Trouble: audit.Missing, Doing: "reading the log", What: "nothing was recorded yet"}
	case "damage":
		return &audit.Fault{Trouble: audit.Damaged, Doing: "reading the log", What: f.Text}
	}
	return errors.New(f.Text)
}

// errLong says that a line is longer than any can be.
var errLong = errors.New("the line is longer than 12 MiB")

// readLine reads one line, whole.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLine:
			return nil, errLong
		case err == nil:
			return line, nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// decode reads a line as every reader would: names exact and once, nothing unknown.
func decode(line []byte, into any, names []string) error {
	err := strictjson.Object(line, func(name string, _ json.RawMessage, twice bool) error {
		if twice || !slices.Contains(names, name) {
			return fmt.Errorf("has the member %.40q twice, or does not know it", name)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("the line %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("reading the line: %w", err)
	}
	return nil
}

func readCall(r *bufio.Reader) (*call, error) {
	line, err := readLine(r)
	if err != nil {
		return nil, err
	}
	defer clear(line) // it may hold a PIN
	c := &call{}
	err = decode(line, c, []string{"v", "do", "name", "request", "state", "answer", "ticket", "old", "pin", "rows", "filter"})
	if err == nil && c.V != version {
		err = fmt.Errorf("the call has version %d, and this daemon speaks %d", c.V, version)
	}
	return c, err
}

func readReply(r *bufio.Reader) (*reply, error) {
	line, err := readLine(r)
	if err != nil {
		return nil, err
	}
	a := &reply{}
	err = decode(line, a, []string{"v", "done", "fault", "request", "row", "head", "receipts", "yes", "ticket", "damaged"})
	if err == nil && a.V != version {
		err = fmt.Errorf("the daemon speaks version %d, and this heed %d", a.V, version)
	}
	return a, err
}

// encode writes a line.
func encode(w io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	defer clear(line) // it may hold a PIN
	line = append(line, '\n')
	defer clear(line)
	if len(line) > maxLine {
		return errLong
	}
	_, err = w.Write(line)
	return err
}
