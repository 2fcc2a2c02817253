package caller

import (
	"path"
	"slices"
	"strings"
)

// waysIn are programs at whose other end a person sits: terminal emulators, logins,
// ways in over a network, terminals in a browser; and services that run what their
// owner wrote down. A name that is not listed is no sign of an agent.
func waysIn() []string {
	return []string{
		"login", "agetty", "getty", "mingetty", "sshd", "sshd-session", "dropbear", "mosh-server", "etterminal", "etserver", "telnetd", "in.telnetd",
		"xrdp-sesman", "cockpit-bridge", "ttyd", "gotty", "wetty", "shellinaboxd", "jupyter-lab", "jupyter-notebook", "jupyter-server", "jupyterhub-singleuser",
		"gnome-terminal-server", "gnome-terminal", "gnome-terminal-", "kgx", "gnome-console", "ptyxis", "ptyxis-agent", "konsole", "yakuake", "xfce4-terminal",
		"mate-terminal", "lxterminal", "qterminal", "terminology", "deepin-terminal", "io.elementary.terminal", "cosmic-term", "tilix", "terminator", "guake",
		"tilda", "sakura", "roxterm", "xterm", "urxvt", "urxvtd", "rxvt", "st", "foot", "alacritty", "kitty", "wezterm-gui", "wezterm-mux-server", "ghostty",
		"rio", "contour", "hyper", "tabby", "cool-retro-term", "zutty", "wayst", "blackbox-terminal", "terminal", "iterm2", "itermserver",
		"cron", "crond", "anacron", "atd", "cloud-init",
	}
}

// wayIn reports whether a person is let in by a process.
func wayIn(p *process) bool { return slices.ContainsFunc(waysIn(), p.called) }

// makers are programs that make terminals for whoever starts them: interpreters,
// and tools for scripts. No person sits at the end of one that nobody started.
func makers() []string {
	return []string{"script", "expect", "unbuffer", "socat", "python", "perl", "ruby", "node", "nodejs", "bun", "deno", "tclsh", "php", "lua"}
}

// interpreters are programs that are named by the script that they run, beside shells.
func interpreters() []string {
	return []string{"node", "nodejs", "bun", "deno", "python", "perl", "ruby", "php", "lua", "tclsh", "expect"}
}

// A multiplexer keeps terminals for people who come and go. Source: tmux 3.3a and
// screen 4.9 as they show in /proc.
type multiplexer struct {
	name           string
	server, client func(p *process) bool
	// socket names what a server and its clients meet at; nil if that does not show,
	// and any client may be any server's.
	socket func(p *process) string
}

func multiplexers() []multiplexer {
	return []multiplexer{
		{
			"tmux",
			func(p *process) bool { return p.called("tmux: server") },
			func(p *process) bool { return p.called("tmux: client") },
			tmuxSocket,
		},
		{
			"screen",
			func(p *process) bool { return p.argv0() == "SCREEN" },
			func(p *process) bool { return p.called("screen") && p.argv0() != "SCREEN" },
			nil,
		},
		{
			"zellij",
			func(p *process) bool { return p.called("zellij") && slices.Contains(p.argv, "--server") },
			func(p *process) bool { return p.called("zellij") && !slices.Contains(p.argv, "--server") },
			nil,
		},
	}
}

// tmuxSocket is the name of the socket that a tmux uses. A server shows the words
// and variables of the client that started it. Source: tmux(1), -L, -S, TMUX.
func tmuxSocket(p *process) string {
	for i := 1; i < len(p.argv) && strings.HasPrefix(p.argv[i], "-"); i++ {
		option := p.argv[i]
		alone := len(option) == 2 && strings.Contains("cfLST", option[1:]) && i+1 < len(p.argv)
		if alone {
			i++ // the next word is its value
		}
		switch {
		case !strings.HasPrefix(option, "-L") && !strings.HasPrefix(option, "-S"):
		case alone:
			return path.Base(p.argv[i])
		case len(option) > 2:
			return path.Base(option[2:])
		}
	}
	if inside, _, ok := strings.Cut(getenv(p.env)("TMUX"), ","); ok {
		return path.Base(inside)
	}
	return "default"
}
