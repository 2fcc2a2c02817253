//go:build amd64 || arm64

package preview

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// A nameServer answers in a preview's own network in the place of the machine's name
// servers: that there is no such name. It knows then which hosts a command looks for.
type nameServer struct {
	addrs  []netip.Addr // that it answers at
	conns  []net.PacketConn
	search []string // domains that resolvers put behind a name
	tell   func(name string)
	wait   sync.WaitGroup
	mu     sync.Mutex
	asked  map[string]bool
}

// mostServers is how many name servers resolvers ask. Source: resolv.conf(5), MAXNS.
const mostServers = 3

// serveNames begins to answer. Where that is not possible, names are not told, and nothing
// else changes.
func serveNames(tell func(name string)) *nameServer {
	s := &nameServer{asked: map[string]bool{}, tell: tell}
	text, err := os.ReadFile("/etc/resolv.conf")
	if err != nil {
		text = nil // then resolvers ask this machine
	}
	var servers []netip.Addr
	servers, s.search = parseResolvers(string(text))
	for i, addr := range servers {
		if !addr.IsLoopback() && addAddress(i, addr) != nil {
			continue
		}
		conn, err := net.ListenPacket("udp4", netip.AddrPortFrom(addr, 53).String())
		if err != nil {
			continue
		}
		s.addrs, s.conns = append(s.addrs, addr), append(s.conns, conn)
	}
	for _, conn := range s.conns {
		s.wait.Go(func() { s.serve(conn) })
	}
	return s
}

// close ends answering. No name is told after it.
func (s *nameServer) close() {
	for _, conn := range s.conns {
		conn.Close() //nolint:errcheck // nothing is lost by it
	}
	s.wait.Wait()
}

// parseResolvers reads the name servers, those with addresses of IPv4, and the domains of
// resolv.conf(5).
func parseResolvers(text string) (servers []netip.Addr, search []string) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		switch fields[0] {
		case "nameserver":
			if a, err := netip.ParseAddr(fields[1]); err == nil && a.Is4() && len(servers) < mostServers {
				servers = append(servers, a)
			}
		case "search", "domain":
			search = fields[1:]
		}
	}
	if len(servers) == 0 {
		servers = []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}
	}
	return servers, search
}

// addAddress gives the loopback one address more. Source: netdevice(7).
func addAddress(i int, addr netip.Addr) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("adding an address: %w", err)
	}
	defer unix.Close(fd) //nolint:errcheck // nothing is lost by it
	req, err := unix.NewIfreq(fmt.Sprintf("lo:%d", i+1))
	if err != nil {
		return err
	}
	for _, set := range []struct {
		what uint
		ip   [4]byte
	}{{unix.SIOCSIFADDR, addr.As4()}, {unix.SIOCSIFNETMASK, [4]byte{255, 255, 255, 255}}} {
		if err := req.SetInet4Addr(set.ip[:]); err != nil {
			return err
		}
		if err := unix.IoctlIfreq(fd, set.what, req); err != nil {
			return fmt.Errorf("adding an address: %w", err)
		}
	}
	return nil
}

// serve answers until the connection is closed.
func (s *nameServer) serve(conn net.PacketConn) {
	buf := make([]byte, 1500)
	for {
		n, from, err := conn.ReadFrom(buf)
		if err != nil {
			return
		}
		name, answer, ok := parseQuery(buf[:n])
		if !ok {
			continue
		}
		s.note(name)
		conn.WriteTo(answer, from) //nolint:errcheck // who asked may be gone
	}
}

// note tells a name, once. What a resolver tries behind it, with a domain, is no other.
func (s *nameServer) note(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, domain := range s.search {
		if plain, ok := strings.CutSuffix(name, "."+domain); ok && s.asked[plain] {
			return
		}
	}
	if name != "" && !s.asked[name] && len(s.asked) < mostNames {
		s.asked[name] = true
		s.tell(name)
	}
}

// mostNames is how many names of one command are told.
const mostNames = 50

// parseQuery reads the name of a query, and makes the answer that there is none. Source:
// RFC 1035, 4.1.
func parseQuery(query []byte) (name string, answer []byte, ok bool) {
	const header = 12
	if len(query) < header || query[2]&0x80 != 0 || binary.BigEndian.Uint16(query[4:]) != 1 {
		return "", nil, false
	}
	at := header
	var labels []string
	for {
		if at >= len(query) {
			return "", nil, false
		}
		n := int(query[at])
		at++
		if n == 0 {
			break
		}
		if n > 63 || at+n > len(query) || at > header+255 {
			return "", nil, false
		}
		labels = append(labels, strings.ToLower(string(query[at:at+n])))
		at += n
	}
	if at+4 > len(query) {
		return "", nil, false
	}
	answer = slices.Clone(query[:at+4])
	answer[2] |= 0x80       // it is an answer
	answer[3] = 0x80 | 3    // recursion is available; there is no such name
	clear(answer[6:header]) // of no records
	return strings.ToValidUTF8(strings.Join(labels, "."), "?"), answer, true
}
