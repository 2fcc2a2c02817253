package madeup

import (
	"fmt"
	"path"
	"strings"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/osworld/mountinfo"
)

// programs are in every world's /usr/bin, as binaries.
const programs = `
	apt apt-get awk base64 bash bunzip2 bzip2 cargo cat chgrp chmod chown cmp composer cp crontab curl cut
	dash date dd df diff dirname docker du echo ed env expr false file find gcc gcloud gdb gem getent git
	go grep gunzip gzip head hostname id jq kill kubectl less ln ls make man md5sum mkdir mkfifo mktemp
	more mv mysql nano nc node npm npx openssl passwd patch perl php pip pip3 pkill pnpm printenv printf
	ps psql pwd python3 readlink realpath redis-cli rm rmdir rsync ruby scp screen sed seq sh sha256sum
	shred sleep sort split sqlite3 ssh ssh-keygen stat strace systemctl tail tar tee terraform test time
	timeout tmux top touch tr true truncate uname uniq unlink unzip vi vim wc wget which whoami xargs xxd
	xz yarn yes zcat zip zsh`

// adminPrograms are in /usr/sbin.
const adminPrograms = `
	chroot fdisk halt ifconfig ip iptables mkfs mkfs.ext4 modprobe mount poweroff reboot shutdown
	sysctl umount useradd userdel usermod visudo`

// everywhere is what both systems have.
func everywhere(user string) []Statement {
	return []Statement{
		Say("/tmp/", "mode", "1777"),
		Say("/var/tmp/", "mode", "1777"),
		Say("/var/log/"),
		Say("/var/log/system.log", "2MB"),
		Say("/etc/hosts").Holding("127.0.0.1 localhost\n"),
		Say("/etc/resolv.conf").Holding("nameserver 192.0.2.53\n"),
		Say("/etc/group").Holding("root:x:0:\n"),
		Say("/etc/shells").Holding("/bin/sh\n/bin/bash\n/bin/zsh\n"),
		Say("/etc/profile"),
		Say("/etc/fstab"),
		Say("/etc/sudoers", "mode", "0440").Holding("root ALL=(ALL:ALL) ALL\n"),
		Say("/etc/ssh/sshd_config"),
		Say("/dev/null", "char", "mode", "0666"),
		Say("/dev/zero", "char", "mode", "0666"),
		Say("/dev/random", "char", "mode", "0666"),
		Say("/dev/urandom", "char", "mode", "0666"),
		Say("/dev/tty", "char", "mode", "0666"),
		Say("/dev/stdin", "char", "mode", "0620", "owner", user),
		Say("/dev/stdout", "char", "mode", "0620", "owner", user),
		Say("/dev/stderr", "char", "mode", "0620", "owner", user),
		Say("/usr/bin/sudo", "binary", "setuid"),
		Say("/usr/bin/su", "binary", "setuid"),
		Say("/usr/local/bin/"),
		Say("/usr/local/lib/"),
		Say("/usr/share/"),
		Say("/opt/"),
		Say("~/", "owner", user),
		Say("~/.bashrc"),
		Say("~/.bash_profile"),
		Say("~/.profile"),
		Say("~/.zshrc"),
		Say("~/.gitconfig").Holding("[user]\n\tname = U\n\temail = u@example.com\n"),
		Say("~/.bash_history", "mode", "0600").Holding("ls\n"),
		Say("~/.ssh/", "mode", "0700"),
		Say("~/.ssh/id_rsa", "mode", "0600").Holding("a private key would be here\n"),
		Say("~/.ssh/id_rsa.pub").Holding("ssh-rsa AAAA u@box\n"),
		Say("~/.ssh/authorized_keys", "mode", "0600").Holding("ssh-rsa AAAA u@box\n"),
		Say("~/.ssh/known_hosts", "mode", "0600").Holding("box ssh-rsa AAAA\n"),
		Say("~/.ssh/config", "mode", "0600").Holding("Host *\n"),
		Say("~/.aws/credentials", "mode", "0600").Holding("an access key would be here\n"),
		Say("~/.aws/config", "mode", "0600").Holding("[default]\nregion = eu-central-1\n"),
		Say("~/.kube/config", "mode", "0600").Holding("a cluster's certificate would be here\n"),
		Say("~/.config/"),
		Say("~/.cache/"),
		Say("~/Documents/"),
		Say("~/Downloads/"),
	}
}

// onLinux is what is only there.
func onLinux() []Statement {
	return []Statement{
		Say("/usr/bin/", "mode", "0755"),
		Say("/bin", "->", "usr/bin"),
		Say("/usr/sbin/", "mode", "0755"),
		Say("/sbin", "->", "usr/sbin"),
		Say("/usr/lib/"),
		Say("/lib", "->", "usr/lib"),
		Say("/boot/vmlinuz", "mode", "0600", "12MB"),
		Say("/etc/shadow", "mode", "0640").Holding("root:!:19000::::::\n"),
		Say("/etc/hostname"),
		Say("/etc/environment"),
		Say("/etc/os-release").Holding("ID=debian\nVERSION_ID=\"12\"\n"),
		Say("/etc/crontab"),
		Say("/etc/cron.d/"),
		Say("/etc/systemd/system/"),
		Say("/var/lib/"),
		Say("/var/log/syslog", "mode", "0640", "8MB"),
		Say("/root/", "mode", "0700"),
		Say("/srv/"),
		Say("/mnt/"),
		Say("/media/"),
		Say("/run/", "mount", "tmpfs"),
		Say("/proc/", "mount", "proc"),
		Say("/sys/", "mount", "sysfs"),
		Say("/dev/", "mount", "devtmpfs"),
		Say("/dev/sda", "block", "mode", "0660"),
		Say("/dev/sda1", "block", "mode", "0660"),
		Say("/dev/nvme0n1", "block", "mode", "0660"),
		Say("/dev/shm/", "mount", "tmpfs", "mode", "1777"),
		Say("~/.local/share/"),
		Say("~/.local/bin/"),
	}
}

// onDarwin is what is only there.
func onDarwin() []Statement {
	return []Statement{
		Say("/private/tmp/", "mode", "1777"),
		Say("/private/var/"),
		Say("/private/etc/"),
		Say("/tmp", "->", "private/tmp"),
		Say("/var", "->", "private/var"),
		Say("/etc", "->", "private/etc"),
		Say("/bin/"),
		Say("/sbin/"),
		Say("/usr/bin/"),
		Say("/usr/sbin/"),
		Say("/var/root/", "mode", "0700"),
		Say("/etc/master.passwd", "mode", "0600").Holding("root:*:0:0::0:0::/var/root:/bin/sh\n"),
		Say("/dev/", "mount", "devfs"),
		Say("/dev/disk0", "block", "mode", "0640"),
		Say("/dev/disk1", "block", "mode", "0640"),
		Say("/Applications/"),
		Say("/System/Library/"),
		Say("/Library/LaunchDaemons/"),
		Say("/Volumes/"),
		Say("~/Library/LaunchAgents/"),
		Say("~/Library/Keychains/login.keychain-db", "mode", "0600", "90kB"),
	}
}

// binOnDarwin are the programs that macOS keeps in /bin instead of /usr/bin.
const binOnDarwin = `
	bash cat chmod cp csh dash date dd df echo ed expr kill ksh launchctl link ln ls mkdir mv pax ps pwd
	realpath rm rmdir sh sleep stty sync tcsh test unlink wait4path zsh`

// defaults makes the file system and the environment that every world has.
func (m *maker) defaults() error {
	there, rootType := onLinux(), "ext4"
	if m.os == "darwin" {
		there, rootType = onDarwin(), "apfs"
	}
	m.tree = newTree(rootType, m.user.uid)
	m.git.tree = m.tree
	m.env = map[string]string{
		"HOME": m.user.home,
		"PATH": "/usr/local/bin:/usr/bin:/bin",
		"USER": m.user.name,
		"LANG": "en_US.UTF-8",
	}
	if err := m.describe(append(there, everywhere(m.user.name)...)); err != nil {
		return err
	}
	m.mounts = 0 // the limit is for the scenario's own
	if err := m.accountFiles(); err != nil {
		return err
	}
	if err := m.programs(); err != nil {
		return err
	}
	dir, err := m.tree.mkdirAll(m.dir)
	if err != nil {
		return fmt.Errorf("%s: %w", m.dir, err)
	}
	if m.dir != "/" && dir.mount.Class == mountinfo.Local {
		dir.uid, dir.gid = m.user.uid, m.user.uid
	}
	return nil
}

// describe carries out statements about paths.
func (m *maker) describe(stmts []Statement) error {
	for i := range stmts {
		if err := m.path(stmts[i].after(0)); err != nil {
			return fmt.Errorf("%s: %w", stmts[i].Words[0].Text, err)
		}
	}
	return nil
}

// accountFiles makes /etc/passwd and the other users' homes.
func (m *maker) accountFiles() error {
	var passwd strings.Builder
	for _, a := range m.accounts {
		fmt.Fprintf(&passwd, "%s:x:%d:%d::%s:/bin/bash\n", a.name, a.uid, a.uid, a.home)
		home, err := m.tree.mkdirAll(a.home)
		if err != nil {
			return fmt.Errorf("home %s: %w", a.home, err)
		}
		if a.home != "/" {
			home.uid, home.gid = a.uid, a.uid
		}
	}
	text := passwd.String()
	return m.path(&args{words: []Word{{Text: "/etc/passwd"}, {Text: text, Quoted: true}}})
}

func (m *maker) programs() error {
	usr, err := m.tree.mkdirAll("/usr/bin")
	if err != nil {
		return err
	}
	bin, err := m.tree.mkdirAll("/bin")
	if err != nil {
		return err
	}
	sbin, err := m.tree.mkdirAll("/usr/sbin")
	if err != nil {
		return err
	}
	for name := range strings.FieldsSeq(programs) {
		m.program(usr, name)
	}
	for name := range strings.FieldsSeq(adminPrograms) {
		m.program(sbin, name)
	}
	if m.os == "darwin" {
		for name := range strings.FieldsSeq(binOnDarwin) {
			m.remove(path.Join("/usr/bin", name))
			m.program(bin, name)
		}
	}
	return nil
}

func (m *maker) program(dir spot, name string) {
	n := m.tree.newNode(world.Regular, 0o755, 0)
	n.data, n.size = m.binary(), binarySize
	dir.put(name, n)
}
