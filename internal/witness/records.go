package witness

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/risk"
)

// What programs keep for themselves while they only read. A name that ends in a
// slash is a directory and all below it. Nothing may stand here that another
// program obeys, or that this one would run: whoever writes that has done
// something.
var (
	// Below somebody's home: caches, and what programs clear away again.
	caches = []string{".cache/", ".npm/_logs/", ".npm/_cacache/", ".npm/_update-notifier-last-checked", ".terraform.d/checkpoint_cache", ".parallel/tmp/"}
	// Below somebody's home: histories and states, which go on and are never lost.
	histories = []string{
		".bash_history", ".zsh_history", ".sh_history", ".python_history", ".node_repl_history", ".lesshst",
		".viminfo", ".viminfo.tmp", ".viminfz.tmp", ".vim/.netrwhist", ".local/share/nano/", ".slocdata/", ".config/gcloud/logs/", ".local/share/fish/",
		".gnupg/random_seed", ".gnupg/.#*", ".gnupg/*.lock", ".gnupg/S.*", ".java/fonts/", ".java/.userPrefs/", ".cpan/.lock", ".cpan/FTPstats.yml", ".cpan/Metadata", ".cpan/build/", ".cpan/prefs/", ".cpan/sources/",
	}
	// Below somebody's home: settings as they are where nobody has set anything, and
	// stores with nothing in them, which a program makes once it is started. To
	// change them is no record.
	defaults = []string{
		".subversion/README.txt", ".subversion/config", ".subversion/servers", ".subversion/auth/", ".config/htop/htoprc", ".cpan/CPAN/MyConfig.pm*",
		".config/gcloud/active_config", ".config/gcloud/configurations/config_default", ".config/gcloud/config_sentinel", ".config/gcloud/gce", ".config/gcloud/.*", ".config/gcloud/*.db", ".config/gcloud/surface_data/",
		".config/fish/conf.d", ".config/fish/completions", ".config/fish/functions", ".config/fish/fish_variables*", ".config/breezy/ignore", ".config/procps/toprc",
		".gnupg/pubring.kbx", ".gnupg/pubring.kbx~", ".gnupg/trustdb.gpg", ".gnupg/private-keys-v1.d", ".gnupg/crls.d/", ".gsutil/", ".terraform.d/checkpoint_signature",
	}
	// Anywhere on this machine: logs, what a program that fails leaves in /tmp, and
	// the directory that mount(8) makes before it asks the kernel whether it may
	// mount (libmount, MNT_RUNTIME_TOPDIR); locks of package managers, a terminal of
	// one's own, what a process says of its own memory, and what programs for disks make
	// before they look.
	machines = []string{
		"/var/cache/", "/tmp/tmux-*/", "/tmp/groff*", "/tmp/ssh-*/", "/tmp/hsperfdata_*/", "/run/mount/", "/run/systemd/systemd-units-load",
		"/proc/*/coredump_filter", "/proc/*/oom_score_adj", "/dev/mapper", "/run/blkid/", "/dev/ptmx", "/var/lib/dpkg/lock*", "/var/lib/apt/lists/lock",
		"/var/log/apt/", "/var/log/wtmp", "/var/log/alternatives.log", "/var/log/dpkg.log", "/var/lib/dpkg/updates/",
	}
)

// questions are the hosts that programs ask of their own accord, whatever they are called
// for: whether there is a newer version (npm-config(7), "update-notifier"), and whether
// this is one of the vendor's own machines (gcloud topic configurations, "GCE metadata").
func questions() map[string][]string {
	return map[string][]string{
		"registry.npmjs.org":       {"npm", "npx"},
		"metadata.google.internal": {"gcloud", "gsutil", "bq"},
	}
}

// isQuestion reports whether one of the programs of a line asks a host of its own accord.
func isQuestion(host string, a *risk.Assessment) bool {
	programs := questions()[host]
	return slices.ContainsFunc(a.Invocations, func(i risk.Invocation) bool { return slices.Contains(programs, programOf(&i)) })
}

// IsRecord reports whether a change is one of what programs keep for themselves
// while they only read. Home is the home directory that they are run with; what
// they find in the list of users instead is that of whoever runs this.
func IsRecord(c Change, home string) bool {
	switch dir, base := filepath.Split(c.Path); {
	case strings.HasPrefix(base, ".") && strings.HasSuffix(base, ".swp"), strings.HasPrefix(base, "hs_err_pid"), strings.HasPrefix(base, "replay_pid"):
		return c.Kind == Created
	case base == "__pycache__" || filepath.Base(dir) == "__pycache__":
		return strings.HasSuffix(base, ".pyc") || c.Kind == Made || strings.Contains(base, ".pyc.")
	case base == "index" || base == "index.lock" || base == "gitweb" || filepath.Base(dir) == "gitweb":
		if strings.Contains(dir, "/.git/") {
			return true
		}
	}
	if under(c, machines, "") {
		return true
	}
	if strings.HasPrefix(c.Path, home+"/") && home != "" || strings.Contains(c.Path, "/"+worldsName) { // worlds lie in a cache themselves
		return recordOf(c, home)
	}
	own, err := os.UserHomeDir()
	return err == nil && recordOf(c, own)
}

// recordOf is IsRecord of what is below a home.
func recordOf(c Change, home string) bool {
	made := c.Kind == Made || c.Kind == Created
	return under(c, caches, home+"/") || c.Kind != Deleted && under(c, histories, home+"/") || made && under(c, defaults, home+"/")
}

// under reports whether a change is of one of the records below a root, or makes
// a directory that is on the way to one.
func under(c Change, records []string, root string) bool {
	rel, ok := strings.CutPrefix(c.Path, root)
	return ok && slices.ContainsFunc(records, func(r string) bool {
		parts, want := strings.Split(rel, "/"), strings.Split(strings.TrimSuffix(r, "/"), "/")
		n := min(len(parts), len(want))
		for i := range n {
			if is, err := filepath.Match(want[i], parts[i]); err != nil || !is {
				return false
			}
		}
		switch {
		case len(parts) < len(want):
			return c.Kind == Made
		case len(parts) > len(want):
			return strings.HasSuffix(r, "/")
		}
		return true
	})
}
