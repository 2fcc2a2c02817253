//go:build amd64 || arm64

package preview

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/confine"
	"golang.org/x/sys/unix"
)

// insideVerb is the hidden verb by which this program is started once more, as the first
// process of new namespaces.
const insideVerb = "preview-inside"

// channel is the descriptor on which it is told what to do, and answers.
const channel = 3

// An order is what it is told.
type order struct {
	Room      *confine.Room
	Trees     []Tree
	Uncovered []string
	Marker    []byte
	Bytes     int64
	Time      time.Duration
	Processes int
	Program   string
	Argv      []string
	Env       []string
	Dir       string
}

// A report is what it answers.
type report struct {
	Items        []item
	Exit, Signal int
	Limit        string
	Left         int
	Scratch      int
	Refused      []confine.Refusal
	Programs     []string
	Files        []string // of the programs
	Secrets      []string // placeholders that were read
	Hidden       []string // all of them
}

// MarshalJSON keeps names of any bytes.
func (it item) MarshalJSON() ([]byte, error) {
	type plain item
	p := plain(it)
	p.Rel, p.Link = confine.Keep(it.Rel), confine.Keep(it.Link)
	return json.Marshal(p)
}

// UnmarshalJSON reads what [item.MarshalJSON] has written.
func (it *item) UnmarshalJSON(text []byte) error {
	type plain item
	err := json.Unmarshal(text, (*plain)(it))
	it.Rel, it.Link = confine.Back(it.Rel), confine.Back(it.Link)
	return err
}

// MarshalJSON keeps values of any bytes.
func (s state) MarshalJSON() ([]byte, error) {
	type plain state
	p := plain(s)
	p.Target, p.XAttrs = confine.Keep(s.Target), changed(s.XAttrs, confine.Keep)
	return json.Marshal(p)
}

// UnmarshalJSON reads what [state.MarshalJSON] has written.
func (s *state) UnmarshalJSON(text []byte) error {
	type plain state
	err := json.Unmarshal(text, (*plain)(s))
	s.Target, s.XAttrs = confine.Back(s.Target), changed(s.XAttrs, confine.Back)
	return err
}

// MarshalJSON keeps names of any bytes.
func (s step) MarshalJSON() ([]byte, error) {
	type plain step
	p := plain(s)
	p.Path, p.Temp = confine.Keep(s.Path), confine.Keep(s.Temp)
	return json.Marshal(p)
}

// UnmarshalJSON reads what [step.MarshalJSON] has written.
func (s *step) UnmarshalJSON(text []byte) error {
	type plain step
	err := json.Unmarshal(text, (*plain)(s))
	s.Path, s.Temp = confine.Back(s.Path), confine.Back(s.Temp)
	return err
}

// changed changes names and values.
func changed(all map[string]string, f func(string) string) map[string]string {
	if all == nil {
		return nil
	}
	out := make(map[string]string, len(all))
	for name, value := range all {
		out[f(name)] = f(value)
	}
	return out
}

// How an answer begins: with the upper layers and a report, or with an error, which may
// say that nothing can be previewed here or that the program cannot be executed.
const (
	answerReport byte = iota
	answerError
	answerNotHere
)

// reply sends a report, and where the upper layers are.
func reply(ch *os.File, r *report, stage int) error {
	if err := unix.Sendmsg(int(ch.Fd()), []byte{answerReport}, unix.UnixRights(stage), nil, 0); err != nil {
		return fmt.Errorf("handing over what was written: %w", err)
	}
	return json.NewEncoder(ch).Encode(r)
}

// replyError sends an error.
func replyError(ch *os.File, err error) {
	kind := answerError
	if errors.Is(err, ErrNotHere) || errors.Is(err, confine.ErrNotConfined) {
		kind = answerNotHere
	}
	text := strings.TrimPrefix(err.Error(), ErrNotHere.Error()+": ") // it is put before it again
	ch.Write(append([]byte{kind}, text...))                          //nolint:errcheck // if that fails, who would read it is gone
}

// receive reads an answer. stage is a descriptor of the directory of the upper layers.
func receive(ch *os.File) (r *report, stage int, err error) {
	buf, oob := make([]byte, 1), make([]byte, unix.CmsgSpace(4))
	var n, oobn int
	for {
		n, oobn, _, _, err = unix.Recvmsg(int(ch.Fd()), buf, oob, unix.MSG_CMSG_CLOEXEC)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	if err != nil {
		return nil, -1, err
	}
	if n == 0 {
		return nil, -1, errors.New("it ended before it had answered")
	}
	if buf[0] != answerReport {
		text, err := io.ReadAll(ch)
		if err == nil {
			err = errors.New(string(text))
		}
		if buf[0] == answerNotHere {
			err = fmt.Errorf("%w: %w", ErrNotHere, err)
		}
		return nil, -1, err
	}
	messages, err := unix.ParseSocketControlMessage(oob[:oobn])
	if err != nil || len(messages) != 1 {
		return nil, -1, errors.New("it handed nothing over")
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return nil, -1, errors.New("it handed nothing over")
	}
	r = &report{}
	if err := json.NewDecoder(ch).Decode(r); err != nil {
		return nil, -1, errors.Join(fmt.Errorf("reading what came of it: %w", err), unix.Close(fds[0]))
	}
	return r, fds[0], nil
}
