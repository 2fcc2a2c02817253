package onnxtest

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A message is a protocol buffer under construction.
type message []byte

func (m *message) key(field, wire int) { *m = binary.AppendUvarint(*m, uint64(field<<3|wire)) }

func (m *message) bytes(field int, b []byte) {
	m.key(field, 2)
	*m = append(binary.AppendUvarint(*m, uint64(len(b))), b...)
}

func (m *message) string(field int, s string) { m.bytes(field, []byte(s)) }

func (m *message) int(field int, v int64) {
	m.key(field, 0)
	*m = binary.AppendUvarint(*m, uint64(v))
}

func (m *message) float(field int, v float32) {
	m.key(field, 5)
	*m = binary.LittleEndian.AppendUint32(*m, math.Float32bits(v))
}

// A builder makes an ONNX graph, node by node. Every method that adds one
// returns the name of its result.
type builder struct {
	nodes, inits message
	count        int
	external     []byte
	outside      bool
}

func (b *builder) name(of string) string {
	b.count++
	return fmt.Sprintf("%s_%d", of, b.count)
}

// attributes are int, []int, float32 or a tensor message.
type attributes map[string]any

func (b *builder) node(op string, inputs []string, a attributes) string {
	return b.step(op, inputs, a, 1)[0]
}

func (b *builder) step(op string, inputs []string, a attributes, outputs int) []string {
	var n message
	for _, in := range inputs {
		n.string(1, in)
	}
	var out []string
	for range outputs {
		out = append(out, b.name(op))
		n.string(2, out[len(out)-1])
	}
	n.string(3, "node_"+out[0])
	n.string(4, op)
	for _, key := range sorted(a) {
		var m message
		m.string(1, key)
		switch v := a[key].(type) {
		case int:
			m.int(3, int64(v))
			m.int(20, 2)
		case float32:
			m.float(2, v)
			m.int(20, 1)
		case []int:
			for _, x := range v {
				m.int(8, int64(x))
			}
			m.int(20, 7)
		case message:
			m.bytes(5, v)
			m.int(20, 4)
		}
		n.bytes(5, m)
	}
	b.nodes.bytes(1, n)
	return out
}

// output adds a node whose result has a given name.
func (b *builder) output(op, input, name string) {
	var n message
	n.string(1, input)
	n.string(2, name)
	n.string(4, op)
	b.nodes.bytes(1, n)
}

func sorted(a attributes) []string {
	var keys []string
	for k := range a {
		at := len(keys)
		for at > 0 && keys[at-1] > k {
			at--
		}
		keys = append(keys[:at], append([]string{k}, keys[at:]...)...)
	}
	return keys
}

// weight adds numbers of a type (as TensorProto counts them) to the model.
func (b *builder) weight(name string, kind int, raw []byte, dims ...int) string {
	var t message
	for _, d := range dims {
		t.int(1, int64(d))
	}
	t.int(2, int64(kind))
	t.string(8, name)
	if b.outside && len(raw) >= 1024 {
		for _, kv := range [][2]string{{"location", "model.onnx_data"}, {"offset", fmt.Sprint(len(b.external))}, {"length", fmt.Sprint(len(raw))}} {
			var e message
			e.string(1, kv[0])
			e.string(2, kv[1])
			t.bytes(13, e)
		}
		t.int(14, 1)
		b.external = append(b.external, raw...)
	} else {
		t.bytes(9, raw)
	}
	b.inits.bytes(5, t)
	return name
}

func (b *builder) floats(v []float32, dims ...int) string {
	return b.weight(b.name("w"), 1, floatBytes(v), dims...)
}

func (b *builder) scalar(v float32) string { return b.floats([]float32{v}) }

func intBytes(v ...int64) []byte {
	var out []byte
	for _, x := range v {
		out = binary.LittleEndian.AppendUint64(out, uint64(x))
	}
	return out
}

func (b *builder) ints(v ...int64) string {
	return b.weight(b.name("i"), 7, intBytes(v...), len(v))
}

// constant adds a node that holds one integer, as exporters write shapes.
func (b *builder) constant(v int64) string {
	var t message
	t.int(2, 7)
	t.bytes(9, intBytes(v))
	return b.node("Constant", nil, attributes{"value": t})
}

// value describes an input or output; a dimension is an int or a name.
func value(name string, kind int, dims ...any) message {
	var shape message
	for _, d := range dims {
		var m message
		switch v := d.(type) {
		case int:
			m.int(1, int64(v))
		case string:
			m.string(2, v)
		}
		shape.bytes(1, m)
	}
	var tensor, typ, v message
	tensor.int(1, int64(kind))
	tensor.bytes(2, shape)
	typ.bytes(1, tensor)
	v.string(1, name)
	v.bytes(2, typ)
	return v
}
