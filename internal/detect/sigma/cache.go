package sigma

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// The cache: 8 bytes of magic, whose last is the version; the CRC-32C of what
// follows; the length of the head; the head, with fields, log sources,
// correlations and the lengths of all bodies; the bodies in that order. Numbers
// are little endian.
const (
	cacheMagic   = "heedsig"
	cacheVersion = 2
	cacheHeader  = len(cacheMagic) + 1 + 4
)

// Encode writes a set as bytes for [Decode]. The same rules make the same bytes.
func Encode(s *Set) ([]byte, error) {
	head, bodies := &writer{}, &writer{}
	add := func(body *writer) {
		head.int(len(body.b))
		bodies.b = append(bodies.b, body.b...)
	}
	head.strings(s.fields)
	head.int(len(s.rules))
	for i := range s.rules {
		meta, body := &writer{}, &writer{}
		meta.meta(s.Meta(i))
		if !s.Meta(i).Correlation {
			n, err := s.tree(int32(i))
			if err != nil {
				return nil, fmt.Errorf("rule %d of the cached set is %w", i, err)
			}
			body.node(n)
		}
		head.bool(s.rules[i].silenced)
		add(meta)
		add(body)
	}
	head.int(len(s.parts))
	for _, p := range s.parts {
		x, err := s.partition(p)
		if err != nil {
			return nil, fmt.Errorf("an index of the cached set is %w", err)
		}
		head.string(p.source.Category)
		head.string(p.source.Product)
		head.string(p.source.Service)
		body := &writer{}
		body.int32s(x.always)
		body.index(&x.long)
		body.index(&x.short)
		add(body)
	}
	head.int(len(s.cors))
	for _, c := range s.cors {
		head.correlation(s, c)
	}
	out := make([]byte, cacheHeader, cacheHeader+4+len(head.b)+len(bodies.b))
	copy(out, cacheMagic)
	out[len(cacheMagic)] = cacheVersion
	out = binary.LittleEndian.AppendUint32(out, uint32(len(head.b)))
	out = append(append(out, head.b...), bodies.b...)
	binary.LittleEndian.PutUint32(out[cacheHeader-4:], checksum(out))
	return out, nil
}

// checksum covers all behind itself.
func checksum(data []byte) uint32 {
	return crc32.Checksum(data[cacheHeader:], crc32.MakeTable(crc32.Castagnoli))
}

// Decode opens what [Encode] wrote. The index of a log source is read with its
// first event, each rule when it is first evaluated; [Set.Verify] reads them all.
// Bytes of another version or
// with a wrong checksum are an error: compile the rules again.
func Decode(data []byte) (*Set, error) {
	s, err := DecodeOwn(string(data))
	if err != nil {
		return nil, err
	}
	if binary.LittleEndian.Uint32(data[cacheHeader-4:]) != checksum(data) {
		return nil, fmt.Errorf("the cache of Sigma rules is damaged: its checksum is wrong")
	}
	return s, nil
}

// DecodeOwn is [Decode] for bytes that are a part of the program: a test verifies
// their checksum, so that no start has to look at each of them.
func DecodeOwn(data string) (*Set, error) {
	if len(data) < cacheHeader+4 || data[:len(cacheMagic)] != cacheMagic {
		return nil, fmt.Errorf("this is no cache of Sigma rules")
	}
	if v := data[len(cacheMagic)]; v != cacheVersion {
		return nil, fmt.Errorf("the cache of Sigma rules has version %d, not %d", v, cacheVersion)
	}
	size := number(data[cacheHeader:], 0)
	data = data[cacheHeader+4:]
	if uint64(size) > uint64(len(data)) {
		return nil, fmt.Errorf("the cache of Sigma rules is %w", errDamaged)
	}
	r := &reader{s: data[:size]}
	s, rest := r.head(data[size:])
	if r.err != nil || r.s != "" || rest != "" {
		return nil, fmt.Errorf("the cache of Sigma rules is %w", errDamaged)
	}
	return s, nil
}

// head reads the head; bodies are what follows it. It returns what is left over.
func (r *reader) head(bodies string) (*Set, string) {
	cut := func() string {
		n := r.int()
		if n > len(bodies) {
			r.fail()
			return ""
		}
		body := bodies[:n]
		bodies = bodies[n:]
		return body
	}
	s := &Set{fields: r.strings()}
	s.fieldID = make(map[string]int32, len(s.fields))
	for i, name := range s.fields {
		s.fieldID[name] = int32(i)
	}
	s.rules = make([]setRule, r.count())
	for i := range s.rules {
		s.rules[i].silenced = r.bool()
		s.rules[i].rawMeta = cut()
		s.rules[i].rawBody = cut()
	}
	for range r.count() {
		s.parts = append(s.parts, &part{source: LogSource{r.string(), r.string(), r.string()}, raw: cut()})
	}
	for range r.count() {
		if c := r.correlation(s); r.err == nil {
			s.cors = append(s.cors, c)
		}
	}
	return s, bodies
}

// Verify reads all rules of a decoded set and reports the first that cannot be.
func (s *Set) Verify() error {
	for _, p := range s.parts {
		x, err := s.partition(p)
		if err != nil {
			return fmt.Errorf("an index of the cache is %w", err)
		}
		if !x.long.verify(len(s.rules)) || !x.short.verify(len(s.rules)) {
			return fmt.Errorf("an index of the cache is %w", errDamaged)
		}
	}
	for i := range s.rules {
		r := &s.rules[i]
		meta := r.meta.Load()
		if meta == nil {
			var err error
			if meta, err = decodeMeta(r.rawMeta); err != nil {
				return fmt.Errorf("rule %d of the cache is %w", i, err)
			}
		}
		if meta.Correlation {
			continue
		}
		if _, err := s.tree(int32(i)); err != nil {
			return fmt.Errorf("rule %d of the cache is %w", i, err)
		}
	}
	return nil
}

func (w *writer) index(x *index) {
	w.int(len(x.fields))
	for _, f := range x.fields {
		w.signed(f)
	}
	w.int(x.size)
	for _, part := range []string{x.entries, x.texts, x.rules, x.filter, x.table} {
		w.string(part)
	}
}

// index reads an index, which stays where it is: what it holds is looked at when
// it is used.
func (r *reader) index(gram, fields int) index {
	x := index{gram: gram, fields: make([]int32, r.count())}
	for i := range x.fields {
		x.fields[i] = r.signed(fields)
	}
	x.size = r.int()
	for _, part := range []*string{&x.entries, &x.texts, &x.rules, &x.filter, &x.table} {
		*part = r.string()
	}
	power := func(n int) bool { return n > 0 && n&(n-1) == 0 }
	if len(x.entries) != entrySize*x.size || len(x.rules)%4 > 0 || len(x.table) < 4 || !power(len(x.table)) || !power(len(x.filter)) {
		r.fail()
	}
	return x
}

func decodePartition(raw string, fields, rules int) (*partition, error) {
	r := &reader{s: raw}
	x := &partition{always: r.int32s(rules)}
	x.long = r.index(longGram, fields)
	if r.err == nil {
		x.short = r.index(shortGram, fields)
	}
	return x, r.err
}

func (w *writer) correlation(s *Set, c *compiledCorrelation) {
	w.int(int(c.rule))
	w.int32s(c.refs)
	w.int(int(c.Type))
	for _, list := range [][]string{c.Rules, c.GroupBy, c.Fields} {
		w.strings(list)
	}
	w.b = binary.LittleEndian.AppendUint64(w.b, uint64(c.Timespan))
	w.int(len(c.Bounds))
	for _, b := range c.Bounds {
		w.int(int(b.Cmp))
		w.float(b.Num)
	}
	w.float(c.Percentile)
	w.string(c.Expr)
	w.bool(c.Generate)
	w.int(len(c.Aliases))
	for _, a := range c.Aliases {
		w.string(a.Name)
		w.strings(a.Rules)
		w.strings(a.Fields)
	}
	for i, ref := range c.refs { // the names by which each rule may be called
		m := s.Meta(int(ref))
		w.strings([]string{c.Rules[i], m.ID, m.Name})
	}
}

func (r *reader) correlation(s *Set) *compiledCorrelation {
	c := &compiledCorrelation{rule: int32(r.below(len(s.rules))), refs: r.int32s(len(s.rules))}
	c.Type = corType(r.below(int(corEnd)))
	c.Rules, c.GroupBy, c.Fields = r.strings(), r.strings(), r.strings()
	c.Timespan = int64(r.uint64())
	for range r.count() {
		c.Bounds = append(c.Bounds, bound{compare(r.below(int(cmpEnd))), r.float()})
	}
	c.Percentile, c.Expr, c.Generate = r.float(), r.string(), r.bool()
	for range r.count() {
		c.Aliases = append(c.Aliases, alias{r.string(), r.strings(), r.strings()})
	}
	ids := make([][]string, len(c.refs))
	for i := range ids {
		ids[i] = r.strings()
	}
	// What check refuses in YAML must not come in by a cache either; besides,
	// Rules and refs belong together, and so do the halves of an alias.
	bad := len(c.Rules) != len(c.refs) || c.Timespan < 0 || c.Percentile != c.Percentile
	for _, a := range c.Aliases {
		bad = bad || len(a.Rules) != len(a.Fields)
	}
	if bad || r.err != nil || c.check() != nil {
		r.fail()
		return c
	}
	c.complete(ids)
	return c
}
