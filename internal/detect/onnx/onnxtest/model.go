package onnxtest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"testing/fstest"
)

// A Shape is the size of a network.
type Shape struct {
	Vocab, Hidden, Layers, Heads, Inner, Positions, Labels int
	// Decomposed writes LayerNormalization as the operators that exporters
	// used before opset 17.
	Decomposed bool
	// Half stores the weights of the layers as float16.
	Half bool
	// Quantized stores them as int8 and multiplies with MatMulInteger, as
	// dynamic quantization does.
	Quantized bool
	// External stores all large weights in model.onnx_data.
	External bool
}

// Tiny is a shape for tests; MiniLM and CodeBERT are those of the models with
// these names.
func Tiny() Shape {
	return Shape{Vocab: 300, Hidden: 32, Layers: 2, Heads: 4, Inner: 64, Positions: 130, Labels: 5}
}

// MiniLM is the shape of all-MiniLM-L6: 22 million weights.
func MiniLM() Shape {
	return Shape{Vocab: 30522, Hidden: 384, Layers: 6, Heads: 12, Inner: 1536, Positions: 514, Labels: 5}
}

// CodeBERT is the shape of microsoft/codebert-base: 125 million weights.
func CodeBERT() Shape {
	return Shape{Vocab: 50265, Hidden: 768, Layers: 12, Heads: 12, Inner: 3072, Positions: 514, Labels: 5}
}

// A Model is a network with its weights.
type Model struct {
	Shape
	words, positions, types *matrix
	embedNorm               norm
	layers                  []layer
	dense, out              linear
}

type matrix struct {
	rows, cols int
	data       []float32
}

type linear struct {
	w    *matrix // cols of the input by cols of the output
	bias []float32
}

type norm struct{ gamma, beta []float32 }

type layer struct {
	q, k, v, o, up, down linear
	attention, output    norm
}

// random is SplitMix64. Source: Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", OOPSLA 2014.
type random uint64

func (r *random) next() uint64 {
	*r += 0x9e3779b97f4a7c15
	z := uint64(*r)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// numbers makes n numbers between -scale and scale around a middle.
func (r *random) numbers(n int, middle, scale float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = middle + scale*(float32(r.next()>>40)/(1<<23)-1)
	}
	return out
}

func (r *random) matrix(rows, cols int, scale float32) *matrix {
	return &matrix{rows, cols, r.numbers(rows*cols, 0, scale)}
}

func (r *random) linear(in, out int) linear {
	scale := float32(1.5 / math.Sqrt(float64(in)))
	return linear{r.matrix(in, out, scale), r.numbers(out, 0, 0.1)}
}

func (r *random) norm(n int) norm { return norm{r.numbers(n, 1, 0.2), r.numbers(n, 0, 0.1)} }

// New makes a network with weights from a seed.
func New(s Shape, seed uint64) *Model {
	r := random(seed)
	m := &Model{
		Shape: s, words: r.matrix(s.Vocab, s.Hidden, 0.5), positions: r.matrix(s.Positions, s.Hidden, 0.2),
		types: r.matrix(1, s.Hidden, 0.2), embedNorm: r.norm(s.Hidden),
	}
	for range s.Layers {
		m.layers = append(m.layers, layer{
			q: r.linear(s.Hidden, s.Hidden), k: r.linear(s.Hidden, s.Hidden), v: r.linear(s.Hidden, s.Hidden), o: r.linear(s.Hidden, s.Hidden),
			up: r.linear(s.Hidden, s.Inner), down: r.linear(s.Inner, s.Hidden), attention: r.norm(s.Hidden), output: r.norm(s.Hidden),
		})
	}
	m.dense, m.out = r.linear(s.Hidden, s.Hidden), r.linear(s.Hidden, s.Labels)
	return m
}

// Files returns what an export leaves in a directory: model.onnx, config.json
// and tokenizer.json.
func (m *Model) Files() fstest.MapFS {
	model, external := m.onnx()
	names := []string{"BENIGN", "RECONNAISSANCE", "DESTRUCTIVE", "EXFILTRATION", "PERSISTENCE"}
	labels := map[string]string{}
	for i := range m.Labels {
		if m.Labels == len(names) {
			labels[fmt.Sprint(i)] = names[i]
		} else {
			labels[fmt.Sprint(i)] = fmt.Sprintf("LABEL_%d", i)
		}
	}
	config := map[string]any{
		"model_type": "roberta", "id2label": labels, "max_position_embeddings": m.Positions, "pad_token_id": 1,
	}
	files := fstest.MapFS{
		"model.onnx":     {Data: model},
		"config.json":    {Data: marshal(config)},
		"tokenizer.json": {Data: Tokenizer()},
	}
	if external != nil {
		files["model.onnx_data"] = &fstest.MapFile{Data: external}
	}
	return files
}

func marshal(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // of maps and strings
	}
	return data
}

// Tokenizer returns a tokenizer.json of byte-level BPE with a token for every
// byte and a few merges, 300 tokens in all.
func Tokenizer() []byte {
	vocab := map[string]int{"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}
	for b := range 256 {
		vocab[byteLetter(b)] = len(vocab)
	}
	var merges []string
	join := func(left, right string) {
		merges = append(merges, left+" "+right)
		vocab[left+right] = len(vocab)
	}
	for _, pair := range [][2]string{{"Ġ", "-"}, {"r", "m"}, {"e", "r"}, {"r", "f"}, {"Ġ", "r"}, {"l", "s"}, {"Ġ", "/"}, {"c", "u"}, {"r", "l"}, {"cu", "rl"}} {
		join(pair[0], pair[1])
	}
	special := func(id int, text string) map[string]any {
		return map[string]any{"id": id, "content": text, "special": true}
	}
	return marshal(map[string]any{
		"version":        "1.0",
		"added_tokens":   []any{special(0, "<s>"), special(1, "<pad>"), special(2, "</s>"), special(3, "<unk>")},
		"normalizer":     nil,
		"pre_tokenizer":  map[string]any{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
		"post_processor": map[string]any{"type": "RobertaProcessing", "sep": []any{"</s>", 2}, "cls": []any{"<s>", 0}, "trim_offsets": true, "add_prefix_space": false},
		"decoder":        map[string]any{"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true},
		"model":          map[string]any{"type": "BPE", "dropout": nil, "unk_token": nil, "continuing_subword_prefix": "", "end_of_word_suffix": "", "fuse_unk": false, "byte_fallback": false, "vocab": vocab, "merges": merges},
	})
}

// byteLetter is the letter that stands for a byte in GPT-2's files.
func byteLetter(b int) string {
	hidden := 0
	for c := range 256 {
		visible := c > 32 && c < 127 || c > 160 && c != 173
		if c == b {
			if visible {
				return string(rune(c))
			}
			return string(rune(256 + hidden))
		}
		if !visible {
			hidden++
		}
	}
	return ""
}

func floatBytes(v []float32) []byte {
	out := make([]byte, 4*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(x))
	}
	return out
}
