package caller

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A kernel shows the processes of macOS: who started whom, with which words and
// variables. Who holds the other end of a terminal it does not tell.
type kernel struct{}

func newMachine() (machine, int, error) { return kernel{}, os.Getpid(), nil }

func (kernel) process(pid int) (*process, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(info.Proc.P_pid) != pid {
		return nil, fmt.Errorf("what process %d is", pid)
	}
	name := unix.ByteSliceToString(info.Proc.P_comm[:])
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	program, argv, env, ok := parseArguments(raw)
	p := newProcess(pid, int(info.Eproc.Ppid), name, program, argv)
	p.env = env
	if err != nil || !ok {
		p.hidden = fmt.Sprintf("with which variables process %s was started", p)
	}
	return p, nil
}

func (kernel) holders(int) ([]int, bool) { return nil, true }

// all are none: who is attached to a multiplexer is not told.
func (kernel) all() []*process { return nil }

// reaps is not known: launchd starts programs by itself.
func (kernel) reaps() bool { return false }
