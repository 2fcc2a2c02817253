package mountinfo

import "strings"

// A Class says what can happen to somebody who looks into a file system.
type Class uint8

const (
	// Local is answered by this kernel from local storage or memory.
	Local Class = iota
	// Served is answered by another machine, by a program or by the
	// automounter: looking may hang for ever or have side effects.
	Served
	// Pseudo is the kernel's own data (proc, sysfs): looking at a name is
	// harmless, but it is endless, changes by itself, and reading may act.
	Pseudo
)

// ClassOf classifies a file system by its type as the kernel names it and by
// its super options. A type that is not known is Local: new local file systems
// appear more often than new network ones.
//
// The names are those of register_filesystem in Linux (fs/*/super.c), of the
// out-of-tree modules of their vendors, and of mount_*(8) on macOS.
func ClassOf(fsType, options string) Class {
	family, _, sub := strings.Cut(fsType, ".")
	switch family {
	case "proc", "sysfs", "debugfs", "tracefs", "securityfs", "configfs",
		"cgroup", "cgroup2", "bpf", "pstore", "efivarfs", "fusectl",
		"binfmt_misc", "selinuxfs", "smackfs", "rpc_pipefs", "nfsd", "nsfs",
		"resctrl", "devfs", "fdesc":
		return Pseudo
	case "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "ncpfs", "afs",
		"auristorfs", "coda", "ceph", "lustre", "gpfs", "beegfs", "orangefs", "pvfs2",
		"glusterfs", "gfs", "gfs2", "ocfs2", "davfs", "sshfs", "autofs",
		"webdav", "afpfs", "ftp", "macfuse", "osxfuse", "osxfusefs", "fusefs":
		return Served
	case "9p":
		return class9p(options)
	case "fuse", "fuseblk":
		// A container on Docker Desktop has its workspace on one of these two;
		// the program that serves them belongs to the virtual machine.
		if sub && (fsType == "fuse.grpcfuse" || fsType == "fuse.osxfs") {
			return Local
		}
		return Served
	}
	return Local
}

// class9p tells the host's own disk, shared with a virtual machine (WSL2's
// /mnt/c, gVisor, virtio shares), from 9P over a network. Source: the kernel's
// Documentation/filesystems/9p.rst, option trans.
func class9p(options string) Class {
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "trans=virtio", "trans=fd", "trans=xen":
			return Local
		}
	}
	return Served
}

// Folds reports whether names that differ only by case are one name on a file
// system of this type. Where the kernel lets a volume choose (apfs, hfs,
// ntfs), the answer is its default. ext4 and f2fs directories with the
// casefold attribute (chattr +F) cannot be told from the mount and count as
// case-sensitive.
//
// Sources: mount(8) for vfat, exfat, ntfs and hfsplus; ntfs3.rst for nocase;
// wsl.conf(5), automount options, for drvfs.
func Folds(fsType, options string) bool {
	switch fsType {
	case "vfat", "msdos", "umsdos", "exfat", "ntfs", "hfs", "hfsplus", "hpfs", "affs",
		"apfs", "smbfs", "drvfs":
		return true
	}
	for option := range strings.SplitSeq(options, ",") {
		if option == "nocase" || option == "ignorecase" || strings.HasPrefix(option, "aname=drvfs") {
			return true
		}
	}
	return false
}
