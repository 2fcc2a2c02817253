package mountinfo_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/osworld/mountinfo"
)

const sample = `22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard
30 27 0:42 / /mnt/my\040nas rw shared:5 master:2 - nfs4 nas:/vol rw,vers=4.2,hard
31 27 0:43 / /mnt/c rw - 9p drvfs rw,aname=drvfs;path=C:\;uid=1000,trans=fd,rfd=8,wfd=8
32 27 0:44 / /mnt/plan9 rw - 9p host rw,trans=tcp
33 27 8:17 / /boot/efi rw - autofs systemd-1 rw
34 33 259:1 / /boot/efi rw - vfat /dev/nvme0n1p1 rw,fmask=0077
`

func TestParse(t *testing.T) {
	t.Parallel()
	table, err := mountinfo.Parse(sample)
	if err != nil {
		t.Fatal(err)
	}
	if table.Len() != 6 || !table.AnyServed() {
		t.Errorf("Len = %d, AnyServed = %v; want 6, true", table.Len(), table.AnyServed())
	}
	for _, tt := range []struct {
		path  string
		mount world.Mount
		class mountinfo.Class
		dev   uint64
	}{
		{"/", world.Mount{Point: "/", Type: "ext4"}, mountinfo.Local, 254 << 8},
		{"/mnt", world.Mount{Point: "/", Type: "ext4"}, mountinfo.Local, 254 << 8},
		{"/procedure", world.Mount{Point: "/", Type: "ext4"}, mountinfo.Local, 254 << 8},
		{"/proc/1/fd", world.Mount{Point: "/proc", Type: "proc", Remote: true}, mountinfo.Pseudo, 21},
		{"/mnt/my nas/a/b", world.Mount{Point: "/mnt/my nas", Type: "nfs4", Remote: true}, mountinfo.Served, 42},
		{"/mnt/c/Users", world.Mount{Point: "/mnt/c", Type: "9p", Folds: true}, mountinfo.Local, 43},
		{"/mnt/plan9/x", world.Mount{Point: "/mnt/plan9", Type: "9p", Remote: true}, mountinfo.Served, 44},
		{"/boot/efi/EFI", world.Mount{Point: "/boot/efi", Type: "vfat", Folds: true}, mountinfo.Local, 259<<8 | 1},
	} {
		got, ok := table.Holding(tt.path)
		want := mountinfo.Mount{Mount: tt.mount, Class: tt.class, Dev: tt.dev}
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("Holding(%q), found %v (-want +got):\n%s", tt.path, ok, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"x",
		"27 1 254:0 / / rw ext4 /dev/vda rw",
		"27 1 254 / / rw - ext4 /dev/vda rw",
		"27 1 254:x / / rw - ext4 /dev/vda rw",
		"27 1 254:0 / relative rw - ext4 /dev/vda rw",
		"27 1 - ext4 x",
		"27 1 254:0 / /mnt rw - ext4",
	} {
		if _, err := mountinfo.Parse("27 1 254:0 / / rw - ext4 d rw\n" + line + "\n"); !errors.Is(err, mountinfo.ErrMalformed) {
			t.Errorf("Parse(%q) = %v, want ErrMalformed", line, err)
		} else if !strings.HasPrefix(err.Error(), "line 2: ") {
			t.Errorf("Parse(%q) = %v, want a line number", line, err)
		}
	}
}

func TestClassOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fsType, options string
		class           mountinfo.Class
		folds           bool
	}{
		{"ext4", "rw", mountinfo.Local, false},
		{"overlay", "rw,lowerdir=/x", mountinfo.Local, false},
		{"tmpfs", "", mountinfo.Local, false},
		{"virtiofs", "", mountinfo.Local, false},
		{"nfs", "", mountinfo.Served, false},
		{"nfsd", "", mountinfo.Pseudo, false},
		{"cifs", "rw,nocase", mountinfo.Served, true},
		{"fuse", "", mountinfo.Served, false},
		{"fuse.sshfs", "", mountinfo.Served, false},
		{"fuse.gvfsd-fuse", "", mountinfo.Served, false},
		{"fuse.grpcfuse", "", mountinfo.Local, false},
		{"fuseblk", "", mountinfo.Served, false},
		{"autofs", "", mountinfo.Served, false},
		{"9p", "", mountinfo.Served, false},
		{"9p", "rw,trans=virtio", mountinfo.Local, false},
		{"sysfs", "", mountinfo.Pseudo, false},
		{"tracefs", "", mountinfo.Pseudo, false},
		{"apfs", "", mountinfo.Local, true},
		{"ntfs3", "rw", mountinfo.Local, false},
		{"exfat", "", mountinfo.Local, true},
	} {
		if got := mountinfo.ClassOf(tt.fsType, tt.options); got != tt.class {
			t.Errorf("ClassOf(%q, %q) = %v, want %v", tt.fsType, tt.options, got, tt.class)
		}
		if got := mountinfo.Folds(tt.fsType, tt.options); got != tt.folds {
			t.Errorf("Folds(%q, %q) = %v, want %v", tt.fsType, tt.options, got, tt.folds)
		}
	}
}

func TestRootIsNeverRemote(t *testing.T) {
	t.Parallel()
	m := mountinfo.New("/", "9p", "", 1)
	if m.Remote || m.Class != mountinfo.Local {
		t.Errorf("a 9p root is %+v, want it local", m)
	}
}

func TestTrust(t *testing.T) {
	t.Parallel()
	table, err := mountinfo.Parse("1 1 0:1 / / rw - ext4 d rw\n2 1 0:2 / /home rw - nfs4 n:/h rw\n")
	if err != nil {
		t.Fatal(err)
	}
	table.Trust("/home/u/work")
	if m, _ := table.Holding("/home/x"); m.Remote || m.Type != "nfs4" || table.AnyServed() {
		t.Errorf("after Trust: %+v, AnyServed %v; want a local mount of type nfs4", m, table.AnyServed())
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample, "/mnt/c/x")
	f.Add(`1 1 0:1 / /a\134040\04 rw - x\011y`, "/a")
	f.Fuzz(func(t *testing.T, text, path string) {
		table, err := mountinfo.Parse(text)
		if err != nil {
			if table.Len() != 0 {
				t.Fatalf("an error and %d mounts", table.Len())
			}
			return
		}
		m, ok := table.Holding(path)
		if ok && !strings.HasPrefix(path, m.Point) {
			t.Fatalf("%q is said to be held by %q", path, m.Point)
		}
		if ok && m.Remote != (m.Class != mountinfo.Local) {
			t.Fatalf("%+v contradicts itself", m)
		}
	})
}
