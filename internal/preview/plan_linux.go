//go:build amd64 || arm64

package preview

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/confine/profile"
	"github.com/heedsh/heed/internal/world/osworld/mountinfo"
	"golang.org/x/sys/unix"
)

// NewPlan finds out which trees a preview covers: the workspaces with their git
// directories, the home, the directories of what the command is known to change, and, to
// be thrown away, temporary directories and caches.
func NewPlan(w *Where) (*Plan, error) {
	p := &planner{plan: &Plan{Home: w.Home, Workspaces: w.Workspaces, Secrets: w.Secrets}, root: os.Geteuid() == 0}
	if err := p.mountsOf("/proc/self/mountinfo"); err != nil {
		return nil, err
	}
	for i, dir := range w.Workspaces {
		if err := p.add(dir, false); err != nil {
			if i == 0 {
				return nil, fmt.Errorf("%w: %w", ErrNotHere, err)
			}
			p.note(err)
		}
		for _, git := range gitDirs(dir) {
			p.try(git, false)
		}
	}
	if w.Home != "" {
		p.try(w.Home, false)
	}
	for _, target := range w.Targets {
		p.try(existingDir(target), false)
	}
	for _, dir := range slices.Concat([]string{"/tmp", "/var/tmp", "/dev/shm", w.Temp}, profile.Caches(w.Home)) {
		if i, err := os.Stat(dir); err == nil && i.IsDir() {
			p.try(dir, true)
		}
	}
	if len(p.plan.Trees) == 0 {
		return nil, fmt.Errorf("%w: there is no directory that could be covered", ErrNotHere)
	}
	p.merge()
	return p.plan, nil
}

// A planner makes a plan.
type planner struct {
	plan   *Plan
	mounts mountinfo.Table
	root   bool
}

func (p *planner) mountsOf(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("reading the mounts: %w", err)
	}
	if p.mounts, err = mountinfo.Parse(string(text)); err != nil {
		return fmt.Errorf("reading the mounts: %w", err)
	}
	return nil
}

// note tells a person of what is not covered.
func (p *planner) note(err error) { p.plan.Notes = append(p.plan.Notes, err.Error()) }

// try adds what need not be covered.
func (p *planner) try(dir string, scratch bool) {
	if err := p.add(dir, scratch); err != nil {
		p.note(err)
	}
}

// add covers a directory, and the mounts below it.
func (p *planner) add(dir string, scratch bool) error {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if dir == "/" || grant.Covers([]string{"/proc", "/sys"}, dir) || dir == "/dev" || strings.HasPrefix(dir, "/dev/") && dir != "/dev/shm" {
		return fmt.Errorf("%s is not covered: what is written there is refused", dir)
	}
	if i := slices.IndexFunc(p.plan.Trees, func(t Tree) bool { return t.Path == dir }); i >= 0 {
		p.plan.Trees[i].Scratch = p.plan.Trees[i].Scratch && scratch
		return nil
	}
	below := p.mounts.Below(dir)
	if len(below) > 0 && !p.root {
		// Mounts of a namespace with more rights are locked together.
		return fmt.Errorf("%s is not covered: %s is mounted in it, and only root can lay something over both", dir, below[0].Point)
	}
	p.plan.Trees = append(p.plan.Trees, Tree{Path: dir, Scratch: scratch})
	if !scratch && !p.mine(dir) {
		p.note(fmt.Errorf("%s belongs to another account or group: what is not yours alone cannot be changed in a preview", dir))
	}
	for _, m := range below {
		i, err := os.Stat(m.Point)
		switch {
		case err != nil || slices.Contains(p.plan.Uncovered, m.Point):
			continue
		case !i.IsDir() || m.Class != mountinfo.Local || pseudo(m.Type):
			p.plan.Uncovered = append(p.plan.Uncovered, m.Point)
			p.note(fmt.Errorf("%s is not covered: it is a mount of its own (%s), and stays as it is", m.Point, m.Type))
		case !slices.ContainsFunc(p.plan.Trees, func(t Tree) bool { return t.Path == m.Point }):
			p.plan.Trees = append(p.plan.Trees, Tree{Path: m.Point, Scratch: scratch})
		}
	}
	return nil
}

// mine reports whether a directory can be copied in a preview. A user namespace knows one
// user and one group.
func (p *planner) mine(dir string) bool {
	top, err := look(dir + "/.")
	return p.root || err == nil && top != nil && int(top.UID) == os.Geteuid() && int(top.GID) == os.Getegid()
}

// pseudo reports whether a file system shows the kernel, or cannot lie below an overlay.
// Source: Documentation/filesystems/overlayfs.rst of Linux 6.12.
func pseudo(fsType string) bool {
	return slices.Contains([]string{
		"proc", "sysfs", "devpts", "devtmpfs", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs", "configfs", "bpf", "mqueue", "hugetlbfs",
		"binfmt_misc", "autofs", "efivarfs", "pstore", "fusectl", "nsfs", "rpc_pipefs", "vfat", "exfat", "msdos", "ntfs3",
	}, fsType)
}

// merge puts the trees in the order in which they are mounted, and leaves out those that
// lie in another one of the same sort and file system: a file can be renamed from one to
// the other then, as without a preview. What others own stays by itself: at the top of an
// overlay something can be made all the same.
func (p *planner) merge() {
	slices.SortFunc(p.plan.Trees, func(a, b Tree) int { return strings.Compare(a.Path, b.Path) })
	var out []Tree
	for _, t := range p.plan.Trees {
		around := -1
		for i := range out {
			if grant.Below(t.Path, out[i].Path) {
				around = i // the last is the nearest
			}
		}
		if around >= 0 && out[around].Scratch == t.Scratch && p.mine(t.Path) && device(out[around].Path) == device(t.Path) {
			if _, mount := p.mounts.At(t.Path); !mount {
				continue
			}
		}
		out = append(out, t)
	}
	p.plan.Trees = out
}

// device is the file system that a path is on, 0 if that is not known.
func device(p string) uint64 {
	var st unix.Stat_t
	if unix.Lstat(p, &st) != nil {
		return 0
	}
	return st.Dev
}

// existingDir is a directory, or the nearest one in which it would be made.
func existingDir(p string) string {
	for p = filepath.Dir(p); ; p = filepath.Dir(p) {
		if i, err := os.Stat(p); err == nil && i.IsDir() || p == "/" {
			return p
		}
	}
}

// gitDirs are the directories in which git keeps a work tree's repository, where that is
// elsewhere. Source: gitrepository-layout(5).
func gitDirs(work string) []string {
	text, err := os.ReadFile(filepath.Join(work, ".git"))
	if err != nil {
		return nil // a directory, or none
	}
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if !ok {
		return nil
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(work, dir)
	}
	out := []string{dir}
	if text, err := os.ReadFile(filepath.Join(dir, "commondir")); err == nil {
		common := strings.TrimSpace(string(text))
		if !filepath.IsAbs(common) {
			common = filepath.Join(dir, common)
		}
		out = append(out, common)
	}
	return out
}
