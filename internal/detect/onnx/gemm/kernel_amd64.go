package gemm

import "github.com/heedsh/heed/internal/once"

// kernelAVX is kernelGo with AVX: eight products at once, each rounded as in Go.
//
//go:noescape
func kernelAVX(depth int, a, b, c *float32, stride int)

// packAVX is packGo: the processor stores numbers as the files do.
//
//go:noescape
func packAVX(dst *float32, src *byte, rows, stride int)

// cpuAVX reports whether the processor and the operating system know AVX.
func cpuAVX() bool

var haveAVX = once.Value[bool]{Make: cpuAVX}

func kernel(depth int, a, b, c []float32, stride int) {
	if !haveAVX.Get() {
		kernelGo(depth, a, b, c, stride)
		return
	}
	_, _, _ = a[depth*tileRows-1], b[depth*tileCols-1], c[(tileRows-1)*stride+tileCols-1]
	kernelAVX(depth, &a[0], &b[0], &c[0], stride)
}

func pack(dst []float32, src []byte, rows, stride int) {
	if !haveAVX.Get() {
		packGo(dst, src, rows, stride)
		return
	}
	_, _ = dst[rows*tileCols-1], src[(rows-1)*stride+4*tileCols-1]
	packAVX(&dst[0], &src[0], rows, stride)
}
