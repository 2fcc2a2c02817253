package fakeworld

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

// everywhere is what both systems have, in the language itself.
const everywhere = `
/tmp/                     mode 1777
/var/tmp/                 mode 1777
/var/log/
/var/log/system.log       2MB
/etc/hosts                "127.0.0.1 localhost\n"
/etc/resolv.conf          "nameserver 192.0.2.53\n"
/etc/group                "root:x:0:\n"
/etc/shells               "/bin/sh\n/bin/bash\n/bin/zsh\n"
/etc/profile
/etc/fstab
/etc/sudoers              mode 0440  "root ALL=(ALL:ALL) ALL\n"
/etc/ssh/sshd_config
/dev/null                 char  mode 0666
/dev/zero                 char  mode 0666
/dev/random               char  mode 0666
/dev/urandom              char  mode 0666
/dev/tty                  char  mode 0666
/dev/stdin                char  mode 0620  owner %[1]s
/dev/stdout               char  mode 0620  owner %[1]s
/dev/stderr               char  mode 0620  owner %[1]s
/usr/bin/sudo             binary  setuid
/usr/bin/su               binary  setuid
/usr/local/bin/
/usr/local/lib/
/usr/share/
/opt/
~/                        owner %[1]s
~/.bashrc
~/.bash_profile
~/.profile
~/.zshrc
~/.gitconfig              "[user]\n\tname = U\n\temail = u@example.com\n"
~/.bash_history           mode 0600  "ls\n"
~/.ssh/                   mode 0700
~/.ssh/id_rsa             mode 0600  "a private key would be here\n"
~/.ssh/id_rsa.pub         "ssh-rsa AAAA u@box\n"
~/.ssh/authorized_keys    mode 0600  "ssh-rsa AAAA u@box\n"
~/.ssh/known_hosts        mode 0600  "box ssh-rsa AAAA\n"
~/.ssh/config             mode 0600  "Host *\n"
~/.aws/credentials        mode 0600  "an access key would be here\n"
~/.aws/config             mode 0600  "[default]\nregion = eu-central-1\n"
~/.kube/config            mode 0600  "a cluster's certificate would be here\n"
~/.config/
~/.cache/
~/Documents/
~/Downloads/
`

const onLinux = `
/usr/bin/                 mode 0755
/bin                      -> usr/bin
/usr/sbin/                mode 0755
/sbin                     -> usr/sbin
/usr/lib/
/lib                      -> usr/lib
/boot/vmlinuz             mode 0600  12MB
/etc/shadow               mode 0640  "root:!:19000::::::\n"
/etc/hostname
/etc/environment
/etc/os-release           "ID=debian\nVERSION_ID=\"12\"\n"
/etc/crontab
/etc/cron.d/
/etc/systemd/system/
/var/lib/
/var/log/syslog           mode 0640  8MB
/root/                    mode 0700
/srv/
/mnt/
/media/
/run/                     mount tmpfs
/proc/                    mount proc
/sys/                     mount sysfs
/dev/                     mount devtmpfs
/dev/sda                  block  mode 0660
/dev/sda1                 block  mode 0660
/dev/nvme0n1              block  mode 0660
/dev/shm/                 mount tmpfs  mode 1777
~/.local/share/
~/.local/bin/
`

const onDarwin = `
/private/tmp/             mode 1777
/private/var/
/private/etc/
/tmp                      -> private/tmp
/var                      -> private/var
/etc                      -> private/etc
/bin/
/sbin/
/usr/bin/
/usr/sbin/
/var/root/                mode 0700
/etc/master.passwd        mode 0600  "root:*:0:0::0:0::/var/root:/bin/sh\n"
/dev/                     mount devfs
/dev/disk0                block  mode 0640
/dev/disk1                block  mode 0640
/Applications/
/System/Library/
/Library/LaunchDaemons/
/Volumes/
~/Library/LaunchAgents/
~/Library/Keychains/login.keychain-db  mode 0600  90kB
`

// binOnDarwin are the programs that macOS keeps in /bin instead of /usr/bin.
const binOnDarwin = `
	bash cat chmod cp csh dash date dd df echo ed expr kill ksh launchctl link ln ls mkdir mv pax ps pwd
	realpath rm rmdir sh sleep stty sync tcsh test unlink wait4path zsh`

// defaults makes the file system and the environment that every world has.
func (m *maker) defaults() error {
	text, rootType := onLinux, "ext4"
	if m.os == "darwin" {
		text, rootType = onDarwin, "apfs"
	}
	m.tree = newTree(rootType, m.user.uid)
	m.git.tree = m.tree
	m.env = map[string]string{
		"HOME": m.user.home,
		"PATH": "/usr/local/bin:/usr/bin:/bin",
		"USER": m.user.name,
		"LANG": "en_US.UTF-8",
	}
	if err := m.describe(text + fmt.Sprintf(everywhere, m.user.name)); err != nil {
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
func (m *maker) describe(text string) error {
	stmts, err := scan(text)
	if err != nil {
		return err
	}
	for i := range stmts {
		if err := m.path(stmts[i].after(0)); err != nil {
			return fmt.Errorf("%s: %w", stmts[i].words[0].text, err)
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
	return m.path(&args{words: []word{{text: "/etc/passwd"}, {text: text, quoted: true}}})
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
