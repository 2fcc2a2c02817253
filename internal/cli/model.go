package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/detect/intent"
	"github.com/heedsh/heed/internal/detect/onnx"
	"github.com/heedsh/heed/internal/explain"
)

// withModel returns an assessor that asks the ONNX classifier in a file
// instead of heed's own model. A file that cannot be used is said once; the
// rules answer in its place.
func withModel(s Streams, a *assess.Assessor, name string) *assess.Assessor {
	if name == "" {
		return a
	}
	c := &classifier{}
	c.model, c.err = onnx.Open(os.DirFS(filepath.Dir(name)), filepath.Base(name), onnx.Options{Engine: modelEngine(s.Env)})
	if c.err != nil {
		fmt.Fprintf(s.Err, "heed: note: the model %s is not used, rules answer in its place: %s\n", explain.Visible(name), explain.Visible(c.err.Error()))
		return a.WithClassifier(c, "")
	}
	return a.WithClassifier(c, "sha256:"+strings.TrimPrefix(c.model.Digest(), "sha256:"))
}

// classifier is an [assess.Classifier] over an ONNX model.
type classifier struct {
	model *onnx.Classifier
	err   error // why there is none
}

// errTail says that a model did not see all of a command: padding could hide
// what stands at its end.
var errTail = errors.New("the command is longer than the model reads")

// Intent implements [assess.Classifier].
func (c *classifier) Intent(text string) (p [intent.Count]float32, err error) {
	if c.err != nil {
		return p, c.err
	}
	r, err := c.model.Classify(strings.ReplaceAll(text, detect.Mask, "…"))
	if err != nil {
		return p, fmt.Errorf("asking the model: %w", err)
	}
	if r.Truncated {
		return p, errTail
	}
	for i, name := range onnx.Names() {
		to, err := intent.Parse(name)
		if err != nil {
			return p, fmt.Errorf("asking the model: %w", err)
		}
		p[to] = r.Probabilities[i]
	}
	return p, nil
}
