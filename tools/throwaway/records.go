package throwaway

import (
	"slices"
	"strings"
)

// records are parts of paths of what programs keep for themselves while they
// only read: caches, logs, histories, sockets, lock and swap files, what one that
// fails leaves in /tmp, and the directory that mount(8) makes before it asks the
// kernel whether it may mount (libmount, MNT_RUNTIME_TOPDIR).
var records = []string{
	"/.cache/", "/var/cache/", "/.viminfo", ".swp", "/.npm", "/.config/procps", "/__pycache__", "/.config/gcloud", "/.gnupg", "/.terraform.d", "/.docker/trust",
	"/tmp/tmux-", "/tmp/groff", "/tmp/ssh-", "/tmp/hsperfdata_", "/var/log/apt/", "/hs_err_pid", "/.git/index", "/.local/share/nano/", "/.parallel/", "/.git/gitweb", "/.lesshst", "/.python_history", "/.node_repl_history",
	"/run/mount/", "/.bash_history", "/.zsh_history", "/.java", "/.cpan", "/.vim/", "/var/log/wtmp", "/var/lib/dpkg/updates", "/var/log/alternatives.log", "/var/log/dpkg.log",
}

// IsRecord reports whether a file is one that programs keep for themselves while
// they only read.
func IsRecord(name string) bool {
	return slices.ContainsFunc(records, func(r string) bool {
		return strings.Contains(name, r) || strings.HasSuffix(r, "/") && strings.HasSuffix(name, r[:len(r)-1])
	})
}
