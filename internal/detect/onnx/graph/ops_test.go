package graph

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func fl(dims []int, v ...float32) *tensor { return &tensor{kind: dtFloat, dims: dims, f: v} }
func in(dims []int, v ...int64) *tensor   { return &tensor{kind: dtInt64, dims: dims, i: v} }
func bs(dims []int, v ...int64) *tensor   { return &tensor{kind: dtBool, dims: dims, i: v} }
func u8(dims []int, v ...int64) *tensor   { return &tensor{kind: dtUint8, dims: dims, i: v} }

func ints1(v ...int64) *tensor { return in([]int{len(v)}, v...) }

func ia(name string, v int64) attr    { return attr{name: name, i: v} }
func la(name string, v ...int64) attr { return attr{name: name, ints: v} }
func ta(name string, t *tensor) attr  { return attr{name: name, t: t} }
func sa(name, v string) attr          { return attr{name: name, s: []byte(v)} }
func fa(name string, v float32) attr  { return attr{name: name, f: v} }
func d(dims ...int) []int             { return dims }
func big() Limit                      { return Limit{Work: 1 << 24, Memory: 1 << 24} }
func approx(a, b float32) bool        { return a == b || math.Abs(float64(a-b)) < 1e-5 }

func cutDomain(op string) (domain, name string) {
	if rest, ok := strings.CutPrefix(op, "ms."); ok {
		return "com.microsoft", rest
	}
	return "", op
}

// evaluate runs one node.
func evaluate(op string, opset int64, outputs int, limit Limit, attrs []attr, inputs ...*tensor) ([]*tensor, error) {
	domain, name := cutDomain(op)
	n := &node{op: name, domain: domain, attrs: attrs, last: make([]bool, len(inputs))}
	n.run = kernelOf(domain, name)
	if n.run == nil {
		return nil, fmt.Errorf("no operator %s", op)
	}
	c := &call{run: &run{limit: limit, free: map[int][][]float32{}}, n: n, opset: opset, in: inputs, out: make([]*tensor, outputs)}
	err := n.run(c)
	return c.out, err
}

func show(t *tensor) string {
	if t == nil {
		return "nothing"
	}
	if t.kind.float() {
		return fmt.Sprint(t.dims, t.numbers())
	}
	return fmt.Sprint(t.dims, t.integer())
}

func alike(a, b *tensor) bool {
	if a == nil || a.kind.float() != b.kind.float() || !slices.Equal(a.dims, b.dims) {
		return false
	}
	return slices.EqualFunc(a.numbers(), b.numbers(), approx) && slices.Equal(a.integer(), b.integer())
}

// TestOperators has small cases, most of them the examples of the operators'
// pages in ONNX's docs/Operators.md.
func TestOperators(t *testing.T) {
	t.Parallel()
	x := fl(d(2, 3), 1, 2, 3, 4, 5, 6)
	type as = []attr
	for _, test := range []struct {
		op    string
		attrs as
		in    []*tensor
		want  *tensor
	}{
		{"Add", nil, []*tensor{x, fl(d(3), 10, 20, 30)}, fl(d(2, 3), 11, 22, 33, 14, 25, 36)},
		{"Add", nil, []*tensor{fl(d(2, 1), 1, 2), fl(d(3), 10, 20, 30)}, fl(d(2, 3), 11, 21, 31, 12, 22, 32)},
		{"Sub", nil, []*tensor{fl(nil, 1), x}, fl(d(2, 3), 0, -1, -2, -3, -4, -5)},
		{"Div", nil, []*tensor{ints1(7, -7), ints1(2)}, ints1(3, -3)},
		{"Mod", nil, []*tensor{ints1(-4, 7, 5, 4, -7, 8), ints1(2, -3, 8, -2, 3, 5)}, ints1(0, -2, 5, 0, 2, 3)},
		{"Pow", nil, []*tensor{fl(d(4), 2, 3, -2, 4), fl(d(4), 3, 2, 3, -0.5)}, fl(d(4), 8, 9, -8, 0.5)},
		{"Pow", nil, []*tensor{fl(d(2), 2, 10), fl(nil, 1.5)}, fl(d(2), 2.828427, 31.622776)},
		{"Max", nil, []*tensor{fl(d(2), 1, 5), fl(nil, 3)}, fl(d(2), 3, 5)},
		{"Equal", nil, []*tensor{ints1(1, 2), ints1(1)}, bs(d(2), 1, 0)},
		{"LessOrEqual", nil, []*tensor{fl(d(3), 1, 2, 3), fl(nil, 2)}, bs(d(3), 1, 1, 0)},
		{"Not", nil, []*tensor{bs(d(2), 1, 0)}, bs(d(2), 0, 1)},
		{"Xor", nil, []*tensor{bs(d(2), 1, 0), bs(nil, 1)}, bs(d(2), 0, 1)},
		{"Where", nil, []*tensor{bs(d(2, 1), 1, 0), ints1(1, 2), in(nil, 9)}, in(d(2, 2), 1, 2, 9, 9)},
		{"Cast", as{ia("to", 7)}, []*tensor{fl(d(3), 1.9, -1.9, float32(math.NaN()))}, ints1(1, -1, 0)},
		{"Cast", as{ia("to", 9)}, []*tensor{ints1(5, 0)}, bs(d(2), 1, 0)},
		{"Cast", as{ia("to", 3)}, []*tensor{ints1(200)}, ints1(-56)},
		{"Clip", nil, []*tensor{x, fl(nil, 2), fl(nil, 4)}, fl(d(2, 3), 2, 2, 3, 4, 4, 4)},
		{"Clip", as{fa("min", 2), fa("max", 4)}, []*tensor{x}, fl(d(2, 3), 2, 2, 3, 4, 4, 4)},
		{"Erf", nil, []*tensor{fl(d(4), 0, 0.5, -1, 9)}, fl(d(4), 0, 0.5204999, -0.8427008, 1)},
		{"Sqrt", nil, []*tensor{fl(d(2), 4, 2)}, fl(d(2), 2, 1.4142135)},
		{"Gelu", nil, []*tensor{fl(d(3), -1, 0, 1)}, fl(d(3), -0.15865526, 0, 0.84134474)},
		{"Gelu", as{sa("approximate", "tanh")}, []*tensor{fl(d(2), -1, 1)}, fl(d(2), -0.158808, 0.841192)},
		{"ms.BiasGelu", nil, []*tensor{fl(d(1, 2), 0, -2), fl(d(2), 1, 1)}, fl(d(1, 2), 0.84134474, -0.15865526)},
		{"Neg", nil, []*tensor{ints1(1, -2)}, ints1(-1, 2)},
		{"Shape", nil, []*tensor{x}, ints1(2, 3)},
		{"Shape", as{ia("start", -1)}, []*tensor{x}, ints1(3)},
		{"Reshape", nil, []*tensor{x, ints1(0, -1, 1)}, fl(d(2, 3, 1), 1, 2, 3, 4, 5, 6)},
		{"Flatten", nil, []*tensor{fl(d(1, 2, 1), 1, 2)}, fl(d(1, 2), 1, 2)},
		{"Squeeze", as{la("axes", -1)}, []*tensor{fl(d(1, 2, 1), 1, 2)}, fl(d(1, 2), 1, 2)},
		{"Squeeze", nil, []*tensor{fl(d(1, 2, 1), 1, 2)}, fl(d(2), 1, 2)},
		{"Unsqueeze", nil, []*tensor{ints1(1, 2), ints1(0, -1)}, in(d(1, 2, 1), 1, 2)},
		{"Transpose", nil, []*tensor{x}, fl(d(3, 2), 1, 4, 2, 5, 3, 6)},
		{"Transpose", as{la("perm", 1, 0, 2)}, []*tensor{fl(d(2, 2, 2), 1, 2, 3, 4, 5, 6, 7, 8)}, fl(d(2, 2, 2), 1, 2, 5, 6, 3, 4, 7, 8)},
		{"Expand", nil, []*tensor{in(d(2, 1), 1, 2), ints1(2, 2)}, in(d(2, 2), 1, 1, 2, 2)},
		{"Tile", nil, []*tensor{in(d(1, 2), 1, 2), ints1(2, 2)}, in(d(2, 4), 1, 2, 1, 2, 1, 2, 1, 2)},
		{"Slice", nil, []*tensor{x, ints1(0), ints1(math.MaxInt64), ints1(1), ints1(2)}, fl(d(2, 2), 1, 3, 4, 6)},
		{"Slice", nil, []*tensor{x, ints1(-1), ints1(math.MinInt64), ints1(1), ints1(-1)}, fl(d(2, 3), 3, 2, 1, 6, 5, 4)},
		{"Slice", as{la("starts", 1), la("ends", 2)}, []*tensor{x}, fl(d(1, 3), 4, 5, 6)},
		{"Concat", as{ia("axis", 1)}, []*tensor{x, fl(d(2, 1), 7, 8)}, fl(d(2, 4), 1, 2, 3, 7, 4, 5, 6, 8)},
		{"Gather", as{ia("axis", 1)}, []*tensor{x, ints1(-1, 0)}, fl(d(2, 2), 3, 1, 6, 4)},
		{"Gather", nil, []*tensor{x, in(nil, 1)}, fl(d(3), 4, 5, 6)},
		{"GatherElements", as{ia("axis", 1)}, []*tensor{fl(d(2, 2), 1, 2, 3, 4), in(d(2, 2), 0, 0, 1, 0)}, fl(d(2, 2), 1, 1, 4, 3)},
		{"ConstantOfShape", as{ta("value", ints1(7))}, []*tensor{ints1(2, 1)}, in(d(2, 1), 7, 7)},
		{"Range", nil, []*tensor{in(nil, 10), in(nil, 4), in(nil, -2)}, ints1(10, 8, 6)},
		{"Trilu", as{ia("upper", 0)}, []*tensor{in(d(2, 2), 1, 2, 3, 4)}, in(d(2, 2), 1, 0, 3, 4)},
		{"Trilu", nil, []*tensor{in(d(2, 2), 1, 2, 3, 4), in(nil, 1)}, in(d(2, 2), 0, 2, 0, 0)},
		{"CumSum", nil, []*tensor{in(d(2, 3), 1, 2, 3, 4, 5, 6), in(nil, 1)}, in(d(2, 3), 1, 3, 6, 4, 9, 15)},
		{"CumSum", as{ia("exclusive", 1), ia("reverse", 1)}, []*tensor{ints1(1, 2, 3), in(nil, 0)}, ints1(5, 3, 0)},
		{"ReduceMean", as{la("axes", 0), ia("keepdims", 0)}, []*tensor{x}, fl(d(3), 2.5, 3.5, 4.5)},
		{"ReduceSum", nil, []*tensor{in(d(2, 2), 1, 2, 3, 4), ints1(1)}, in(d(2, 1), 3, 7)},
		{"ReduceMax", nil, []*tensor{x}, fl(d(1, 1), 6)},
		{"ReduceL2", as{ia("keepdims", 0)}, []*tensor{fl(d(2), 3, 4)}, fl(nil, 5)},
		{"Softmax", nil, []*tensor{fl(d(1, 3), -1, 0, 1)}, fl(d(1, 3), 0.09003058, 0.24472848, 0.66524094)},
		{"LogSoftmax", nil, []*tensor{fl(d(1, 3), -1, 0, 1)}, fl(d(1, 3), -2.4076059, -1.407606, -0.407606)},
		{"LayerNormalization", nil, []*tensor{fl(d(1, 2), 1, 3), fl(d(2), 2, 2), fl(d(2), 1, 0)}, fl(d(1, 2), -0.99999, 1.99999)},
		{"ms.SkipLayerNormalization", nil, []*tensor{fl(d(1, 2), 0, 1), fl(d(1, 2), 1, 2), fl(d(2), 2, 2), fl(d(2), 1, 0)}, fl(d(1, 2), -1, 2)},
		{"MatMul", nil, []*tensor{x, fl(d(3), 1, 1, 1)}, fl(d(2), 6, 15)},
		{"MatMul", nil, []*tensor{fl(d(2, 1, 2), 1, 2, 3, 4), fl(d(2, 2, 1), 1, 1, 10, 10)}, fl(d(2, 1, 1), 3, 70)},
		{"ms.FusedMatMul", as{fa("alpha", 0.5)}, []*tensor{x, fl(d(3, 1), 1, 1, 1)}, fl(d(2, 1), 3, 7.5)},
		{"Gemm", as{ia("transA", 1), fa("alpha", 2)}, []*tensor{x, fl(d(2, 1), 1, 1), fl(d(1), 1)}, fl(d(3, 1), 11, 15, 19)},
		{"Gemm", as{ia("transB", 1)}, []*tensor{x, x}, fl(d(2, 2), 14, 32, 32, 77)},
		{"MatMulInteger", nil, []*tensor{u8(d(1, 2), 255, 12), u8(d(2, 1), 255, 0), u8(nil, 12), u8(nil, 1)}, in(d(1, 1), 243*254)},
		{"DequantizeLinear", nil, []*tensor{u8(d(4), 0, 3, 128, 255), fl(nil, 2), u8(nil, 128)}, fl(d(4), -256, -250, 0, 254)},
		{"QuantizeLinear", nil, []*tensor{fl(d(6), 0, 2, 3, 1000, -254, -1000), fl(nil, 2), u8(nil, 128)}, ints1(128, 129, 130, 255, 1, 0)},
		{"DynamicQuantizeLinear", nil, []*tensor{fl(d(6), 0, 2, -3, -2.5, 1.34, 0.5)}, ints1(153, 255, 0, 26, 221, 179)},
	} {
		outputs := 1
		if test.op == "DynamicQuantizeLinear" {
			outputs = 3
		}
		out, err := evaluate(test.op, 17, outputs, big(), test.attrs, test.in...)
		if err != nil || !alike(out[0], test.want) {
			t.Errorf("%s %v: %s, %v; want %s", test.op, test.attrs, show(out[0]), err, show(test.want))
		}
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	x := fl(d(1, 5), 1, 2, 3, 4, 5)
	out, err := evaluate("Split", 13, 2, big(), []attr{ia("axis", 1)}, x, ints1(2, 3))
	if err != nil || show(out[0]) != "[1 2] [1 2]" || show(out[1]) != "[1 3] [3 4 5]" {
		t.Errorf("%s %s %v", show(out[0]), show(out[1]), err)
	}
	out, err = evaluate("Split", 18, 2, big(), []attr{ia("axis", 1)}, x)
	if err != nil || show(out[0]) != "[1 3] [1 2 3]" || show(out[1]) != "[1 2] [4 5]" {
		t.Errorf("%s %s %v", show(out[0]), show(out[1]), err)
	}
}

// TestOldSoftmax: up to opset 12 the axes from the first on count as one.
func TestOldSoftmax(t *testing.T) {
	t.Parallel()
	out, err := evaluate("Softmax", 11, 1, big(), nil, fl(d(1, 2, 2), 0, 0, 0, 0))
	if err != nil || show(out[0]) != "[1 2 2] [0.25 0.25 0.25 0.25]" {
		t.Errorf("%s %v", show(out[0]), err)
	}
}

func TestWrongInputsAreErrors(t *testing.T) {
	t.Parallel()
	x := fl(d(2, 3), 1, 2, 3, 4, 5, 6)
	for _, test := range []struct {
		op    string
		attrs []attr
		in    []*tensor
	}{
		{"Add", nil, []*tensor{x, fl(d(2), 1, 2)}},
		{"Add", nil, []*tensor{x}},
		{"Add", nil, []*tensor{x, nil}},
		{"Div", nil, []*tensor{ints1(1), ints1(0)}},
		{"Reshape", nil, []*tensor{x, ints1(4)}},
		{"Reshape", nil, []*tensor{x, ints1(-1, 0, 0)}},
		{"Reshape", nil, []*tensor{x, ints1(-2)}},
		{"Gather", nil, []*tensor{x, ints1(2)}},
		{"Gather", nil, []*tensor{x, ints1(-3)}},
		{"MatMul", nil, []*tensor{x, x}},
		{"Concat", nil, []*tensor{x, fl(d(1, 2), 1, 2)}},
		{"Transpose", []attr{la("perm", 0, 0)}, []*tensor{x}},
		{"Expand", nil, []*tensor{x, ints1(1<<28, 1<<28, 2, 3)}},
		{"ConstantOfShape", nil, []*tensor{ints1(1 << 40)}},
		{"ConstantOfShape", nil, []*tensor{ints1(1 << 27)}},
		{"Range", nil, []*tensor{in(nil, 0), in(nil, 5), in(nil, 0)}},
		{"Range", nil, []*tensor{in(nil, 0), in(nil, 1<<39), in(nil, 1)}},
		{"Slice", nil, []*tensor{x, ints1(0), ints1(1), ints1(0), ints1(0)}},
		{"Softmax", []attr{ia("axis", 0)}, []*tensor{x}},
		{"Squeeze", []attr{la("axes", 0)}, []*tensor{x}},
		{"MatMulInteger", nil, []*tensor{u8(d(1, 1), 300), u8(d(1, 1), 1)}},
		{"LayerNormalization", nil, []*tensor{x, fl(d(2), 1, 1)}},
	} {
		if out, err := evaluate(test.op, 17, 1, big(), test.attrs, test.in...); err == nil {
			t.Errorf("%s %v gives %s", test.op, test.attrs, show(out[0]))
		}
	}
}

// TestFunctions holds the functions to those of package math.
func TestFunctions(t *testing.T) {
	t.Parallel()
	table := erfTable.Get()
	for i := -4000; i <= 4000; i++ {
		x := float64(i) / 200
		for name, pair := range map[string][2]float64{
			"exp": {Exp(x), math.Exp(x)}, "tanh": {tanh(x), math.Tanh(x)}, "log": {log(x + 20.001), math.Log(x + 20.001)},
			"erf": {erf(table, x), math.Erf(x)}, "pow": {pow(x+20.001, 1.7), math.Pow(x+20.001, 1.7)},
			"tiny tanh": {tanh(x / 1e4), math.Tanh(x / 1e4)},
		} {
			if diff := math.Abs(pair[0] - pair[1]); diff > 2e-8*max(1, math.Abs(pair[1])) {
				t.Fatalf("%s of %g is %g, want %g", name, x, pair[0], pair[1])
			}
		}
	}
	for _, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), 710, -710} {
		if got, want := float32(Exp(x)), float32(math.Exp(x)); got != want && want == want {
			t.Errorf("exp of %g is %g", x, got)
		}
	}
}

func TestHalf(t *testing.T) {
	t.Parallel()
	for h, want := range map[uint16]float32{0: 0, 0x3c00: 1, 0xc000: -2, 0x7bff: 65504, 0x0400: 6.1035156e-05, 0x0001: 5.9604645e-08, 0x3555: 0.33325195, 0x7c00: float32(math.Inf(1))} {
		if got := half(h); got != want {
			t.Errorf("%#04x is %g, want %g", h, got, want)
		}
	}
}
