package mountinfo

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// A Mount is a world.Mount with what the guard of osworld needs to know.
type Mount struct {
	world.Mount
	Class Class
	Dev   uint64 // as stat reports it; zero if not known
}

// New classifies a mount. What is mounted at "/" is never remote, whatever
// serves it: a container's root may be 9p or overlay on FUSE, and a machine
// whose root hangs runs no hook either.
func New(point, fsType, options string, dev uint64) Mount {
	class := ClassOf(fsType, options)
	if point == "/" {
		class = Local
	}
	return Mount{
		Mount: world.Mount{
			Point:  point,
			Type:   fsType,
			Remote: class != Local,
			Folds:  Folds(fsType, options),
		},
		Class: class,
		Dev:   dev,
	}
}

// A Table holds the mounts of a machine. The zero Table is empty and ready.
type Table struct {
	points map[string]Mount
	served int
}

// Add puts a mount over whatever the table has at the same point: the last
// mount at a point is the one that is seen.
func (t *Table) Add(m Mount) {
	if t.points == nil {
		t.points = make(map[string]Mount)
	}
	if t.points[m.Point].Class == Served {
		t.served--
	}
	if m.Class == Served {
		t.served++
	}
	t.points[m.Point] = m
}

// Len returns the number of mount points.
func (t *Table) Len() int { return len(t.points) }

// Below lists the mounts below a path, not at it, in the order of their paths.
func (t *Table) Below(path string) []Mount {
	var out []Mount
	for point, m := range t.points {
		if strings.HasPrefix(point, strings.TrimSuffix(path, "/")+"/") && point != path {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b Mount) int { return strings.Compare(a.Point, b.Point) })
	return out
}

// AnyServed reports whether looking at some path might hang.
func (t *Table) AnyServed() bool { return t.served > 0 }

// At returns the mount at exactly this point.
func (t *Table) At(point string) (Mount, bool) {
	m, ok := t.points[point]
	return m, ok
}

// Holding returns the mount that holds an absolute, clean path, taken as it is
// spelled: symbolic links are the caller's business.
func (t *Table) Holding(path string) (Mount, bool) {
	for {
		if m, ok := t.points[path]; ok {
			return m, true
		}
		slash := strings.LastIndexByte(path, '/')
		if slash < 0 || path == "/" {
			return Mount{}, false
		}
		path = path[:max(slash, 1)]
	}
}

// Trust marks the mount that holds path as local, so that it is looked into.
func (t *Table) Trust(path string) {
	m, ok := t.Holding(path)
	if !ok || m.Class != Served {
		return
	}
	m.Class, m.Remote = Local, false
	t.Add(m)
}
