package workspace

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// Paths whose contents are credentials. Sources: the tools' own manuals
// (ssh(1) FILES, aws-cli configuration files, docker config.json, gpg(1),
// netrc(5), pgpass, shadow(5), proc(5)).

// secretInHome are paths below a home directory; a trailing / stands for all
// below it.
var secretInHome = pathList{paths: []string{
	".aws/credentials", ".aws/sso/", ".aws/cli/cache/", ".azure/", ".config/gcloud/", ".kube/config", ".docker/config.json", ".gnupg/",
	".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".mylogin.cnf", ".git-credentials", ".vault-token", ".terraform.d/credentials.tfrc.json",
	".terraformrc", ".config/gh/hosts.yml", ".config/hub", ".config/git/credentials", ".config/op/", ".password-store/", ".local/share/keyrings/",
	"Library/Keychains/", ".config/rclone/rclone.conf", ".config/doctl/", ".s3cfg", ".boto", ".gem/credentials", ".cargo/credentials", ".cargo/credentials.toml",
	".m2/settings-security.xml", ".config/containers/auth.json", ".config/helm/repositories.yaml", ".bitcoin/wallet.dat", ".ethereum/keystore/",
	".electrum/wallets/", ".config/solana/id.json", ".databrickscfg", ".config/heroku/", ".config/stripe/", ".pulumi/credentials.json", ".config/fly/",
	".codex/auth.json", ".claude/.credentials.json", ".gemini/oauth_creds.json", ".config/github-copilot/", ".config/sops/", ".age/", ".secrets/", ".credentials/",
	".mozilla/firefox/", ".config/google-chrome/", ".config/chromium/", "Library/Application Support/Google/Chrome/", "Library/Application Support/Firefox/",
	"Library/Cookies/", "Library/Messages/", "Library/Safari/", "Library/Mail/", "Library/Calendars/", "Library/Application Support/AddressBook/", "Library/Application Support/com.apple.TCC/", ".bash_history", ".bash_sessions/", ".zsh_history", ".zsh_sessions/", ".psql_history", ".mysql_history", ".python_history", ".node_repl_history", ".thunderbird/",
}}

var secretSystem = pathList{paths: []string{
	"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/master.passwd", "/etc/security/opasswd", "/etc/ssh/", "/etc/ssl/private/",
	"/etc/krb5.keytab", "/etc/ipsec.secrets", "/etc/wireguard/", "/var/lib/sss/", "/run/secrets/", "/var/run/secrets/", "/etc/pki/tls/private/", "/etc/letsencrypt/",
	"/var/db/dslocal/", "/Library/Keychains/", "/etc/rancher/", "/etc/kubernetes/", "/var/lib/kubelet/", "/root/.ssh/", "/etc/openvpn/", "/etc/ppp/chap-secrets",
}}

var secretNames = []string{
	"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", "identity", ".env", ".envrc.local", ".netrc", ".pgpass", ".htpasswd", ".npmrc.secret",
	"credentials.json", "client_secret.json", "service-account.json", "serviceaccount.json", "secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", "secret.key", "master.key",
	"wallet.dat", "keystore.jks", "terraform.tfstate", "kubeconfig", "shadow", "api-key.txt", "api_key.txt", "credentials", "passwords.txt", "password.txt", "tokens.json", "token.txt", "secring.gpg",
	"private.key", "privkey.pem", "server.key", "vault.json", "NTDS.dit", "SAM", "krb5cc", ".git-credentials", "logins.json", "key4.db", "Login Data", "Cookies",
}

var secretSuffixes = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".kdb", ".asc.key", ".ppk", ".gpg.key", ".keychain", ".keychain-db", ".ovpn", ".tfstate", ".tfvars.secret", ".agekey"}

// publicNames are files that look like secrets and are not: public halves,
// templates and examples.
var publicSuffixes = []string{".pub", ".example", ".sample", ".template", ".dist", ".tmpl", ".tpl", ".md"}

// isSecret reports whether the contents of p are credentials, by its path
// alone: such files are looked at, never read.
func isSecret(p, home string) bool {
	base := path.Base(p)
	for _, s := range publicSuffixes {
		if strings.HasSuffix(base, s) {
			return false
		}
	}
	if secretSystem.has(p) && !isPublicSSH(base) {
		return true
	}
	if strings.HasPrefix(p, "/proc/") && (base == "environ" || base == "mem" || base == "kcore") {
		return true
	}
	if home != "" {
		rest := strings.TrimPrefix(p, home+"/")
		if strings.HasPrefix(rest, ".ssh/") {
			return !isPublicSSH(base)
		}
		if rest != p && secretInHome.has(rest) {
			return true
		}
	}
	if strings.HasPrefix(base, ".env.") || strings.HasSuffix(base, ".env") && base != ".env" && !strings.Contains(base, "example") {
		return true
	}
	if slices.Contains(secretNames, base) {
		return true
	}
	if strings.Contains(p, "/.ssh/") && !isPublicSSH(base) || strings.Contains(p, "/.gnupg/") || strings.Contains(p, "/.aws/credentials") {
		return true
	}
	for _, s := range secretSuffixes {
		if strings.HasSuffix(base, s) {
			return true
		}
	}
	return false
}

// SecretDir reports whether p is a directory that holds credentials.
func SecretDir(p string) bool {
	base := path.Base(p)
	return base == ".ssh" || base == ".aws" || base == ".gnupg" || base == ".kube" || base == ".password-store" || p == "/etc/ssl/private" || p == "/run/secrets" || p == "/var/run/secrets"
}

func isPublicSSH(base string) bool {
	switch base {
	case "known_hosts", "known_hosts.old", "config", "ssh_config", "sshd_config", "moduli", "sshrc", "ssh_known_hosts", "environment", "allowed_signers":
		return true
	}
	return strings.HasSuffix(base, ".pub") || strings.HasSuffix(base, "_config.d")
}

// A pathList is a list of paths; one that ends in / stands for all below it, and
// for itself. All have two bytes and more.
type pathList struct {
	paths  []string
	once   sync.Once
	begins [4]uint64 // a set of what the first two bytes of the paths come to
}

// has reports whether p is in the list. Most paths begin like none of it, which
// is seen without going through it.
func (l *pathList) has(p string) bool {
	if len(p) < 2 {
		return false
	}
	l.once.Do(func() {
		for _, s := range l.paths {
			b := beginning(s)
			l.begins[b/64] |= 1 << (b % 64)
		}
	})
	if b := beginning(p); l.begins[b/64]&(1<<(b%64)) == 0 {
		return false
	}
	for _, s := range l.paths {
		if p[1] != s[1] || p[0] != s[0] || len(p)+1 < len(s) {
			continue
		}
		dir, isDir := strings.CutSuffix(s, "/")
		if rest, ok := strings.CutPrefix(p, dir); ok && (rest == "" || isDir && rest[0] == '/') {
			return true
		}
	}
	return false
}

// beginning mixes the first two bytes of a path.
func beginning(p string) byte { return p[0]*7 + p[1] }

func isAccounts(p string) bool {
	switch p {
	case "/etc/passwd", "/etc/group", "/etc/passwd-", "/etc/group-", "/etc/subuid", "/etc/subgid", "/private/etc/passwd":
		return true
	}
	return signIns.has(p)
}

// signIns are records of who signed in, and attempts at it.
var signIns = pathList{paths: []string{"/var/log/auth.log", "/var/log/secure", "/var/log/audit/", "/var/log/btmp", "/var/log/wtmp", "/var/log/lastlog", "/var/log/faillog", "/var/run/utmp", "/run/utmp"}}

// startupInHome are files below a home directory that are run, or say what is
// run, without anybody asking (bash(1) INVOCATION, zsh(1) STARTUP FILES,
// systemd.unit(5), launchd.plist(5), XDG autostart, sshd(8) AUTHORIZED_KEYS,
// sh(1) of FreeBSD, environment.d(5), Xserver(1), macOS "File System Programming
// Guide", on the Library directories that programs load code from).
// Beside them are those of a project that say where packages come from and
// what runs when they are built (npmrc(5), the Cargo book, "Configuration").
var startupInHome = pathList{paths: []string{
	".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".shrc", ".shinit", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".logout",
	".config/fish/", ".xinitrc", ".xsession", ".xprofile", ".xsessionrc", ".Xresources", ".config/autostart/", ".config/systemd/", ".local/share/systemd/", "Library/LaunchAgents/", "Library/LaunchDaemons/", ".config/environment.d/", ".xinputrc", ".xserverrc", ".config/openbox/autostart", ".config/i3/config", ".i3/config", ".config/sway/config", ".config/hypr/hyprland.conf", ".config/lxsession/", ".config/xonsh/", ".xonshrc", ".config/nushell/",
	"Library/ScriptingAdditions/", "Library/Preferences/com.apple.loginitems.plist", "Library/Preferences/loginwindow.plist", "Library/QuickLook/", "Library/Input Methods/", "Library/Scripts/Folder Action Scripts/",
	".ssh/authorized_keys", ".ssh/authorized_keys2", ".ssh/rc", ".ssh/environment", ".ssh/config", ".pam_environment", ".gitconfig", ".config/git/config", ".inputrc", ".pythonrc", ".Rprofile", ".tmux.conf", ".screenrc", ".vimrc", ".config/nvim/", ".emacs", ".emacs.d/", ".gdbinit", ".lldbinit",
	".config/plasma-workspace/", ".kde/Autostart/", ".psqlrc", ".sqliterc", ".irbrc", ".lessfilter", ".toprc", ".config/procps/toprc", ".exrc", ".mailcap", ".mailrc", ".muttrc", ".mutt/", ".config/mutt/", ".config/vim/", ".curlrc", ".wgetrc", ".npmrc",
}}

var startupSystem = pathList{paths: []string{
	"/etc/profile", "/etc/profile.d/", "/etc/bash.bashrc", "/etc/bashrc", "/etc/zsh/", "/etc/zshrc", "/etc/zshenv", "/etc/environment", "/etc/crontab", "/etc/anacrontab", "/etc/cron.d/", "/etc/cron.yearly/", "/etc/cron.daily/", "/etc/cron.hourly/", "/etc/cron.weekly/", "/etc/cron.monthly/",
	"/etc/at.allow", "/etc/cron.allow", "/var/spool/cron/", "/var/spool/at/", "/etc/systemd/", "/lib/systemd/", "/usr/lib/systemd/", "/run/systemd/system/", "/etc/init.d/", "/etc/rc.local", "/etc/rc.common", "/usr/local/etc/rc.d/", "/usr/pkg/etc/rc.d/", "/usr/local/etc/periodic/", "/etc/local.d/", "/etc/runit/", "/etc/sv/", "/etc/s6/", "/usr/local/lib/systemd/", "/usr/share/dbus-1/system-services/", "/etc/rc.d/", "/etc/init/", "/etc/inittab", "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d/",
	"/etc/update-motd.d/", "/etc/pam.d/", "/etc/sudoers", "/etc/sudoers.d/", "/etc/doas.conf", "/etc/udev/rules.d/", "/lib/udev/rules.d/", "/etc/xdg/autostart/", "/Library/LaunchDaemons/", "/Library/LaunchAgents/", "/System/Library/LaunchDaemons/", "/etc/emond.d/", "/etc/periodic/", "/Library/StartupItems/", "/Library/ScriptingAdditions/",
	"/Library/Security/SecurityAgentPlugins/", "/Library/DirectoryServices/PlugIns/", "/Library/Preferences/com.apple.loginwindow.plist", "/Library/QuickLook/", "/Library/Extensions/", "/System/Library/Extensions/", "/etc/apt/apt.conf", "/etc/apt/apt.conf.d/", "/usr/lib/yum-plugins/", "/etc/pacman.d/hooks/", "/usr/share/libalpm/hooks/",
	"/etc/NetworkManager/dispatcher.d/", "/usr/lib/NetworkManager/dispatcher.d/", "/etc/network/if-up.d/", "/etc/network/if-down.d/", "/etc/network/if-pre-up.d/", "/etc/network/if-post-down.d/", "/etc/dhcp/dhclient-enter-hooks.d/", "/etc/dhcp/dhclient-exit-hooks.d/", "/lib/dhcpcd/dhcpcd-hooks/", "/etc/ppp/ip-up.d/", "/etc/ppp/ip-up",
	"/etc/X11/Xsession", "/etc/X11/Xsession.d/", "/etc/X11/xinit/", "/etc/gdm/Init/", "/etc/gdm/PostLogin/", "/etc/gdm/PreSession/", "/etc/gdm3/Init/", "/etc/gdm3/PostLogin/", "/etc/gdm3/PreSession/", "/usr/share/xsessions/", "/usr/share/wayland-sessions/", "/etc/environment.d/", "/etc/security/pam_env.conf", "/etc/acpi/", "/etc/pm/", "/usr/lib/pm-utils/sleep.d/",
	"/lib/systemd/system-sleep/", "/etc/initramfs-tools/hooks/", "/etc/initramfs-tools/scripts/", "/usr/share/initramfs-tools/", "/usr/lib/dracut/", "/etc/kernel/postinst.d/", "/etc/kernel/preinst.d/", "/etc/kernel/postrm.d/", "/etc/kernel/install.d/", "/etc/grub.d/", "/etc/inetd.conf", "/etc/xinetd.d/", "/etc/xinetd.conf", "/etc/fish/", "/etc/csh.cshrc", "/etc/csh.login",
	"/etc/zprofile", "/etc/zlogin", "/etc/ssh/sshrc", "/etc/incron.d/", "/var/spool/incron/", "/etc/xdg/systemd/", "/etc/xdg/plasma-workspace/", "/usr/lib/python3/dist-packages/sitecustomize.py", "/etc/modules-load.d/", "/etc/polkit-1/", "/etc/dbus-1/", "/etc/ssh/sshd_config",
}}

func isStartup(p, home string) bool {
	if startupSystem.has(p) {
		return true
	}
	if home != "" {
		if rest := strings.TrimPrefix(p, home+"/"); rest != p && rest != ".npmrc" && startupInHome.has(rest) {
			return true
		}
	}
	if i := strings.Index(p, "/.git/"); i >= 0 {
		return !inertInGit(p[i+len("/.git/"):])
	}
	if strings.Contains(p, "/.husky/") || strings.HasSuffix(p, ".pth") && strings.Contains(p, "site-packages/") {
		return true
	}
	if strings.Contains(p, "/Library/Preferences/ByHost/com.apple.loginwindow.") { // what is opened again at the next sign-in
		return true
	}
	switch path.Base(p) {
	case ".envrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", "sitecustomize.py", "usercustomize.py":
		return true
	case ".npmrc": // of a project: the user's own holds credentials
		return p != home+"/.npmrc"
	}
	return strings.HasSuffix(p, "/.vscode/tasks.json") || strings.HasSuffix(p, "/.cargo/config") || strings.HasSuffix(p, "/.cargo/config.toml")
}

// inertInGit reports whether a file of a repository runs and redirects nothing:
// contents, names of commits, messages, locks (gitrepository-layout(5)). All
// else below .git is settings, hooks, or leads to other repositories.
func inertInGit(rest string) bool {
	for _, dir := range []string{"objects/", "refs/", "logs/", "lfs/", "rebase-merge/", "rebase-apply/", "sequencer/"} {
		if strings.HasPrefix(rest, dir) {
			return rest != "objects/info/alternates"
		}
	}
	if strings.HasPrefix(rest, "hooks/") {
		return strings.HasSuffix(rest, ".sample")
	}
	switch rest {
	case "HEAD", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "AUTO_MERGE", "index", "packed-refs", "shallow", "description",
		"COMMIT_EDITMSG", "MERGE_MSG", "MERGE_MODE", "MERGE_RR", "SQUASH_MSG", "TAG_EDITMSG", "info/exclude", "info/sparse-checkout", "info/refs", "gc.log", "gc.pid":
		return true
	}
	return strings.HasSuffix(rest, ".lock")
}

// agentFiles are the permission, hook and tool-server files of coding agents,
// relative to a project or a home directory (reference: the agents' own
// configuration manuals).
var agentFiles = pathList{paths: []string{
	".claude/settings.json", ".claude/settings.local.json", ".claude/hooks/", ".claude/commands/", ".claude/agents/", ".claude/plugins/", ".claude.json", ".mcp.json", ".claude/managed-settings.json",
	".cursor/mcp.json", ".cursor/hooks.json", ".cursor/hooks/", ".cursor/cli.json", ".cursor/permissions.json", ".cursor/settings.json", ".gemini/settings.json", ".gemini/extensions/", ".gemini/policies/", ".codex/config.toml", ".codex/hooks.json", ".codex/rules/", ".codex/hooks/",
	".vscode/settings.json", ".vscode/mcp.json", ".config/Code/User/settings.json", ".config/Code/User/mcp.json", ".copilot/config.json", ".copilot/settings.json", ".copilot/hooks/", ".copilot/mcp-config.json", ".github/hooks/", ".opencode/", "opencode.json", "opencode.jsonc", ".config/opencode/", ".config/amp/settings.json", ".config/amp/plugins/", ".amp/settings.json", ".amp/plugins/", ".junie/", ".trae/", ".augment/", ".clinerules/",
	".qwen/settings.json", ".kiro/", ".amazonq/", ".aws/amazonq/", ".cline/", ".roo/mcp.json", ".windsurf/", ".codeium/", ".zed/settings.json", ".config/zed/settings.json", ".config/goose/", ".goosehints", ".aider.conf.yml", ".continue/config.json", ".continue/config.yaml", ".factory/", ".devin/", ".agents/hooks.json", ".agents/plugins/", ".gemini/config/", "Documents/Cline/Hooks/", ".antigravity/", ".crush.json", "crush.json", ".config/crush/",
	".config/heed/", ".heed/", ".local/share/heed/", ".local/state/heed/",
}}

// agentSystem are those that hold for all users.
var agentSystem = pathList{paths: []string{"/etc/heed/", "/etc/claude-code/", "/Library/Application Support/ClaudeCode/", "/etc/gemini-cli/", "/etc/codex/", "/etc/github-copilot/", "/etc/cursor/", "/etc/windsurf/"}}

func isAgentConfig(p string) bool {
	if agentSystem.has(p) {
		return true
	}
	if base := path.Base(p); strings.HasPrefix(base, "mcp") && strings.HasSuffix(base, ".json") || strings.HasSuffix(base, ".mcp.json") { // servers of tools, in whatever agent's directory
		return true
	}
	// The list is of path tails: look for each behind any directory.
	for i := strings.IndexByte(p, '/'); i >= 0; i = next(p, i) {
		if agentFiles.has(p[i+1:]) {
			return true
		}
	}
	return false
}

// next returns where the slash behind the one at i is, or -1.
func next(p string, i int) int {
	if n := strings.IndexByte(p[i+1:], '/'); n >= 0 {
		return i + 1 + n
	}
	return -1
}

// Secrets lists the places of credentials that are known by their whole path, in a
// home and on the system. They need not be there.
func Secrets(home string) []string {
	var out []string
	if home != "" && home != "/" {
		out = append(out, home+"/.ssh", home+"/.aws", home+"/.kube")
		for _, s := range secretInHome.paths {
			out = append(out, home+"/"+strings.TrimSuffix(s, "/"))
		}
	}
	for _, s := range secretSystem.paths {
		out = append(out, strings.TrimSuffix(s, "/"))
	}
	return out
}

// Secret reports whether a path holds credentials, by its name alone.
func Secret(p, home string) bool { return isSecret(p, home) || SecretDir(p) }
