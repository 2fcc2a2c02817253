package gitstate

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// blob returns the content of a file. Of one with more than limit bytes it returns
// the first n, and large is set, whatever its size.
func (db *objectDB) blob(id oid, limit, n int) (text []byte, large bool, err error) {
	typ, data, err := db.read(id)
	if err != nil {
		var size int64
		var also error
		if typ, data, size, also = db.beginning(id, n); also != nil || size <= int64(limit) {
			return nil, false, err
		}
		large = true
	}
	switch {
	case typ != typeBlob:
		return nil, false, errObject
	case large || len(data) > limit:
		return bytes.Clone(data[:min(len(data), n)]), true, nil
	}
	return data, false, nil
}

// beginning returns the size of an object and its first n bytes. It does not know
// those that a pack keeps as a difference from others: git keeps no large file so
// that was added a moment ago (git-config(1), core.bigFileThreshold).
func (db *objectDB) beginning(id oid, n int) (typ objectType, data []byte, size int64, err error) {
	if p, off, ok := db.locate(id); ok {
		e, err := p.entry(off)
		if err != nil {
			return 0, nil, 0, err
		}
		if e.typ == typeOfsDelta || e.typ == typeRefDelta {
			return 0, nil, 0, errObjectSize
		}
		data, err = db.g.pool.inflate(&pageReader{f: p.data, off: e.body}, min(e.size, int64(n)))
		return e.typ, data, e.size, err
	}
	for _, dir := range db.dirs() {
		f, err := db.g.paged(loosePath(dir, id))
		if errors.Is(err, world.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, nil, 0, err
		}
		err = db.g.pool.with(&pageReader{f: f}, func(z io.Reader) (err error) {
			if typ, size, err = looseHead(z); err == nil {
				data, err = readExactly(z, min(size, int64(n)))
			}
			return err
		})
		return typ, data, size, err
	}
	return 0, nil, 0, fmt.Errorf("object %s: %w", id.hex(), world.ErrNotExist)
}

// looseHead reads what a loose object begins with: "type size\0".
func looseHead(z io.Reader) (typ objectType, size int64, err error) {
	head := make([]byte, 0, 32)
	for len(head) < cap(head) {
		head = head[:len(head)+1]
		if _, err := io.ReadFull(z, head[len(head)-1:]); err != nil {
			return 0, 0, err
		}
		if head[len(head)-1] == 0 {
			break
		}
	}
	name, number, _ := strings.Cut(strings.TrimSuffix(string(head), "\x00"), " ")
	size, err = strconv.ParseInt(number, 10, 64)
	if err != nil || size < 0 {
		return 0, 0, errObject
	}
	return typeNamed(name), size, nil
}
