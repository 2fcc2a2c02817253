package own

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/detect"
	"github.com/heedsh/heed/internal/detect/intent"
	"github.com/heedsh/heed/internal/detect/onnx"
	"github.com/heedsh/heed/internal/service"
)

// Model opens the ONNX classifier in a file, which is asked instead of heed's own
// model. One that cannot be used answers nothing but that, so that the rules
// answer in its place; err says why. env is heed's own environment.
func Model(name string, env []string) (c service.Classifier, digest string, err error) {
	model, err := onnx.Open(os.DirFS(filepath.Dir(name)), filepath.Base(name), onnx.Options{Engine: modelEngine(env)})
	if err != nil {
		return &classifier{err: err}, "", err
	}
	return &classifier{model: model}, "sha256:" + strings.TrimPrefix(model.Digest(), "sha256:"), nil
}

// classifier is a [service.Classifier] over an ONNX model.
type classifier struct {
	model *onnx.Classifier
	err   error // why there is none
}

// errTail says that a model did not see all of a command: padding could hide
// what stands at its end.
var errTail = errors.New("the command is longer than the model reads")

// Intent implements [service.Classifier].
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
