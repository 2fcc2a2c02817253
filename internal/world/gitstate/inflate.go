package gitstate

import (
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"sync"
)

// maxObject bounds an object once it is inflated. Commits, tags and trees are far
// smaller.
const maxObject = 16 << 20

var (
	errObjectSize = errors.New("object is larger than the limit")
	errObject     = errors.New("malformed object")
)

// inflaters keeps zlib readers, which are costly to make.
type inflaters struct{ pool sync.Pool }

func newInflaters() *inflaters { return &inflaters{} }

// with calls use with a reader of what src inflates to.
func (p *inflaters) with(src io.Reader, use func(io.Reader) error) error {
	z, ok := p.pool.Get().(io.ReadCloser)
	if ok {
		if err := z.(zlib.Resetter).Reset(src, nil); err != nil {
			return err
		}
	} else {
		var err error
		if z, err = zlib.NewReader(src); err != nil {
			return err
		}
	}
	err := use(z)
	p.pool.Put(z)
	return err
}

// inflate returns exactly size bytes.
func (p *inflaters) inflate(src io.Reader, size int64) ([]byte, error) {
	if size > maxObject {
		return nil, errObjectSize
	}
	var out []byte
	err := p.with(src, func(z io.Reader) (err error) {
		out, err = readExactly(z, size)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("inflating: %w", err)
	}
	return out, nil
}

// readExactly reads size bytes; a size that is a lie costs no memory.
func readExactly(r io.Reader, size int64) ([]byte, error) {
	const trusted = 256 << 10
	if size <= trusted {
		out := make([]byte, size)
		_, err := io.ReadFull(r, out)
		return out, err
	}
	out, err := io.ReadAll(io.LimitReader(r, size))
	if err == nil && int64(len(out)) < size {
		err = io.ErrUnexpectedEOF
	}
	return out, err
}
