//go:build amd64 || arm64

package confine

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"
)

// loopback adds the steps that switch the loopback of a new network namespace on.
func (s *stage) loopback() {
	about := say{op: "switching the loopback on"}
	fd := new(int32)
	s.add(about, unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0).to = fd
	// struct ifreq: the name, and the flags as a short.
	request := &[40]byte{}
	copy(request[:], "lo")
	binary.NativeEndian.PutUint16(request[unix.IFNAMSIZ:], unix.IFF_UP|unix.IFF_RUNNING)
	t := s.add(about, unix.SYS_IOCTL, 0, unix.SIOCSIFFLAGS, hold(s, request))
	t.from, t.at = fd, 0
	s.close(fd)
}

// listen adds the steps that listen for what is asked of the proxy in this network
// namespace, to be accepted from in another: a socket stays in the one in which it was made.
func (s *stage) listen(fd *int32) {
	about := say{op: "listening for what is asked of hosts"}
	s.add(about, unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0).to = fd
	at := &unix.RawSockaddrInet4{Family: unix.AF_INET, Addr: [4]byte{127, 0, 0, 1}}
	binary.BigEndian.PutUint16((*[2]byte)(unsafe.Pointer(&at.Port))[:], proxyPort)
	t := s.add(about, unix.SYS_BIND, 0, hold(s, at), unix.SizeofSockaddrInet4)
	t.from, t.at = fd, 0
	t = s.add(about, unix.SYS_LISTEN, 0, 128)
	t.from, t.at = fd, 0
}
