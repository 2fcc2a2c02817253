package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/service"
)

// A Cache is imported Sigma rules, ready to assess with.
type Cache struct {
	Set *sigma.Set
	// Digest names the rules in records: sigma:sha256:….
	Digest string
	// Quiet are the labels of the rules that only annotate, sorted.
	Quiet []string
}

// The form of the file: 8 bytes of magic, whose last is the version; the
// CRC-32C of the head; the length of the head; the head, which is the SHA-256 of
// all that follows and of the quiet labels, and these labels, each behind its
// length; the rules as [sigma.Encode] writes them, which have a checksum of
// their own. Numbers are little endian.
const (
	cacheMagic   = "heedrul"
	cacheVersion = 1
	cacheFixed   = len(cacheMagic) + 1 + 4 + 4
)

// MaxCache is the longest cache that is read, in bytes.
const MaxCache = 64 << 20

// Encode writes a cache as bytes for [Decode] and completes its digest. The
// same rules make the same bytes.
func (c *Cache) Encode() ([]byte, error) {
	body, err := sigma.Encode(c.Set)
	if err != nil {
		return nil, fmt.Errorf("writing the cache of Sigma rules: %w", err)
	}
	var labels []byte
	for _, q := range c.Quiet {
		labels = binary.LittleEndian.AppendUint32(labels, uint32(len(q)))
		labels = append(labels, q...)
	}
	sum := sha256.New()
	sum.Write(labels)
	sum.Write(body)
	digest := sum.Sum(nil)
	c.Digest = named(digest)
	head := append(digest, labels...)
	out := append([]byte(cacheMagic), cacheVersion)
	out = binary.LittleEndian.AppendUint32(out, checksum(head))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(head)))
	out = append(append(out, head...), body...)
	if len(out) > MaxCache {
		return nil, fmt.Errorf("writing the cache of Sigma rules: it has %d bytes, of %d that are read: import fewer rules", len(out), MaxCache)
	}
	return out, nil
}

// named is a digest as records have it.
func named(digest []byte) string { return "sigma:sha256:" + hex.EncodeToString(digest) }

func checksum(data []byte) uint32 {
	return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli))
}

// ErrCache says that bytes are no cache that this heed can use.
var ErrCache = errors.New("import the rules anew (heed rules import)")

// IsCache reports whether bytes begin as a cache does.
func IsCache(data []byte) bool { return bytes.HasPrefix(data, []byte(cacheMagic)) }

// Decode opens what [Cache.Encode] wrote. The cache keeps the bytes, which must
// not change. Rules are read when they are first asked for.
func Decode(data []byte) (*Cache, error) {
	if len(data) < cacheFixed || !IsCache(data) {
		return nil, fmt.Errorf("this is no cache of Sigma rules: %w", ErrCache)
	}
	if v := data[len(cacheMagic)]; v != cacheVersion {
		return nil, fmt.Errorf("the cache has version %d, and this heed reads %d: %w", v, cacheVersion, ErrCache)
	}
	damaged := fmt.Errorf("the cache is damaged: %w", ErrCache)
	sum := binary.LittleEndian.Uint32(data[len(cacheMagic)+1:])
	size := binary.LittleEndian.Uint32(data[cacheFixed-4:])
	data = data[cacheFixed:]
	if uint64(size) > uint64(len(data)) || size < sha256.Size || checksum(data[:size]) != sum {
		return nil, damaged
	}
	head, body := data[:size], data[size:]
	c := &Cache{Digest: named(head[:sha256.Size])}
	for labels := head[sha256.Size:]; len(labels) > 0; {
		if len(labels) < 4 {
			return nil, damaged
		}
		n := binary.LittleEndian.Uint32(labels)
		if labels = labels[4:]; uint64(n) > uint64(len(labels)) {
			return nil, damaged
		}
		c.Quiet = append(c.Quiet, string(labels[:n]))
		labels = labels[n:]
	}
	if !slices.IsSorted(c.Quiet) {
		return nil, damaged
	}
	set, err := sigma.Decode(body)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, ErrCache)
	}
	c.Set = set
	return c, nil
}

// RuleSet returns the rules to assess with.
func (c *Cache) RuleSet() *service.RuleSet {
	quiet := make(map[string]bool, len(c.Quiet))
	for _, q := range c.Quiet {
		quiet[q] = true
	}
	return service.NewRuleSet("imported rules", c.Digest, c.Set, quiet)
}
