package confine

import "golang.org/x/sys/unix"

// arch is this machine's own calling convention, for AUDIT_ARCH in a filter. Calls of
// x32 have numbers above all others.
const arch = unix.AUDIT_ARCH_X86_64

func oldMachine() map[int]Deed {
	return map[int]Deed{
		unix.SYS_IOPL: Machine, unix.SYS_IOPERM: Machine, unix.SYS_KEXEC_FILE_LOAD: Machine, unix.SYS_MODIFY_LDT: Machine,
		unix.SYS_CREATE_MODULE: Machine, unix.SYS__SYSCTL: Machine, unix.SYS_USTAT: Machine,
	}
}

func oldMetadata() []int {
	return []int{unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT}
}

func oldChanges(writing uint32) []call {
	return []call{
		{nr: unix.SYS_OPEN, deed: Write, unless: none(1, writing)},
		{nr: unix.SYS_CREAT, deed: Write},
		{nr: unix.SYS_UNLINK, deed: Delete},
		{nr: unix.SYS_RMDIR, deed: Delete},
		{nr: unix.SYS_RENAME, deed: Move},
		{nr: unix.SYS_RENAMEAT, deed: Move},
		{nr: unix.SYS_MKDIR, deed: Make},
		{nr: unix.SYS_MKNOD, deed: Make},
		{nr: unix.SYS_LINK, deed: Make},
		{nr: unix.SYS_SYMLINK, deed: Make},
	}
}

// operands says where the paths of a call stand among its arguments.
func operands(nr int) []operand {
	switch nr {
	case unix.SYS_OPEN, unix.SYS_CREAT, unix.SYS_UNLINK, unix.SYS_RMDIR, unix.SYS_MKDIR, unix.SYS_MKNOD,
		unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES:
		return []operand{{-1, 0}}
	case unix.SYS_LINK, unix.SYS_SYMLINK:
		return []operand{{-1, 1}}
	case unix.SYS_RENAME:
		return []operand{{-1, 0}, {-1, 1}}
	case unix.SYS_FUTIMESAT:
		return []operand{{0, 1}}
	}
	return operandsAt(nr)
}

// isSymlink reports whether a call makes a link.
func isSymlink(nr int) bool { return nr == unix.SYS_SYMLINK || nr == unix.SYS_SYMLINKAT }

// isOpen reports whether a call opens a file as only this machine does.
func isOpen(nr int) bool { return nr == unix.SYS_OPEN || nr == unix.SYS_CREAT }
