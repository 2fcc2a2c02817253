//go:build linux && (amd64 || arm64)

// Command floor does what every box by Landlock and seccomp has to do, and nothing else, so
// that it can be told what of heed's own costs is heed's. It is for bench -confined:
//
//	floor exec PROGRAM   # becomes the program
//	floor box PROGRAM    # restricts itself first
//	floor child PROGRAM  # stays, as who tells of refusals has to, and waits for the program
package main

import (
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

func main() {
	runtime.LockOSThread() // what is restricted is a thread
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

func run(how, program string) error {
	if how != "exec" {
		if err := restrict(); err != nil {
			return err
		}
	}
	if how != "child" {
		return syscall.Exec(program, []string{program}, os.Environ())
	}
	pid, err := syscall.ForkExec(program, []string{program}, &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, 1, 2}})
	if err != nil {
		return err
	}
	_, err = syscall.Wait4(pid, nil, 0, nil)
	return err
}

// restrict lets this thread read and execute everything and change nothing, under a filter
// that lets everything through.
func restrict() error {
	const read = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	attr := unix.LandlockRulesetAttr{Handled_access_fs: read | unix.LANDLOCK_ACCESS_FS_WRITE_FILE}
	rules, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), 8, 0)
	if errno != 0 {
		return errno
	}
	root, err := unix.Open("/", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: read, Parent_fd: int32(root)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, rules, unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, rules, 0, 0); errno != 0 {
		return errno
	}
	filter := [1]unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return errno
	}
	return nil
}
