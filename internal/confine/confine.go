package confine

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path"
	"strings"

	"github.com/heedsh/heed/internal/confine/grant"
)

// ErrNotConfined is under every error that says that a command cannot be confined here.
// Nothing was started then.
var ErrNotConfined = errors.New("not confined here")

// A Command is what is to be run. Its streams are those of this process.
type Command struct {
	Program string // the file, absolute
	Argv    []string
	Env     []string // NAME=VALUE; [Clean] is applied to it
	Dir     string   // absolute
	Home    string   // whose secrets are hidden
}

// A Deed is what a command tried and was refused.
type Deed string

// The deeds.
const (
	Read     Deed = "read" // only of what is observed
	Write    Deed = "write"
	Make     Deed = "make"
	Delete   Deed = "delete"
	Move     Deed = "move"
	Metadata Deed = "change the mode, owner, times or attributes of"
	Network  Deed = "use the network"
	Connect  Deed = "connect to"
	Reach    Deed = "reach"                     // a host, by heed's proxy
	Hide     Deed = "send through heed's proxy" // what it cannot see the host of
	LookUp   Deed = "look up the host"          // a name; told by previews
	Socket   Deed = "use a Unix socket"
	Kernel   Deed = "use a socket of the kernel" // of audits, ciphers and devices: no host is reached
	Execute  Deed = "execute"                    // is told, never refused
	Signal   Deed = "signal"
	Trace    Deed = "look into another process"
	Mount    Deed = "mount something"
	Isolate  Deed = "make namespaces of its own"
	Machine  Deed = "change how the machine is set up"
	Keys     Deed = "use the kernel's keys"
	Type     Deed = "type into the terminal"
	Share    Deed = "share memory or messages with other processes"
	Priority Deed = "change limits or priorities of another process"
)

// A Refusal is one thing that was refused.
type Refusal struct {
	Deed    Deed
	Path    string // what it was about, if that is known
	As      string // what was asked for, where that is another name of the same
	Program string // who tried it, as the kernel calls it
}

// Tried says what was tried, as it follows "tried to".
func (r Refusal) Tried() string {
	if r.Path == "" {
		return string(r.Deed)
	}
	if r.As != "" {
		return string(r.Deed) + " " + r.Path + " (as " + r.As + ")"
	}
	return string(r.Deed) + " " + r.Path
}

// Grant is the one grant that would have let it through, as heed run --grant takes it;
// "" where there is none.
func (r Refusal) Grant() string {
	switch r.Deed {
	case Write, Make, Delete, Move, Metadata:
		if r.Path != "" {
			return "write=" + r.Path
		}
	case Reach:
		if r.Path != "" {
			return "net=" + r.Path
		}
	case Network, Connect, LookUp:
		return "net=any"
	case Socket:
		return "sockets"
	case Signal:
		return "signals"
	}
	return ""
}

// Add reads one grant as heed run --grant takes it and adds it.
func Add(g *grant.Grant, text, dir string) error {
	name, value, _ := strings.Cut(text, "=")
	abs := func() string {
		if strings.HasPrefix(value, "/") {
			return path.Clean(value)
		}
		return path.Join(dir, value)
	}
	switch {
	case name == "write" && value != "":
		p := abs()
		if i, err := os.Stat(p); err == nil && i.IsDir() {
			g.Write = append(g.Write, p)
		} else {
			g.Names = append(g.Names, p)
		}
	case name == "secret" && value != "":
		g.Secrets = append(g.Secrets, abs())
	case name == "net" && value != "":
		return addNet(g, value)
	case text == "sockets":
		g.Sockets = true
	case text == "signals":
		g.Signals = true
	default:
		return fmt.Errorf("%q: want write=PATH, secret=PATH, net=HOST:PORT, net=any, net=loopback, sockets or signals", text)
	}
	return nil
}

// addNet adds a net, or a host.
func addNet(g *grant.Grant, value string) error {
	switch n := grant.Net(value); n {
	case grant.Loopback:
		if g.Net != grant.Hosts { // which have it as well
			g.Net = n
		}
	case grant.NoNet, grant.AnyNet:
		g.Net, g.Hosts = n, nil
	default:
		if err := g.AddHost(value); err != nil {
			return fmt.Errorf("net=%.300s: want HOST:PORT, none, loopback or any", value)
		}
	}
	return nil
}

// An End is how a confined command ended.
type End struct {
	Code   int // as shells count: 128 and more for a signal
	Signal int // the signal that ended it, 0 if none did
}

// An Observer is told what a command needs, to find out what it has to be granted. It is
// called while the command runs, never twice at the same time.
type Observer struct {
	// Saw is called for each change that the grant lets through, for each host, socket and
	// secret, again and again. A path is resolved; a host is an address, "" for listening.
	Saw func(Refusal)
	// Keeps reports whether a path is to stay as it is although the grant lets it be
	// changed: such as cannot be listed beforehand.
	Keeps func(path string) bool
}

// A Box is what a command runs in.
type Box struct {
	Grant grant.Grant
	// Observer is told what the command needs; nil where nobody wants to know. All
	// sockets of others are masked then, those in what may be written too.
	Observer *Observer
	// Refused is called when something is refused for the first time, before the
	// command goes on; a socket as the C library makes one for each name of a user, and the lock
	// of git's index, only where the command fails, after its end. It may be called while the command still runs, by another
	// goroutine, but never twice at the same time.
	Refused func(Refusal)
	// Started, if it is there, is called when a program is executed for the first time,
	// with its path. Connections beyond the box's own loopback are told of then as well,
	// as refused. It is for a [Room]: [Box.Run] begins to watch when the command was executed.
	Started func(program string)
	// Ready is what was prepared for it, nil if nothing was. What the grant has otherwise is
	// made anew.
	Ready *Ready
	// Local are addresses that the box's own network has beside its loopback.
	Local []netip.Addr
}

// Support is what this system has for confining.
type Support struct {
	Landlock int  // the version of its interface, 0 if there is none
	Seccomp  bool // with notification
}
