package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strconv"
)

// Bounds of a model. A classifier of 24 layers has about 3,000 nodes and 400
// weights.
const (
	maxNodes    = 1 << 16
	maxInits    = 1 << 16
	maxEdges    = 1 << 10 // inputs, outputs and attributes of one node
	maxAllEdges = 1 << 20
	maxName     = 1 << 12
	maxNumbers  = 1 << 20 // numbers of a list that is no raw data
)

// A node is one step.
type node struct {
	op, domain, name string
	inputs, outputs  []string
	attrs            []attr
	in, out          []int // slots; -1 where an optional one is missing
	run              func(*call) error
	last             []bool // in[k] is not used after this node
}

// An attr is an attribute of a node.
type attr struct {
	name   string
	i      int64
	f      float32
	s      []byte
	t      *tensor
	ints   []int64
	floats []float32
}

// A value is an input or output of the graph. The dimensions are -1 where the
// model leaves them open; there are none when it says nothing about them.
type value struct {
	name string
	kind dtype
	dims []int
}

// A file is what a model file says.
type file struct {
	nodes   []*node
	inits   map[string]*tensor
	inputs  []value
	outputs []value
	opset   int64 // of the domain ai.onnx
}

// A parser reads a model. External data is read through open, once a file.
type parser struct {
	file
	open     func(name string) ([]byte, error)
	external map[string][]byte
	edges    int
}

func (p *parser) model(message []byte) error {
	var graph []byte
	err := each(message, func(f *field) error {
		switch f.number {
		case 7:
			if graph != nil {
				return errors.New("the model has two graphs")
			}
			graph = f.data
		case 8:
			return p.opsetImport(f.data)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if graph == nil {
		return errors.New("the file holds no ONNX graph")
	}
	if p.opset == 0 {
		p.opset = 1
	}
	return p.graph(graph)
}

func (p *parser) opsetImport(message []byte) error {
	domain, version := "", int64(0)
	err := each(message, func(f *field) error {
		switch f.number {
		case 1:
			domain = string(f.data)
		case 2:
			version = int64(f.bits)
		}
		return nil
	})
	if err == nil && (domain == "" || domain == "ai.onnx") {
		p.opset = version
	}
	return err
}

func (p *parser) graph(message []byte) error {
	return each(message, func(f *field) error {
		switch f.number {
		case 1:
			if len(p.nodes) >= maxNodes {
				return fmt.Errorf("more than %d nodes", maxNodes)
			}
			n, err := p.node(f.data)
			if err != nil {
				return fmt.Errorf("node %d: %w", len(p.nodes), err)
			}
			p.nodes = append(p.nodes, n)
		case 5:
			if len(p.inits) >= maxInits {
				return fmt.Errorf("more than %d weights", maxInits)
			}
			t, name, err := p.tensor(f.data)
			if err != nil {
				return fmt.Errorf("weight %.60q: %w", name, err)
			}
			p.inits[name] = t
		case 11, 12:
			v, err := parseValue(f.data)
			if err != nil {
				return err
			}
			if len(p.inputs)+len(p.outputs) > maxInits {
				return errors.New("too many inputs and outputs")
			}
			if f.number == 11 {
				p.inputs = append(p.inputs, v)
			} else {
				p.outputs = append(p.outputs, v)
			}
		case 15:
			return errors.New("sparse weights are not read")
		}
		return nil
	})
}

func (p *parser) node(message []byte) (*node, error) {
	n := &node{}
	err := each(message, func(f *field) error {
		if len(n.inputs)+len(n.outputs)+len(n.attrs) > maxEdges {
			return fmt.Errorf("more than %d inputs, outputs and attributes", maxEdges)
		}
		if p.edges++; p.edges > maxAllEdges {
			return errors.New("the model has too many edges")
		}
		if f.number <= 4 && len(f.data) > maxName {
			return errors.New("a name is too long")
		}
		switch f.number {
		case 1:
			n.inputs = append(n.inputs, string(f.data))
		case 2:
			n.outputs = append(n.outputs, string(f.data))
		case 3:
			n.name = string(f.data)
		case 4:
			n.op = string(f.data)
		case 5:
			a, err := p.attr(f.data)
			if err != nil {
				return fmt.Errorf("attribute %.60q: %w", a.name, err)
			}
			n.attrs = append(n.attrs, a)
		case 7:
			if len(f.data) > maxName {
				return errors.New("a name is too long")
			}
			n.domain = string(f.data)
		}
		return nil
	})
	if n.domain == "ai.onnx" {
		n.domain = ""
	}
	return n, err
}

func (p *parser) attr(message []byte) (attr, error) {
	var a attr
	err := each(message, func(f *field) (err error) {
		switch f.number {
		case 1:
			if len(f.data) > maxName {
				return errors.New("a name is too long")
			}
			a.name = string(f.data)
		case 2:
			a.f = math.Float32frombits(uint32(f.bits))
		case 3:
			a.i = int64(f.bits)
		case 4:
			a.s = f.data
		case 5:
			a.t, _, err = p.tensor(f.data)
		case 6, 11:
			err = errors.New("nodes that hold graphs (If, Loop, Scan) are not run")
		case 7:
			a.floats, err = floats(a.floats, f)
		case 8:
			a.ints, err = ints(a.ints, f, maxNumbers)
		case 21:
			if len(f.data) > 0 {
				err = errors.New("functions inside the model are not run")
			}
		}
		return err
	})
	return a, err
}

func parseValue(message []byte) (value, error) {
	v := value{}
	err := each(message, func(f *field) error {
		switch f.number {
		case 1:
			if len(f.data) > maxName {
				return errors.New("a name is too long")
			}
			v.name = string(f.data)
		case 2: // TypeProto; 1 is tensor_type
			return each(f.data, func(f *field) error {
				if f.number != 1 {
					return nil
				}
				return each(f.data, v.tensorType)
			})
		}
		return nil
	})
	return v, err
}

// tensorType reads TypeProto.Tensor: element type and shape.
func (v *value) tensorType(f *field) error {
	switch f.number {
	case 1:
		v.kind = dtype(f.bits & math.MaxInt16)
	case 2:
		return each(f.data, func(f *field) error {
			if f.number != 1 {
				return nil
			}
			if len(v.dims) >= maxRank {
				return fmt.Errorf("%q has more than %d dimensions", v.name, maxRank)
			}
			dim := -1
			err := each(f.data, func(f *field) error {
				if f.number == 1 && f.bits > 0 && f.bits < maxElements {
					dim = int(f.bits)
				}
				return nil
			})
			v.dims = append(v.dims, dim)
			return err
		})
	}
	return nil
}

// A tensorProto is a TensorProto before its numbers are looked at.
type tensorProto struct {
	name     string
	kind     dtype
	dims     []int64
	raw      []byte
	hasRaw   bool
	floats   []float32
	ints     []int64
	doubles  []float32
	outside  bool
	external map[string]string
}

func (p *parser) tensor(message []byte) (*tensor, string, error) {
	tp := tensorProto{external: map[string]string{}}
	if err := each(message, tp.field); err != nil {
		return nil, tp.name, err
	}
	t := &tensor{kind: tp.kind, dims: make([]int, len(tp.dims))}
	for i, d := range tp.dims {
		if d < 0 || d > maxElements {
			return nil, tp.name, fmt.Errorf("a dimension of %d", d)
		}
		t.dims[i] = int(d)
	}
	n, err := count(t.dims)
	if err != nil {
		return nil, tp.name, err
	}
	if tp.kind.size() == 0 {
		return nil, tp.name, fmt.Errorf("numbers of type %d are not read", tp.kind)
	}
	if tp.outside {
		tp.raw, err = p.outside(tp.external, n*tp.kind.size())
		if err != nil {
			return nil, tp.name, err
		}
		tp.hasRaw = true
	}
	return t, tp.name, tp.fill(t, n)
}

func (tp *tensorProto) field(f *field) (err error) {
	switch f.number {
	case 1:
		tp.dims, err = ints(tp.dims, f, maxRank)
	case 2:
		tp.kind = dtype(f.bits & math.MaxInt16)
	case 4:
		tp.floats, err = floats(tp.floats, f)
	case 5, 7, 11:
		tp.ints, err = ints(tp.ints, f, maxNumbers)
	case 8:
		if len(f.data) > maxName {
			return errors.New("a name is too long")
		}
		tp.name = string(f.data)
	case 9:
		tp.raw, tp.hasRaw = f.data, true
	case 10:
		if f.wire == wireFixed64 {
			tp.doubles = append(tp.doubles, narrow(math.Float64frombits(f.bits)))
			return nil
		}
		if len(f.data)%8 != 0 {
			return errors.New("double_data holds no doubles")
		}
		for i := 0; i < len(f.data); i += 8 {
			tp.doubles = append(tp.doubles, narrow(math.Float64frombits(binary.LittleEndian.Uint64(f.data[i:]))))
		}
	case 13:
		if len(tp.external) > 8 {
			return errors.New("too many entries about external data")
		}
		var key, value string
		err = each(f.data, func(f *field) error {
			if len(f.data) > maxName {
				return errors.New("a name is too long")
			}
			switch f.number {
			case 1:
				key = string(f.data)
			case 2:
				value = string(f.data)
			}
			return nil
		})
		tp.external[key] = value
	case 14:
		tp.outside = f.bits == 1
	}
	return err
}

// fill gives t its numbers, wherever the message had them.
func (tp *tensorProto) fill(t *tensor, n int) error {
	switch {
	case n == 0:
		return nil
	case tp.hasRaw:
		t.raw, t.stored = tp.raw, tp.kind
		if err := checkRaw(t.raw, t.stored, t.dims); err != nil {
			return err
		}
		if n <= smallTensor {
			t.unpack()
		}
		return nil
	case tp.kind == dtFloat:
		t.f = tp.floats
	case tp.kind == dtDouble:
		t.f = tp.doubles
	case tp.kind == dtFloat16:
		for _, v := range tp.ints {
			t.f = append(t.f, half(uint16(v)))
		}
	case tp.kind == dtBfloat16:
		for _, v := range tp.ints {
			t.f = append(t.f, math.Float32frombits(uint32(uint16(v))<<16))
		}
	case tp.kind == dtInt32 || tp.kind == dtInt8 || tp.kind == dtInt16:
		for i, v := range tp.ints {
			tp.ints[i] = int64(int32(v))
		}
		t.i = tp.ints
	default:
		t.i = tp.ints
	}
	if len(t.f)+len(t.i) != n {
		return fmt.Errorf("%d numbers where the shape has %d", len(t.f)+len(t.i), n)
	}
	return nil
}

// outside returns the bytes of a weight in a file beside the model. Source:
// ONNX, docs/ExternalData.md.
func (p *parser) outside(entries map[string]string, size int) ([]byte, error) {
	name := entries["location"]
	if !fs.ValidPath(name) || name == "." {
		return nil, fmt.Errorf("external data in %.60q, which is not a file below the model", name)
	}
	offset, length := int64(0), int64(size)
	var err error
	if s := entries["offset"]; s != "" {
		if offset, err = strconv.ParseInt(s, 10, 64); err != nil {
			return nil, fmt.Errorf("the offset of external data: %w", err)
		}
	}
	if s := entries["length"]; s != "" {
		if length, err = strconv.ParseInt(s, 10, 64); err != nil {
			return nil, fmt.Errorf("the length of external data: %w", err)
		}
	}
	data, ok := p.external[name]
	if !ok {
		if data, err = p.open(name); err != nil {
			return nil, fmt.Errorf("reading external data: %w", err)
		}
		p.external[name] = data
	}
	if offset < 0 || length < 0 || offset > int64(len(data)) || length > int64(len(data))-offset {
		return nil, fmt.Errorf("external data beyond the end of %.60q", name)
	}
	return data[offset : offset+length], nil
}

// smallTensor is the size up to which weights are unpacked when they are read.
const smallTensor = 1 << 13

// unpack replaces raw by numbers.
func (t *tensor) unpack() {
	n := t.length()
	if t.kind.float() {
		t.f = make([]float32, n)
		rawFloats(t.f, t.raw, t.stored)
	} else {
		t.i = make([]int64, n)
		for k := range t.i {
			t.i[k] = rawInt(t.raw, k, t.stored)
		}
	}
	t.raw = nil
}
