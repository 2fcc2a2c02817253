package gemm

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// The shape of the work: a kernel call makes tileRows by tileCols elements of
// the product, over at most blockDepth of the inner dimension, so that its
// piece of the right side (16 kB) stays in the first cache. groupCols columns
// are fetched from the source at a time, so that whole cache lines are read.
const (
	tileRows   = 6
	tileCols   = 16
	groupCols  = 64
	blockDepth = 256
)

// parallelWork is how many multiplications are worth a second goroutine.
const parallelWork = 1 << 18

// A Source is the right side of a product. Pack writes its rows r0 to r1 and
// its columns c0 to c1 (both exclusive) to dst, as panels of 16 columns after
// each other; in a panel, row after row; columns beyond c1 of the last panel
// are zero. It is called by several goroutines at once.
type Source interface {
	Pack(dst []float32, r0, r1, c0, c1 int)
}

// Panel is the number of columns in a panel that [Source.Pack] writes.
const Panel = tileCols

// Multiply adds the product of a and b to c. a has m rows of k numbers, one
// after the other, b has k rows of n, and c has m rows of n. It panics if a
// slice is shorter than that.
func Multiply(c, a []float32, b Source, m, k, n int) {
	if m <= 0 || k <= 0 || n <= 0 {
		return
	}
	c, a = c[:m*n], a[:m*k]
	left := packLeft(a, m, k)
	groups := (n + groupCols - 1) / groupCols
	workers := min(runtime.GOMAXPROCS(0), groups)
	if m*n*k < parallelWork {
		workers = 1
	}
	var next atomic.Int64
	work := func() {
		buffer := make([]float32, min(k, blockDepth)*min((n+tileCols-1)/tileCols*tileCols, groupCols))
		for {
			g := int(next.Add(1)) - 1
			if g >= groups {
				return
			}
			multiplyGroup(c, left, b, m, k, n, g*groupCols, buffer)
		}
	}
	var others sync.WaitGroup
	for range workers - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
}

// packLeft lays a out as the kernel reads it: for each block of the inner
// dimension, for each six rows, the six numbers of every column. Rows that are
// missing from the last six are zero.
func packLeft(a []float32, m, k int) []float32 {
	tiles := (m + tileRows - 1) / tileRows
	out := make([]float32, tiles*tileRows*k)
	at := 0
	for k0 := 0; k0 < k; k0 += blockDepth {
		depth := min(blockDepth, k-k0)
		for t := range tiles {
			for r := range min(tileRows, m-t*tileRows) {
				row := a[(t*tileRows+r)*k+k0:][:depth]
				to := out[at+r:]
				for i, v := range row {
					to[i*tileRows] = v
				}
			}
			at += depth * tileRows
		}
	}
	return out
}

// multiplyGroup makes the columns from c0 on of the product, 64 at most.
func multiplyGroup(c, left []float32, b Source, m, k, n, c0 int, buffer []float32) {
	c1 := min(c0+groupCols, n)
	tiles := (m + tileRows - 1) / tileRows
	at := 0
	for k0 := 0; k0 < k; k0 += blockDepth {
		depth := min(blockDepth, k-k0)
		b.Pack(buffer, k0, k0+depth, c0, c1)
		for t := range tiles {
			rows := left[at : at+depth*tileRows]
			at += depth * tileRows
			for p := 0; c0+p*tileCols < c1; p++ {
				panel := buffer[p*depth*tileCols:][:depth*tileCols]
				col := c0 + p*tileCols
				multiplyTile(c, rows, panel, depth, t*tileRows, col, m, n)
			}
		}
	}
}

// multiplyTile adds one tile to the product. A tile that reaches over the edge
// of it goes through a buffer.
func multiplyTile(c, rows, panel []float32, depth, row, col, m, n int) {
	if row+tileRows <= m && col+tileCols <= n {
		kernel(depth, rows, panel, c[row*n+col:], n)
		return
	}
	var edge [tileRows * tileCols]float32
	height, width := min(tileRows, m-row), min(tileCols, n-col)
	for r := range height {
		copy(edge[r*tileCols:][:width], c[(row+r)*n+col:])
	}
	kernel(depth, rows, panel, edge[:], tileCols)
	for r := range height {
		copy(c[(row+r)*n+col:][:width], edge[r*tileCols:])
	}
}

// kernelGo is the kernel in portable Go: c, rows stride apart, plus six rows
// times sixteen columns over depth. The conversions keep a compiler from
// fusing the multiplication and the addition (Go specification, "Floating-point
// operators").
func kernelGo(depth int, a, b, c []float32, stride int) {
	for r := range tileRows {
		acc := (*[tileCols]float32)(c[r*stride:])
		sum := *acc
		for i := range depth {
			v := a[i*tileRows+r]
			row := (*[tileCols]float32)(b[i*tileCols:])
			for j := range row {
				sum[j] += float32(v * row[j])
			}
		}
		*acc = sum
	}
}
