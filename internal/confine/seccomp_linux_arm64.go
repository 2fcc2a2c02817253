package confine

import "golang.org/x/sys/unix"

// arch is this machine's own calling convention, for AUDIT_ARCH in a filter.
const arch = unix.AUDIT_ARCH_AARCH64

func oldMachine() map[int]Deed { return map[int]Deed{unix.SYS_KEXEC_FILE_LOAD: Machine} }

func oldMetadata() []int { return nil }

func oldChanges(uint32) []call { return []call{{nr: unix.SYS_RENAMEAT, deed: Move}} }

// operands says where the paths of a call stand among its arguments.
func operands(nr int) []operand { return operandsAt(nr) }

// isSymlink reports whether a call makes a link.
func isSymlink(nr int) bool { return nr == unix.SYS_SYMLINKAT }

// isOpen reports whether a call opens a file as only this machine does.
func isOpen(int) bool { return false }
