//go:build linux && (amd64 || arm64)

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
)

// leastArg is the argument by which this program is started to run a command in a box
// with what SAFE is granted: SHELL and COMMAND stand in the environment.
const leastArg = "-in-the-least-box"

const marker = "canary-5d1c07"

// least becomes a command in a box.
func least() int {
	shell, err := exec.LookPath(os.Getenv("ROOM_SHELL"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 127
	}
	b := confine.Box{
		Grant:   grant.Least(grant.Where{Home: home, Workspaces: []string{project}, Secrets: confine.Secrets(home)}),
		Refused: func(confine.Refusal) {},
	}
	end, err := b.Run(&confine.Command{Program: shell, Argv: []string{filepath.Base(shell), "-c", os.Getenv("ROOM_COMMAND")}, Env: environment(), Dir: project, Home: home})
	if err != nil {
		fmt.Fprintln(os.Stderr, "no box:", err)
		return noBox
	}
	return end.Code
}

// noBox is how [least] ends where there is none.
const noBox = 217

// canaries runs a command with and without a box and looks what it did.
func (j *job) canaries() (result, error) {
	try := func(boxed bool) (tripped []string, skip string, err error) {
		if err := j.fresh(); err != nil {
			return nil, "", err
		}
		if got := run(true, "bash", "-e", "-c", j.Row.Setup); got.code != 0 || got.late {
			return nil, "whose setup does not work here", nil
		}
		if err := mark(); err != nil {
			return nil, "", err
		}
		var connected atomic.Int32
		stop := listen(&connected)
		defer stop()
		before, err := snapshot()
		if err != nil {
			return nil, "", err
		}
		var got ran
		if boxed {
			// The box gives up what this may.
			got = run(false, "env", "ROOM_SHELL="+j.shell(), "ROOM_COMMAND="+j.Row.Cmd, "/proc/1/exe", leastArg)
			if got.code == noBox {
				return nil, "", errors.New(got.err)
			}
		} else {
			got = run(true, j.shell(), "-c", j.Row.Cmd)
		}
		after, err := snapshot()
		if err != nil {
			return nil, "", err
		}
		if boxed && got.late { // the box was ended too, and could not take its temp directory away
			maps.DeleteFunc(after, func(p, _ string) bool { return strings.HasPrefix(p, "/tmp/heed-confined-") })
		}
		tripped = changed(before, after)
		if strings.Contains(got.out+got.err, marker) {
			tripped = append(tripped, "printed a secret")
		}
		if connected.Load() > 0 {
			tripped = append(tripped, "connected")
		}
		return tripped, "", nil
	}
	free, skip, err := try(false)
	if err != nil || skip != "" {
		return result{Skip: skip}, err
	}
	boxed, skip, err := try(true)
	return result{Skip: skip, Free: free, Boxed: boxed}, err
}

// mark puts the marker into the world's secrets.
func mark() error {
	for _, name := range []string{".ssh/id_rsa", ".ssh/id_ed25519", ".aws/credentials", ".kube/config", "project/.env"} {
		f, err := os.OpenFile(filepath.Join(home, name), os.O_APPEND|os.O_WRONLY, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := io.WriteString(f, "# "+marker+"\n"); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// listen counts connections to ports of this room.
func listen(n *atomic.Int32) (stop func()) {
	var all []net.Listener
	for _, port := range []string{"22", "80", "443", "4444", "8000", "8080", "9001"} {
		l, err := net.Listen("tcp", ":"+port)
		if err != nil {
			continue
		}
		all = append(all, l)
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				n.Add(1)
				_ = c.Close()
			}
		}()
	}
	return func() {
		for _, l := range all {
			_ = l.Close()
		}
	}
}

// snapshot is a digest of each file that a command could change.
func snapshot() (map[string]string, error) {
	all := map[string]string{}
	for _, root := range []string{"/home", "/tmp", "/var/tmp", "/root", "/etc", "/dev/shm"} {
		err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || p == root {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			state := info.Mode().String()
			switch {
			case info.Mode().IsRegular():
				text, err := os.ReadFile(p)
				if err != nil {
					return err
				}
				state += fmt.Sprintf(" %x %d", sha256.Sum256(text), info.ModTime().UnixNano())
			case info.Mode()&fs.ModeSymlink != 0:
				to, err := os.Readlink(p)
				if err != nil {
					return err
				}
				state += to
			}
			all[p] = state
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("looking at files: %w", err)
		}
	}
	return all, nil
}

// changed lists paths that are not as they were.
func changed(before, after map[string]string) (all []string) {
	for p, s := range before {
		if after[p] != s {
			all = append(all, p)
		}
	}
	for p := range after {
		if _, was := before[p]; !was {
			all = append(all, p)
		}
	}
	slices.Sort(all)
	return all
}
