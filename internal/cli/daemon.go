package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"os/user"
	"path/filepath"
	"syscall"

	"github.com/heedsh/heed/internal/daemon"
	"github.com/heedsh/heed/internal/own"
	"github.com/spf13/cobra"
)

// daemonState is where the daemon keeps things, if its unit does not say.
const daemonState = "/var/lib/heed"

func newDaemon(s Streams) *cobra.Command {
	o := daemonOptions{state: daemonState, socket: daemon.Socket}
	c := &cobra.Command{
		Use:   "daemon --system",
		Short: "Keep requests, PINs and logs under an account of their own",
		Long: `daemon --system keeps the requests that wait for a person, the PINs and the logs of
all accounts of this machine, where no agent that works under one of these accounts can
write or read them. It runs under an account of its own, which root's settings name
(daemon: heed, in /etc/heed/policy.yaml), and listens on a socket; the kernel tells it
which account calls. While the settings name it and it is not there, nothing runs unasked.
It runs on Linux only.

--install shows what has to be on the machine for that, asks, and writes it; --uninstall
shows and takes away the same, and leaves what was kept. Both are for root.`,
		Example: "  sudo heed daemon --system --install\n  heed daemon --system\n  sudo heed daemon --system --uninstall",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runDaemon(c.Context(), s, &o) },
	}
	f := c.Flags()
	f.BoolVar(&o.system, "system", false, "serve all accounts of this machine; there is no other daemon")
	f.BoolVar(&o.install, "install", false, "show what is to be written for it, ask, and write it")
	f.BoolVar(&o.uninstall, "uninstall", false, "show what was written for it, ask, and take it away")
	f.BoolVar(&o.yes, "yes", false, "change what is shown without asking")
	f.StringVar(&o.state, "state", o.state, "`DIR` to keep things in")
	f.StringVar(&o.socket, "socket", o.socket, "`FILE` to listen at; heed looks for it at "+daemon.Socket)
	c.MarkFlagsMutuallyExclusive("install", "uninstall")
	return c
}

type daemonOptions struct {
	system, install, uninstall, yes bool
	state, socket                   string
}

func runDaemon(ctx context.Context, s Streams, o *daemonOptions) error {
	switch {
	case !o.system:
		return errors.New("say heed daemon --system: everything but that works without a daemon")
	case o.install || o.uninstall:
		return installDaemon(s, o)
	case os.Geteuid() == 0:
		return errors.New("the daemon needs an account of its own, and this is root: start its unit (systemctl start heed), or setpriv --reuid heed --regid heed --clear-groups heed daemon --system")
	case !filepath.IsAbs(o.state) || !filepath.IsAbs(o.socket):
		return errors.New("give --state and --socket absolute paths")
	}
	account, log, err := own.Daemon()
	if err != nil {
		return err
	}
	if u, err := user.Current(); err == nil && account != u.Username {
		fmt.Fprintf(s.Err, "heed: note: %s does not name this account (daemon: %s): nobody will ask here\n", own.ManagedPolicy, u.Username)
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	d := &daemon.Server{State: o.state, Managed: log}
	l, done, err := d.Listen(ctx, o.socket)
	if err != nil {
		return err
	}
	defer done()
	fmt.Fprintf(s.Err, "heed: the daemon listens at %s\n", o.socket)
	return d.Serve(ctx, l)
}
