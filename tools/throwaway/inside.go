//go:build linux

package throwaway

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// insideArg is the first argument of a program where it is to run a command
// inside a layer.
const insideArg = "-inside-a-layer"

// notRun is how the program ends where the command could not be run.
const notRun = 217

// sentFile is the descriptor that takes what [Remote] receives.
const sentFile = 3

// remotePorts are those that [Remote] listens on.
var remotePorts = []string{"80", "8080", "9001"}

// Inside must be called first by the main function of a program, and by the
// TestMain of a package, that calls [Layer.Try]: a layer starts that program
// again to make its namespaces. There it runs the command and does not return.
func Inside(args []string) {
	if len(args) < 2 || args[1] != insideArg {
		return
	}
	err := inside(args[2:])
	fmt.Fprintln(os.Stderr, err)
	os.Exit(notRun)
}

// inside runs the command in namespaces that [Layer.command] made: with the
// layer as its root and few of root's rights. It returns only errors.
func inside(args []string) error {
	runtime.LockOSThread()
	root, dir, shell, command := args[0], args[1], args[2], args[3]
	if err := unix.Mount("proc", root+"/proc", "proc", unix.MS_NOSUID|unix.MS_NOEXEC|unix.MS_NODEV, ""); err != nil {
		return fmt.Errorf("mounting /proc: %w", err)
	}
	if err := Fence(root); err != nil {
		return err
	}
	if err := remote(); err != nil {
		return fmt.Errorf("making a network: %w", err)
	}
	if err := errors.Join(unix.Chroot(root), unix.Chdir(dir)); err != nil {
		return fmt.Errorf("entering the layer: %w", err)
	}
	if err := alone(); err != nil {
		return fmt.Errorf("this would reach the machine: %w", err)
	}
	if err := weaken(); err != nil {
		return err
	}
	c := exec.Command(shell, "-c", command)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	if err := c.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", shell, err)
	}
	go Guard()
	_ = c.Wait()
	others(200 * time.Millisecond)
	status := c.ProcessState.ExitCode()
	if status < 0 || status == notRun { // ended by a signal, or a status that means something else here
		status = notRun - 1
	}
	os.Exit(status)
	return nil
}

// weaken takes the rights from this thread, and so from what it starts, that
// reach further than files.
func weaken() error {
	keep := []uintptr{unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID}
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		if !slices.Contains(keep, c) {
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
				return fmt.Errorf("dropping a capability: %w", err)
			}
		}
	}
	for resource, limit := range map[int]uint64{unix.RLIMIT_FSIZE: 32 << 20, unix.RLIMIT_NPROC: 300, unix.RLIMIT_CORE: 0, unix.RLIMIT_AS: 4 << 30} {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fmt.Errorf("setting a limit: %w", err)
		}
	}
	return nil
}

// others waits for what the command left running in the background, which are
// children of this process now, the first of its namespace.
func others(longest time.Duration) {
	for end := time.Now().Add(longest); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if _, err := unix.Wait4(-1, nil, unix.WNOHANG, nil); errors.Is(err, unix.ECHILD) {
			return
		}
	}
}

// remote brings the loopback device up, with [Remote] as a second address of it,
// and listens there.
func remote() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	for _, name := range []string{"lo", "lo:1"} {
		r, err := unix.NewIfreq(name)
		if err != nil {
			return err
		}
		if name != "lo" {
			if err := r.SetInet4Addr(net.ParseIP(Remote).To4()); err != nil {
				return err
			}
			if err := unix.IoctlIfreq(fd, unix.SIOCSIFADDR, r); err != nil {
				return fmt.Errorf("giving %s an address: %w", name, err)
			}
		}
		r.SetUint16(unix.IFF_UP)
		if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, r); err != nil {
			return fmt.Errorf("bringing %s up: %w", name, err)
		}
	}
	unix.CloseOnExec(sentFile)
	sent := os.NewFile(sentFile, "sent")
	for _, port := range remotePorts {
		l, err := net.Listen("tcp4", net.JoinHostPort(Remote, port))
		if err != nil {
			return err
		}
		go serve(l, sent)
	}
	return nil
}

// serve passes on what it receives, and answers as a web server that takes
// everything.
func serve(l net.Listener, sent io.Writer) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer func() { _ = c.Close() }()
			buf := make([]byte, 64<<10)
			for {
				_ = c.SetReadDeadline(time.Now().Add(100 * time.Millisecond)) // nothing more comes: it waits for an answer
				n, err := c.Read(buf)
				if n > 0 {
					_, _ = sent.Write(buf[:n])
				}
				if err != nil {
					break
				}
			}
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n")
		}()
	}
}
