package gemm

import (
	"encoding/binary"
	"math"
)

// Dense is a [Source] over numbers in memory. The element in row r and column
// c is Data[r*RowStride+c*ColStride], so a transposed matrix costs no copy.
type Dense struct {
	Data                 []float32
	RowStride, ColStride int
}

// Pack implements [Source].
func (d Dense) Pack(dst []float32, r0, r1, c0, c1 int) {
	for ; c0 < c1; c0 += tileCols {
		width := min(tileCols, c1-c0)
		for r := r0; r < r1; r++ {
			row := dst[:tileCols]
			dst = dst[tileCols:]
			from := d.Data[r*d.RowStride+c0*d.ColStride:]
			if d.ColStride == 1 {
				copy(row, from[:width])
			} else {
				for j := range width {
					row[j] = from[j*d.ColStride]
				}
			}
			clear(row[width:])
		}
	}
}

// PackBytes writes a panel of 16 columns from little-endian float32 numbers:
// src begins with the first one, and rows lie stride bytes apart. It panics if
// there are fewer bytes.
func PackBytes(dst []float32, src []byte, rows, stride int) {
	if rows > 0 {
		pack(dst, src, rows, stride)
	}
}

// packGo is PackBytes in portable Go.
func packGo(dst []float32, src []byte, rows, stride int) {
	for r := range rows {
		row := (*[4 * tileCols]byte)(src[r*stride:])
		to := (*[tileCols]float32)(dst[r*tileCols:])
		for j := range to {
			to[j] = math.Float32frombits(binary.LittleEndian.Uint32(row[4*j:]))
		}
	}
}
