package gitstate

import (
	"errors"
	"fmt"
	"path"

	"github.com/heedsh/heed/internal/world"
)

// index returns the parsed index and when it was written. Without an index file
// nothing is tracked.
func (r *repo) index() (*index, int64, error) {
	name := r.indexFile
	info, err := r.g.stat(name)
	if err != nil {
		return nil, 0, fmt.Errorf("reading the index: %w", err)
	}
	x, err := loadInfo(r.g, kindIndex, name, info, maxIndex, r.parseIndex)
	if err == nil && x.base != nil && !r.g.fresh([]dep{*x.base}) {
		r.g.cache.drop(cacheKey{kind: kindIndex, path: name})
		x, err = loadInfo(r.g, kindIndex, name, info, maxIndex, r.parseIndex)
	}
	if errors.Is(err, world.ErrNotExist) {
		return &index{}, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading the index: %w", err)
	}
	return x, info.MTime, nil
}

// parseIndex parses an index, and the shared one that it builds on.
func (r *repo) parseIndex(data []byte) (*index, error) {
	x, err := parseIndex(data, r.algo)
	if err != nil || x.link == nil {
		return x, err
	}
	if x.link.base.isNull() {
		return x, x.check()
	}
	name := path.Join(path.Dir(r.indexFile), "sharedindex."+x.link.base.hex())
	info, err := r.g.stat(name)
	if err != nil {
		return nil, err
	}
	data, err = r.g.fs.ReadFile(name, maxIndex)
	if err != nil {
		return nil, fmt.Errorf("shared index: %w", err)
	}
	shared, err := parseIndex(data, r.algo)
	if err != nil {
		return nil, fmt.Errorf("shared index: %w", err)
	}
	joined, err := x.join(shared.entries)
	if err != nil {
		return nil, err
	}
	joined.base = &dep{name, stampOf(info)}
	return joined, nil
}
