package graph

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/detect/onnx/onnxtest"
)

func tiny(tb testing.TB, change func(s *onnxtest.Shape)) []byte {
	tb.Helper()
	s := onnxtest.Tiny()
	s.Hidden, s.Heads, s.Inner, s.Positions, s.Layers = 8, 2, 8, 20, 1
	if change != nil {
		change(&s)
	}
	return onnxtest.New(s, 3).Files()["model.onnx"].Data
}

func missing(string) ([]byte, error) { return nil, fs.ErrNotExist }

func sequence(n int) map[string][]int64 {
	ids, mask := make([]int64, n), make([]int64, n)
	for i := range ids {
		ids[i], mask[i] = int64(4+i), 1
	}
	return map[string][]int64{"input_ids": ids, "attention_mask": mask}
}

// message builds a protocol buffer of fields with a length and of numbers.
type message []byte

func (m message) sub(field int, b []byte) message {
	m = binary.AppendUvarint(m, uint64(field<<3|2))
	return append(binary.AppendUvarint(m, uint64(len(b))), b...)
}

func (m message) int(field int, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field<<3)), v)
}

func step(op string, in, out []string) message {
	var n message
	for _, s := range in {
		n = n.sub(1, []byte(s))
	}
	for _, s := range out {
		n = n.sub(2, []byte(s))
	}
	return n.sub(4, []byte(op))
}

func input(name string) message {
	kind := message{}.int(1, 7)
	return message{}.sub(1, []byte(name)).sub(2, message{}.sub(1, kind))
}

func model(graph message) []byte { return message{}.sub(7, graph) }

func TestHostileModelsAreRefused(t *testing.T) {
	t.Parallel()
	in, out := message{}.sub(11, input("x")), message{}.sub(12, input("y"))
	good := step("Identity", []string{"x"}, []string{"y"})
	graph := func(parts ...message) []byte { return model(slices.Concat(parts...)) }
	weight := func(t message) message { return message{}.sub(5, t.sub(8, []byte("w"))) }
	external := func(key, value string) message {
		return message{}.sub(13, message{}.sub(1, []byte(key)).sub(2, []byte(value)))
	}
	outside := func(name string) message {
		return weight(slices.Concat(message{}.int(1, 1).int(2, 1).int(14, 1), external("location", name)))
	}
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"empty":           {nil, "no ONNX graph"},
		"text":            {[]byte("#!/bin/sh\necho"), "reading the model"},
		"cut":             {tiny(t, nil)[:1000], "ends too early"},
		"two graphs":      {slices.Concat(graph(in), graph(in)), "two graphs"},
		"cycle":           {graph(in, out, message{}.sub(1, step("Add", []string{"x", "b"}, []string{"a"})), message{}.sub(1, step("Identity", []string{"a"}, []string{"b"}))), "does not exist before it"},
		"itself":          {graph(in, out, message{}.sub(1, step("Identity", []string{"y"}, []string{"y"}))), "does not exist before it"},
		"set twice":       {graph(in, out, message{}.sub(1, good), message{}.sub(1, good)), "set twice"},
		"no such output":  {graph(in, out), "no node makes"},
		"unknown":         {graph(in, out, message{}.sub(1, step("Loop", []string{"x"}, []string{"y"}))), `"Loop"`},
		"subgraph":        {graph(in, out, message{}.sub(1, good.sub(5, message{}.sub(1, []byte("body")).sub(6, nil)))), "hold graphs"},
		"huge":            {graph(in, weight(message{}.int(1, 1<<20).int(1, 1<<20).int(2, 1))), "too large"},
		"negative":        {graph(in, weight(message{}.int(1, 1<<63).int(2, 1))), "a dimension of"},
		"overflow":        {graph(in, weight(message{}.int(1, 0).int(1, 1<<28).int(1, 1<<28).int(2, 1))), "too large"},
		"rank":            {graph(in, weight(message{}.int(1, 1).int(1, 1).int(1, 1).int(1, 1).int(1, 1).int(1, 1).int(1, 1).int(1, 1).int(1, 1))), "more than 8"},
		"short weight":    {graph(in, weight(message{}.int(1, 2).int(2, 1).sub(9, make([]byte, 7)))), "7 bytes"},
		"strings":         {graph(in, weight(message{}.int(1, 1).int(2, 8).sub(9, nil))), "type 8"},
		"external above":  {graph(in, outside("../../etc/passwd")), "not a file below"},
		"external root":   {graph(in, outside("/etc/passwd")), "not a file below"},
		"external none":   {graph(in, outside("w.bin")), "does not exist"},
		"many nodes":      {graph(in, out, message(strings.Repeat(string(message{}.sub(1, nil)), maxNodes+1))), "more than 65536 nodes"},
		"bad wire":        {[]byte{0x3b, 0}, "wire type"},
		"endless varint":  {[]byte{0x38, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, "too early"},
		"length too long": {[]byte{0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f}, "too early"},
	} {
		_, err := Load(test.data, "y", missing)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want an error with %q", name, err, test.want)
		}
	}
	if _, err := Load(graph(in, out, message{}.sub(1, good)), "y", missing); err != nil {
		t.Errorf("the good one: %v", err)
	}
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	m, err := Load(tiny(t, nil), "logits", missing)
	if err != nil {
		t.Fatal(err)
	}
	enough := Limit{Work: 1 << 20, Memory: 1 << 20}
	if _, _, err := m.Run(sequence(9), enough); err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Run(sequence(9), Limit{Work: 1 << 10, Memory: 1 << 20}); !errors.Is(err, ErrBudget) {
		t.Errorf("little work: %v", err)
	}
	if _, _, err := m.Run(sequence(9), Limit{Work: 1 << 20, Memory: 1 << 10}); !errors.Is(err, ErrMemory) {
		t.Errorf("little memory: %v", err)
	}
	if _, _, err := m.Run(sequence(19), Limit{Work: 1 << 20, Memory: 1 << 20}); err == nil {
		t.Error("a position beyond the table was found")
	}
	if _, _, err := m.Run(map[string][]int64{"input_ids": {1}}, enough); err == nil {
		t.Error("an input was missing and nothing was said")
	}
}

// TestPaddingChangesNothing: the mask hides it.
func TestPaddingChangesNothing(t *testing.T) {
	t.Parallel()
	m, err := Load(tiny(t, nil), "logits", missing)
	if err != nil {
		t.Fatal(err)
	}
	plain, _, err := m.Run(sequence(7), big())
	if err != nil {
		t.Fatal(err)
	}
	padded := sequence(7)
	padded["input_ids"] = append(padded["input_ids"], 1, 1, 1)
	padded["attention_mask"] = append(padded["attention_mask"], 0, 0, 0)
	got, _, err := m.Run(padded, big())
	if err != nil || !slices.EqualFunc(plain, got, approx) {
		t.Errorf("%v with padding, %v without; %v", got, plain, err)
	}
}

// TestTransposedWeights: a weight that the graph turns before it multiplies is
// read in place, and turned when it is used otherwise.
func TestTransposedWeights(t *testing.T) {
	t.Parallel()
	const rows, cols = 100, 90
	raw := make([]byte, 0, 4*rows*cols)
	other, plain := make([]float32, rows*cols), make([]float32, rows*cols)
	for i := range rows * cols {
		v := float32(i%37) - 18
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		plain[i] = v
		other[i%cols*rows+i/cols] = v
	}
	w := &tensor{kind: dtFloat, dims: d(rows, cols), raw: raw, stored: dtFloat}
	n := &node{op: "Transpose", in: []int{0}, out: []int{1}, attrs: []attr{la("perm", 1, 0)}}
	mul := &node{op: "MatMul", in: []int{2, 1}}
	got := turned(n, []*tensor{w}, map[int][]use{1: {{mul, 1}}})
	if got == nil {
		t.Fatal("the weight is not read in place")
	}
	x := fl(d(2, cols), plain[:2*cols]...)
	want, err := evaluate("MatMul", 17, 1, big(), nil, x, fl(d(cols, rows), other...))
	if err != nil {
		t.Fatal(err)
	}
	out, err := evaluate("MatMul", 17, 1, big(), nil, x, got)
	if err != nil || !alike(out[0], want[0]) {
		t.Errorf("products differ: %v", err)
	}
	if kept := turned(n, []*tensor{w}, map[int][]use{1: {{mul, 1}, {&node{op: "Add"}, 1}}}); kept != nil {
		t.Error("a weight that is added was left in its file's order")
	}
}

// FuzzRun reads and runs whatever it is given, with small budgets.
func FuzzRun(f *testing.F) {
	for _, change := range []func(s *onnxtest.Shape){
		nil,
		func(s *onnxtest.Shape) { s.Decomposed = true },
		func(s *onnxtest.Shape) { s.Half = true },
		func(s *onnxtest.Shape) { s.Quantized = true },
	} {
		f.Add(tiny(f, func(s *onnxtest.Shape) {
			s.Vocab = 20
			if change != nil {
				change(s)
			}
		}))
	}
	f.Add(model(slices.Concat(message{}.sub(11, input("input_ids")), message{}.sub(12, input("logits")), message{}.sub(1, step("Identity", []string{"input_ids"}, []string{"logits"})))))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Load(data, "logits", missing)
		if err != nil {
			return
		}
		inputs := map[string][]int64{}
		for _, in := range m.Inputs() {
			inputs[in.Name] = []int64{0, 5, 6, 2}
		}
		out, dims, err := m.Run(inputs, Limit{Work: 1 << 18, Memory: 1 << 18})
		if n, bad := count(dims); err == nil && (bad != nil || n != len(out)) {
			t.Errorf("%d numbers of shape %v", len(out), dims)
		}
	})
}

// FuzzOperators runs operators on tensors and attributes made of bytes.
func FuzzOperators(f *testing.F) {
	names := operatorNames()
	for i := range names {
		f.Add(uint8(i), []byte{2, 2, 3, 1, 2, 3, 4, 5, 6, 1, 2, 0, 1, 0, 1, 1, 200, 3})
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		next := func() int64 {
			if len(data) == 0 {
				return 0
			}
			v := int64(int8(data[0]))
			data = data[1:]
			return v
		}
		var in []*tensor
		for range next() & 3 {
			in = append(in, fuzzTensor(next))
		}
		var attrs []attr
		for _, name := range []string{"axis", "keepdims", "to", "upper", "transA", "transB", "perm", "axes"} {
			attrs = append(attrs, attr{name: name, i: next(), ints: []int64{next() & 3, next() & 3}[:min(2, max(0, next()))]})
		}
		attrs = attrs[:min(8, max(0, next()))]
		out, err := evaluate(names[int(which)%len(names)], 9+next()&15, 1+int(next()&3), Limit{Work: 1 << 18, Memory: 1 << 18}, attrs, in...)
		if err != nil {
			return
		}
		for _, o := range out {
			if o == nil {
				continue
			}
			if n, bad := count(o.dims); bad != nil || (o.raw == nil && n != len(o.f)+len(o.i)) {
				t.Errorf("%s gives %d numbers of shape %v", names[int(which)%len(names)], len(o.f)+len(o.i), o.dims)
			}
		}
	})
}

func fuzzTensor(next func() int64) *tensor {
	kinds := []dtype{dtFloat, dtInt64, dtBool, dtUint8, dtInt8}
	t := &tensor{kind: kinds[uint8(next())%5]}
	for range next() & 3 {
		t.dims = append(t.dims, int(next()&3))
	}
	for range t.length() {
		if t.kind.float() {
			t.f = append(t.f, float32(next()))
		} else {
			t.i = append(t.i, wrap(next(), t.kind))
		}
	}
	return t
}

func operatorNames() []string {
	return strings.Fields(`Identity Shape Size Reshape Flatten Squeeze Unsqueeze Transpose Expand Tile Slice Split Concat Gather
		GatherElements Constant ConstantOfShape Range Trilu CumSum Add Sub Mul Div Pow Mod Min Max PRelu Equal Less And Or Xor Not IsNaN
		IsInf Where Cast CastLike Clip Neg Abs Sign Gelu Exp Log Tanh Sigmoid Sqrt Erf Softplus MatMul Gemm Softmax LogSoftmax
		LayerNormalization MatMulInteger DynamicQuantizeLinear DequantizeLinear QuantizeLinear ReduceSum ReduceMean ReduceMax ReduceProd
		ms.BiasGelu ms.FastGelu ms.SkipLayerNormalization ms.FusedMatMul`)
}

func TestOperatorNames(t *testing.T) {
	t.Parallel()
	for _, name := range operatorNames() {
		if domain, op := cutDomain(name); kernelOf(domain, op) == nil {
			t.Errorf("there is no operator %s", name)
		}
	}
}
