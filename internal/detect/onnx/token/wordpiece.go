package token

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A wordPiece cuts a word into the longest tokens of its vocabulary from the
// left on. Source: tokenization.py of google-research/bert.
type wordPiece struct {
	vocab   map[string]int32
	unknown int64
	inner   string // before a token that continues a word
	longest int    // letters of a word that is looked at at all
	bytes   int    // of the longest token
}

func newWordPiece(vocab map[string]int32, unknown, inner string, longest int) (*wordPiece, error) {
	if err := checkVocab(vocab); err != nil {
		return nil, err
	}
	id, ok := vocab[unknown]
	if !ok {
		return nil, fmt.Errorf("the vocabulary has no token for unknown words, %.40q", unknown)
	}
	if longest < 1 || longest > 1000 {
		return nil, fmt.Errorf("words of at most %d letters", longest)
	}
	w := &wordPiece{vocab: vocab, unknown: int64(id), inner: inner, longest: longest}
	for word := range vocab {
		w.bytes = max(w.bytes, len(word))
	}
	return w, nil
}

func (w *wordPiece) word(ids []int64, word string) []int64 {
	if strings.TrimSpace(word) == "" {
		return ids
	}
	if utf8.RuneCountInString(word) > w.longest {
		return append(ids, w.unknown)
	}
	start := len(ids)
	inner := ""
	for rest := word; rest != ""; inner = w.inner {
		id, n := w.piece(inner, rest)
		if n == 0 {
			return append(ids[:start], w.unknown)
		}
		ids = append(ids, id)
		rest = rest[n:]
	}
	return ids
}

// piece returns the longest token at the start of rest, and its length.
func (w *wordPiece) piece(inner, rest string) (int64, int) {
	for n := min(len(rest), w.bytes); n > 0; n-- {
		if n < len(rest) && !utf8.RuneStart(rest[n]) {
			continue
		}
		if id, ok := w.vocab[inner+rest[:n]]; ok {
			return int64(id), n
		}
	}
	return 0, 0
}

// bertNormalizer says how text is cleaned before it is split.
type bertNormalizer struct {
	clean, chinese, accents, lower bool
}

func (b bertNormalizer) apply(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case b.clean && (r == 0 || r == utf8.RuneError || isControl(r)):
		case b.clean && unicode.IsSpace(r):
			out.WriteByte(' ')
		case b.chinese && isChinese(r):
			out.WriteByte(' ')
			out.WriteRune(r)
			out.WriteByte(' ')
		default:
			out.WriteRune(r)
		}
	}
	text = out.String()
	if b.accents {
		text = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Mn, r) {
				return -1
			}
			return r
		}, norm.NFD.String(text))
	}
	if b.lower {
		text = strings.ToLower(text)
	}
	return text
}

func isControl(r rune) bool {
	return r != '\t' && r != '\n' && r != '\r' && unicode.Is(unicode.C, r)
}

// isChinese knows the blocks of ideographs that BERT sets apart.
func isChinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF ||
		r >= 0x2A700 && r <= 0x2B73F || r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF ||
		r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}

// splitBert returns the length of the first word: white space, one sign of
// punctuation, or a run of anything else.
func splitBert(text string) int {
	r, end := utf8.DecodeRuneInString(text)
	if isPunct(r) {
		return end
	}
	space := unicode.IsSpace(r)
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if isPunct(r) || unicode.IsSpace(r) != space {
			break
		}
		end += n
	}
	return end
}

// isPunct counts all ASCII signs that are no letters or digits.
func isPunct(r rune) bool {
	return r >= '!' && r <= '/' || r >= ':' && r <= '@' || r >= '[' && r <= '`' || r >= '{' && r <= '~' || unicode.IsPunct(r)
}

// wordPieceFile reads vocab.txt: a token a line, numbered from 0.
func wordPieceFile(vocab []byte, lower bool) (*Tokenizer, error) {
	ids := map[string]int32{}
	n := int32(0)
	for line := range strings.Lines(string(vocab)) {
		if n >= maxVocab {
			return nil, fmt.Errorf("more than %d tokens", maxVocab)
		}
		ids[strings.TrimRight(line, "\r\n")] = n
		n++
	}
	w, err := newWordPiece(ids, "[UNK]", "##", 100)
	if err != nil {
		return nil, err
	}
	start, okStart := ids["[CLS]"]
	end, okEnd := ids["[SEP]"]
	if !okStart || !okEnd {
		return nil, errors.New("the vocabulary has no [CLS] and [SEP]")
	}
	normalizer := bertNormalizer{clean: true, chinese: true, accents: lower, lower: lower}
	return &Tokenizer{
		prefix: []int64{int64(start)}, suffix: []int64{int64(end)}, pad: int64(ids["[PAD]"]),
		normalize: normalizer.apply, split: splitBert, words: w,
	}, nil
}
