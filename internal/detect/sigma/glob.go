package sigma

import (
	"strings"
	"unicode/utf8"
)

// glob is a compiled pattern with wildcards inside: chunks with stars between
// them. It matches whole values.
type glob struct {
	start, end bool // no star before the first chunk, after the last
	chunks     []chunk
}

// chunk is what lies between two stars: pieces of fixed length in characters.
type chunk struct {
	elems  []tok
	anchor int // index of the longest text, -1 if there is none
}

// newGlob splits a pattern at its stars. Texts must be in lower case already
// where case does not matter.
func newGlob(p pattern) *glob {
	g := &glob{start: true, end: true}
	var cur []tok
	for i, t := range p {
		if t.kind != tokStar {
			if n := len(cur); n > 0 && t.kind == tokText && cur[n-1].kind == tokText {
				cur[n-1].text += t.text
			} else {
				cur = append(cur, t)
			}
			continue
		}
		g.start = g.start && i > 0
		g.end = i < len(p)-1
		if len(cur) > 0 {
			g.chunks = append(g.chunks, newChunk(cur))
			cur = nil
		}
	}
	if len(cur) > 0 {
		g.chunks = append(g.chunks, newChunk(cur))
	}
	return g
}

func newChunk(elems []tok) chunk {
	c := chunk{elems: elems, anchor: -1}
	for i, e := range elems {
		if e.kind == tokText && (c.anchor < 0 || len(e.text) > len(elems[c.anchor].text)) {
			c.anchor = i
		}
	}
	return c
}

// match reports whether the glob matches all of v, which must be valid UTF-8.
// Taking the leftmost place for each chunk is enough, because a star follows.
func (g *glob) match(v string) bool {
	chunks := g.chunks
	if len(chunks) == 0 {
		return v == "" || !g.start || !g.end // only stars, or nothing at all
	}
	if g.start {
		n := chunks[0].prefix(v, 0)
		if n < 0 {
			return false
		}
		v, chunks = v[n:], chunks[1:]
		if len(chunks) == 0 {
			return !g.end || v == ""
		}
	}
	last := -1
	if g.end {
		last = len(chunks) - 1
	}
	for i := range chunks {
		if i == last {
			return chunks[i].suffix(v)
		}
		n := chunks[i].find(v)
		if n < 0 {
			return false
		}
		v = v[n:]
	}
	return true
}

// prefix matches the elements from index from on at the start of v and returns
// how many bytes they took, or -1.
func (c *chunk) prefix(v string, from int) int {
	n := 0
	for _, e := range c.elems[from:] {
		if e.kind == tokText {
			if !strings.HasPrefix(v[n:], e.text) {
				return -1
			}
			n += len(e.text)
			continue
		}
		r, width := utf8.DecodeRuneInString(v[n:])
		if width == 0 || e.kind == tokDash && !isDash(r) {
			return -1
		}
		n += width
	}
	return n
}

// before matches the elements before index to at the end of v.
func (c *chunk) before(v string, to int) bool {
	for i := to - 1; i >= 0; i-- {
		e := c.elems[i]
		if e.kind == tokText {
			if !strings.HasSuffix(v, e.text) {
				return false
			}
			v = v[:len(v)-len(e.text)]
			continue
		}
		r, width := utf8.DecodeLastRuneInString(v)
		if width == 0 || e.kind == tokDash && !isDash(r) {
			return false
		}
		v = v[:len(v)-width]
	}
	return true
}

// suffix matches the whole chunk at the end of v.
func (c *chunk) suffix(v string) bool { return c.before(v, len(c.elems)) }

// find returns the end of the leftmost place where the chunk matches, or -1.
func (c *chunk) find(v string) int {
	if c.anchor < 0 {
		for i := range v {
			if n := c.prefix(v[i:], 0); n >= 0 {
				return i + n
			}
		}
		return -1
	}
	text := c.elems[c.anchor].text
	for at := 0; ; {
		i := strings.Index(v[at:], text)
		if i < 0 {
			return -1
		}
		i += at
		if c.before(v[:i], c.anchor) {
			if n := c.prefix(v[i:], c.anchor); n >= 0 {
				return i + n
			}
		}
		at = i + 1
	}
}
