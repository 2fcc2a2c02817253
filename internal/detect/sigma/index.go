package sigma

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// entry is a literal in the index and the rules that it guards: a stretch of the
// index's rules.
type entry struct {
	literal
	off      int32 // of the gram that is looked up
	from, to int32
}

// index finds the literals of one log source in the values of an event: by their
// rarest gram, through a small filter and a table. A log source has an index for
// literals of four bytes and more, by 4-grams, and one for shorter ones, by
// pairs.
type index struct {
	gram    int      // bytes of a gram: 4 or 2
	entries []entry  // those of one key are neighbours
	rules   []int32  // of all entries
	filter  []uint64 // bits of key hashes
	table   []int32  // 1 + the first entry of a key; open addressing, a power of two long
	mask    uint32
	fields  []int32 // fields with literals, anyField among them
}

// gramAt reads the bytes of a gram in s as a number, the first lowest.
func gramAt(s string, i, gram int) uint32 {
	g := uint32(s[i]) | uint32(s[i+1])<<8
	if gram == longGram {
		g |= uint32(s[i+2])<<16 | uint32(s[i+3])<<24
	}
	return g
}

// key joins a field and a gram.
func key(field int32, gram uint32) uint64 { return uint64(uint32(field))<<32 | uint64(gram) }

// hash spreads a key (Fibonacci hashing).
func hash(k uint64) uint32 { return uint32((k * 0x9E3779B97F4A7C15) >> 32) }

// indexOf gathers the literals of rules that are at least as long as a gram, and
// shorter than below, each with its rarest gram.
func indexOf(guards map[int32][]literal, gram, below int) index {
	freq := map[uint64]int{}
	guarded := map[literal][]int32{}
	for rule, lits := range guards {
		for _, l := range lits {
			if len(l.text) >= gram && len(l.text) < below {
				guarded[l] = append(guarded[l], rule)
			}
		}
	}
	for l := range guarded {
		for i := 0; i+gram <= len(l.text); i++ {
			freq[key(l.field, gramAt(l.text, i, gram))]++
		}
	}
	x := index{gram: gram}
	for l := range guarded {
		best := 0
		for i := range len(l.text) - gram + 1 {
			if freq[key(l.field, gramAt(l.text, i, gram))] < freq[key(l.field, gramAt(l.text, best, gram))] {
				best = i
			}
		}
		x.entries = append(x.entries, entry{literal: l, off: int32(best)})
	}
	slices.SortFunc(x.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key(gram), b.key(gram)), cmp.Compare(a.text, b.text), cmp.Compare(a.test, b.test))
	})
	for i := range x.entries {
		e := &x.entries[i]
		rules := guarded[e.literal]
		slices.Sort(rules)
		e.from = int32(len(x.rules))
		x.rules = append(x.rules, slices.Compact(rules)...)
		e.to = int32(len(x.rules))
	}
	x.build()
	return x
}

func (e *entry) key(gram int) uint64 { return key(e.field, gramAt(e.text, int(e.off), gram)) }

// build makes filter and table from the entries, which are in the order of their
// keys.
func (x *index) build() {
	size := 1 << bits.Len(uint(4*len(x.entries)+4))
	x.table, x.mask, x.filter = make([]int32, size), uint32(size-1), make([]uint64, max(size*8/64, 1))
	last, field := uint64(0), int32(0)
	for i := range x.entries {
		k := x.entries[i].key(x.gram)
		if i > 0 && k == last {
			continue // found behind the first of its key
		}
		last = k
		h := hash(k)
		bit := h & uint32(len(x.filter)*64-1)
		x.filter[bit/64] |= 1 << (bit % 64)
		s := h & x.mask
		for x.table[s] != 0 {
			s = (s + 1) & x.mask
		}
		x.table[s] = int32(i) + 1
		if f := x.entries[i].field; (f != field || i == 0) && !slices.Contains(x.fields, f) {
			x.fields, field = append(x.fields, f), f
		}
	}
}

// scan looks for the literals of a field in a lower-case value, and lets the
// matcher try the rules of each that is there.
func (x *index) scan(m *Matcher, field int32, v string) {
	if len(v) < x.gram {
		return
	}
	high := uint64(uint32(field)) << 32
	bitMask := uint32(len(x.filter)*64 - 1)
	top := 8 * (x.gram - 1)
	g := gramAt(v, 0, x.gram) << 8
	if x.gram < longGram {
		g &= 0xffff
	}
	for i := x.gram - 1; i < len(v); i++ {
		g = g>>8 | uint32(v[i])<<top
		k := high | uint64(g)
		h := hash(k)
		bit := h & bitMask
		if x.filter[bit/64]&(1<<(bit%64)) == 0 {
			continue
		}
		for s := h & x.mask; x.table[s] != 0; s = (s + 1) & x.mask {
			at := int(x.table[s]) - 1
			if x.entries[at].key(x.gram) != k {
				continue
			}
			for j := at; j < len(x.entries) && x.entries[j].key(x.gram) == k; j++ {
				if e := &x.entries[j]; e.in(v, i-(x.gram-1)) {
					m.tryAll(x.rules[e.from:e.to])
				}
			}
			break
		}
	}
}

// in reports whether the entry's literal stands in v, in the place that its test
// demands, its gram at byte gram.
func (e *entry) in(v string, gram int) bool {
	start := gram - int(e.off)
	if start < 0 || !strings.HasPrefix(v[start:], e.text) {
		return false
	}
	switch e.test {
	case testEqual:
		return start == 0 && len(v) == len(e.text)
	case testPrefix:
		return start == 0
	case testSuffix:
		return start+len(e.text) == len(v)
	}
	return true
}
