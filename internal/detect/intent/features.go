package intent

import (
	"math"
	"math/bits"
)

// The blocks of features. Each has its own norm, so that a long command's
// thousand character n-grams do not drown its three effects.
const (
	blockWords  = iota // words of the text
	blockPairs         // neighbouring words
	blockChars         // character 3- to 5-grams
	blockArgv          // programs, and programs with an argument
	blockTokens        // effect tokens, and pairs of them
	blockShape         // the structural features in steps
	blocks
)

// Blocks is how many kinds of features there are: words, pairs of words,
// character n-grams, programs with their arguments, effect tokens, structure.
const Blocks = blocks

// Bounds on what is looked at, in bytes of the text's head and tail each and of
// all resolved words together, and in the count of tokens that are paired.
const (
	maxPart  = 2048
	maxArgv  = 2048
	maxPairs = 24
)

// A Scratch is the working memory of a score. Its zero value is ready; one that
// is used again spares allocations. It is not safe for concurrent use.
type Scratch struct {
	text     []byte   // the text, normalized
	seen     []uint64 // a bit a bucket
	features []uint32 // bucket | block << 24
	counts   [blocks]int32
	shape    Shape
	steps    [maxColumns + 1]uint8 // the columns of the trees
}

// Features returns the hashed features of an input: the bucket, of which there
// are 1<<bits, in the low 24 bits and the block above them, each pair once. The
// slice is valid until the scratch space is used again.
func Features(in *Input, bits int, s *Scratch) []uint32 {
	s.reset(min(bits, maxBits))
	mask := uint32(1)<<min(bits, maxBits) - 1
	s.normalize(in.Text)
	s.words(mask)
	s.chars(mask)
	s.argv(in.Argv, mask)
	s.tokens(in.Tokens, mask)
	s.shape.measure(in)
	for i, v := range s.shape {
		s.add(blockShape, mix(uint32(i)<<8|uint32(step(v))), mask)
	}
	return s.features
}

func (s *Scratch) reset(bits int) {
	words := 1 << max(bits-6, 0)
	if len(s.seen) != words {
		s.seen = make([]uint64, words)
	} else {
		for _, f := range s.features {
			s.seen[f&0xffffff>>6] = 0
		}
	}
	s.features = s.features[:0]
	s.counts = [blocks]int32{}
}

func (s *Scratch) add(block int, hash, mask uint32) {
	b := mix(hash+uint32(block)*0x9e3779b9) & mask
	if s.seen[b>>6]&(1<<(b&63)) != 0 {
		return
	}
	s.seen[b>>6] |= 1 << (b & 63)
	s.features = append(s.features, b|uint32(block)<<24)
	s.counts[block]++
}

// normalize writes the text's head and tail to s.text with runs of digits as
// one 0, runs of blanks as one space, runs of bytes beyond ASCII as one, and
// the authority of a URL as h: which number, host or language it is says
// nothing about the intent that would hold elsewhere.
func (s *Scratch) normalize(text string) {
	s.text = s.text[:0]
	if len(text) > 2*maxPart {
		s.part(text[:maxPart])
		text = text[len(text)-maxPart:]
	}
	s.part(text)
}

func (s *Scratch) part(text string) {
	var last byte = ' '
	s.text = append(s.text, ' ')
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= '0' && c <= '9':
			c = '0'
		case c == Mask || c >= 0x80:
			c |= c & 0x80
			if c >= 0x80 {
				c = 0x80
			}
		case c <= ' ' || c == 0x7f:
			c = ' '
		default:
			s.text = append(s.text, c)
			if c == '/' && last == '/' && i >= 2 && text[i-2] == ':' {
				i = authorityEnd(text, i+1) - 1
				s.text = append(s.text, 'h')
			}
			last = c
			continue
		}
		if c != last {
			s.text = append(s.text, c)
		}
		last = c
	}
	if last != ' ' {
		s.text = append(s.text, ' ')
	}
}

func authorityEnd(text string, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case c <= ' ', c == '/', c == '"', c == '\'', c == '`', c == '|', c == ';', c == ')', c == '&', c == '<', c == '>', c == '?':
			return i
		}
		i++
	}
	return i
}

// isOperator says whether a byte is a word of its own in shell.
func isOperator(c byte) bool {
	switch c {
	case '|', ';', '&', '<', '>', '(', ')':
		return true
	}
	return false
}

// words adds the words of the text and their pairs. Quotes are not part of a
// word.
func (s *Scratch) words(mask uint32) {
	const none = 0
	h, before := uint32(none), uint32(none)
	flush := func() {
		if h != none {
			s.add(blockWords, h, mask)
			s.add(blockPairs, before*31+h, mask)
			before, h = h, none
		}
	}
	for i, c := range s.text {
		switch {
		case c == ' ' || c == Mask:
			flush()
		case isOperator(c):
			if i > 0 && s.text[i-1] != c {
				flush()
			}
			h = hashByte(h|1, c)
			if i+1 < len(s.text) && s.text[i+1] != c {
				flush()
			}
		case c == '"' || c == '\'':
		default:
			if h == none {
				h = fnvBasis
			}
			h = hashByte(h, c)
		}
	}
	flush()
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// chars adds the character n-grams of the text, in lower case. None spans a
// mask.
func (s *Scratch) chars(mask uint32) {
	for i := range s.text {
		h := uint32(fnvBasis)
		for n := 0; n < 5 && i+n < len(s.text); n++ {
			c := s.text[i+n]
			if c == Mask {
				break
			}
			h = hashByte(h, lower(c))
			if n >= 2 {
				s.add(blockChars, h, mask)
			}
		}
	}
}

// argv adds each program, each of its arguments with it, and pairs of programs
// that follow each other.
func (s *Scratch) argv(argv [][]string, mask uint32) {
	left, before := maxArgv, uint32(fnvBasis)
	for _, words := range argv {
		if len(words) == 0 {
			continue
		}
		program := hashWord(fnvBasis, base(words[0]), &left)
		s.add(blockArgv, program, mask)
		s.add(blockArgv, before*31+program, mask)
		before = program
		for i, w := range words[1:] {
			if left <= 0 {
				return
			}
			if w == "" || w[0] == Mask {
				continue
			}
			h := hashWord(hashByte(program, ' '), w, &left)
			s.add(blockArgv, h, mask)
			if i == 0 && len(words) > 2 { // a subcommand with its first argument
				s.add(blockArgv, hashWord(hashByte(h, ' '), words[2], &left), mask)
			}
		}
	}
}

// base is the part of a path after its last slash.
func base(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' && i+1 < len(path) {
			return path[i+1:]
		}
	}
	return path
}

// hashWord hashes a word as normalize would write it, without URLs, and takes
// its length from left.
func hashWord(h uint32, w string, left *int) uint32 {
	w = w[:min(len(w), max(*left, 0))]
	*left -= len(w) + 1
	var last byte
	for i := range len(w) {
		c := w[i]
		if c >= '0' && c <= '9' {
			c = '0'
			if last == c {
				continue
			}
		}
		h = hashByte(h, c)
		last = c
	}
	return h
}

// tokens adds the effect tokens and the pairs of the first of them: a read of a
// secret and a connection are each ordinary, together they are not.
func (s *Scratch) tokens(tokens []Token, mask uint32) {
	tokens = tokens[:min(len(tokens), maxTokens)]
	for i, t := range tokens {
		s.add(blockTokens, uint32(t), mask)
		if i >= maxPairs {
			continue
		}
		for _, u := range tokens[:i] {
			a, b := uint32(min(t, u)), uint32(max(t, u))
			s.add(blockTokens, mix(a)+bits.RotateLeft32(b, 7), mask)
		}
	}
}

// Norm is the value of each of n features of a block. Where an example has many
// features their sum would grow with its length, so that they share a fixed
// length; effects and structure count as they are.
func Norm(block, n int) float32 {
	switch {
	case n <= 0:
		return 0
	case block == blockTokens || block == blockShape:
		return 0.3
	}
	return float32(1 / math.Sqrt(float64(n)))
}
