package gitstate

import (
	"math/bits"
	"slices"
	"strings"
)

// maxPath is PATH_MAX of Linux: no longer path can be opened in one call.
const maxPath = 4096

// A glob is a compiled pattern in the language of git's wildmatch.c with
// WM_PATHNAME: ? * and [...] stop at a slash, ** as a whole path element does
// not. It is matched as a set of states, in time linear in the text.
type glob struct {
	toks []token
	eps  uint64 // the states that lead on without reading, where they fit in a word
	fold bool
}

type tokenOp uint8

const (
	opByte  tokenOp = iota // this byte
	opAny                  // any byte but a slash
	opSet                  // one of a set
	opStar                 // any number of bytes but slashes
	opStars                // any number of bytes
	opSkip                 // here, or behind the two tokens that follow: "**/"
	opFail                 // nothing matches: the pattern is malformed from here on
)

type token struct {
	op  tokenOp
	c   byte
	set *byteSet
}

type byteSet [4]uint64

func (s *byteSet) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *byteSet) has(c byte) bool { return s[c>>6]&(1<<(c&63)) != 0 }

// compileGlob compiles a pattern; with fold, ASCII letters match in either case.
func compileGlob(pattern string, fold bool) *glob {
	if fold {
		pattern = foldPattern(pattern)
	}
	g := &glob{fold: fold}
	for i := 0; i < len(pattern); {
		switch c := pattern[i]; c {
		case '?':
			g.toks = append(g.toks, token{op: opAny})
			i++
		case '*':
			i = g.star(pattern, i)
		case '[':
			set, next := parseSet(pattern, i+1, fold)
			if set == nil {
				g.toks = append(g.toks, token{op: opFail})
				return g.done()
			}
			g.toks = append(g.toks, token{op: opSet, set: set})
			i = next
		case '\\':
			if i++; i == len(pattern) {
				g.toks = append(g.toks, token{op: opFail})
				return g.done()
			}
			g.toks = append(g.toks, token{op: opByte, c: pattern[i]})
			i++
		default:
			g.toks = append(g.toks, token{op: opByte, c: c})
			i++
		}
	}
	return g.done()
}

// foldPattern lowers letters, but neither escaped ones nor those in brackets: git's
// wildmatch compares these with a text in lower case, so they match nothing.
func foldPattern(p string) string {
	b := []byte(p)
	for i := 0; i < len(b); i++ {
		if b[i] == '[' {
			if set, next := parseSet(p, i+1, false); set != nil {
				i = next - 1
				continue
			}
		}
		if b[i] == '\\' {
			i++
			continue
		}
		b[i] = lower(b[i])
	}
	return string(b)
}

// star compiles the run of asterisks at i and returns the index behind it.
func (g *glob) star(p string, i int) int {
	start := i
	for i < len(p) && p[i] == '*' {
		i++
	}
	rest := p[i:]
	alone := i-start > 1 && (start == 0 || p[start-1] == '/') &&
		(rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	switch {
	case !alone:
		if n := len(g.toks); n == 0 || g.toks[n-1].op != opStar {
			g.toks = append(g.toks, token{op: opStar})
		}
	case rest != "" && rest[0] == '/':
		g.toks = append(g.toks, token{op: opSkip}, token{op: opStars}, token{op: opByte, c: '/'})
		return i + 1
	default:
		g.toks = append(g.toks, token{op: opStars})
	}
	return i
}

func (g *glob) done() *glob {
	for i, t := range g.toks {
		if i < 64 && (t.op == opStar || t.op == opStars || t.op == opSkip) {
			g.eps |= 1 << i
		}
	}
	return g
}

// parseSet reads a bracket expression from behind its "["; nil if it is malformed.
func parseSet(p string, i int, fold bool) (*byteSet, int) {
	var set byteSet
	at := func(i int) byte {
		if i < len(p) {
			return p[i]
		}
		return 0
	}
	negated := at(i) == '!' || at(i) == '^'
	if negated {
		i++
	}
	prev := byte(0)
	for first := true; first || at(i) != ']'; first = false {
		c := at(i)
		switch {
		case c == 0:
			return nil, 0
		case c == '\\':
			if i++; at(i) == 0 {
				return nil, 0
			}
			c = at(i)
			set.add(c)
		case c == '-' && prev != 0 && at(i+1) != 0 && at(i+1) != ']':
			if i++; at(i) == '\\' {
				i++
			}
			if at(i) == 0 {
				return nil, 0
			}
			set.addRange(prev, at(i), fold)
			c = 0
		case c == '[' && at(i+1) == ':':
			end := strings.IndexByte(p[i+2:], ']')
			if end < 0 {
				return nil, 0
			}
			name, ok := strings.CutSuffix(p[i+2:i+2+end], ":")
			if !ok {
				set.add('[')
				break
			}
			if !set.addClass(name, fold) {
				return nil, 0
			}
			i += 2 + end
			c = 0
		default:
			set.add(c)
		}
		prev = c
		i++
	}
	if negated {
		for w := range set {
			set[w] = ^set[w]
		}
	}
	return set.withoutSlash(), i + 1
}

func (s *byteSet) withoutSlash() *byteSet {
	s['/'>>6] &^= 1 << ('/' & 63)
	return s
}

// addRange adds the bytes from lo to hi; with fold, small letters for capitals too.
func (s *byteSet) addRange(lo, hi byte, fold bool) {
	for c := int(lo); c <= int(hi); c++ {
		s.add(byte(c))
		if fold {
			s.add(lower(byte(c)))
		}
	}
}

// addClass adds a POSIX class by name, in the C locale.
func (s *byteSet) addClass(name string, fold bool) bool {
	in := map[string]func(c byte) bool{
		"alnum":  func(c byte) bool { return isAlpha(c) || isDigit(c) },
		"alpha":  isAlpha,
		"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
		"cntrl":  func(c byte) bool { return c < ' ' || c == 0x7f },
		"digit":  isDigit,
		"graph":  func(c byte) bool { return c > ' ' && c < 0x7f },
		"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
		"print":  func(c byte) bool { return c >= ' ' && c < 0x7f },
		"punct":  func(c byte) bool { return c > ' ' && c < 0x7f && !isAlpha(c) && !isDigit(c) },
		"space":  func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' },
		"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' || fold && 'a' <= c && c <= 'z' },
		"xdigit": func(c byte) bool { return isDigit(c) || 'a' <= lower(c) && lower(c) <= 'f' },
	}[name]
	if in == nil {
		return false
	}
	for c := range 256 {
		if in(byte(c)) {
			s.add(byte(c))
		}
	}
	return true
}

// match reports whether the whole of s matches.
func (g *glob) match(s string) bool {
	var work int
	return g.matchCounting(s, &work)
}

// matchCounting is match that adds the states it looks at to work.
func (g *glob) matchCounting(s string, work *int) bool {
	if len(g.toks) > 60 {
		*work += (1 + len(s)) * len(g.toks)
		return g.matchLong(s)
	}
	cur := g.closure(1)
	for i := range len(s) {
		*work += bits.OnesCount64(cur)
		c := s[i]
		if g.fold {
			c = lower(c)
		}
		var next uint64
		for b := cur; b != 0; b &= b - 1 {
			at := bits.TrailingZeros64(b)
			if at < len(g.toks) {
				step, stay := g.toks[at].read(c)
				if step {
					next |= 1 << (at + 1)
				}
				if stay {
					next |= 1 << at
				}
			}
		}
		if next == 0 {
			return false
		}
		cur = g.closure(next)
	}
	return cur&(1<<len(g.toks)) != 0
}

// read says where a byte leads: to the next state, or to the same one again.
func (t *token) read(c byte) (step, stay bool) {
	switch t.op {
	case opByte:
		return c == t.c, false
	case opAny:
		return c != '/', false
	case opSet:
		return t.set.has(c), false
	case opStar:
		return false, c != '/'
	case opStars:
		return false, true
	}
	return false, false
}

func (g *glob) closure(set uint64) uint64 {
	for b := set & g.eps; b != 0; b &= b - 1 {
		at := bits.TrailingZeros64(b)
		add := uint64(1) << (at + 1)
		if g.toks[at].op == opSkip {
			add |= 1 << (at + 3)
		}
		set |= add
		b |= add & g.eps
	}
	return set
}

// matchLong is match for patterns whose states do not fit in a word.
func (g *glob) matchLong(s string) bool {
	n := len(g.toks)
	cur, next := make([]bool, n+1), make([]bool, n+1)
	cur[0] = true
	g.closureLong(cur)
	for i := range len(s) {
		c := s[i]
		if g.fold {
			c = lower(c)
		}
		clear(next)
		for at := range n {
			if cur[at] {
				step, stay := g.toks[at].read(c)
				next[at+1] = next[at+1] || step
				next[at] = next[at] || stay
			}
		}
		if !slices.Contains(next, true) {
			return false
		}
		g.closureLong(next)
		cur, next = next, cur
	}
	return cur[n]
}

func (g *glob) closureLong(set []bool) {
	for at, t := range g.toks {
		if !set[at] {
			continue
		}
		switch t.op {
		case opStar, opStars:
			set[at+1] = true
		case opSkip:
			set[at+1], set[at+3] = true, true
		}
	}
}
