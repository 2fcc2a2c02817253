package madeup

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

const (
	// maxMany bounds the generated files of a world.
	maxMany = 100_000_000
	// binarySize is the size of a program's file.
	binarySize = 35 * 1024
)

// A pathStmt is what a statement says about a path.
type pathStmt struct {
	path     string // absolute
	kind     world.Kind
	hasKind  bool
	state    state
	mode     fs.FileMode
	hasMode  bool
	setuid   bool
	exec     bool
	binary   bool
	owner    string
	content  *string
	size     int64
	hasSize  bool
	files    int
	hasFiles bool
	missing  bool
	target   string // of a symbolic link
	twin     string // of a hard link
	mount    string
	folds    bool
}

// path carries out a statement about a path.
func (m *maker) path(a *args) error {
	name, err := a.next("a path")
	if err != nil {
		return err
	}
	p := pathStmt{}
	if p.path, err = m.abs(name); err != nil {
		return err
	}
	if strings.HasSuffix(name, "/") {
		p.kind, p.hasKind = world.Dir, true
	}
	for a.more() || a.block != nil {
		if text, ok := a.content(); ok {
			p.content = &text
			continue
		}
		if err := p.attribute(a); err != nil {
			return err
		}
	}
	if err := p.check(); err != nil {
		return err
	}
	return m.apply(&p)
}

// attribute reads one attribute of a path.
func (p *pathStmt) attribute(a *args) (err error) {
	files, ok, err := a.count(maxMany, "files", "file")
	if err != nil {
		return err
	}
	if ok {
		p.files, p.hasFiles = files, true
		return p.setKind(world.Dir)
	}
	word, err := a.next("an attribute")
	if err != nil {
		return err
	}
	if size, ok := parseSize(word); ok {
		p.size, p.hasSize = size, true
		return nil
	}
	if st, ok := stateNamed(word); ok {
		if p.state != stateNone {
			return errors.New("is given two states")
		}
		p.state = st
		return nil
	}
	return p.word(word, a)
}

// word reads an attribute that begins with this word.
func (p *pathStmt) word(word string, a *args) (err error) {
	switch word {
	case "->":
		p.target, err = a.next("where the link points")
		if err == nil && p.target == "" {
			err = errors.New("a link points nowhere")
		}
		return errors.Join(err, p.setKind(world.Symlink))
	case "file":
		return p.setKind(world.Regular)
	case "dir":
		return p.setKind(world.Dir)
	case "block":
		return p.setKind(world.BlockDevice)
	case "char":
		return p.setKind(world.CharDevice)
	case "fifo", "socket":
		return p.setKind(world.Other)
	case "hardlink":
		p.twin, err = a.next("a file")
	case "exec":
		p.exec = true
	case "binary":
		p.binary = true
	case "setuid":
		p.setuid = true
	case "unreadable":
		p.hasMode = true
	case "mode":
		err = p.setMode(a)
	case "owner":
		p.owner, err = a.next("a user")
	case "missing":
		p.missing = true
	case "mount":
		p.mount, err = a.next("a file system type")
		return errors.Join(err, p.setKind(world.Dir))
	case "folds":
		p.folds = true
	default:
		return fmt.Errorf("does not understand %q (a name that is a keyword is written ./%s; content is quoted)",
			word, path.Base(p.path))
	}
	return err
}

func (p *pathStmt) setKind(k world.Kind) error {
	if p.hasKind && p.kind != k {
		return errors.New("is said to be two kinds of file")
	}
	p.kind, p.hasKind = k, true
	return nil
}

func (p *pathStmt) setMode(a *args) error {
	text, err := a.next("an octal mode")
	if err != nil {
		return err
	}
	n, err := strconv.ParseUint(text, 8, 32)
	if err != nil || n > 0o7777 {
		return fmt.Errorf("mode %q is not octal", text)
	}
	p.mode, p.hasMode = fs.FileMode(n&0o777), true
	for bit, mode := range map[uint64]fs.FileMode{0o4000: fs.ModeSetuid, 0o2000: fs.ModeSetgid, 0o1000: fs.ModeSticky} {
		if n&bit != 0 {
			p.mode |= mode
		}
	}
	return nil
}

// check refuses attributes that do not go together.
func (p *pathStmt) check() error {
	regular := p.exec || p.binary || p.setuid || p.content != nil || p.twin != "" || p.state == deleted
	if regular {
		if err := p.setKind(world.Regular); err != nil {
			return fmt.Errorf("%w: exec, binary, setuid, hardlink, deleted and content are for regular files", err)
		}
	}
	switch {
	case p.content != nil && (p.binary || p.twin != ""):
		return errors.New("content does not go with binary or hardlink")
	case p.content != nil && len(*p.content) > 0 && p.hasSize && p.size < int64(len(*p.content)):
		return errors.New("content is longer than the size")
	case p.hasSize && p.hasKind && p.kind == world.Dir && !p.hasFiles:
		return errors.New("a directory's size wants a count of files")
	case p.hasSize && p.hasKind && p.kind != world.Dir && p.kind != world.Regular:
		return errors.New("only files have a size")
	case p.hasFiles && p.files == 0 && p.size > 0:
		return errors.New("no files, but a size")
	case p.folds && p.mount == "":
		return errors.New("folds wants a mount")
	case p.missing && (p.content != nil || p.mount != "" || p.target != "" || p.hasFiles):
		return errors.New("what is missing has nothing else")
	}
	return nil
}

// apply makes what a statement says.
func (m *maker) apply(p *pathStmt) error {
	if p.path == "/" && p.mount == "" {
		return errors.New("the root can only be a mount")
	}
	if p.missing || p.state == deleted {
		m.remove(p.path)
		return m.setState(p)
	}
	at, err := m.place(p)
	if err != nil {
		return fmt.Errorf("cannot be made: %w", err)
	}
	if p.owner != "" {
		if err := m.setOwner(at.node, p.owner); err != nil {
			return err
		}
	}
	if err := m.fill(at, p); err != nil {
		return err
	}
	return m.setState(p)
}

// place finds or makes the node of a path.
func (m *maker) place(p *pathStmt) (spot, error) {
	if p.path == "/" {
		return spot{m.tree.root, "/", m.tree.root.mount}, nil
	}
	dir, err := m.tree.mkdirAll(path.Dir(p.path))
	if err != nil {
		return spot{}, fmt.Errorf("%s: %w", path.Dir(p.path), err)
	}
	name := path.Base(p.path)
	if len(name) > 255 {
		return spot{}, errors.New("the name is longer than 255 bytes")
	}
	old, exists := dir.child(name)
	switch {
	case p.twin != "":
		return m.hardlink(dir, name, p.twin)
	case exists && (!p.hasKind || p.kind == old.kind) && old.kind != world.Symlink:
		if _, listed := dir.kids[key(name, dir.mount.Folds)]; !listed { // a generated one becomes real
			return dir.put(name, old.node), nil
		}
		return old, nil
	}
	if exists && old.kind == world.Symlink && p.kind == world.Dir {
		// As for the kernel, a link with a slash after it is what it points to.
		if to, err := m.tree.walk(p.path, true, true); err == nil && to.end().kind == world.Dir {
			return to.end(), nil
		}
	}
	kind, mode := world.Regular, fs.FileMode(0o644)
	if p.hasKind {
		kind = p.kind
	}
	switch kind {
	case world.Dir:
		mode = 0o755
	case world.Symlink:
		mode = 0o777
	}
	n := m.tree.newNode(kind, mode, m.tree.ownerIn(dir))
	if kind == world.Regular {
		n.data = defaultContent(name)
	}
	return dir.put(name, n), nil
}

// defaultContent is what a file holds of which nothing is said: a comment in
// most languages.
func defaultContent(name string) string { return "# " + name + "\n" }

func (m *maker) hardlink(dir spot, name, twin string) (spot, error) {
	file, err := m.abs(twin)
	if err != nil {
		return spot{}, err
	}
	r, err := m.tree.walk(file, true, true)
	if err != nil || r.end().kind != world.Regular {
		return spot{}, fmt.Errorf("hardlink: %s is not a file that was described above", twin)
	}
	if r.end().mount != dir.mount {
		return spot{}, fmt.Errorf("hardlink: %s is on another file system", twin)
	}
	r.end().links++
	return dir.put(name, r.end().node), nil
}

// fill gives a node what the statement says of it.
func (m *maker) fill(at spot, p *pathStmt) error {
	n := at.node
	switch {
	case p.mount != "":
		if m.mounts++; m.mounts > maxMounts {
			return fmt.Errorf("more than %d mounts", maxMounts)
		}
		to, err := m.tree.walk(p.path, true, true)
		if err != nil {
			return err
		}
		m.tree.mountAt(at, to.path(), p.mount, p.folds)
	case p.target != "":
		n.target = p.target
	case p.binary:
		n.data, n.size = m.binary(), binarySize
	case p.content != nil:
		n.data, n.size = *p.content, 0
	}
	if p.hasFiles && p.files > 0 {
		if m.synth += p.files; m.synth > maxMany {
			return fmt.Errorf("more than %d files", maxMany)
		}
		n.many = &many{n: p.files, bytes: p.size, ino: m.tree.lastIno}
		m.tree.lastIno += uint64(p.files)
	} else if p.hasSize {
		n.size = p.size
		if p.content == nil && p.size < int64(len(n.data)) {
			n.data = n.data[:p.size]
		}
	}
	switch {
	case p.hasMode:
		n.mode = p.mode
	case p.exec || p.binary:
		n.mode = 0o755
	}
	if p.setuid {
		n.mode = n.mode | 0o111 | fs.ModeSetuid
	}
	return nil
}

// binary is the beginning of a program's file: an ELF header of x86-64
// (elf(5)), or that of a Mach-O file of arm64 (mach-o/loader.h).
func (m *maker) binary() string {
	if m.os == "darwin" {
		return "\xcf\xfa\xed\xfe\x0c\x00\x00\x01\x00\x00\x00\x00\x02\x00\x00\x00"
	}
	return "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\x00\x3e\x00\x01\x00\x00\x00"
}

func (m *maker) setOwner(n *node, name string) error {
	for _, a := range m.accounts {
		if a.name == name {
			n.uid, n.gid = a.uid, a.uid
			return nil
		}
	}
	uid, err := strconv.Atoi(name)
	if err != nil || uid < 0 || uid > 1<<31-1 {
		return fmt.Errorf("owner %q is neither an account nor a number", name)
	}
	n.uid, n.gid = uid, uid
	return nil
}

// remove takes a name away, if it is there.
func (m *maker) remove(name string) {
	r, err := m.tree.walk(path.Dir(name), true, true)
	if err != nil || r.end().kind != world.Dir {
		return
	}
	dir := r.end()
	k := key(path.Base(name), dir.mount.Folds)
	if old, ok := dir.kids[k]; ok {
		old.node.links--
		delete(dir.kids, k)
	}
}
