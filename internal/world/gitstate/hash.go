package gitstate

import (
	"crypto/sha1" //nolint:gosec // git's object ids, not a security boundary here
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"strings"
)

// An oid is the raw bytes of an object id; empty for none.
type oid string

func (id oid) hex() string { return hex.EncodeToString([]byte(id)) }

func (id oid) isNull() bool { return strings.Trim(string(id), "\x00") == "" }

// A hashAlgo is a repository's object format: the length of an id in bytes
// (gitformat-index(5): 20 for SHA-1, 32 for SHA-256).
type hashAlgo int

const (
	sha1Algo   hashAlgo = sha1.Size
	sha256Algo hashAlgo = sha256.Size
)

func (a hashAlgo) size() int    { return int(a) }
func (a hashAlgo) hexSize() int { return 2 * int(a) }

func (a hashAlgo) new() hash.Hash {
	if a == sha256Algo {
		return sha256.New()
	}
	return sha1.New() //nolint:gosec // see the import
}

// blobID is the id git gives to these bytes as a blob.
func (a hashAlgo) blobID(data []byte) oid { return a.objectID("blob", data) }

func (a hashAlgo) objectID(kind string, data []byte) oid {
	h := a.new()
	h.Write([]byte(kind + " " + strconv.Itoa(len(data)) + "\x00"))
	h.Write(data)
	return oid(h.Sum(nil))
}

// parse reads an id in hexadecimal, exactly as long as the format's.
func (a hashAlgo) parse(s string) (oid, bool) {
	if len(s) != a.hexSize() {
		return "", false
	}
	raw, err := hex.DecodeString(s)
	if err != nil {
		return "", false
	}
	return oid(raw), true
}
