package cli

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// alarm has the kernel kill this process after a while: also where it is stopped, gets no
// turn, or hangs in a call of the system, when no clock of its own would go off. An agent
// sees it end with a failure before its own patience does, and takes that for a refusal.
// Where the kernel has no such clock there is none.
func alarm(after time.Duration) {
	type event struct { // struct sigevent: 64 bytes
		value          uintptr
		signal, notify int32
		_              [52]byte
	}
	const bySignal = 0 // SIGEV_SIGNAL
	e := event{signal: int32(unix.SIGKILL), notify: bySignal}
	var id int32
	if _, _, errno := unix.Syscall(unix.SYS_TIMER_CREATE, unix.CLOCK_MONOTONIC, uintptr(unsafe.Pointer(&e)), uintptr(unsafe.Pointer(&id))); errno != 0 {
		return
	}
	at := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(after))}
	_, _, _ = unix.Syscall6(unix.SYS_TIMER_SETTIME, uintptr(id), 0, uintptr(unsafe.Pointer(&at)), 0, 0, 0)
}
