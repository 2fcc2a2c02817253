package onnxtest

import "math"

// onnx writes the network as an exporter does: positions counted from the
// padding, the mask made of large negative numbers, shapes computed from the
// inputs, GELU and, if wanted, LayerNormalization in their parts.
func (m *Model) onnx() (model, external []byte) {
	b := &builder{outside: m.External, inits: make(message, 0, 4*m.weights())}
	w := &writer{builder: b, m: m}
	x := w.embeddings()
	mask := w.mask()
	for i := range m.layers {
		x = w.layer(&m.layers[i], x, mask)
	}
	first := b.node("Gather", []string{x, b.constant(0)}, attributes{"axis": 1})
	h := w.gemm(&m.dense, first)
	b.output("Identity", w.gemm(&m.out, b.node("Tanh", []string{h}, nil)), "logits")

	g := make(message, 0, len(b.nodes)+len(b.inits)+1024)
	g = append(g, b.nodes...)
	g.string(2, "main_graph")
	g = append(g, b.inits...)
	for _, name := range []string{"input_ids", "attention_mask"} {
		g.bytes(11, value(name, 7, "batch_size", "sequence_length"))
	}
	g.bytes(12, value("logits", 1, "batch_size", m.Labels))
	var opset message
	out := make(message, 0, len(g)+64)
	out.int(1, 8)
	out.string(2, "onnxtest")
	out.bytes(7, g)
	opset.string(1, "")
	opset.int(2, 17)
	out.bytes(8, opset)
	return out, b.external
}

// weights is about how many numbers the network has.
func (m *Model) weights() int {
	return (m.Vocab+m.Positions+8)*m.Hidden + m.Layers*(4*m.Hidden+2*m.Inner+64)*m.Hidden
}

type writer struct {
	*builder
	m     *Model
	batch string // size of the batch, from a Shape
	seq   string // length of the sequence
}

func (w *writer) embeddings() string {
	m := w.m
	shape := w.node("Shape", []string{"input_ids"}, nil)
	w.batch = w.node("Unsqueeze", []string{w.node("Gather", []string{shape, w.constant(0)}, attributes{"axis": 0}), w.ints(0)}, nil)
	w.seq = w.node("Unsqueeze", []string{w.node("Gather", []string{shape, w.constant(1)}, attributes{"axis": 0}), w.ints(0)}, nil)
	used := w.node("Not", []string{w.node("Equal", []string{"input_ids", w.constant(1)}, nil)}, nil)
	used = w.node("Cast", []string{used}, attributes{"to": 6})
	sum := w.node("CumSum", []string{used, w.constant(1)}, nil)
	at := w.node("Cast", []string{w.node("Mul", []string{sum, used}, nil)}, attributes{"to": 7})
	at = w.node("Add", []string{at, w.constant(1)}, nil)

	words := w.node("Gather", []string{w.floats(m.words.data, m.Vocab, m.Hidden), "input_ids"}, nil)
	positions := w.node("Gather", []string{w.floats(m.positions.data, m.Positions, m.Hidden), at}, nil)
	zeros := w.node("ConstantOfShape", []string{w.node("Concat", []string{w.batch, w.seq}, attributes{"axis": 0})}, attributes{"value": zero()})
	types := w.node("Gather", []string{w.floats(m.types.data, 1, m.Hidden), zeros}, nil)
	x := w.node("Add", []string{w.node("Add", []string{words, types}, nil), positions}, nil)
	return w.norm(&m.embedNorm, x)
}

func zero() message {
	var t message
	t.int(1, 1)
	t.int(2, 7)
	t.bytes(9, intBytes(0))
	return t
}

// mask is 0 where there is a token and the smallest number elsewhere, for every
// head and every row of the scores.
func (w *writer) mask() string {
	mask := w.node("Unsqueeze", []string{"attention_mask", w.ints(1)}, nil)
	mask = w.node("Unsqueeze", []string{mask, w.ints(2)}, nil)
	shape := w.node("Concat", []string{w.batch, w.ints(1), w.seq, w.seq}, attributes{"axis": 0})
	mask = w.node("Cast", []string{w.node("Expand", []string{mask, shape}, nil)}, attributes{"to": 1})
	inverse := w.node("Sub", []string{w.scalar(1), mask}, nil)
	padded := w.node("Cast", []string{inverse}, attributes{"to": 9})
	return w.node("Where", []string{padded, w.scalar(-math.MaxFloat32), inverse}, nil)
}

func (w *writer) layer(l *layer, x, mask string) string {
	head := w.m.Hidden / w.m.Heads
	split := func(l *linear, perm []int) string {
		shape := w.node("Concat", []string{w.batch, w.ints(-1), w.ints(int64(w.m.Heads)), w.ints(int64(head))}, attributes{"axis": 0})
		y := w.node("Reshape", []string{w.linear(l, x), shape}, nil)
		return w.node("Transpose", []string{y}, attributes{"perm": perm})
	}
	q, k, v := split(&l.q, []int{0, 2, 1, 3}), split(&l.k, []int{0, 2, 3, 1}), split(&l.v, []int{0, 2, 1, 3})
	scores := w.node("Div", []string{w.node("MatMul", []string{q, k}, nil), w.scalar(float32(math.Sqrt(float64(head))))}, nil)
	weights := w.node("Softmax", []string{w.node("Add", []string{scores, mask}, nil)}, attributes{"axis": -1})
	seen := w.node("Transpose", []string{w.node("MatMul", []string{weights, v}, nil)}, attributes{"perm": []int{0, 2, 1, 3}})
	shape := w.node("Concat", []string{w.batch, w.seq, w.ints(int64(w.m.Hidden))}, attributes{"axis": 0})
	seen = w.node("Reshape", []string{seen, shape}, nil)
	x = w.norm(&l.attention, w.node("Add", []string{w.linear(&l.o, seen), x}, nil))
	up := w.linear(&l.up, x)
	erf := w.node("Erf", []string{w.node("Div", []string{up, w.scalar(math.Sqrt2)}, nil)}, nil)
	gelu := w.node("Mul", []string{up, w.node("Add", []string{erf, w.scalar(1)}, nil)}, nil)
	gelu = w.node("Mul", []string{gelu, w.scalar(0.5)}, nil)
	return w.norm(&l.output, w.node("Add", []string{w.linear(&l.down, gelu), x}, nil))
}

// linear multiplies and adds a row, with the weights as the shape stores them.
func (w *writer) linear(l *linear, x string) string {
	var y string
	switch {
	case w.m.Quantized:
		y = w.quantized(l, x)
	case w.m.Half:
		half := w.weight(w.name("w"), 10, halfBytes(l.w.data), l.w.rows, l.w.cols)
		y = w.node("MatMul", []string{x, w.node("Cast", []string{half}, attributes{"to": 1})}, nil)
	default:
		y = w.node("MatMul", []string{x, w.floats(l.w.data, l.w.rows, l.w.cols)}, nil)
	}
	return w.node("Add", []string{w.floats(l.bias, len(l.bias)), y}, nil)
}

// quantized writes what ONNX Runtime's quantize_dynamic makes of a MatMul.
func (w *writer) quantized(l *linear, x string) string {
	q, scales := quantize(l.w)
	out := w.step("DynamicQuantizeLinear", []string{x}, nil, 3)
	weight := w.weight(w.name("w"), 3, q, l.w.rows, l.w.cols)
	zeros := w.weight(w.name("z"), 3, make([]byte, l.w.cols), l.w.cols)
	y := w.node("MatMulInteger", []string{out[0], weight, out[2], zeros}, nil)
	scale := w.node("Mul", []string{out[1], w.floats(scales, len(scales))}, nil)
	return w.node("Mul", []string{w.node("Cast", []string{y}, attributes{"to": 1}), scale}, nil)
}

// quantize rounds weights to 7 bits with a scale for each column, as
// quantize_dynamic does with reduce_range: ONNX Runtime saturates products of
// 8 bits on processors without VNNI.
func quantize(m *matrix) ([]byte, []float32) {
	out, scales := make([]byte, len(m.data)), make([]float32, m.cols)
	for c := range m.cols {
		top := float32(0)
		for r := range m.rows {
			top = max(top, float32(math.Abs(float64(m.data[r*m.cols+c]))))
		}
		scales[c] = top / 63
		for r := range m.rows {
			out[r*m.cols+c] = byte(int8(math.RoundToEven(float64(m.data[r*m.cols+c] / scales[c]))))
		}
	}
	return out, scales
}

// gemm writes a layer of the head: weights lie as outputs by inputs.
func (w *writer) gemm(l *linear, x string) string {
	turned := make([]float32, len(l.w.data))
	for r := range l.w.rows {
		for c := range l.w.cols {
			turned[c*l.w.rows+r] = l.w.data[r*l.w.cols+c]
		}
	}
	return w.node("Gemm", []string{x, w.floats(turned, l.w.cols, l.w.rows), w.floats(l.bias, len(l.bias))}, attributes{"transB": 1, "alpha": float32(1), "beta": float32(1)})
}

const epsilon = 1e-5

func (w *writer) norm(n *norm, x string) string {
	gamma, beta := w.floats(n.gamma, len(n.gamma)), w.floats(n.beta, len(n.beta))
	if !w.m.Decomposed {
		return w.node("LayerNormalization", []string{x, gamma, beta}, attributes{"axis": -1, "epsilon": float32(epsilon)})
	}
	axes := attributes{"axes": []int{-1}}
	d := w.node("Sub", []string{x, w.node("ReduceMean", []string{x}, axes)}, nil)
	variance := w.node("ReduceMean", []string{w.node("Pow", []string{d, w.scalar(2)}, nil)}, axes)
	root := w.node("Sqrt", []string{w.node("Add", []string{variance, w.scalar(epsilon)}, nil)}, nil)
	y := w.node("Mul", []string{w.node("Div", []string{d, root}, nil), gamma}, nil)
	return w.node("Add", []string{y, beta}, nil)
}
