package gitstate

import (
	"errors"
	"fmt"
)

const (
	// maxDeltaChain is the deepest chain git can be told to make (pack.depth).
	maxDeltaChain = 4095
	// maxDeltaWork bounds the bytes made on the way to one object.
	maxDeltaWork = 64 << 20
)

var errPack = errors.New("malformed pack")

// A pack is a pack file with its index.
type pack struct {
	idx  *packIdx
	data *pagedFile
}

func (g *Git) openPack(base string, algo hashAlgo) (*pack, error) {
	file, err := g.paged(base + ".idx")
	if err != nil {
		return nil, err
	}
	idx, err := openIdx(file, algo)
	if err != nil {
		return nil, fmt.Errorf("%s.idx: %w", base, err)
	}
	data, err := g.paged(base + ".pack")
	if err != nil {
		return nil, err
	}
	return &pack{idx: idx, data: data}, nil
}

// A packEntry is the head of one object in a pack (gitformat-pack(5)).
type packEntry struct {
	typ  objectType
	size int64
	body int64 // where the deflated data begin
	base int64 // of an ofs-delta: the offset of its base
	ref  oid   // of a ref-delta: its base
}

// entry reads the head at off.
func (p *pack) entry(off int64) (packEntry, error) {
	n := int64(32 + p.idx.algo.size())
	if left := p.data.size - off; left < n {
		n = left
	}
	if n <= 0 {
		return packEntry{}, errPack
	}
	head, err := p.data.at(off, int(n))
	if err != nil {
		return packEntry{}, err
	}
	return parseEntry(head, off, p.idx.algo)
}

// parseEntry takes a head apart: three bits of type and a size, both in base 128
// with the least significant bits first.
func parseEntry(head []byte, off int64, algo hashAlgo) (packEntry, error) {
	c := head[0]
	e := packEntry{typ: objectType(c >> 4 & 7), size: int64(c & 15)}
	at := 1
	for shift := 4; c&0x80 != 0; shift += 7 {
		if at >= len(head) || shift > 50 {
			return e, errPack
		}
		c = head[at]
		at++
		e.size |= int64(c&0x7f) << shift
	}
	switch e.typ {
	case typeOfsDelta:
		back, n := parseOffset(head[at:])
		if n == 0 || back <= 0 || back >= off {
			return e, errPack
		}
		e.base = off - back
		at += n
	case typeRefDelta:
		if len(head)-at < algo.size() {
			return e, errPack
		}
		e.ref = oid(head[at : at+algo.size()])
		at += algo.size()
	case typeCommit, typeTree, typeBlob, typeTag:
	default:
		return e, errPack
	}
	e.body = off + int64(at)
	return e, nil
}

// parseOffset reads an offset of an ofs-delta, most significant bits first, each
// byte but the last adding one; n is 0 if it is malformed.
func parseOffset(b []byte) (off int64, n int) {
	for i, c := range b {
		if i > 8 {
			return 0, 0
		}
		off = off<<7 | int64(c&0x7f)
		if c&0x80 == 0 {
			return off, i + 1
		}
		off++
	}
	return 0, 0
}

// read inflates the object at off and applies the deltas it is made of.
func (p *pack) read(db *objectDB, off int64) (objectType, []byte, error) {
	var chain []packEntry
	var typ objectType
	var data []byte
	for {
		e, err := p.entry(off)
		if err != nil {
			return 0, nil, err
		}
		if e.typ != typeOfsDelta && e.typ != typeRefDelta {
			typ = e.typ
			if data, err = p.inflate(e); err != nil {
				return 0, nil, err
			}
			break
		}
		if chain = append(chain, e); len(chain) > maxDeltaChain {
			return 0, nil, errPack
		}
		if t, d, ok := db.cachedBase(p, e); ok {
			typ, data = t, d
			break
		}
		if off = e.base; e.typ == typeRefDelta {
			var ok bool
			if off, ok, err = p.idx.find(e.ref); err != nil || !ok {
				return 0, nil, errPack
			}
		}
	}
	return p.apply(db, chain, typ, data)
}

func (p *pack) inflate(e packEntry) ([]byte, error) {
	return p.data.g.pool.inflate(&pageReader{f: p.data, off: e.body}, e.size)
}

// apply makes the object out of its base, the last delta of the chain first.
func (p *pack) apply(db *objectDB, chain []packEntry, typ objectType, data []byte) (objectType, []byte, error) {
	work := 0
	for i := len(chain) - 1; i >= 0; i-- {
		db.keepBase(p, chain[i], typ, data)
		delta, err := p.inflate(chain[i])
		if err != nil {
			return 0, nil, err
		}
		if data, err = applyDelta(data, delta); err != nil {
			return 0, nil, err
		}
		work += len(data) + len(delta)
		db.work += len(data) + len(delta)
		if work > maxDeltaWork {
			return 0, nil, errObjectSize
		}
	}
	return typ, data, nil
}

// applyDelta makes a new object from base (gitformat-pack(5), "Deltified
// representation"): copies of parts of the base, and new bytes.
func applyDelta(base, delta []byte) ([]byte, error) {
	size, delta, ok := deltaSize(delta)
	if !ok || size != int64(len(base)) {
		return nil, errPack
	}
	if size, delta, ok = deltaSize(delta); !ok || size > maxObject {
		return nil, errPack
	}
	out := make([]byte, 0, min(size, 64<<10+int64(len(base)+len(delta))))
	for len(delta) > 0 {
		op := delta[0]
		delta = delta[1:]
		var part []byte
		if op&0x80 != 0 {
			if part, delta, ok = deltaCopy(op, base, delta); !ok {
				return nil, errPack
			}
		} else {
			if op == 0 || int(op) > len(delta) {
				return nil, errPack
			}
			part, delta = delta[:op], delta[op:]
		}
		if int64(len(out)+len(part)) > size {
			return nil, errPack
		}
		out = append(out, part...)
	}
	if int64(len(out)) != size {
		return nil, errPack
	}
	return out, nil
}

// deltaCopy reads a copy instruction: the low four bits of op say which bytes of
// the offset follow, the next three which of the size.
func deltaCopy(op byte, base, delta []byte) (part, rest []byte, ok bool) {
	var v [7]byte
	for i := range v {
		if op&(1<<i) != 0 {
			if len(delta) == 0 {
				return nil, nil, false
			}
			v[i], delta = delta[0], delta[1:]
		}
	}
	off := int64(v[0]) | int64(v[1])<<8 | int64(v[2])<<16 | int64(v[3])<<24
	n := int64(v[4]) | int64(v[5])<<8 | int64(v[6])<<16
	if n == 0 {
		n = 0x10000
	}
	if off+n > int64(len(base)) {
		return nil, nil, false
	}
	return base[off : off+n], delta, true
}

func deltaSize(b []byte) (size int64, rest []byte, ok bool) {
	for i, c := range b {
		if i > 7 {
			break
		}
		size |= int64(c&0x7f) << (7 * i)
		if c&0x80 == 0 {
			return size, b[i+1:], true
		}
	}
	return 0, nil, false
}
