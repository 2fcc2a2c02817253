package madeup

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// many stands for n generated files of a directory: file0001, file0002 and so
// on, bytes in all. They are made when somebody looks.
type many struct {
	n     int
	bytes int64
	ino   uint64 // of the first; the others follow
}

const manyPrefix = "file"

// width is the number of digits in the names.
func (m *many) width() int { return max(4, len(strconv.Itoa(m.n))) }

func (m *many) name(i int) string { return fmt.Sprintf("%s%0*d", manyPrefix, m.width(), i) }

// size of the i-th file: all the same, the first ones take the remainder.
func (m *many) size(i int) int64 {
	each, more := m.bytes/int64(m.n), m.bytes%int64(m.n)
	if int64(i) <= more {
		return each + 1
	}
	return each
}

// node makes the file of that name in a directory, or nil if there is none.
func (m *many) node(dir *node, name string) *node {
	if m == nil {
		return nil
	}
	digits, ok := strings.CutPrefix(name, manyPrefix)
	if !ok || len(digits) != m.width() || strings.Trim(digits, "0123456789") != "" {
		return nil
	}
	i, err := strconv.Atoi(digits)
	if err != nil || i < 1 || i > m.n {
		return nil
	}
	return &node{
		kind: world.Regular, mode: 0o644, uid: dir.uid, gid: dir.gid,
		ino: m.ino + uint64(i), links: 1, size: m.size(i),
	}
}

// sum is the size of the first k files together.
func (m *many) sum(k int) int64 {
	each, more := m.bytes/int64(m.n), m.bytes%int64(m.n)
	return each*int64(k) + min(more, int64(k))
}
