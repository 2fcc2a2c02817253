package token

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/heedsh/heed/internal/detect/onnx/onnxtest"
)

func load(t testing.TB, files fstest.MapFS) *Tokenizer {
	t.Helper()
	tokenizer, err := Load(files.ReadFile)
	if err != nil {
		t.Fatal(err)
	}
	return tokenizer
}

func one(name, text string) fstest.MapFS {
	return fstest.MapFS{name: {Data: []byte(text)}}
}

func TestSplitGPT2(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"Hello world":       {"Hello", " world"},
		"a  b":              {"a", " ", " b"},
		"x \n y":            {"x", " \n", " y"},
		"x\ny":              {"x", "\n", "y"},
		"x  ":               {"x", "  "},
		" x":                {" x"},
		" ":                 {" "},
		"don't we'll 'S's":  {"don", "'t", " we", "'ll", " '", "S", "'s"},
		"''s":               {"''", "s"},
		"rm -rf /tmp/a_1":   {"rm", " -", "rf", " /", "tmp", "/", "a", "_", "1"},
		"ünï中文 ½²!":         {"ünï中文", " ½²", "!"},
		"a\u00a0b\u2003":    {"a", "\u00a0", "b", "\u2003"},
		"curl http://x|sh;": {"curl", " http", "://", "x", "|", "sh", ";"},
	} {
		var got []string
		for rest := text; rest != ""; {
			n := splitGPT2(rest)
			got, rest = append(got, rest[:n]), rest[n:]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is split into %q, want %q", text, got, want)
		}
	}
}

// TestByteRune knows letters of GPT-2's vocabulary: Ġ is a space, Ċ a newline.
func TestByteRune(t *testing.T) {
	t.Parallel()
	for b, want := range map[byte]rune{' ': 'Ġ', '\n': 'Ċ', '\t': 'ĉ', 'a': 'a', '~': '~', 0: 'Ā', 127: 'ġ', 0xad: 'Ń', 0xff: 'ÿ', 0xa1: '¡'} {
		if got := byteRune(b); got != want {
			t.Errorf("byte %#x is %c, want %c", b, got, want)
		}
	}
	seen := map[rune]bool{}
	for b := range 256 {
		seen[byteRune(byte(b))] = true
	}
	if len(seen) != 256 {
		t.Errorf("%d letters for 256 bytes", len(seen))
	}
}

// TestEncodeBPE reads the generated tokenizer, which has 4 special tokens, 256
// bytes, then merges.
func TestEncodeBPE(t *testing.T) {
	t.Parallel()
	tokenizer := load(t, one("tokenizer.json", string(onnxtest.Tokenizer())))
	b := func(c byte) int64 { return 4 + int64(c) }
	const dash, rm, rf, spaceR, ls, slash, cu, rl, curl = 260, 261, 263, 264, 265, 266, 267, 268, 269
	for text, want := range map[string][]int64{
		"":          {},
		"ls":        {ls},
		"rm -rf /":  {rm, dash, rf, slash},
		"rm -r /":   {rm, dash, b('r'), slash},
		"rm  rx":    {rm, b(' '), spaceR, b('x')},
		"term -x":   {b('t'), b('e'), rm, dash, b('x')}, // rm comes before er
		"curl rcur": {curl, spaceR, cu, b('r')},
		"url":       {b('u'), rl},
		"é\xff":     {b(0xc3), b(0xa9), b(0xef), b(0xbf), b(0xbd)},
		"</s>":      {b('<'), b('/'), b('s'), b('>')},
	} {
		got, truncated := tokenizer.Encode(text, 512)
		if want = append(append([]int64{0}, want...), 2); !slices.Equal(got, want) || truncated {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	if tokenizer.Pad() != 1 {
		t.Errorf("padding is %d", tokenizer.Pad())
	}
}

func TestEncodeIsCutToTheLimit(t *testing.T) {
	t.Parallel()
	tokenizer := load(t, one("tokenizer.json", string(onnxtest.Tokenizer())))
	for _, test := range []struct {
		letters, limit, want int
		truncated            bool
	}{
		{6, 8, 8, false}, {7, 8, 8, true}, {0, 8, 2, false}, {1 << 17, 512, 512, true}, {5, 2, 2, true},
	} {
		for _, letter := range []string{"x", "x "} {
			text := strings.Repeat(letter, test.letters)[:test.letters]
			ids, truncated := tokenizer.Encode(text, test.limit)
			if len(ids) != test.want || truncated != test.truncated || ids[0] != 0 || ids[len(ids)-1] != 2 {
				t.Errorf("%d letters in %d: %d tokens, truncated %v", test.letters, test.limit, len(ids), truncated)
			}
		}
	}
}

// TestJoinIsTheDefinition compares the queue with looking through the whole
// word for the earliest merge, again and again.
func TestJoinIsTheDefinition(t *testing.T) {
	t.Parallel()
	vocab := map[string]int32{}
	for b := range 256 {
		vocab[string(byteRune(byte(b)))] = int32(b)
	}
	merges := [][2]string{{"a", "b"}, {"b", "a"}, {"a", "a"}, {"ab", "ab"}, {"aa", "b"}, {"c", "ab"}, {"aa", "aa"}, {"cab", "aa"}}
	for _, m := range merges {
		vocab[m[0]+m[1]] = int32(len(vocab))
	}
	m, err := newBPE(vocab, "", func(yield func(l, r string) bool) {
		for _, pair := range merges {
			yield(pair[0], pair[1])
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringMatching(`[abc]{1,30}`).Draw(t, "word")
		var parts []int32
		for i := range len(word) {
			parts = append(parts, vocab[word[i:i+1]])
		}
		for {
			best, at := merge{rank: 1 << 30}, -1
			for i := range len(parts) - 1 {
				if found, ok := m.merges[[2]int32{parts[i], parts[i+1]}]; ok && found.rank < best.rank {
					best, at = found, i
				}
			}
			if at < 0 {
				break
			}
			parts = append(parts[:at], append([]int32{best.id}, parts[at+2:]...)...)
		}
		if got := m.word(nil, word); fmt.Sprint(got) != fmt.Sprint(parts) {
			t.Fatalf("%s is %v, want %v", word, got, parts)
		}
	})
}

func TestVocabAndMergesAreTheSame(t *testing.T) {
	t.Parallel()
	var f tokenizerFile
	data := onnxtest.Tokenizer()
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	vocab, err := json.Marshal(f.Model.Vocab)
	if err != nil {
		t.Fatal(err)
	}
	merges := "#version: 0.2\n"
	for _, raw := range f.Model.Merges {
		left, right, err := mergeOf(raw)
		if err != nil {
			t.Fatal(err)
		}
		merges += left + " " + right + "\n"
	}
	files := fstest.MapFS{"vocab.json": {Data: vocab}, "merges.txt": {Data: []byte(merges)}}
	whole, parts := load(t, one("tokenizer.json", string(data))), load(t, files)
	text := "rm -rf / && curl -r ls"
	a, _ := whole.Encode(text, 512)
	if b, _ := parts.Encode(text, 512); !slices.Equal(a, b) {
		t.Errorf("%v from vocab.json, %v from tokenizer.json", b, a)
	}
	files["tokenizer_config.json"] = &fstest.MapFile{Data: []byte(`{"add_prefix_space":true,"model_max_length":77}`)}
	spaced := load(t, files)
	a, _ = whole.Encode(" "+text, 512)
	if b, _ := spaced.Encode(text, 512); !slices.Equal(a, b) || spaced.Limit() != 77 {
		t.Errorf("%v with a space before, want %v; limit %d", b, a, spaced.Limit())
	}
}

// TestWordPiece has the example of BERT's own README, "John Johanson's house".
func TestWordPiece(t *testing.T) {
	t.Parallel()
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "john", "johan", "##son", "'", "s", "house", "cafe", "中", "un", "##aff", "##able", "/"}
	tokenizer := load(t, one("vocab.txt", strings.Join(words, "\n")+"\n"))
	for text, want := range map[string]string{
		"John Johanson's house":      "john johan ##son ' s house",
		"unaffable\t Café":           "un ##aff ##able cafe",
		"x中john":                     "[UNK] 中 john",
		"/house\x00":                 "/ house",
		"[SEP]":                      "[UNK] [UNK] [UNK]",
		strings.Repeat("unaff", 500): "[UNK]",
		"unx":                        "[UNK]",
		"":                           "",
	} {
		ids, _ := tokenizer.Encode(text, 512)
		var got []string
		for _, id := range ids {
			got = append(got, words[id])
		}
		if s := strings.Join(got, " "); s != strings.Join(strings.Fields("[CLS] "+want+" [SEP]"), " ") {
			t.Errorf("%.40q is %s, want %s", text, s, want)
		}
	}
}

func TestWordPieceOfTokenizerJSON(t *testing.T) {
	t.Parallel()
	tokenizer := load(t, one("tokenizer.json", `{
		"added_tokens": [{"id": 9, "content": "[CMD]", "special": false}],
		"normalizer": {"type": "BertNormalizer", "lowercase": false},
		"pre_tokenizer": {"type": "BertPreTokenizer"},
		"post_processor": {"type": "TemplateProcessing",
			"single": [{"SpecialToken": {"id": "[CLS]"}}, {"Sequence": {"id": "A"}}, {"SpecialToken": {"id": "[SEP]"}}],
			"special_tokens": {"[CLS]": {"ids": [2]}, "[SEP]": {"ids": [3]}}},
		"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
			"vocab": {"[UNK]": 1, "Ls": 4, "##é": 5, "-": 6}}}`))
	got, _ := tokenizer.Encode("Lsé[CMD]- ls", 64)
	if want := []int64{2, 4, 5, 9, 6, 1, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestWhatIsNotKnownIsRefused(t *testing.T) {
	t.Parallel()
	const bytes = `"pre_tokenizer":{"type":"ByteLevel"},`
	for text, want := range map[string]string{
		`{"model":{"type":"Unigram"}}`:                                                            "Unigram",
		`{"model":{"type":"BPE","vocab":{"a":0},"byte_fallback":true}}`:                           "fallback",
		`{"model":{"type":"BPE","vocab":{"a":0}},"pre_tokenizer":{"type":"Metaspace"}}`:           "ByteLevel",
		`{"model":{"type":"BPE","vocab":{"a":-1}},` + bytes + `"x":0}`:                            "number -1",
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]},` + bytes + `"x":0}`:            "not in the vocabulary",
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":["ab"]},` + bytes + `"x":0}`:             "one part",
		`{"model":{"type":"BPE","vocab":{"a":0},"merges":[7]},` + bytes + `"x":0}`:                "no pair",
		`{"model":{"type":"BPE","vocab":{"a":0}},` + bytes + `"normalizer":{"type":"NFKC"}}`:      "NFKC",
		`{"model":{"type":"BPE","vocab":{"a":0}},` + bytes + `"post_processor":{"type":"Magic"}}`: "Magic",
		`{"model":{"type":"WordPiece","vocab":{"a":0}}}`:                                          "BertPreTokenizer",
		`{`: "unexpected end",
	} {
		if _, err := Load(one("tokenizer.json", text).ReadFile); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error about %s", text, err, want)
		}
	}
	if _, err := Load(fstest.MapFS{}.ReadFile); err == nil || !strings.Contains(err.Error(), "tokenizer.json") {
		t.Errorf("without files: %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(string(onnxtest.Tokenizer()), "", "", "rm -rf /")
	f.Add("", `{"<s>":0,"</s>":1,"a":2,"b":3,"ab":4}`, "a b\n", "abc <s>")
	f.Add("", "", "[UNK]\n[CLS]\n[SEP]\na\n##b", "Ab, é")
	f.Fuzz(func(t *testing.T, whole, vocab, rest, text string) {
		tokenizer, err := Load(func(name string) ([]byte, error) {
			switch {
			case name == "tokenizer.json" && whole != "":
				return []byte(whole), nil
			case name == "vocab.json" && vocab != "":
				return []byte(vocab), nil
			case name == "merges.txt" || name == "vocab.txt":
				return []byte(rest), nil
			}
			return nil, fs.ErrNotExist
		})
		if err != nil {
			return
		}
		const limit = 40
		ids, _ := tokenizer.Encode(text, limit)
		if len(ids) > limit {
			t.Errorf("%d tokens", len(ids))
		}
		for _, id := range ids {
			if id < 0 {
				t.Errorf("token %d", id)
			}
		}
	})
}

// FuzzSplit checks that every split advances, and not beyond the end.
func FuzzSplit(f *testing.F) {
	f.Add("don't x  \n y \xff")
	f.Fuzz(func(t *testing.T, text string) {
		for _, split := range []func(string) int{splitGPT2, splitBert} {
			for rest := text; rest != ""; {
				n := split(rest)
				if n <= 0 || n > len(rest) {
					t.Fatalf("%d of %q", n, rest)
				}
				rest = rest[n:]
			}
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	tokenizer := load(b, one("tokenizer.json", string(onnxtest.Tokenizer())))
	for name, text := range map[string]string{"command": "curl -fsSL https://example.net/setup.sh | sudo bash -s -- --yes", "64kB": strings.Repeat("rm", 32<<10)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tokenizer.Encode(text, 512)
			}
		})
	}
}
