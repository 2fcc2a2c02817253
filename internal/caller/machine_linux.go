package caller

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// The bounds of what is read.
const (
	maxText  = 256 << 10   // bytes of one file of a process: environments are long
	maxFiles = 4096        // open files of one process
	maxAll   = 32 << 10    // processes whose open files are looked at
	patience = time.Second // a look takes milliseconds; who makes it slow hides something
)

// A procfs shows the processes of Linux. Source: proc(5), proc_pid_stat(5),
// proc_pid_fdinfo(5); tty-index: Linux 4.14, drivers/tty/pty.c.
type procfs struct {
	root   string
	mounts string // the mount namespace of this process
	until  time.Time
}

func newMachine() (machine, int, error) { return at("/proc") }

// at reads a procfs at a directory.
func at(root string) (*procfs, int, error) {
	me, err := os.Readlink(filepath.Join(root, "self"))
	if err != nil {
		return nil, 0, errors.New("who started this process: there is no " + root)
	}
	self, err := strconv.Atoi(me)
	if err != nil {
		return nil, 0, errors.New("who started this process: " + root + " is of another kind")
	}
	m := &procfs{root: root, until: time.Now().Add(patience)}
	m.mounts = m.link(self, "ns/mnt")
	return m, self, nil
}

// read reads a file of a process; "" if that is not possible.
func (m *procfs) read(pid int, name string) (string, error) {
	f, err := os.Open(filepath.Join(m.root, strconv.Itoa(pid), name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxText))
	return string(text), err
}

func (m *procfs) link(pid int, name string) string {
	to, err := os.Readlink(filepath.Join(m.root, strconv.Itoa(pid), name))
	if err != nil {
		return ""
	}
	return to
}

// words takes a text apart at its zero bytes.
func words(text string) []string {
	text = strings.TrimRight(text, "\x00")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\x00")
}

func (m *procfs) process(pid int) (*process, error) {
	stat, err := m.read(pid, "stat")
	if err != nil {
		return nil, fmt.Errorf("what process %d is", pid)
	}
	name, parent, terminal, ok := parseStat(stat)
	if !ok {
		return nil, fmt.Errorf("what process %d is", pid)
	}
	cmdline, _ := m.read(pid, "cmdline") // a process that ends has none
	p := newProcess(pid, parent, name, m.link(pid, "exe"), words(cmdline))
	env, err := m.read(pid, "environ")
	if err != nil {
		p.hidden = fmt.Sprintf("with which variables process %s was started", p)
	}
	p.env = words(env)
	m.terminals(p, terminal)
	cgroup, _ := m.read(pid, "cgroup")
	p.service = ofService(cgroup)
	return p, nil
}

// parseStat reads the name, the parent and the controlling terminal of a process
// from its stat. A name may hold anything, also what looks like the rest.
func parseStat(stat string) (name string, parent int, terminal uint32, ok bool) {
	open, end := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return "", 0, 0, false
	}
	fields := strings.Fields(stat[end+1:])
	if len(fields) < 5 {
		return "", 0, 0, false
	}
	parent, err := strconv.Atoi(fields[1])
	tty, err2 := strconv.ParseInt(fields[4], 10, 64)
	return stat[open+1 : end], parent, uint32(tty), err == nil && err2 == nil
}

// terminals finds out on which terminals a process is: the controlling one, and
// those that its standard streams are.
func (m *procfs) terminals(p *process, controlling uint32) {
	// Unix98 pseudo-terminals have the major numbers 136 to 143. Source: Linux,
	// Documentation/admin-guide/devices.txt.
	if major := unix.Major(uint64(controlling)); major >= 136 && major <= 143 {
		p.terminals = append(p.terminals, int(major-136)<<20|int(unix.Minor(uint64(controlling))))
	} else if controlling != 0 {
		p.console = true
	}
	for fd := range 3 {
		n, ok := strings.CutPrefix(m.link(p.pid, "fd/"+strconv.Itoa(fd)), "/dev/pts/")
		if t, err := strconv.Atoi(n); ok && err == nil && !slices.Contains(p.terminals, t) {
			p.terminals = append(p.terminals, t)
		}
	}
}

// ofService reports whether a control group is that of a unit that a service
// manager started by itself. Sessions and what people start are scopes. Source:
// systemd.unit(5), systemd.scope(5).
func ofService(cgroup string) bool {
	for line := range strings.Lines(cgroup) {
		_, at, _ := strings.Cut(strings.TrimSpace(line), ":")
		_, at, _ = strings.Cut(at, ":")
		if last := at[strings.LastIndexByte(at, '/')+1:]; strings.HasSuffix(last, ".service") && !strings.HasPrefix(last, "user@") {
			return true
		}
	}
	return false
}

// pids are the numbers of all processes that are shown.
func (m *procfs) pids() []int {
	d, err := os.Open(m.root)
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(4 * maxAll) // what was read before an error counts
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

func (m *procfs) holders(terminal int) (found []int, unseen bool) {
	want := []byte(fmt.Sprintf("tty-index:\t%d\n", terminal))
	pids := m.pids()
	// Programs that hold a terminal are young, as a rule.
	slices.Sort(pids)
	slices.Reverse(pids)
	for i, pid := range pids {
		if i >= maxAll || time.Now().After(m.until) {
			return found, true
		}
		holds, all := m.holds(pid, want)
		if holds {
			found = append(found, pid)
		}
		unseen = unseen || !all
	}
	return found, unseen
}

// holds reports whether a process has the other end of a terminal open, as its
// fdinfo says it, and whether all was seen. Numbers mean something in one mount
// namespace only: containers have terminals of their own.
func (m *procfs) holds(pid int, want []byte) (holds, all bool) {
	dir := filepath.Join(m.root, strconv.Itoa(pid))
	d, err := os.Open(filepath.Join(dir, "fd"))
	if err != nil {
		return false, true // another account's, or one that has ended
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxFiles) // what was read before an error counts
	for _, fd := range names {
		to, err := os.Readlink(filepath.Join(dir, "fd", fd))
		if err != nil || !strings.HasSuffix(to, "/ptmx") {
			continue
		}
		info, err := os.ReadFile(filepath.Join(dir, "fdinfo", fd))
		if err != nil || !bytes.Contains(info, want) {
			continue
		}
		if theirs := m.link(pid, "ns/mnt"); theirs != "" && theirs != m.mounts {
			continue
		}
		return true, true
	}
	return false, len(names) < maxFiles
}

func (m *procfs) all() []*process {
	var all []*process
	for i, pid := range m.pids() {
		if i >= maxAll || time.Now().After(m.until) {
			break
		}
		// Most are not of interest: one look at the name first.
		name, err := m.read(pid, "comm")
		name = strings.TrimSpace(name)
		if err != nil || !slices.Contains([]string{"tmux: client", "screen", "zellij"}, name) {
			continue
		}
		if p, err := m.process(pid); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// reaps reports whether the first process is systemd. What starts in a container,
// or under another init, may come from there without being an orphan.
func (m *procfs) reaps() bool {
	name, err := m.read(1, "comm")
	return err == nil && strings.TrimSpace(name) == "systemd"
}
