//go:build onnxruntime && cgo

package ort

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"github.com/heedsh/heed/internal/detect/onnx"
	"github.com/heedsh/heed/internal/detect/onnx/graph"
)

// Engine is an onnx.Engine. All engines of a process use the same library:
// that of the first one.
type Engine struct {
	// Library is the path of ONNX Runtime's shared library.
	Library string
	// Threads is how many processors a run may use; 0 leaves it to ONNX
	// Runtime.
	Threads int
}

var _ onnx.Engine = Engine{}

// starting keeps two engines from starting the library at once.
var starting sync.Mutex

// Load prepares a model. Weights in files of their own are not read: ONNX
// Runtime would open them itself, by a path that heed does not see.
func (e Engine) Load(model []byte, output string, _ func(string) ([]byte, error)) (onnx.Session, error) {
	if err := e.start(); err != nil {
		return nil, err
	}
	ins, outs, err := ort.GetInputOutputInfoWithONNXData(model)
	if err != nil {
		return nil, fmt.Errorf("reading the model with ONNX Runtime: %w", err)
	}
	s := &session{}
	var names []string
	for _, in := range ins {
		if in.DataType != ort.TensorElementDataTypeInt64 {
			return nil, fmt.Errorf("the input %q is not for 64-bit integers", in.Name)
		}
		dims := make([]int, len(in.Dimensions))
		for i, d := range in.Dimensions {
			dims[i] = int(d)
		}
		s.inputs = append(s.inputs, graph.Input{Name: in.Name, Dims: dims})
		names = append(names, in.Name)
	}
	name := ""
	for _, out := range outs {
		if out.Name == output || len(outs) == 1 {
			name = out.Name
		}
	}
	if name == "" {
		return nil, fmt.Errorf("the model has %d outputs, none is called %q", len(outs), output)
	}
	options, err := ort.NewSessionOptions()
	if err != nil {
		return nil, fmt.Errorf("preparing ONNX Runtime: %w", err)
	}
	defer options.Destroy() //nolint:errcheck // nothing can be done about it
	if e.Threads > 0 {
		if err := options.SetIntraOpNumThreads(e.Threads); err != nil {
			return nil, fmt.Errorf("preparing ONNX Runtime: %w", err)
		}
	}
	if s.session, err = ort.NewDynamicAdvancedSessionWithONNXData(model, names, []string{name}, options); err != nil {
		return nil, fmt.Errorf("preparing the model with ONNX Runtime: %w", err)
	}
	return s, nil
}

// start loads the library, once a process.
func (e Engine) start() error {
	starting.Lock()
	defer starting.Unlock()
	if ort.IsInitialized() {
		return nil
	}
	if e.Library == "" {
		return errors.New("no library of ONNX Runtime was named")
	}
	if strings.ContainsRune(e.Library, 0) {
		return errors.New("the name of the library holds a zero byte")
	}
	ort.SetSharedLibraryPath(e.Library)
	if err := ort.InitializeEnvironment(); err != nil {
		return fmt.Errorf("starting ONNX Runtime: %w", err)
	}
	return nil
}

// A session is a model that ONNX Runtime has prepared. It lives as long as
// the process.
type session struct {
	session *ort.DynamicAdvancedSession
	inputs  []graph.Input
}

// Inputs lists what a run must be given.
func (s *session) Inputs() []graph.Input { return s.inputs }

// Run computes the output. The limit is not kept: ONNX Runtime counts nothing.
func (s *session) Run(inputs map[string][]int64, _ graph.Limit) (numbers []float32, dims []int, err error) {
	values := make([]ort.Value, len(s.inputs))
	defer func() {
		for _, v := range values {
			if v != nil {
				err = errors.Join(err, v.Destroy())
			}
		}
	}()
	for i, in := range s.inputs {
		given := inputs[in.Name]
		t, err := ort.NewTensor(ort.NewShape(1, int64(len(given))), given)
		if err != nil {
			return nil, nil, fmt.Errorf("making the input %s: %w", in.Name, err)
		}
		values[i] = t
	}
	out := []ort.Value{nil}
	if err := s.session.Run(values, out); err != nil {
		return nil, nil, fmt.Errorf("running the model with ONNX Runtime: %w", err)
	}
	defer func() { err = errors.Join(err, out[0].Destroy()) }()
	t, ok := out[0].(*ort.Tensor[float32])
	if !ok {
		return nil, nil, errors.New("the output holds no floats")
	}
	for _, d := range t.GetShape() {
		dims = append(dims, int(d))
	}
	return append([]float32(nil), t.GetData()...), dims, nil
}
