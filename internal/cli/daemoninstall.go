package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/self"
	"github.com/heedsh/heed/internal/wholefile"
)

// daemonAccount is the account that is made for the daemon.
const daemonAccount = "heed"

// sysusers makes the account. Source: sysusers.d(5).
const sysusers = "u! heed - \"heed's daemon\" /var/lib/heed /usr/sbin/nologin\n"

// unit starts the daemon. Sources: systemd.service(5), systemd.exec(5).
func unit(heed string) string {
	return `[Unit]
Description=heed: requests, PINs and logs
Documentation=man:heed-daemon(1)

[Service]
ExecStart=` + heed + ` daemon --system
User=heed
Group=heed
Restart=always
RestartSec=1
RuntimeDirectory=heed
RuntimeDirectoryMode=0755
StateDirectory=heed
StateDirectoryMode=0700
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateNetwork=yes
RestrictAddressFamilies=AF_UNIX
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
MemoryMax=512M
TasksMax=256

[Install]
WantedBy=multi-user.target
`
}

// A daemonFile is a file that the daemon's installation is made of.
type daemonFile struct {
	name          string
	before, after []byte // nil where it is not there
}

// daemonFiles are the files below a root that change, the settings last when it is
// installed, and first when it is taken away: between them nothing may run unasked, and
// nobody may be without the daemon for good.
func daemonFiles(root, heed string, uninstall bool) (all []daemonFile, err error) {
	whole := map[string]string{"/etc/sysusers.d/heed.conf": sysusers, "/etc/systemd/system/heed.service": unit(heed)}
	names := []string{"/etc/sysusers.d/heed.conf", "/etc/systemd/system/heed.service", own.ManagedPolicy}
	if uninstall {
		names[0], names[2] = names[2], names[0]
	}
	for _, name := range names {
		f := daemonFile{name: filepath.Join(root, name)}
		f.before, err = os.ReadFile(f.name)
		if errors.Is(err, fs.ErrNotExist) {
			f.before, err = nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading what is there: %w", err)
		}
		text, ok := whole[name]
		switch {
		case !ok:
			f.after, err = withDaemon(f.before, uninstall)
		case !uninstall:
			f.after = []byte(text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", explain.Visible(f.name), err)
		}
		if !bytes.Equal(f.before, f.after) {
			all = append(all, f)
		}
	}
	return all, nil
}

// withDaemon is root's settings with the line that names the daemon, or without it.
func withDaemon(text []byte, uninstall bool) ([]byte, error) {
	const key = "daemon:"
	line := key + " " + daemonAccount + "\n"
	var kept []string
	for _, l := range strings.SplitAfter(string(text), "\n") {
		if !strings.HasPrefix(l, key) {
			kept = append(kept, l)
			continue
		}
		if !uninstall && strings.TrimRight(l, " \r\n") != strings.TrimRight(line, "\n") {
			return nil, fmt.Errorf("it names another account (%s): change that by hand", explain.Visible(strings.TrimSpace(l)))
		}
	}
	rest := strings.Join(kept, "")
	switch {
	case uninstall && strings.TrimSpace(rest) == "":
		return nil, nil
	case uninstall:
		return []byte(rest), nil
	}
	return []byte(line + rest), nil
}

func (f *daemonFile) write() error {
	if f.after == nil {
		if err := os.Remove(f.name); err != nil {
			return fmt.Errorf("taking the daemon away: %w", err)
		}
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(f.name), 0o755); err != nil {
		return fmt.Errorf("installing the daemon: %w", err)
	}
	return wholefile.Write(f.name, f.after, 0o644, nil)
}

// installDaemon shows what changes, asks, and changes it.
func installDaemon(s Streams, o *daemonOptions) error {
	if err := s.person(); err != nil {
		return err
	}
	heed, err := self.Path(s.value("PATH"))
	if err != nil {
		return err
	}
	all, err := daemonFiles("/", heed, o.uninstall)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return write(s.Out, "there is nothing to change\n")
	}
	for i := range all {
		f := &all[i]
		if err := write(s.Out, "would change "+explain.Visible(f.name)+":\n"+changes(f.before, f.after)); err != nil {
			return err
		}
	}
	if !o.uninstall {
		warnPath(s, heed)
	}
	if !o.yes {
		if yes, err := agree(s); err != nil || !yes {
			return err
		}
	}
	for i := range all {
		if err := all[i].write(); err != nil {
			return err
		}
	}
	if o.uninstall {
		return write(s.Out, "Now: systemctl disable --now heed; systemctl daemon-reload\nWhat was kept stays in "+daemonState+", and so does the account.\n")
	}
	return write(s.Out, "Now, for nothing runs unasked until it listens: systemd-sysusers; systemctl daemon-reload; systemctl enable --now heed\nThen each person sets up a PIN: heed pin set\n")
}
