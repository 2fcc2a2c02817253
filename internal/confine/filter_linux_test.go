//go:build amd64 || arm64

package confine

import (
	"fmt"
	"testing"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// TestFilter compares what the filter says of every number, and of what its arguments may
// be, with the list that it is made of.
func TestFilter(t *testing.T) {
	boxes := map[string]Box{
		"nothing":  {Grant: grant.Grant{Net: grant.NoNet}},
		"write":    {Grant: grant.Grant{Net: grant.NoNet, Write: []string{"/w"}}},
		"hosts":    {Grant: grant.Grant{Net: grant.Hosts}},
		"any":      {Grant: grant.Grant{Net: grant.AnyNet, Sockets: true, Signals: true}},
		"observed": {Grant: grant.Grant{Net: grant.Loopback, Write: []string{"/w"}}, Observer: &Observer{}},
		"room":     {Grant: grant.Grant{Net: grant.Loopback, Write: []string{"/w"}}, Started: func(string) {}},
	}
	for name, b := range boxes {
		for _, watched := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/watched=%v", name, watched), func(t *testing.T) {
				f := b.program(watched)
				if len(f) > unix.BPF_MAXINSNS {
					t.Fatalf("%d instructions", len(f))
				}
				first := map[int]call{}
				for _, c := range b.calls(watched) {
					if _, twice := first[c.nr]; !twice {
						first[c.nr] = c
					}
				}
				no := denied
				if watched {
					no = unix.SECCOMP_RET_USER_NOTIF
				}
				for nr := range newest + 3 {
					for bits := range 65 {
						d := seccompData{nr: uint32(nr), arch: arch}
						for i := range d.args {
							d.args[i] = 1 << bits // none of 64
						}
						want := uint32(allow)
						c, listed := first[nr]
						switch {
						case nr == unix.SYS_SOCKET, nr == unix.SYS_SOCKETPAIR, nr == unix.SYS_IOCTL:
							continue // what they say besides is tried in a box
						case nr > newest, nr == unix.SYS_CLONE3, nr == unix.SYS_IO_URING_SETUP, nr == unix.SYS_IO_URING_ENTER, nr == unix.SYS_IO_URING_REGISTER:
							want = missing
						case listed && (c.arg < 0 || uint32(d.args[c.arg])&c.mask != 0):
							want = no
						}
						if got := f.decide(t, &d); got != want {
							t.Errorf("call %d with bit %d: %#x, want %#x", nr, bits, got, want)
						}
					}
				}
				if got := f.decide(t, &seccompData{arch: arch + 1}); got != unix.SECCOMP_RET_KILL_PROCESS {
					t.Errorf("another machine: %#x", got)
				}
			})
		}
	}
}

// seccompData is what a filter reads, seccomp(2).
type seccompData struct {
	nr, arch uint32
	args     [6]uint64
}

// load is what stands at an offset.
func (d *seccompData) load(off uint32) uint32 {
	switch {
	case off == offNr:
		return d.nr
	case off == offArch:
		return d.arch
	case off%8 == 0:
		return uint32(d.args[(off-offArgs)/8])
	}
	return uint32(d.args[(off-offArgs)/8] >> 32)
}

// decide goes through a filter as the kernel does.
func (f filter) decide(t *testing.T, d *seccompData) uint32 {
	t.Helper()
	var a uint32
	for at := 0; at < len(f); at++ {
		i := f[at]
		jump := func(holds bool) {
			if holds {
				at += int(i.Jt)
			} else {
				at += int(i.Jf)
			}
		}
		switch i.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			a = d.load(i.K)
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			a &= i.K
		case unix.BPF_JMP | unix.BPF_JA:
			at += int(i.K)
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			jump(a == i.K)
		case unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K:
			jump(a > i.K)
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			jump(a >= i.K)
		case unix.BPF_RET | unix.BPF_K:
			return i.K
		default:
			t.Fatalf("instruction %d is unknown: %#v", at, i)
		}
	}
	t.Fatal("it does not end")
	return 0
}
