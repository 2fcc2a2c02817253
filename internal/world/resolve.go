package world

import (
	"errors"
	"path"
	"strings"
)

// maxLinks is how many symbolic links one resolution follows, as Linux does
// (path_resolution(7)).
const maxLinks = 40

// maxPath is the longest path that the kernel takes, in bytes (PATH_MAX,
// limits.h).
const maxPath = 4096

// Resolve follows every symbolic link in name, the last element included if
// follow is set, and returns the clean absolute path it leads to. Elements
// that do not exist stay as they are written. ok is false for a loop, and where
// it is not known what stands on the way; what is not read on principle
// (ErrNotRead) is taken for no link.
func Resolve(fs FS, name string, follow bool) (resolved string, ok bool) {
	resolved, err := resolve(fs, name, follow)
	return resolved, err == nil
}

// errLoop is the error of a path that never ends (ELOOP), or that the kernel
// does not take (ENAMETOOLONG): nothing is there.
var errLoop = errors.New("leads nowhere")

func resolve(fs FS, name string, follow bool) (resolved string, err error) {
	if len(name) > maxPath { // the kernel takes no such path: ENAMETOOLONG
		return path.Clean("/" + name[:maxPath]), errLoop
	}
	if strings.HasPrefix(name, "/") && path.Clean(name) == name {
		if done, straight, err := walk(fs, name, follow); straight || err != nil {
			return done, err
		}
	}
	todo := strings.Split(strings.Trim(name, "/"), "/")
	if strings.HasSuffix(name, "/") && len(name) > 1 {
		follow = true // "link/" names what the link points at
	}
	done := "/"
	links := 0
	missing := false
	for len(todo) > 0 {
		element := todo[0]
		todo = todo[1:]
		switch element {
		case "", ".":
			continue
		case "..":
			done = path.Dir(done)
			continue
		}
		next := path.Join(done, element)
		if missing || len(todo) == 0 && !follow {
			done = next
			continue
		}
		info, err := fs.Lstat(next)
		if err == nil && info.Kind == Missing {
			missing = true
		}
		if err != nil && !errors.Is(err, ErrNotRead) {
			return path.Join(append([]string{next}, todo...)...), err
		}
		if err != nil || info.Kind != Symlink {
			done = next
			continue
		}
		if links++; links > maxLinks {
			return next, errLoop
		}
		target, err := fs.Readlink(next)
		if err != nil {
			return path.Join(append([]string{next}, todo...)...), err
		}
		if strings.HasPrefix(target, "/") {
			done = "/"
		}
		todo = append(strings.Split(target, "/"), todo...)
	}
	return done, nil
}

// walk looks at each element of a clean absolute path. It is straight if none of them
// that is to be followed is a link; what it leads to is then the path itself.
func walk(fs FS, name string, follow bool) (at string, straight bool, err error) {
	first, above := 1, 0
	keeper, keeps := fs.(direct)
	if keeps {
		if dir := keeper.Direct(); dir != "" && len(name) > len(dir) && name[len(dir)] == '/' && strings.HasPrefix(name, dir) {
			first, above = len(dir)+1, len(dir)
		}
	}
	for i := first; i <= len(name); i++ {
		last := i == len(name)
		if !last && name[i] != '/' {
			continue
		}
		if last && (!follow || name == "/") {
			break
		}
		info, err := fs.Lstat(name[:i])
		switch {
		case err != nil && !errors.Is(err, ErrNotRead):
			return name, false, err
		case err == nil && info.Kind == Symlink:
			return "", false, nil
		case err == nil && info.Kind == Missing:
			return name, true, nil
		}
		if !last {
			above = i
		}
	}
	if keeps && above > 0 {
		keeper.SetDirect(name[:above])
	}
	return name, true, nil
}

// A direct is a file system that remembers, as long as nothing in it changes, a
// directory on whose way there is no link and nothing is missing: files are often
// asked for one after the other.
type direct interface {
	Direct() string
	SetDirect(dir string)
}

// Stat describes what name leads to when every link is followed.
func Stat(fs FS, name string) (Info, error) {
	resolved, err := resolve(fs, name, true)
	switch {
	case errors.Is(err, errLoop):
		return Info{Kind: Missing}, nil
	case err != nil:
		return Info{}, err
	}
	return fs.Lstat(resolved)
}
