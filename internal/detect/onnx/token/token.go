package token

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// Bounds of the files and of the text.
const (
	maxFile  = 64 << 20
	maxVocab = 1 << 20
	maxText  = 64 << 10
)

// A Tokenizer is safe for concurrent use.
type Tokenizer struct {
	prefix, suffix []int64 // around every sequence
	pad            int64
	normalize      func(string) string
	split          func(text string) int // length of the first word
	words          model
	added          []addedToken
	limit          int // the longest sequence that the files speak of, or 0
}

// A model cuts a word into tokens of its vocabulary.
type model interface {
	word(ids []int64, word string) []int64
}

// Load reads the tokenizer of a model through read, which answers an error
// that is [fs.ErrNotExist] for a file that is not there.
func Load(read func(name string) ([]byte, error)) (*Tokenizer, error) {
	settings, err := loadSettings(read)
	if err != nil {
		return nil, err
	}
	var t *Tokenizer
	name := "tokenizer.json"
	if data, err := optional(read, name); err != nil {
		return nil, err
	} else if data != nil {
		t, err = parseTokenizer(data)
		return t.finish(settings, name, err)
	}
	name = "vocab.json"
	if vocab, err := optional(read, name); err != nil {
		return nil, err
	} else if vocab != nil {
		merges, err := read("merges.txt")
		if err != nil {
			return nil, fmt.Errorf("reading the merges beside vocab.json: %w", err)
		}
		t, err = bpeFiles(vocab, merges, settings.AddPrefixSpace)
		return t.finish(settings, name, err)
	}
	name = "vocab.txt"
	vocab, err := optional(read, name)
	if err != nil {
		return nil, err
	}
	if vocab == nil {
		return nil, errors.New("there is no tokenizer.json, no vocab.json and no vocab.txt beside the model")
	}
	t, err = wordPieceFile(vocab, settings.LowerCase == nil || *settings.LowerCase)
	return t.finish(settings, name, err)
}

func (t *Tokenizer) finish(s settings, name string, err error) (*Tokenizer, error) {
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	// Tokenizers without a limit have one of 10^30.
	if s.MaxLength >= 8 && s.MaxLength <= 1<<20 {
		t.limit = int(s.MaxLength)
	}
	return t, nil
}

func optional(read func(string) ([]byte, error), name string) ([]byte, error) {
	data, err := read(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case len(data) > maxFile:
		return nil, fmt.Errorf("reading %s: it has more than %d bytes", name, maxFile)
	case data == nil:
		data = []byte{}
	}
	return data, nil
}

// Pad is the token that fills a sequence up.
func (t *Tokenizer) Pad() int64 { return t.pad }

// Limit is the longest sequence that the tokenizer's files allow, 0 if they do
// not say.
func (t *Tokenizer) Limit() int { return t.limit }

// Encode returns the tokens of text with the model's own around them, at most
// limit together, and whether some of the text was left out. Bytes that are no
// UTF-8 count as U+FFFD.
func (t *Tokenizer) Encode(text string, limit int) (ids []int64, truncated bool) {
	if len(text) > maxText {
		text, truncated = cut(text, maxText), true
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	room := max(0, limit-len(t.prefix)-len(t.suffix))
	ids = append(ids, t.prefix...)
	for text != "" && len(ids)-len(t.prefix) <= room {
		part, next, id := t.nextAdded(text)
		ids = t.plain(ids, part, room+len(t.prefix)+1)
		if id >= 0 {
			ids = append(ids, id)
		}
		text = next
	}
	if text != "" || len(ids)-len(t.prefix) > room {
		truncated = true
	}
	ids = ids[:min(len(ids), room+len(t.prefix))]
	return append(ids, t.suffix...), truncated
}

// plain appends the tokens of text, and stops when there are more than enough.
func (t *Tokenizer) plain(ids []int64, text string, enough int) []int64 {
	if t.normalize != nil {
		text = t.normalize(text)
	}
	for text != "" && len(ids) < enough {
		n := t.split(text)
		ids = t.words.word(ids, text[:n])
		text = text[n:]
	}
	return ids
}

// cut returns the first n bytes of text, or up to three less, so that no rune
// is divided.
func cut(text string, n int) string {
	for k := range utf8.UTFMax {
		if utf8.RuneStart(text[n-k]) {
			return text[:n-k]
		}
	}
	return text[:n]
}

// An addedToken is one that is looked for in the text before it is split.
type addedToken struct {
	text string
	id   int64
}

// nextAdded returns the text before the first added token, that after it, and
// its number, -1 if there is none.
func (t *Tokenizer) nextAdded(text string) (before, after string, id int64) {
	first, found := len(text), -1
	for k, a := range t.added {
		at := strings.Index(text, a.text)
		if at >= 0 && (at < first || (at == first && len(a.text) > len(t.added[found].text))) {
			first, found = at, k
		}
	}
	if found < 0 {
		return text, "", -1
	}
	return text[:first], text[first+len(t.added[found].text):], t.added[found].id
}
