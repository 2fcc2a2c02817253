package intent

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // model.bin
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/heedsh/heed/internal/once"
)

// The layout of a model file, all numbers in little endian:
//
//	magic and version   8 bytes, "heedint" and 1
//	checksum           32 bytes, SHA-256 of what follows
//	bits, columns       1 byte each; 1<<bits buckets; columns of the trees
//	rounds, tokens      2 bytes each
//	view                a float32 a block of features
//	bias, scale         others float32 each: of the linear logits
//	threshold           float32
//	calibration         float32 scale, Count float32 shifts
//	tokens              a uint32 each, ascending: what the columns after the shape are
//	cuts                a column: 1 byte n, n float32 ascending
//	trees               a round, an intent but BENIGN: nodes of 2 bytes (column, cut), leaves of a float32
//	weights             others bytes a bucket: int8
const (
	magic      = "heedint\x01"
	headerSize = len(magic) + sha256.Size
)

// others is how many intents there are beside BENIGN, whose logit stays 0.
const others = Count - 1

// Bounds on a model.
const (
	maxBits    = 20
	maxColumns = 255
	maxRounds  = 400
	maxCuts    = 64
	treeDepth  = 5
	treeNodes  = 1<<treeDepth - 1
	treeLeaves = 1 << treeDepth
	treeSize   = 2*treeNodes + 4*treeLeaves
)

// A Model scores commands. It is safe for concurrent use; a nil Model answers
// with [Fallback].
type Model struct {
	bits      int
	rounds    int
	view      [blocks]float32
	bias      [others]float32
	scale     [others]float32
	threshold float32
	calScale  float32
	calShift  [Count]float32
	tokens    []uint32
	cuts      [][]float32
	trees     []byte // read in place
	weights   []byte // read in place
	digest    string
}

//go:embed model.bin
var embedded []byte

// Default returns the model in the program. The first call reads its header
// and a few kilobytes of tables; trees and weights stay where they are. A test
// of this package loads it as [Load] does, so that no start has to look at each
// number. The result is nil, and so answers with [Fallback], if the model were
// broken.
func Default() *Model { return defaultModel.Get() }

var defaultModel = once.Value[*Model]{Make: func() *Model {
	m, err := parse(embedded)
	if err != nil {
		return nil
	}
	return m
}}

// ErrChecksum says that a model's bytes are not those that were written.
var ErrChecksum = errors.New("the checksum does not fit")

// Load reads a model that tools/train wrote. Broken or hostile bytes end in an
// error.
func Load(data []byte) (*Model, error) {
	if len(data) < headerSize || string(data[:len(magic)]) != magic {
		return nil, errors.New("loading an intent model: no model of version 1")
	}
	if sum := sha256.Sum256(data[headerSize:]); !bytes.Equal(sum[:], data[len(magic):headerSize]) {
		return nil, fmt.Errorf("loading an intent model: %w", ErrChecksum)
	}
	m, err := parse(data)
	if err == nil {
		err = m.check()
	}
	if err != nil {
		return nil, fmt.Errorf("loading an intent model: %w", err)
	}
	return m, nil
}

// Digest names the model in records: the SHA-256 of its content in hexadecimal.
// A nil model has the name "fallback".
func (m *Model) Digest() string {
	if m == nil {
		return "fallback"
	}
	return m.digest
}

// Threshold is the harm above which a result is an alarm.
func (m *Model) Threshold() float32 { return m.threshold }

// A reader takes numbers from the front of a string. After one that is not
// there, short is set and everything reads as 0.
type reader struct {
	rest  []byte
	short bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.short, r.rest = true, nil
		return nil
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

func (r *reader) byte() int {
	if s := r.take(1); len(s) > 0 {
		return int(s[0])
	}
	return 0
}

func (r *reader) uint16() int { return r.byte() | r.byte()<<8 }

func (r *reader) uint32() uint32 {
	s := r.take(4)
	if len(s) == 0 {
		return 0
	}
	return binary.LittleEndian.Uint32(s)
}

func (r *reader) float() float32 { return math.Float32frombits(r.uint32()) }

func (r *reader) floats(into []float32) {
	for i := range into {
		into[i] = r.float()
	}
}

// parse reads a model without verifying its checksum and its numbers.
func parse(data []byte) (*Model, error) {
	if len(data) < headerSize || string(data[:len(magic)]) != magic {
		return nil, errors.New("no model of version 1")
	}
	m := &Model{digest: hex.EncodeToString(data[len(magic):headerSize])}
	r := &reader{rest: data[headerSize:]}
	bits, columns := r.byte(), r.byte()
	rounds, tokens := r.uint16(), r.uint16()
	if bits < 6 || bits > maxBits || columns > maxColumns || rounds > maxRounds || columns != int(shapeCount)+tokens+others {
		return nil, errors.New("a size is out of bounds")
	}
	m.bits, m.rounds = bits, rounds
	r.floats(m.view[:])
	r.floats(m.bias[:])
	r.floats(m.scale[:])
	m.threshold, m.calScale = r.float(), r.float()
	r.floats(m.calShift[:])
	m.tokens = make([]uint32, tokens)
	for i := range m.tokens {
		m.tokens[i] = r.uint32()
	}
	m.cuts = make([][]float32, columns)
	for i := range m.cuts {
		n := r.byte()
		if n > maxCuts {
			return nil, errors.New("too many cuts")
		}
		m.cuts[i] = make([]float32, n)
		r.floats(m.cuts[i])
	}
	m.trees = r.take(rounds * others * treeSize)
	m.weights = r.take(others << bits)
	if r.short || len(r.rest) > 0 {
		return nil, errors.New("its length does not fit its sizes")
	}
	return m, nil
}

// check refuses numbers with which a score would make no sense, and columns
// that are not there: a score looks at none of that again.
func (m *Model) check() error {
	numbers := slices.Concat(m.view[:], m.bias[:], m.scale[:], m.calShift[:], []float32{m.threshold, m.calScale})
	numbers = append(numbers, slices.Concat(m.cuts...)...)
	for at := 0; at < len(m.trees); at += treeSize {
		for n := range treeNodes {
			if int(m.trees[at+2*n]) >= len(m.cuts) {
				return errors.New("a tree looks at a column that is not there")
			}
		}
		for n := range treeLeaves {
			numbers = append(numbers, math.Float32frombits(binary.LittleEndian.Uint32(m.trees[at+2*treeNodes+4*n:])))
		}
	}
	for _, x := range numbers {
		if !(x > -1e6 && x < 1e6) {
			return errors.New("a number is out of bounds")
		}
	}
	if !slices.IsSorted(m.tokens) {
		return errors.New("the tokens are not in order")
	}
	return nil
}
