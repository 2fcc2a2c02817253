package sigma

import (
	"cmp"
	"encoding/binary"
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
//
// It is searched in the form in which it is kept, so that the index of a cache
// costs nothing but the pages that a search touches. All numbers are little
// endian and of four bytes, the filter's of eight.
type index struct {
	gram   int     // bytes of a gram: 4 or 2
	fields []int32 // fields with literals, anyField among them
	size   int     // how many entries there are

	entries string // entrySize bytes each; those of one key are neighbours
	texts   string // of the entries' literals
	rules   string // of all entries
	filter  string // bits of key hashes
	table   string // 1 + the first entry of a key; open addressing, a power of two long
}

// An entry is kept as seven numbers: 1 + the field, the test, where the text is
// and how long, the gram's offset, and the stretch of rules.
const (
	entrySize  = 4 * entryWords
	entryWords = 7
)

// number reads a number of four bytes.
func number(s string, i int) uint32 {
	s = s[4*i:]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// entry reads an entry. For a cache that was made with bad intent it may be
// none.
func (x *index) entry(i int) (e entry, ok bool) {
	at := entryWords * i
	text, n := number(x.entries, at+2), number(x.entries, at+3)
	if uint64(text)+uint64(n) > uint64(len(x.texts)) {
		return e, false
	}
	e.field, e.test, e.text = int32(number(x.entries, at)-1), test(number(x.entries, at+1)), x.texts[text:text+n]
	off := number(x.entries, at+4)
	e.off, e.from, e.to = int32(off), int32(number(x.entries, at+5)), int32(number(x.entries, at+6))
	ok = uint64(off)+uint64(x.gram) <= uint64(n) && e.from >= 0 && e.from <= e.to && int(e.to) <= len(x.rules)/4
	return e, ok
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
	var entries []entry
	for l := range guarded {
		best := 0
		for i := range len(l.text) - gram + 1 {
			if freq[key(l.field, gramAt(l.text, i, gram))] < freq[key(l.field, gramAt(l.text, best, gram))] {
				best = i
			}
		}
		entries = append(entries, entry{literal: l, off: int32(best)})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key(gram), b.key(gram)), cmp.Compare(a.text, b.text), cmp.Compare(a.test, b.test))
	})
	var rules []int32
	for i := range entries {
		e := &entries[i]
		guards := guarded[e.literal]
		slices.Sort(guards)
		e.from = int32(len(rules))
		rules = append(rules, slices.Compact(guards)...)
		e.to = int32(len(rules))
	}
	return keep(gram, entries, rules)
}

func (e *entry) key(gram int) uint64 { return key(e.field, gramAt(e.text, int(e.off), gram)) }

// keep makes an index of entries that are in the order of their keys.
func keep(gram int, entries []entry, rules []int32) index {
	x := index{gram: gram, size: len(entries)}
	size := 1 << bits.Len(uint(2*len(entries)+2))
	table, filter := make([]uint32, size), make([]uint64, max(size*16/64, 1))
	last := uint64(0)
	for i := range entries {
		k := entries[i].key(gram)
		if i > 0 && k == last {
			continue // found behind the first of its key
		}
		last = k
		h := hash(k)
		bit := h & uint32(len(filter)*64-1)
		filter[bit/64] |= 1 << (bit % 64)
		s := h & uint32(size-1)
		for table[s] != 0 {
			s = (s + 1) & uint32(size-1)
		}
		table[s] = uint32(i) + 1
		if f := entries[i].field; !slices.Contains(x.fields, f) {
			x.fields = append(x.fields, f)
		}
	}
	var kept, texts []byte
	for i := range entries {
		e := &entries[i]
		for _, n := range [entryWords]int{int(e.field + 1), int(e.test), len(texts), len(e.text), int(e.off), int(e.from), int(e.to)} {
			kept = binary.LittleEndian.AppendUint32(kept, uint32(n))
		}
		texts = append(texts, e.text...)
	}
	x.entries, x.texts, x.rules, x.table = string(kept), string(texts), numbers(rules), numbers(table)
	var words []byte
	for _, w := range filter {
		words = binary.LittleEndian.AppendUint64(words, w)
	}
	x.filter = string(words)
	return x
}

// numbers writes numbers as [number] reads them.
func numbers[N int32 | uint32](list []N) string {
	b := make([]byte, 0, 4*len(list))
	for _, n := range list {
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	return string(b)
}

// scan looks for the literals of a field in a lower-case value, and lets the
// matcher try the rules of each that is there.
func (x *index) scan(m *Matcher, field int32, v string) {
	if len(v) < x.gram {
		return
	}
	high := uint64(uint32(field)) << 32
	bitMask := uint32(len(x.filter)*8 - 1)
	top := 8 * (x.gram - 1)
	g := gramAt(v, 0, x.gram) << 8
	if x.gram < longGram {
		g &= 0xffff
	}
	for i := x.gram - 1; i < len(v); i++ {
		g = g>>8 | uint32(v[i])<<top
		k := high | uint64(g)
		h := hash(k)
		if bit := h & bitMask; x.filter[bit/8]&(1<<(bit%8)) != 0 {
			x.look(m, k, h, v, i-(x.gram-1))
		}
	}
}

// look tries the rules of the literals whose gram, of this key and hash, stands
// in v at a byte.
func (x *index) look(m *Matcher, k uint64, h uint32, v string, at int) {
	slots := len(x.table) / 4
	for n := range slots { // one is empty, but in a cache that was made with bad intent
		first := int(number(x.table, (int(h)+n)&(slots-1))) - 1
		if first < 0 {
			return
		}
		for i := first; i < x.size; i++ {
			e, ok := x.entry(i)
			switch {
			case !ok:
				m.faults = append(m.faults, -1)
				return
			case e.key(x.gram) == k:
				if e.in(v, at) {
					x.try(m, &e)
				}
				continue
			case i > first:
				return
			}
			break // another key of this hash: look on
		}
	}
}

// try evaluates the rules that an entry guards.
func (x *index) try(m *Matcher, e *entry) {
	for i := e.from; i < e.to; i++ {
		if r := number(x.rules, int(i)); int(r) < len(m.set.rules) {
			m.try(int32(r))
		} else {
			m.faults = append(m.faults, -1)
		}
	}
}

// verify reports whether all of an index can be used in a set of so many fields
// and rules.
func (x *index) verify(rules int) bool {
	for i := range x.size {
		if _, ok := x.entry(i); !ok {
			return false
		}
	}
	for i := range len(x.rules) / 4 {
		if int(number(x.rules, i)) >= rules {
			return false
		}
	}
	return true
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
