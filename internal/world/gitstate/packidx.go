package gitstate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
)

var errIdx = errors.New("malformed pack index")

// A packIdx is a pack's index (gitformat-pack(5), "pack-*.idx files"), version 1 or
// 2: sorted ids with their offsets in the pack.
type packIdx struct {
	file   *pagedFile
	algo   hashAlgo
	v2     bool
	fanout [256]uint32
	count  int64
}

const (
	idxMagic  = "\xfftOc"
	fanoutLen = 256 * 4
)

func openIdx(file *pagedFile, algo hashAlgo) (*packIdx, error) {
	x := &packIdx{file: file, algo: algo}
	head, err := file.at(0, 8)
	if err != nil {
		return nil, err
	}
	start := int64(0)
	if string(head[:4]) == idxMagic {
		if v := binary.BigEndian.Uint32(head[4:]); v != 2 {
			return nil, fmt.Errorf("%w: version %d", errIdx, v)
		}
		x.v2, start = true, 8
	}
	fan, err := file.at(start, fanoutLen)
	if err != nil {
		return nil, err
	}
	last := uint32(0)
	for i := range x.fanout {
		n := binary.BigEndian.Uint32(fan[4*i:])
		if n < last {
			return nil, fmt.Errorf("%w: fan-out is not monotone", errIdx)
		}
		x.fanout[i], last = n, n
	}
	x.count = int64(last)
	if start+fanoutLen+x.count*x.width() > file.size {
		return nil, fmt.Errorf("%w: too short", errIdx)
	}
	return x, nil
}

// width is what one object takes in the tables that are always there.
func (x *packIdx) width() int64 {
	if x.v2 {
		return int64(x.algo.size()) + 8 // id, CRC and offset in tables of their own
	}
	return int64(x.algo.size()) + 4
}

func (x *packIdx) id(i int64) ([]byte, error) {
	if x.v2 {
		return x.file.at(8+fanoutLen+i*int64(x.algo.size()), x.algo.size())
	}
	return x.file.at(fanoutLen+i*x.width()+4, x.algo.size())
}

func (x *packIdx) offset(i int64) (int64, error) {
	if !x.v2 {
		b, err := x.file.at(fanoutLen+i*x.width(), 4)
		if err != nil {
			return 0, err
		}
		return int64(binary.BigEndian.Uint32(b)), nil
	}
	small := 8 + fanoutLen + x.count*int64(x.algo.size()+4)
	b, err := x.file.at(small+4*i, 4)
	if err != nil {
		return 0, err
	}
	n := binary.BigEndian.Uint32(b)
	if n&(1<<31) == 0 {
		return int64(n), nil
	}
	// The rest is an index into a table of 8-byte offsets.
	b, err = x.file.at(small+4*x.count+8*int64(n&^(1<<31)), 8)
	if err != nil {
		return 0, err
	}
	return int64(binary.BigEndian.Uint64(b) &^ (1 << 63)), nil
}

// lowerBound returns the first position whose id is not before prefix.
func (x *packIdx) lowerBound(prefix []byte) (int64, error) {
	lo, hi := int64(0), int64(x.fanout[prefix[0]])
	if prefix[0] > 0 {
		lo = int64(x.fanout[prefix[0]-1])
	}
	var failed error
	n := sort.Search(int(hi-lo), func(i int) bool {
		id, err := x.id(lo + int64(i))
		if err != nil {
			failed = err
			return true
		}
		return bytes.Compare(id, prefix) >= 0
	})
	return lo + int64(n), failed
}

// find returns an object's offset in the pack.
func (x *packIdx) find(id oid) (off int64, ok bool, err error) {
	if len(id) != x.algo.size() {
		return 0, false, nil
	}
	i, err := x.lowerBound([]byte(id))
	if err != nil || i >= x.count {
		return 0, false, err
	}
	got, err := x.id(i)
	if err != nil || string(got) != string(id) {
		return 0, false, err
	}
	off, err = x.offset(i)
	return off, err == nil, err
}

// withPrefix lists the ids that begin with the bytes of prefix, at most limit.
func (x *packIdx) withPrefix(prefix []byte, limit int) ([]oid, error) {
	i, err := x.lowerBound(prefix)
	if err != nil {
		return nil, err
	}
	var out []oid
	for ; i < x.count && len(out) < limit; i++ {
		id, err := x.id(i)
		if err != nil {
			return nil, err
		}
		if !bytes.HasPrefix(id, prefix) {
			break
		}
		out = append(out, oid(id))
	}
	return out, nil
}
