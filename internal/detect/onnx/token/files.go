package token

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// settings is what tokenizer_config.json says, as far as it is needed.
type settings struct {
	AddPrefixSpace bool    `json:"add_prefix_space"`
	LowerCase      *bool   `json:"do_lower_case"`
	MaxLength      float64 `json:"model_max_length"`
}

func loadSettings(read func(string) ([]byte, error)) (settings, error) {
	var s settings
	data, err := optional(read, "tokenizer_config.json")
	if err != nil || data == nil {
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("reading tokenizer_config.json: %w", err)
	}
	return s, nil
}

// A tokenizerFile is tokenizer.json. Source: the crate tokenizers 0.20,
// whose types it is the serialization of.
type tokenizerFile struct {
	Added []struct {
		ID      int64  `json:"id"`
		Content string `json:"content"`
		Special bool   `json:"special"`
	} `json:"added_tokens"`
	Normalizer    *component `json:"normalizer"`
	PreTokenizer  *component `json:"pre_tokenizer"`
	PostProcessor *component `json:"post_processor"`
	Model         modelFile  `json:"model"`
}

// A component is one stage; which fields matter depends on its type.
type component struct {
	Type           string          `json:"type"`
	AddPrefixSpace *bool           `json:"add_prefix_space"`
	UseRegex       *bool           `json:"use_regex"`
	CleanText      *bool           `json:"clean_text"`
	Chinese        *bool           `json:"handle_chinese_chars"`
	Accents        *bool           `json:"strip_accents"`
	Lowercase      *bool           `json:"lowercase"`
	Sep            json.RawMessage `json:"sep"`
	Cls            json.RawMessage `json:"cls"`
	Single         []piece         `json:"single"`
	Special        map[string]struct {
		IDs []int64 `json:"ids"`
	} `json:"special_tokens"`
	Processors []*component `json:"processors"`
}

// A piece is a part of a template: a special token or the text.
type piece struct {
	SpecialToken *struct {
		ID string `json:"id"`
	}
	Sequence *struct {
		ID string `json:"id"`
	}
}

// A modelFile is the model's part of tokenizer.json.
type modelFile struct {
	Type         string            `json:"type"`
	Vocab        map[string]int32  `json:"vocab"`
	Merges       []json.RawMessage `json:"merges"`
	Unknown      string            `json:"unk_token"`
	Inner        string            `json:"continuing_subword_prefix"`
	End          string            `json:"end_of_word_suffix"`
	Dropout      float64           `json:"dropout"`
	ByteFallback bool              `json:"byte_fallback"`
	IgnoreMerges bool              `json:"ignore_merges"`
	Longest      int               `json:"max_input_chars_per_word"`
}

func parseTokenizer(data []byte) (*Tokenizer, error) {
	var f tokenizerFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	t := &Tokenizer{}
	if err := t.addTokens(&f); err != nil {
		return nil, err
	}
	var err error
	switch f.Model.Type {
	case "BPE":
		err = t.useBPE(&f)
	case "WordPiece":
		err = t.useWordPiece(&f)
	default:
		err = fmt.Errorf("a tokenizer of type %.40q is not known, only BPE and WordPiece", f.Model.Type)
	}
	if err != nil {
		return nil, err
	}
	return t, t.surround(f.PostProcessor)
}

// addTokens notes the padding and tokens to look for in the text. Special ones
// are not looked for: see the package comment.
func (t *Tokenizer) addTokens(f *tokenizerFile) error {
	if len(f.Added) > 1000 {
		return fmt.Errorf("%d added tokens", len(f.Added))
	}
	for _, name := range []string{"[PAD]", "<pad>"} {
		if id, ok := f.Model.Vocab[name]; ok {
			t.pad = int64(id)
		}
	}
	for _, a := range f.Added {
		if a.ID < 0 || a.ID > maxVocab {
			return fmt.Errorf("the added token %.40q has the number %d", a.Content, a.ID)
		}
		if a.Content == "<pad>" || a.Content == "[PAD]" {
			t.pad = a.ID
		}
		if !a.Special && a.Content != "" {
			t.added = append(t.added, addedToken{a.Content, a.ID})
		}
	}
	return nil
}

func (t *Tokenizer) useBPE(f *tokenizerFile) error {
	m := &f.Model
	if err := checkVocab(m.Vocab); err != nil {
		return err
	}
	switch {
	case m.Inner != "" || m.End != "" || m.ByteFallback || m.IgnoreMerges || m.Dropout != 0:
		return errors.New("BPE with prefixes, suffixes, fallback, dropout or words outside its merges is not known")
	case f.PreTokenizer == nil || f.PreTokenizer.Type != "ByteLevel" || !is(f.PreTokenizer.UseRegex, true):
		return errors.New("BPE is known over bytes only, split by the pattern of GPT-2 (pre_tokenizer ByteLevel)")
	case f.Normalizer != nil && f.Normalizer.Type != "Lowercase":
		return fmt.Errorf("the normalizer %.40q is not known", f.Normalizer.Type)
	}
	var fault error
	words, err := newBPE(m.Vocab, m.Unknown, func(yield func(left, right string) bool) {
		for _, raw := range m.Merges {
			left, right, err := mergeOf(raw)
			if err != nil {
				fault = err
				return
			}
			if !yield(left, right) {
				return
			}
		}
	})
	if err = errors.Join(fault, err); err != nil {
		return err
	}
	t.words, t.split = words, splitGPT2
	lower, space := f.Normalizer != nil, is(f.PreTokenizer.AddPrefixSpace, true)
	if lower || space {
		t.normalize = func(text string) string {
			if lower {
				text = strings.ToLower(text)
			}
			if space {
				text = prefixed(text)
			}
			return text
		}
	}
	return nil
}

// mergeOf reads "a b" or ["a","b"], as older and newer versions write it.
func mergeOf(raw json.RawMessage) (left, right string, err error) {
	var joined string
	if err := json.Unmarshal(raw, &joined); err == nil {
		left, right, ok := strings.Cut(joined, " ")
		if !ok {
			return "", "", fmt.Errorf("the merge %.40q has one part", joined)
		}
		return left, right, nil
	}
	var pair []string
	if err := json.Unmarshal(raw, &pair); err != nil || len(pair) != 2 {
		return "", "", errors.New("a merge that is no pair")
	}
	return pair[0], pair[1], nil
}

func (t *Tokenizer) useWordPiece(f *tokenizerFile) error {
	m := &f.Model
	if m.Unknown == "" {
		m.Unknown = "[UNK]"
	}
	if m.Longest == 0 {
		m.Longest = 100
	}
	if f.PreTokenizer == nil || f.PreTokenizer.Type != "BertPreTokenizer" {
		return errors.New("WordPiece is known with the pre-tokenizer BertPreTokenizer only")
	}
	if n := f.Normalizer; n != nil {
		if n.Type != "BertNormalizer" {
			return fmt.Errorf("the normalizer %.40q is not known", n.Type)
		}
		lower := is(n.Lowercase, true)
		b := bertNormalizer{clean: is(n.CleanText, true), chinese: is(n.Chinese, true), accents: is(n.Accents, lower), lower: lower}
		t.normalize = b.apply
	}
	words, err := newWordPiece(m.Vocab, m.Unknown, m.Inner, m.Longest)
	t.words, t.split = words, splitBert
	return err
}

func is(b *bool, otherwise bool) bool {
	if b == nil {
		return otherwise
	}
	return *b
}

// surround sets what stands around every sequence.
func (t *Tokenizer) surround(p *component) error {
	if p == nil || p.Type == "ByteLevel" {
		return nil
	}
	switch p.Type {
	case "RobertaProcessing", "BertProcessing":
		start, err := numbered(p.Cls)
		if err != nil {
			return err
		}
		end, err := numbered(p.Sep)
		t.prefix, t.suffix = []int64{start}, []int64{end}
		return err
	case "TemplateProcessing":
		return t.template(p)
	case "Sequence":
		for _, inner := range p.Processors {
			if inner == nil || inner.Type == "Sequence" || inner.Type != "ByteLevel" && t.prefix != nil {
				return errors.New("a sequence of post-processors that is not known")
			}
			if err := t.surround(inner); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("the post-processor %.40q is not known", p.Type)
}

// numbered reads a token with its number: ["</s>", 2].
func numbered(raw json.RawMessage) (int64, error) {
	var pair []json.RawMessage
	var id int64
	if err := json.Unmarshal(raw, &pair); err != nil || len(pair) != 2 || json.Unmarshal(pair[1], &id) != nil || id < 0 {
		return 0, errors.New("a special token that is no pair of name and number")
	}
	return id, nil
}

func (t *Tokenizer) template(p *component) error {
	seen := false
	for _, s := range p.Single {
		switch {
		case s.Sequence != nil && !seen:
			seen = true
		case s.SpecialToken != nil && len(t.prefix)+len(t.suffix) < 16:
			ids := p.Special[s.SpecialToken.ID].IDs
			if len(ids) != 1 || ids[0] < 0 {
				return fmt.Errorf("the template's token %.40q has no number", s.SpecialToken.ID)
			}
			if seen {
				t.suffix = append(t.suffix, ids[0])
			} else {
				t.prefix = append(t.prefix, ids[0])
			}
		default:
			return errors.New("a template that is not known")
		}
	}
	if !seen {
		return errors.New("a template without the text")
	}
	return nil
}
