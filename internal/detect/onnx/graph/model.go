package graph

import (
	"errors"
	"fmt"
	"slices"
)

// A Model is a graph that can be run, by several goroutines at once.
type Model struct {
	nodes  []*node
	consts []*tensor // by slot; nil for what a run computes
	inputs []Input
	result int // slot of the output
	opset  int64
}

// An Input is an integer tensor that a run must be given.
type Input struct {
	Name string
	// Dims is its shape, -1 where the model leaves a dimension open. It is
	// empty when the model says nothing.
	Dims []int
	slot int
	kind dtype
}

// Load reads a model and prepares it for computing its output called output,
// or its only one. The model refers to the bytes given, which must not change
// afterwards. open reads files beside the model that hold weights.
func Load(model []byte, output string, open func(name string) ([]byte, error)) (*Model, error) {
	p := parser{open: open, external: map[string][]byte{}}
	p.inits = map[string]*tensor{}
	if err := p.model(model); err != nil {
		return nil, fmt.Errorf("reading the model: %w", err)
	}
	l := linker{file: &p.file, slots: map[string]int{}, m: &Model{opset: p.opset}}
	if err := l.link(output); err != nil {
		return nil, fmt.Errorf("preparing the model: %w", err)
	}
	return l.m, nil
}

// Inputs lists what a run must be given.
func (m *Model) Inputs() []Input { return slices.Clone(m.inputs) }

// A linker turns names into slots.
type linker struct {
	*file
	slots map[string]int
	m     *Model
}

func (l *linker) link(output string) error {
	for _, v := range l.inputs {
		if _, constant := l.inits[v.name]; constant {
			continue // older exporters list weights as inputs, too
		}
		if v.kind.float() {
			return fmt.Errorf("the input %.60q is not for integers", v.name)
		}
		s, err := l.slot(v.name)
		if err != nil {
			return err
		}
		l.m.inputs = append(l.m.inputs, Input{Name: v.name, Dims: v.dims, slot: s, kind: v.kind})
	}
	for name, t := range l.inits {
		s, err := l.slot(name)
		if err != nil {
			return err
		}
		l.m.consts[s] = t
	}
	for i, n := range l.nodes {
		if err := l.node(n); err != nil {
			return fmt.Errorf("node %d, %.60s: %w", i, n.op, err)
		}
	}
	name, err := l.output(output)
	if err != nil {
		return err
	}
	s, ok := l.slots[name]
	if !ok {
		return fmt.Errorf("no node makes the output %.60q", name)
	}
	l.m.result = s
	l.prune()
	if err := l.fold(); err != nil {
		return err
	}
	l.lifetimes()
	return nil
}

// slot gives a name its slot. A name is set once.
func (l *linker) slot(name string) (int, error) {
	if _, taken := l.slots[name]; taken {
		return 0, fmt.Errorf("%.60q is set twice", name)
	}
	s := len(l.m.consts)
	l.slots[name] = s
	l.m.consts = append(l.m.consts, nil)
	return s, nil
}

func (l *linker) node(n *node) error {
	n.run = kernelOf(n.domain, n.op)
	if n.run == nil {
		return fmt.Errorf("the operator %.60q of domain %.60q is not known", n.op, n.domain)
	}
	for _, name := range n.inputs {
		s, ok := l.slots[name]
		switch {
		case name == "":
			s = -1
		case !ok:
			return fmt.Errorf("its input %.60q does not exist before it", name)
		}
		n.in = append(n.in, s)
	}
	if len(n.outputs) == 0 {
		return errors.New("it has no output")
	}
	for _, name := range n.outputs {
		s := -1
		if name != "" {
			var err error
			if s, err = l.slot(name); err != nil {
				return err
			}
		}
		n.out = append(n.out, s)
	}
	return nil
}

// output returns the name of the output to compute.
func (l *linker) output(want string) (string, error) {
	for _, v := range l.outputs {
		if v.name == want || len(l.outputs) == 1 {
			return v.name, nil
		}
	}
	return "", fmt.Errorf("the model has %d outputs, none is called %q", len(l.outputs), want)
}

// prune removes the nodes that the output does not depend on.
func (l *linker) prune() {
	needed := make([]bool, len(l.m.consts))
	needed[l.m.result] = true
	var kept []*node
	for _, n := range slices.Backward(l.nodes) {
		if !slices.ContainsFunc(n.out, func(s int) bool { return s >= 0 && needed[s] }) {
			continue
		}
		for _, s := range n.in {
			if s >= 0 {
				needed[s] = true
			}
		}
		kept = append(kept, n)
	}
	slices.Reverse(kept)
	l.m.nodes = kept
}

// Bounds of what is computed before the first run.
const (
	foldWork   = 1 << 24
	foldMemory = 64 << 20
)

// fold computes the nodes that depend on weights only: constants, shapes, and
// weights that are only turned or given another type, which are not copied.
func (l *linker) fold() error {
	uses := l.uses()
	r := &run{limit: Limit{Work: foldWork, Memory: foldMemory}, free: map[int][][]float32{}}
	kept := l.m.nodes[:0]
	for _, n := range l.m.nodes {
		in, known := l.known(n)
		if !known {
			kept = append(kept, n)
			continue
		}
		if t := turned(n, in, uses); t != nil {
			l.m.consts[n.out[0]] = t
			continue
		}
		if !small(in) && n.op != "Cast" && n.op != "Identity" {
			kept = append(kept, n)
			continue
		}
		c := &call{run: r, n: n, opset: l.m.opset, in: in, out: make([]*tensor, len(n.out))}
		n.last = make([]bool, len(in))
		if err := n.run(c); err != nil {
			if errors.Is(err, ErrBudget) || errors.Is(err, ErrMemory) {
				r.limit.Work = 0
				kept = append(kept, n)
				continue
			}
			return fmt.Errorf("%.60s of constants: %w", n.op, err)
		}
		for k, s := range n.out {
			if s >= 0 && c.out[k] != nil {
				c.out[k].shared = nil // nothing writes to a constant
				l.m.consts[s] = c.out[k]
			}
		}
	}
	l.m.nodes = kept
	return nil
}

// uses maps slots to where they are read.
func (l *linker) uses() map[int][]use {
	uses := map[int][]use{l.m.result: {{}}}
	for _, n := range l.m.nodes {
		for k, s := range n.in {
			uses[s] = append(uses[s], use{n, k})
		}
	}
	return uses
}

// A use is the input k of a node, of none for the graph's output.
type use struct {
	n *node
	k int
}

// known returns the inputs of a node if all of them are constants.
func (l *linker) known(n *node) ([]*tensor, bool) {
	in := make([]*tensor, len(n.in))
	for k, s := range n.in {
		if s < 0 {
			continue
		}
		if in[k] = l.m.consts[s]; in[k] == nil {
			return nil, false
		}
	}
	return in, true
}

func small(in []*tensor) bool {
	return !slices.ContainsFunc(in, func(t *tensor) bool { return t != nil && t.raw != nil })
}

// turned returns a weight that a node transposes for products only: the same
// bytes, read in another order.
func turned(n *node, in []*tensor, uses map[int][]use) *tensor {
	if n.op != "Transpose" || n.domain != "" || len(in) != 1 || in[0] == nil || in[0].raw == nil || len(in[0].dims) != 2 || in[0].swapped {
		return nil
	}
	if perm, err := permutation(attrOf(n, "perm"), 2); err != nil || perm[0] != 1 {
		return nil
	}
	for _, u := range uses[n.out[0]] {
		if u.n == nil || u.k != 1 || (u.n.op != "MatMul" && u.n.op != "MatMulInteger") {
			return nil
		}
	}
	t := *in[0]
	t.dims = []int{t.dims[1], t.dims[0]}
	t.swapped = true
	return &t
}

func attrOf(n *node, name string) *attr { return (&call{n: n}).attr(name) }

// lifetimes marks, for each node, the inputs that nothing reads after it.
func (l *linker) lifetimes() {
	seen := make([]bool, len(l.m.consts))
	seen[l.m.result] = true
	for _, n := range slices.Backward(l.m.nodes) {
		n.last = make([]bool, len(n.in))
		for k, s := range n.in {
			n.last[k] = s >= 0 && !seen[s]
		}
		for _, s := range n.in {
			if s >= 0 {
				seen[s] = true
			}
		}
	}
}

// Run computes the output for the given inputs, each with one row of as many
// integers, and returns its numbers and its shape.
func (m *Model) Run(inputs map[string][]int64, limit Limit) ([]float32, []int, error) {
	r := &run{limit: limit, slots: slices.Clone(m.consts), free: map[int][][]float32{}}
	for _, in := range m.inputs {
		v, ok := inputs[in.Name]
		if !ok {
			return nil, nil, fmt.Errorf("the input %.60q was not given", in.Name)
		}
		t, err := r.integers(in.kind, []int{1, len(v)})
		if err != nil {
			return nil, nil, err
		}
		copy(t.i, v)
		r.slots[in.slot] = t
	}
	for _, n := range m.nodes {
		if err := m.step(r, n); err != nil {
			return nil, nil, fmt.Errorf("%.60s %.60q: %w", n.op, n.name, err)
		}
	}
	out := r.slots[m.result]
	if out == nil || !out.kind.float() {
		return nil, nil, errors.New("the output holds no floats")
	}
	return slices.Clone(out.numbers()), slices.Clone(out.dims), nil
}

// step runs one node and lets go of what nobody needs any more.
func (m *Model) step(r *run, n *node) error {
	c := call{run: r, n: n, opset: m.opset, in: make([]*tensor, len(n.in)), out: make([]*tensor, len(n.out))}
	for k, s := range n.in {
		if s < 0 {
			continue
		}
		if c.in[k] = r.slots[s]; c.in[k] == nil {
			return fmt.Errorf("its input %d was not computed", k)
		}
	}
	if err := r.spend(64); err != nil {
		return err
	}
	if err := n.run(&c); err != nil {
		return err
	}
	for k, s := range n.out {
		if s >= 0 {
			r.slots[s] = c.out[k]
		}
	}
	for k, s := range n.in {
		if n.last[k] && r.slots[s] != nil {
			r.drop(r.slots[s])
			r.slots[s] = nil
		}
	}
	return nil
}
