//go:build linux

package throwaway

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// What /proc holds of the whole machine, whoever looks: root can write there with
// no more than the rights to files, so that `sysctl -w` and `echo b
// >/proc/sysrq-trigger` would reach out of every namespace (proc_sys(5),
// proc_sysrq-trigger(5)). The first are made read-only, the second cannot be
// opened any more.
var (
	procReadOnly = []string{"/proc/sys", "/proc/irq", "/proc/bus", "/proc/fs"}
	procHidden   = []string{"/proc/sysrq-trigger", "/proc/kcore", "/proc/mtrr", "/proc/latency_stats", "/proc/timer_list", "/proc/sched_debug"}
)

// Of file systems, as statfs(2) names them.
const (
	overlayMagic = 0x794c7630
	tmpfsMagic   = 0x01021994
)

// mostProcesses is how many a command may start that run at once. The kernel's own
// limit (RLIMIT_NPROC) does not hold for root.
const mostProcesses = 300

// Fence shuts what a root file system still has of the machine. It runs where the
// mounts are this process' own, /proc is mounted, and /dev is its own.
func Fence(root string) error {
	for _, dir := range procReadOnly {
		if err := readOnly(root+dir, root+dir); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("shutting %s: %w", dir, err)
		}
	}
	for _, file := range procHidden {
		if err := unix.Mount(root+"/dev/null", root+file, "", unix.MS_BIND, ""); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("shutting %s: %w", file, err)
		}
	}
	// Where memory runs out, the command goes first.
	if err := os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0); err != nil {
		return fmt.Errorf("going first: %w", err)
	}
	return nil
}

// readOnly mounts a file or a directory over another, and nothing can be written there.
func readOnly(from, to string) error {
	if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	return unix.Mount("", to, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY|unix.MS_NOSUID, "")
}

// alone is the last look before a command runs: the root directory is a layer,
// /dev and /proc/sys are not the machine's, and nobody else's processes are seen.
func alone() error {
	var s unix.Statfs_t
	if err := unix.Statfs("/", &s); err != nil || s.Type != overlayMagic {
		return fmt.Errorf("the root directory is no layer: %w", err)
	}
	if err := unix.Statfs("/dev", &s); err != nil || s.Type != tmpfsMagic || s.Flags&unix.ST_RDONLY == 0 {
		return fmt.Errorf("/dev is not its own: %w", err)
	}
	if err := unix.Statfs("/proc/sys", &s); err != nil || s.Flags&unix.ST_RDONLY == 0 {
		return fmt.Errorf("/proc/sys can be written: %w", err)
	}
	pgrp, err := unix.Getpgid(0)
	if err != nil || os.Getpid() != 1 || pgrp != 1 {
		return fmt.Errorf("not the first of its own processes: process %d of group %d: %w", os.Getpid(), pgrp, err)
	}
	return nil
}

// Guard ends everything that a command started where that is too much: a signal to
// all processes reaches those of this namespace only (kill(2)). It does not return.
func Guard() {
	for ; ; time.Sleep(10 * time.Millisecond) {
		d, err := os.Open("/proc")
		if err != nil {
			continue
		}
		names, _ := d.Readdirnames(-1)
		_ = d.Close()
		n := 0
		for _, name := range names {
			if name[0] >= '1' && name[0] <= '9' {
				n++
			}
		}
		if n > mostProcesses {
			_ = unix.Kill(-1, unix.SIGKILL)
		}
	}
}

// sockets are the files of this machine's file system behind which a service may
// listen (proc_net(5), "/proc/net/unix"): a layer over them would reach it.
func sockets() (all []string) {
	f, err := os.Open("/proc/net/unix")
	if err != nil {
		return nil
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if at := strings.Index(lines.Text(), " /"); at >= 0 {
			name := lines.Text()[at+1:]
			if info, err := os.Lstat(name); err == nil && info.Mode()&os.ModeSocket != 0 {
				all = append(all, name)
			}
		}
	}
	return all
}
