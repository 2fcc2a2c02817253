package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A bpe joins neighbouring tokens of a word, first those that the merges name
// first. Source: Sennrich, Haddow and Birch, arXiv:1508.07909; over bytes as
// in GPT-2.
type bpe struct {
	bytes   [256]int32 // the token of a byte, -1 if there is none
	unknown int64      // -1 if bytes without a token are left out
	merges  map[[2]int32]merge
}

// A merge says which token two tokens make, and how early.
type merge struct{ rank, id int32 }

// byteRune returns the letter that stands for a byte in the files: itself if
// it can be seen, else one from U+0100 on. Source: bytes_to_unicode in GPT-2's
// encoder.py.
func byteRune(b byte) rune {
	visible := func(b int) bool { return b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE }
	if visible(int(b)) {
		return rune(b)
	}
	n := rune(0)
	for k := range int(b) {
		if !visible(k) {
			n++
		}
	}
	return 0x100 + n
}

// newBPE makes the model. next gives the parts of one merge after the other.
func newBPE(vocab map[string]int32, unknown string, next func(yield func(left, right string) bool)) (*bpe, error) {
	m := &bpe{unknown: -1, merges: make(map[[2]int32]merge, len(vocab))}
	known := 0
	for b := range m.bytes {
		id, ok := vocab[string(byteRune(byte(b)))]
		if !ok {
			id = -1
		} else {
			known++
		}
		m.bytes[b] = id
	}
	if known == 0 {
		return nil, errors.New("the vocabulary has no tokens for bytes")
	}
	if id, ok := vocab[unknown]; ok {
		m.unknown = int64(id)
	}
	var err error
	rank := int32(0)
	next(func(left, right string) bool {
		a, okA := vocab[left]
		b, okB := vocab[right]
		c, okC := vocab[left+right]
		if !okA || !okB || !okC {
			err = fmt.Errorf("merge %d, of %.40q and %.40q, is not in the vocabulary", rank, left, right)
			return false
		}
		if _, twice := m.merges[[2]int32{a, b}]; !twice {
			m.merges[[2]int32{a, b}] = merge{rank, c}
		}
		rank++
		return rank <= maxVocab
	})
	return m, err
}

// A symbol is a part of a word, linked to its neighbours; -1 is none.
type symbol struct {
	id         int32
	prev, next int32
}

// A candidate is a merge that may be possible where it was found.
type candidate struct {
	rank, at, left, right, id int32
}

func (c candidate) before(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.at < d.at
}

func (m *bpe) word(ids []int64, word string) []int64 {
	symbols := make([]symbol, 0, len(word))
	for i := range len(word) {
		id := m.bytes[word[i]]
		if id < 0 {
			id = int32(m.unknown)
			if id < 0 {
				continue
			}
		}
		k := int32(len(symbols))
		symbols = append(symbols, symbol{id, k - 1, k + 1})
	}
	if len(symbols) == 0 {
		return ids
	}
	symbols[len(symbols)-1].next = -1
	m.join(symbols)
	for k := int32(0); k >= 0; k = symbols[k].next {
		ids = append(ids, int64(symbols[k].id))
	}
	return ids
}

// join merges until nothing can be merged. The first symbol always stays.
func (m *bpe) join(symbols []symbol) {
	var queue heap
	offer := func(at int32) {
		if at < 0 || symbols[at].next < 0 {
			return
		}
		left, right := symbols[at].id, symbols[symbols[at].next].id
		if found, ok := m.merges[[2]int32{left, right}]; ok {
			queue.push(candidate{found.rank, at, left, right, found.id})
		}
	}
	for at := range symbols {
		offer(int32(at))
	}
	for len(queue) > 0 {
		c := queue.pop()
		here := &symbols[c.at]
		if here.id != c.left || here.next < 0 || symbols[here.next].id != c.right {
			continue // something was merged here since
		}
		gone := here.next
		here.id, here.next = c.id, symbols[gone].next
		if here.next >= 0 {
			symbols[here.next].prev = c.at
		}
		symbols[gone] = symbol{id: -1, prev: -1, next: -1}
		offer(here.prev)
		offer(c.at)
	}
}

// A heap keeps the earliest candidate first.
type heap []candidate

func (h *heap) push(c candidate) {
	s := append(*h, c)
	k := len(s) - 1
	for k > 0 && s[k].before(s[(k-1)/2]) {
		s[k], s[(k-1)/2] = s[(k-1)/2], s[k]
		k = (k - 1) / 2
	}
	*h = s
}

func (h *heap) pop() candidate {
	s := *h
	top := s[0]
	last := len(s) - 1
	s[0] = s[last]
	s = s[:last]
	for k := 0; ; {
		least := k
		for _, child := range [2]int{2*k + 1, 2*k + 2} {
			if child < len(s) && s[child].before(s[least]) {
				least = child
			}
		}
		if least == k {
			break
		}
		s[k], s[least] = s[least], s[k]
		k = least
	}
	*h = s
	return top
}

// splitGPT2 returns the length of the first match of GPT-2's pattern,
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// which matches somewhere from every point on. Source: GPT-2's encoder.py.
func splitGPT2(text string) int {
	if text[0] == '\'' {
		for _, end := range []string{"s", "t", "re", "ve", "m", "ll", "d"} {
			if strings.HasPrefix(text[1:], end) {
				return 1 + len(end)
			}
		}
	}
	start := 0
	if text[0] == ' ' && len(text) > 1 {
		start = 1
	}
	r, n := utf8.DecodeRuneInString(text[start:])
	kind := class(r)
	if kind == classSpace {
		return splitSpace(text)
	}
	end := start + n
	for end < len(text) {
		r, n = utf8.DecodeRuneInString(text[end:])
		if class(r) != kind {
			break
		}
		end += n
	}
	return end
}

// splitSpace takes all white space up to the end of the text, but leaves the
// last of it to the word that follows.
func splitSpace(text string) int {
	end, last := 0, 0
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if class(r) != classSpace {
			break
		}
		last = end
		end += n
	}
	if end < len(text) && last > 0 {
		return last
	}
	return end
}

// The classes of letters that the pattern knows.
const (
	classSpace = iota
	classLetter
	classNumber
	classOther
)

func class(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return classSpace
	case unicode.IsLetter(r):
		return classLetter
	case unicode.IsNumber(r):
		return classNumber
	}
	return classOther
}

// bpeFiles reads vocab.json and merges.txt, which is one merge a line after a
// line with the version.
func bpeFiles(vocab, merges []byte, prefixSpace bool) (*Tokenizer, error) {
	var ids map[string]int32
	if err := json.Unmarshal(vocab, &ids); err != nil {
		return nil, err
	}
	if err := checkVocab(ids); err != nil {
		return nil, err
	}
	if len(merges) > maxFile {
		return nil, fmt.Errorf("merges.txt has more than %d bytes", maxFile)
	}
	m, err := newBPE(ids, "<unk>", func(yield func(left, right string) bool) {
		for line := range strings.Lines(string(merges)) {
			line = strings.TrimRight(line, "\r\n")
			left, right, ok := strings.Cut(line, " ")
			if !ok || strings.HasPrefix(line, "#version") {
				continue
			}
			if !yield(left, right) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	start, okStart := ids["<s>"]
	end, okEnd := ids["</s>"]
	if !okStart || !okEnd {
		return nil, errors.New("the vocabulary has no <s> and </s>")
	}
	t := &Tokenizer{prefix: []int64{int64(start)}, suffix: []int64{int64(end)}, split: splitGPT2, words: m}
	t.pad = int64(ids["<pad>"])
	if prefixSpace {
		t.normalize = prefixed
	}
	return t, nil
}

// prefixed puts a space before text that has none.
func prefixed(text string) string {
	if text == "" || text[0] == ' ' {
		return text
	}
	return " " + text
}

func checkVocab(ids map[string]int32) error {
	if len(ids) == 0 || len(ids) > maxVocab {
		return fmt.Errorf("a vocabulary of %d tokens", len(ids))
	}
	for word, id := range ids {
		if id < 0 {
			return fmt.Errorf("token %.40q has the number %d", word, id)
		}
	}
	return nil
}
