package gitstate

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// extensions reads what follows the entries: a signature of four bytes, a length,
// and so many bytes. One whose signature begins with a capital may be skipped.
func (p *indexParser) extensions(x *index) error {
	for len(p.data)-p.at >= 8 {
		name := string(p.data[p.at : p.at+4])
		size := int64(binary.BigEndian.Uint32(p.data[p.at+4:]))
		p.at += 8
		if size > int64(len(p.data)-p.at) {
			return fmt.Errorf("%w: extension %q is too long", errIndex, name)
		}
		body := p.raw[p.at : p.at+int(size)]
		p.at += int(size)
		switch name {
		case "TREE":
			x.tree = parseCacheTree(body, p.algo)
		case "link":
			link, err := parseLink(body, p.algo)
			if err != nil {
				return err
			}
			x.link = link
		case "sdir": // there are sparse directories: seen by their mode
		default:
			if name[0] < 'A' || name[0] > 'Z' {
				return fmt.Errorf("%w: unknown extension %q", errIndex, name)
			}
		}
	}
	return nil
}

// A cacheTree is the tree object that a directory of the index would make
// (gitformat-index(5), "Cache tree").
type cacheTree struct {
	name string
	id   oid // "": not known since something in it changed
	kids []*cacheTree
}

const maxTreeDepth = maxPath / 2

// parseCacheTree returns nil if the extension is malformed: it only saves work.
func parseCacheTree(s string, algo hashAlgo) *cacheTree {
	t, rest, ok := cacheTreeNode(s, algo, 0)
	if !ok || rest != "" {
		return nil
	}
	return t
}

// cacheTreeNode reads "name\0count subtrees\n", the id if count is not negative,
// and then the subtrees.
func cacheTreeNode(s string, algo hashAlgo, depth int) (*cacheTree, string, bool) {
	name, s, ok := strings.Cut(s, "\x00")
	head, s, ok2 := strings.Cut(s, "\n")
	first, second, ok3 := strings.Cut(head, " ")
	count, err := strconv.Atoi(first)
	kids, err2 := strconv.Atoi(second)
	if !ok || !ok2 || !ok3 || err != nil || err2 != nil || kids < 0 || depth > maxTreeDepth {
		return nil, "", false
	}
	t := &cacheTree{name: name}
	if count >= 0 {
		if len(s) < algo.size() {
			return nil, "", false
		}
		t.id, s = oid(s[:algo.size()]), s[algo.size():]
	}
	for range kids {
		var kid *cacheTree
		if kid, s, ok = cacheTreeNode(s, algo, depth+1); !ok {
			return nil, "", false
		}
		t.kids = append(t.kids, kid)
	}
	slices.SortFunc(t.kids, func(a, b *cacheTree) int { return strings.Compare(a.name, b.name) })
	return t, s, true
}

// kid returns the subtree of that name, nil if there is none or t is nil.
func (t *cacheTree) kid(name string) *cacheTree {
	if t == nil {
		return nil
	}
	i, ok := slices.BinarySearchFunc(t.kids, name, func(t *cacheTree, name string) int {
		return strings.Compare(t.name, name)
	})
	if !ok {
		return nil
	}
	return t.kids[i]
}

// is reports whether the directory is known to make exactly this tree.
func (t *cacheTree) is(id oid) bool { return t != nil && t.id != "" && t.id == id }

// An indexLink says which file holds most entries of a split index, which of them
// are gone and which are replaced (gitformat-index(5), "Split index").
type indexLink struct {
	base             oid
	deleted, changed *bitmap
}

func parseLink(s string, algo hashAlgo) (*indexLink, error) {
	if len(s) < algo.size() {
		return nil, fmt.Errorf("%w: link", errIndex)
	}
	l := &indexLink{base: oid(s[:algo.size()])}
	if s = s[algo.size():]; s == "" {
		return l, nil
	}
	var err error
	if l.deleted, s, err = parseBitmap(s); err != nil {
		return nil, err
	}
	if l.changed, _, err = parseBitmap(s); err != nil {
		return nil, err
	}
	return l, nil
}

// A bitmap is an EWAH-compressed one (gitformat-bitmap(5), "Appendix A").
type bitmap struct {
	raw string // the words, big-endian
}

// parseBitmap reads the size in bits, the number of words, the words, and the place
// of the last run, which only a writer needs.
func parseBitmap(s string) (*bitmap, string, error) {
	if len(s) < 12 {
		return nil, "", fmt.Errorf("%w: bitmap", errIndex)
	}
	count := int64(binary.BigEndian.Uint32([]byte(s[4:8])))
	if int64(len(s)) < 12+8*count {
		return nil, "", fmt.Errorf("%w: bitmap", errIndex)
	}
	return &bitmap{raw: s[8 : 8+8*count]}, s[12+8*count:], nil
}

// expand returns the first n bits. A run word holds the bit that is repeated, for
// how many words (32 bits), and how many literal words follow (31 bits).
func (b *bitmap) expand(n int) []bool {
	out := make([]bool, n)
	if b == nil {
		return out
	}
	word := func(i int) uint64 { return binary.BigEndian.Uint64([]byte(b.raw[8*i : 8*i+8])) }
	at := 0
	for i := 0; i < len(b.raw)/8 && at < n; {
		run := word(i)
		i++
		length := min(int64(run>>1&0xffffffff)*64, int64(n-at))
		if run&1 != 0 {
			for j := range int(length) {
				out[at+j] = true
			}
		}
		at += int(length)
		for literals := run >> 33; literals > 0 && i < len(b.raw)/8 && at < n; literals-- {
			bits := word(i)
			i++
			for j := 0; j < 64 && at < n; j++ {
				out[at] = bits>>j&1 != 0
				at++
			}
		}
	}
	return out
}

// join puts a split index together: the shared entries that are not deleted, some
// of them replaced by the nameless entries of own, and the named ones of own.
func (own *index) join(shared []entry) (*index, error) {
	deleted, changed := own.link.deleted.expand(len(shared)), own.link.changed.expand(len(shared))
	named := own.entries
	kept := make([]entry, 0, len(shared)+len(own.entries))
	for i := range shared {
		e := shared[i]
		if changed[i] {
			if len(named) == 0 || named[0].path != "" {
				return nil, fmt.Errorf("%w: split index", errIndex)
			}
			e, named = named[0], named[1:]
			e.path = shared[i].path
		}
		if !deleted[i] {
			kept = append(kept, e)
		}
	}
	kept = append(kept, named...)
	slices.SortStableFunc(kept, func(a, b entry) int {
		if c := strings.Compare(a.path, b.path); c != 0 {
			return c
		}
		return a.stage() - b.stage()
	})
	x := &index{entries: kept, tree: own.tree}
	return x, x.check()
}
