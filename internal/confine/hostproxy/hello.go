package hostproxy

import (
	"bytes"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"time"
)

// encryptedHello is the extension under which a client names another host than the one
// that can be seen. Source: RFC 9849, section 5.
const encryptedHello = 0xfe0d

var errRead = errors.New("it was read")

// A hello is what the first message of TLS says.
type hello struct {
	name   string
	hidden bool // it can name another one that cannot be seen
}

// readHello reads the first message of TLS, and returns it with all bytes that were read.
func readHello(r io.Reader) (h hello, raw []byte, err error) {
	var buf bytes.Buffer
	err = tls.Server(&recorded{r: io.TeeReader(r, &buf)}, &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetConfigForClient: func(c *tls.ClientHelloInfo) (*tls.Config, error) {
			h = hello{name: c.ServerName, hidden: slices.Contains(c.Extensions, encryptedHello)}
			return nil, errRead
		},
	}).Handshake()
	if errors.Is(err, errRead) {
		err = nil
	}
	return h, buf.Bytes(), err
}

// recorded is a connection that is only read from: what TLS answers goes nowhere.
type recorded struct{ r io.Reader }

func (c *recorded) Read(b []byte) (int, error)       { return c.r.Read(b) }
func (c *recorded) Write(b []byte) (int, error)      { return len(b), nil }
func (c *recorded) Close() error                     { return nil }
func (c *recorded) LocalAddr() net.Addr              { return nil }
func (c *recorded) RemoteAddr() net.Addr             { return nil }
func (c *recorded) SetDeadline(time.Time) error      { return nil }
func (c *recorded) SetReadDeadline(time.Time) error  { return nil }
func (c *recorded) SetWriteDeadline(time.Time) error { return nil }
