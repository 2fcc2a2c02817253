//go:build amd64 || arm64

package confine

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// A door is an address of a box's own loopback that leads to the same address of this
// machine's. It is open once somebody listens here: until then a connection is refused, as
// it is here.
type door struct {
	at   netip.AddrPort
	fd   int // bound in the network of the box
	open bool
}

// doorways are the addresses of the doors of a grant.
func (b *Box) doorways() []netip.AddrPort {
	if !b.Grant.Net.Own() || b.Observer != nil {
		return nil
	}
	addrs := []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}
	if _, err := os.Stat("/proc/net/if_inet6"); err == nil {
		addrs = append(addrs, netip.IPv6Loopback())
	}
	var out []netip.AddrPort
	for _, port := range b.Grant.Ports[:min(len(b.Grant.Ports), grant.MostPorts)] {
		for _, a := range addrs {
			out = append(out, netip.AddrPortFrom(a, port))
		}
	}
	return out
}

// door adds the steps that make a socket for a door. What listens in the box itself may have
// the address, as long as the door is shut.
func (s *stage) door(at netip.AddrPort, fd *int32) {
	about := say{op: "making a way to " + at.String()}
	on := func(nr uintptr, args ...uintptr) *step {
		t := s.add(about, nr, append([]uintptr{0}, args...)...)
		t.from, t.at = fd, 0
		return t
	}
	var to, size uintptr
	family := uintptr(unix.AF_INET)
	if at.Addr().Is4() {
		a := &unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: at.Addr().As4()}
		binary.BigEndian.PutUint16((*[2]byte)(unsafe.Pointer(&a.Port))[:], at.Port())
		to, size = hold(s, a), unix.SizeofSockaddrInet4
	} else {
		a := &unix.RawSockaddrInet6{Family: unix.AF_INET6, Addr: at.Addr().As16()}
		binary.BigEndian.PutUint16((*[2]byte)(unsafe.Pointer(&a.Port))[:], at.Port())
		family, to, size = unix.AF_INET6, hold(s, a), unix.SizeofSockaddrInet6
	}
	s.add(about, unix.SYS_SOCKET, family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0).to = fd
	one := int32(1)
	on(unix.SYS_SETSOCKOPT, unix.SOL_SOCKET, unix.SO_REUSEADDR, hold(s, &one), unsafe.Sizeof(one))
	on(unix.SYS_BIND, to, size).fine = unix.EADDRNOTAVAIL // a loopback without IPv6
}

// doors are those of one box. They are knocked at by one goroutine.
type doors struct {
	list  []*door
	stop  [2]int         // a pipe: closing its second end ends who accepts
	inner sync.WaitGroup // who accepts, and who carries what the box sends
	conns conns
	dials context.Context // until the end
	end   context.CancelFunc
}

// newDoors takes the sockets of doors.
func newDoors(at []netip.AddrPort, fds []int) (*doors, error) {
	d := &doors{}
	d.dials, d.end = context.WithCancel(context.Background())
	if err := unix.Pipe2(d.stop[:], unix.O_CLOEXEC); err != nil {
		return nil, err
	}
	for i, a := range at {
		d.list = append(d.list, &door{at: a, fd: fds[i]})
	}
	return d, nil
}

// knock is called before something in the box connects to an address of its loopback.
func (d *doors) knock(to netip.AddrPort) {
	if d == nil {
		return
	}
	if to.Addr().IsUnspecified() { // which is the loopback, for who connects
		to = netip.AddrPortFrom(loopback(to.Addr().Is4()), to.Port())
	}
	for _, x := range d.list {
		if x.at != to || x.open || !listens(to) {
			continue
		}
		// If it fails, somebody in the box listens there.
		if x.open = unix.Listen(x.fd, 128) == nil; x.open {
			d.inner.Add(1)
			go d.accept(x)
		}
	}
}

func loopback(four bool) netip.Addr {
	if four {
		return netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return netip.IPv6Loopback()
}

// accept takes connections until the end, and those that wait then.
func (d *doors) accept(x *door) {
	defer d.inner.Done()
	for {
		polls := []unix.PollFd{{Fd: int32(x.fd), Events: unix.POLLIN}, {Fd: int32(d.stop[0]), Events: unix.POLLIN}}
		if _, err := unix.Poll(polls, -1); err != nil && err != unix.EINTR {
			return
		}
		for {
			fd, _, err := unix.Accept4(x.fd, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
			if err != nil {
				break
			}
			d.inner.Add(1)
			go d.carry(fd, x.at)
		}
		if polls[1].Revents != 0 {
			return
		}
	}
}

// carry connects what was accepted with who listens here.
func (d *doors) carry(fd int, to netip.AddrPort) {
	defer d.inner.Done()
	f := os.NewFile(uintptr(fd), "connection")
	in, err := net.FileConn(f)
	f.Close() // that is a copy
	if err != nil {
		return
	}
	if !d.conns.add(in) {
		return
	}
	out, err := (&net.Dialer{}).DialContext(d.dials, "tcp", to.String())
	if err != nil {
		in.(*net.TCPConn).SetLinger(0) //nolint:errcheck,forcetypeassert // it is one, and is to be broken off
		d.conns.end(in)
		return
	}
	if !d.conns.add(out) {
		return
	}
	sent := make(chan struct{})
	go func() {
		pour(in, out)
		<-sent
		d.conns.end(in, out)
	}()
	pour(out, in)
	close(sent)
}

// pour carries all that one end sends, and that it sends no more.
func pour(to, from net.Conn) {
	io.Copy(to, from)              //nolint:errcheck // who is broken off sees it
	to.(*net.TCPConn).CloseWrite() //nolint:errcheck,forcetypeassert // it is one; as above
}

// close is called when the command has ended: what it sent still arrives, if that does not
// take long.
func (d *doors) close() {
	if d == nil {
		return
	}
	unix.Close(d.stop[1]) //nolint:errcheck // closing is what is meant
	ended := make(chan struct{})
	go func() {
		d.inner.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(time.Second):
	}
	d.end()
	d.conns.close()
	<-ended
	unix.Close(d.stop[0]) //nolint:errcheck // nothing is written to it
	for _, x := range d.list {
		unix.Close(x.fd) //nolint:errcheck // nothing is written to it
	}
}

// conns are connections that are to be closed in the end.
type conns struct {
	mu   sync.Mutex
	list map[net.Conn]bool
	over bool
}

// add takes a connection, or closes it if the end has come.
func (c *conns) add(conn net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		conn.Close() //nolint:errcheck // nothing was sent through it
		return false
	}
	if c.list == nil {
		c.list = map[net.Conn]bool{}
	}
	c.list[conn] = true
	return true
}

// end closes connections of which nothing more is wanted.
func (c *conns) end(list ...net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range list {
		conn.Close() //nolint:errcheck // what was to be carried was
		delete(c.list, conn)
	}
}

func (c *conns) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over = true
	for conn := range c.list {
		conn.Close() //nolint:errcheck // what was to be carried was
	}
}

// listens reports whether somebody listens at an address of this machine's loopback. To ask
// by connecting could disturb who does. Source: proc_pid_net(5).
func listens(at netip.AddrPort) bool {
	tables := []string{"/proc/net/tcp6"}
	if at.Addr().Is4() {
		tables = append(tables, "/proc/net/tcp")
	}
	return slices.ContainsFunc(tables, func(table string) bool {
		f, err := os.Open(table)
		if err != nil {
			return false
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			const local, state, listen = 1, 3, "0A"
			fields := strings.Fields(lines.Text())
			if len(fields) <= state || fields[state] != listen {
				continue
			}
			if has, ok := tableAddress(fields[local]); ok && has.Port() == at.Port() && (has.Addr() == at.Addr() || has.Addr().IsUnspecified()) {
				return true
			}
		}
		return false
	})
}

// tableAddress reads an address as /proc/net/tcp has it: words of 32 bits in the order of
// this machine, and a port.
func tableAddress(text string) (netip.AddrPort, bool) {
	words, port, _ := strings.Cut(text, ":")
	raw, err := hex.DecodeString(words)
	n, bad := strconv.ParseUint(port, 16, 16)
	if err != nil || bad != nil || len(raw)%4 != 0 {
		return netip.AddrPort{}, false
	}
	for i := 0; i < len(raw); i += 4 {
		binary.NativeEndian.PutUint32(raw[i:], binary.BigEndian.Uint32(raw[i:]))
	}
	a, ok := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(a.Unmap(), uint16(n)), ok
}
