package graph

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/heedsh/heed/internal/detect/onnx/gemm"
)

// half returns the number that a binary16 has. Source: IEEE 754-2019, 3.6.
func half(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exp, frac := uint32(h>>10)&31, uint32(h)&1023
	switch exp {
	case 0: // zero and numbers below the normal range
		v := float32(frac) * (1.0 / (1 << 24))
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 31:
		return math.Float32frombits(sign | 0xff<<23 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// narrow rounds a double. One beyond the range becomes the largest float and
// not infinity: exporters write masks as the smallest double there is, and
// infinity would turn the mask's other elements into NaN.
func narrow(v float64) float32 {
	if v > math.MaxFloat32 && !math.IsInf(v, 0) {
		return math.MaxFloat32
	}
	if v < -math.MaxFloat32 && !math.IsInf(v, 0) {
		return -math.MaxFloat32
	}
	return float32(v)
}

// rawFloats reads len(dst) numbers from src as floats.
func rawFloats(dst []float32, src []byte, d dtype) {
	switch d {
	case dtFloat:
		src = src[:4*len(dst)]
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
		}
	case dtFloat16:
		for i := range dst {
			dst[i] = half(binary.LittleEndian.Uint16(src[2*i:]))
		}
	case dtBfloat16:
		for i := range dst {
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(src[2*i:])) << 16)
		}
	case dtDouble:
		for i := range dst {
			dst[i] = narrow(math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:])))
		}
	default:
		for i := range dst {
			dst[i] = float32(rawInt(src, i, d))
		}
	}
}

// rawInt reads the integer with the index i.
func rawInt(src []byte, i int, d dtype) int64 {
	switch d {
	case dtUint8:
		return int64(src[i])
	case dtBool:
		if src[i] != 0 {
			return 1
		}
		return 0
	case dtInt8:
		return int64(int8(src[i]))
	case dtUint16:
		return int64(binary.LittleEndian.Uint16(src[2*i:]))
	case dtInt16:
		return int64(int16(binary.LittleEndian.Uint16(src[2*i:])))
	case dtInt32:
		return int64(int32(binary.LittleEndian.Uint32(src[4*i:])))
	case dtUint32:
		return int64(binary.LittleEndian.Uint32(src[4*i:]))
	}
	return int64(binary.LittleEndian.Uint64(src[8*i:]))
}

// A rawMatrix is a [gemm.Source] over weights that lie in a file. less is
// subtracted from every number: the zero point of quantized weights, per
// column if there are several.
type rawMatrix struct {
	data    []byte
	stored  dtype
	columns int // in the file
	swapped bool
	rows    int
	less    []float32
}

// Pack implements [gemm.Source].
func (m *rawMatrix) Pack(dst []float32, r0, r1, c0, c1 int) {
	size := m.stored.size()
	for ; c0 < c1; c0 += gemm.Panel {
		width := min(gemm.Panel, c1-c0)
		panel := dst[:(r1-r0)*gemm.Panel]
		dst = dst[(r1-r0)*gemm.Panel:]
		switch {
		case m.swapped:
			m.packSwapped(panel, r0, r1, c0, width)
		case m.stored == dtFloat && width == gemm.Panel:
			gemm.PackBytes(panel, m.data[(r0*m.columns+c0)*size:], r1-r0, m.columns*size)
		default:
			for r := r0; r < r1; r++ {
				row := panel[(r-r0)*gemm.Panel:][:gemm.Panel]
				rawFloats(row[:width], m.data[(r*m.columns+c0)*size:], m.stored)
				clear(row[width:])
			}
		}
		m.shift(panel, c0, width)
	}
}

// packSwapped packs a panel of a matrix whose columns lie one after the other.
func (m *rawMatrix) packSwapped(panel []float32, r0, r1, c0, width int) {
	clear(panel)
	size := m.stored.size()
	var column [256]float32
	for j := range width {
		for r := r0; r < r1; r += len(column) {
			part := column[:min(len(column), r1-r)]
			rawFloats(part, m.data[((c0+j)*m.rows+r)*size:], m.stored)
			for i, v := range part {
				panel[(r-r0+i)*gemm.Panel+j] = v
			}
		}
	}
}

func (m *rawMatrix) shift(panel []float32, c0, width int) {
	if len(m.less) == 0 {
		return
	}
	for r := 0; r < len(panel); r += gemm.Panel {
		for j := range width {
			if len(m.less) == 1 {
				panel[r+j] -= m.less[0]
			} else {
				panel[r+j] -= m.less[c0+j]
			}
		}
	}
}

// source returns a matrix of rows by columns that begins at an element of t,
// as the right side of a product.
func (t *tensor) source(start, rows, columns int) gemm.Source {
	if t.raw == nil {
		return gemm.Dense{Data: t.f[start:], RowStride: columns, ColStride: 1}
	}
	return &rawMatrix{
		data: t.raw[start*t.stored.size():], stored: t.stored,
		columns: columns, rows: rows, swapped: t.swapped,
	}
}

// checkRaw says whether raw has the bytes that a shape needs.
func checkRaw(raw []byte, stored dtype, dims []int) error {
	n, err := count(dims)
	if err != nil {
		return err
	}
	if stored.size() == 0 {
		return fmt.Errorf("numbers of type %d are not read", stored)
	}
	if len(raw) != n*stored.size() {
		return fmt.Errorf("%d bytes for %d numbers of %d bytes", len(raw), n, stored.size())
	}
	return nil
}
