//go:build linux || darwin

package wrap

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
)

// executes says that commands are executed on this system.
const executes = true

// What standard input can be.
type input uint8

const (
	inputTerminal input = iota // a person
	inputNull                  // nothing: the null device, or closed
	inputOther                 // data that nobody has looked at
)

func standardInput() input {
	var st, null unix.Stat_t
	switch {
	case gate.IsTerminal(0):
		return inputTerminal
	case unix.Fstat(0, &st) != nil:
		return inputNull
	case unix.Stat(os.DevNull, &null) == nil && st.Mode&unix.S_IFMT == unix.S_IFCHR && st.Rdev == null.Rdev:
		return inputNull
	}
	return inputOther
}

// identity is what tells a file from others, and from itself after a change.
func identity(file string) (string, error) {
	var st unix.Stat_t
	if err := unix.Stat(file, &st); err != nil {
		return "", err
	}
	i, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d:%d %d %o %d", st.Dev, st.Ino, st.Size, st.Mode, i.ModTime().UnixNano()), nil
}

// maxScriptInput is how much is read as a script on standard input, in bytes.
// The engine inspects no more.
const maxScriptInput = 4 << 20

// readScript reads standard input to its end.
func readScript() (string, error) {
	text, err := io.ReadAll(io.LimitReader(os.Stdin, maxScriptInput+1))
	if err != nil && !errors.Is(err, syscall.EBADF) {
		return "", fmt.Errorf("reading the script on standard input: %w", err)
	}
	if len(text) > maxScriptInput {
		return "", fmt.Errorf("the script on standard input is longer than %d MiB", maxScriptInput>>20)
	}
	return string(text), nil
}

// execute puts the job's program in the place of this process. It returns only
// if that fails.
func (s *Session) execute(job *approval.Job) int {
	if s.Dir != "" && s.Dir != here() {
		if err := os.Chdir(s.Dir); err != nil {
			return s.not("%s", explain.Visible(err.Error()))
		}
	}
	var err error
	switch {
	case job.HasScript:
		err = supply(job.Script)
	case job.Piped && gate.IsTerminal(0): // approved: what it was given is gone
		err = supplyNothing()
	}
	if err != nil {
		return s.not("giving it its standard input: %s", explain.Visible(err.Error()))
	}
	s.preserve(job)
	if s.Confined != nil {
		return s.confine(job)
	}
	err = syscall.Exec(job.Program, job.Argv, s.Env)
	s.say("%s: %s", explain.Visible(job.Program), err)
	if errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ENOTDIR) {
		return ExitNotFound
	}
	return ExitRefused
}

// supplyNothing makes standard input empty.
func supplyNothing() error {
	f, err := os.Open(os.DevNull)
	if err != nil {
		return err
	}
	return onto(f, 0)
}

// pipeSize is what every pipe takes at once, in bytes: 16 KiB on macOS, 64 KiB
// on Linux (pipe(7)).
const pipeSize = 16 << 10

// supply makes a text standard input: in a pipe if that is what it came in and
// it fits, or else in a file without a name.
func supply(text string) error {
	var st unix.Stat_t
	if len(text) <= pipeSize && unix.Fstat(0, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFIFO {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		return onto(r, 0)
	}
	f, err := os.CreateTemp("", "heed-input-")
	if err != nil {
		return err
	}
	if err := os.Remove(f.Name()); err != nil {
		return err
	}
	if _, err := io.Copy(f, strings.NewReader(text)); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return onto(f, 0)
}

// onto makes fd another name of an open file, which is blocking then: that is
// what programs expect.
func onto(f *os.File, fd int) error {
	old := int(f.Fd())
	if err := unix.SetNonblock(old, false); err != nil {
		return err
	}
	return dup(old, fd)
}
