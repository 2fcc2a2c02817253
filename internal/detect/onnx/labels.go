package onnx

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/detect/onnx/graph"
)

// maxLabels bounds the labels of a model.
const maxLabels = 256

// A config is what config.json and heed-model.json say, as far as it is
// needed. The second file is heed's own and may be missing.
type config struct {
	ModelType    string            `json:"model_type"`
	Labels       map[string]string `json:"id2label"`
	NumLabels    int               `json:"num_labels"`
	Problem      string            `json:"problem_type"`
	MaxPositions int               `json:"max_position_embeddings"`
	PadToken     *int64            `json:"pad_token_id"`
	Heed         heedModel         `json:"heed"`
	MaxTokens    int               `json:"-"`
}

// heedModel is what heed-model.json holds, or the field "heed" of config.json.
type heedModel struct {
	// Intents maps labels, or their numbers, to names of intents.
	Intents map[string]string `json:"intents"`
	// MaxTokens is the longest sequence that the model was trained for.
	MaxTokens int `json:"max_tokens"`
}

func loadConfig(read func(string) ([]byte, error)) (*config, error) {
	c := &config{}
	data, err := read("config.json")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("there is no config.json beside the model, which names its labels")
	case err != nil:
		return nil, fmt.Errorf("reading config.json: %w", err)
	}
	if err := json.Unmarshal(data, c); err != nil {
		return nil, fmt.Errorf("reading config.json: %w", err)
	}
	data, err = read("heed-model.json")
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("reading heed-model.json: %w", err)
	default:
		c.Heed = heedModel{}
		if err := json.Unmarshal(data, &c.Heed); err != nil {
			return nil, fmt.Errorf("reading heed-model.json: %w", err)
		}
	}
	c.MaxTokens = c.Heed.MaxTokens
	return c, nil
}

// behindPadding reports whether positions begin behind the number of the padding, as
// in RoBERTa. Source: create_position_ids_from_input_ids in transformers.
func (c *config) behindPadding() bool {
	switch c.ModelType {
	case "roberta", "xlm-roberta", "camembert", "longformer", "mpnet":
		return true
	}
	return false
}

func (c *config) padding() int64 {
	if c.PadToken != nil && *c.PadToken >= 0 && *c.PadToken < maxTokens {
		return *c.PadToken
	}
	return 1
}

// firstPosition is the position of the first token.
func (c *config) firstPosition() int64 {
	if c.behindPadding() {
		return c.padding() + 1
	}
	return 0
}

// positions returns how many tokens have a position, 0 if nothing is said.
func (c *config) positions() int {
	if c.MaxPositions <= 0 {
		return 0
	}
	return max(0, c.MaxPositions-int(c.firstPosition()))
}

// labels maps the numbers of a model's output to intents.
type labels struct {
	intents []int // by label
	sigmoid bool  // one number: how likely the second label is
}

// labels returns what the model's outputs mean.
func (c *config) labels() (labels, error) {
	if c.Problem != "" && c.Problem != "single_label_classification" {
		return labels{}, fmt.Errorf("config.json: the problem_type %.60q is not known, only single_label_classification", c.Problem)
	}
	names, err := c.names()
	if err != nil {
		return labels{}, fmt.Errorf("config.json: %w", err)
	}
	l := labels{intents: make([]int, len(names))}
	var unknown []string
	for i, name := range names {
		intent, ok := c.intent(i, name, len(names))
		if !ok {
			unknown = append(unknown, strconv.Quote(name))
		}
		l.intents[i] = intent
	}
	if len(unknown) > 0 {
		shown := strings.Join(unknown[:min(len(unknown), 8)], ", ")
		intents := Names()
		return labels{}, fmt.Errorf("the model's labels %.400s are no intents (%s): say in heed-model.json which they are",
			shown, strings.Join(intents[:], ", "))
	}
	if len(names) == 1 {
		l = labels{intents: []int{Benign, l.intents[0]}, sigmoid: true}
	}
	return l, nil
}

// names returns the labels in the order of the outputs. Without any there are
// LABEL_0 and LABEL_1, as in transformers.
func (c *config) names() ([]string, error) {
	n := len(c.Labels)
	if n == 0 {
		n = 2
		if c.NumLabels > 0 {
			n = c.NumLabels
		}
	}
	if n > maxLabels {
		return nil, fmt.Errorf("%d labels, at most %d are read", n, maxLabels)
	}
	names := make([]string, n)
	for i := range names {
		names[i] = "LABEL_" + strconv.Itoa(i)
		if len(c.Labels) == 0 {
			continue
		}
		name, ok := c.Labels[strconv.Itoa(i)]
		if !ok {
			return nil, fmt.Errorf("id2label has %d labels but none of number %d", n, i)
		}
		names[i] = name
	}
	return names, nil
}

// intent returns what a label means: what heed-model.json says; an intent's
// own name; or, of two labels, harmless and dangerous.
func (c *config) intent(i int, name string, of int) (int, bool) {
	for said, intent := range c.Heed.Intents {
		if strings.EqualFold(said, name) || said == strconv.Itoa(i) {
			return intentOf(intent)
		}
	}
	if k, ok := intentOf(name); ok {
		return k, true
	}
	plain := strings.ToLower(name)
	if of == 2 && (plain == "label_0" || plain == "label_1") {
		return []int{Benign, Destructive}[i], true
	}
	if of <= 2 {
		switch plain {
		case "secure", "safe", "clean", "normal", "non-defective", "not defective", "good":
			return Benign, true
		case "insecure", "unsafe", "defective", "malicious", "dangerous", "vulnerable", "bad":
			return Destructive, true
		}
	}
	return 0, false
}

func intentOf(name string) (int, bool) {
	for k, n := range Names() {
		if strings.EqualFold(n, strings.TrimSpace(name)) {
			return k, true
		}
	}
	return 0, false
}

// probabilities turns logits into probabilities of intents.
func (l labels) probabilities(logits []float32) ([Intents]float32, error) {
	var p [Intents]float32
	want := len(l.intents)
	if l.sigmoid {
		want = 1
	}
	if len(logits) != want {
		return p, fmt.Errorf("the model has %d outputs and config.json %d labels", len(logits), want)
	}
	top := logits[0]
	for _, v := range logits {
		if !finite(v) {
			return p, fmt.Errorf("the model answers %g, which is no number", v)
		}
		top = max(top, v)
	}
	if l.sigmoid {
		logits, top = []float32{0, logits[0]}, max(0, logits[0])
	}
	sum := 0.0
	parts := make([]float64, len(logits))
	for i, v := range logits {
		parts[i] = graph.Exp(float64(v) - float64(top))
		sum += parts[i]
	}
	for i, v := range parts {
		p[l.intents[i]] += float32(v / sum)
	}
	return p, nil
}
