package graph

import "strings"

// kernelOf returns what runs an operator, or nil.
func kernelOf(domain, op string) func(*call) error {
	switch domain {
	case "":
		if k := shapeKernel(op); k != nil {
			return k
		}
		if k := elementKernel(op); k != nil {
			return k
		}
		return denseKernel(op)
	case "com.microsoft":
		return microsoftKernel(op)
	}
	return nil
}

// shapeKernel knows the operators that move numbers or compute shapes.
func shapeKernel(op string) func(*call) error {
	switch op {
	case "Identity", "Dropout":
		return opIdentity
	case "Shape":
		return opShape
	case "Size":
		return opSize
	case "Reshape":
		return opReshape
	case "Flatten":
		return opFlatten
	case "Squeeze":
		return opSqueeze
	case "Unsqueeze":
		return opUnsqueeze
	case "Transpose":
		return opTranspose
	case "Expand":
		return opExpand
	case "Tile":
		return opTile
	case "Slice":
		return opSlice
	case "Split":
		return opSplit
	case "Concat":
		return opConcat
	case "Gather":
		return opGather
	case "GatherElements":
		return opGatherElements
	case "Constant":
		return opConstant
	case "ConstantOfShape":
		return opConstantOfShape
	case "Range":
		return opRange
	case "Trilu":
		return opTrilu
	case "CumSum":
		return opCumSum
	}
	return nil
}

// elementKernel knows the operators that work element by element.
func elementKernel(op string) func(*call) error {
	switch op {
	case "Add", "Sub", "Mul", "Div", "Pow", "Mod", "Min", "Max", "PRelu":
		return func(c *call) error { return opArithmetic(c, op) }
	case "Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual":
		return func(c *call) error { return opCompare(c, op) }
	case "And", "Or", "Xor":
		return func(c *call) error { return opLogic(c, op) }
	case "Not":
		return opNot
	case "IsNaN", "IsInf":
		return func(c *call) error { return opIs(c, op) }
	case "Where":
		return opWhere
	case "Cast", "CastLike":
		return opCast
	case "Clip":
		return opClip
	case "Neg", "Abs", "Sign":
		return func(c *call) error { return opSigned(c, op) }
	case "Gelu":
		return opGelu
	}
	if f := function(op); f != nil {
		return func(c *call) error { return opFunction(c, f) }
	}
	return nil
}

// denseKernel knows the operators that combine many elements into one.
func denseKernel(op string) func(*call) error {
	switch op {
	case "MatMul":
		return opMatMul
	case "Gemm":
		return opGemm
	case "Softmax", "LogSoftmax":
		return func(c *call) error { return opSoftmax(c, op == "LogSoftmax") }
	case "LayerNormalization":
		return opLayerNorm
	case "MatMulInteger":
		return opMatMulInteger
	case "DynamicQuantizeLinear":
		return opDynamicQuantize
	case "DequantizeLinear":
		return opDequantize
	case "QuantizeLinear":
		return opQuantize
	}
	if rest, ok := strings.CutPrefix(op, "Reduce"); ok && reducer(rest) != nil {
		return func(c *call) error { return opReduce(c, reducer(rest)) }
	}
	return nil
}

// microsoftKernel knows what ONNX Runtime's optimizer writes for transformers.
func microsoftKernel(op string) func(*call) error {
	switch op {
	case "Gelu", "BiasGelu":
		return opGelu
	case "FastGelu":
		return opFastGelu
	case "SkipLayerNormalization":
		return opSkipLayerNorm
	case "FusedMatMul":
		return opFusedMatMul
	}
	return nil
}
