package confine

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/workspace"
)

// Clean is an environment without what leads out of a box or holds a secret: what the
// loader loads, addresses of agents and daemons, and variables that are named like
// credentials.
func Clean(env []string, secret func(name string) bool) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, ok := strings.Cut(kv, "=")
		return !ok || leads(name) || secret(name)
	})
}

// leads reports whether a variable leads out of a box. Sources: ld.so(8), ssh-agent(1),
// gpg-agent(1), dbus-daemon(1), docker(1), podman(1), X(7), tmux(1).
func leads(name string) bool {
	for _, prefix := range []string{"LD_", "DBUS_", "GPG_AGENT", "SSH_AGENT", "SSH_AUTH", "SSH_ASKPASS", "DOCKER_", "CONTAINER_HOST", "CONTAINERD_", "GIT_ASKPASS", "VSCODE_IPC", "VSCODE_GIT", "SYSTEMD_", "NOTIFY_SOCKET", "LISTEN_", "GNOME_KEYRING", "KRB5CCNAME"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "TMUX", "STY", "MALLOC_TRACE", "GCONV_PATH", "GLIBC_TUNABLES"}, name)
}

// Secrets lists the places of credentials that are known by their whole path.
func Secrets(home string) []string { return workspace.Secrets(home) }
